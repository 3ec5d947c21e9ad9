/* SPDX-License-Identifier: GPL-2.0-or-later */
/* digest.h - folds a state, field by field, into 64 bits that tell two states apart.
 *
 * For comparing runs, not against an adversary. Order matters; every field is a number of a fixed
 * width, so that padding and byte order never show.
 * Source: FNV-1a's offset and prime (Fowler, Noll and Vo) on whole words, with the high half mixed
 * down, since a multiplication alone carries upwards only. */
#ifndef HN_BASE_DIGEST_H
#define HN_BASE_DIGEST_H

#include "base/types.h"

#define HN_DIGEST_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hn_digest_fold(uint64_t digest, uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x100000001b3);
	return digest ^ digest >> 32;
}

static inline uint64_t hn_digest_fold_row(uint64_t digest, const uint64_t *row, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		digest = hn_digest_fold(digest, row[i]);
	return digest;
}

#endif
