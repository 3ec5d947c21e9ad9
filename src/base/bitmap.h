/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bitmap.h - sets of small dense ids (CPUs, nodes) as words of 64 bits.
 *
 * The caller owns the words and knows how many bits count; unused high bits stay zero. */
#ifndef HN_BASE_BITMAP_H
#define HN_BASE_BITMAP_H

#include "base/types.h"

#define HN_BITMAP_WORDS(nr_bits) (((size_t)(nr_bits) + 63) / 64)

static inline bool hn_bitmap_has(const uint64_t *map, uint32_t bit)
{
	return map[bit / 64] >> (bit % 64) & 1;
}

static inline void hn_bitmap_add(uint64_t *map, uint32_t bit)
{
	map[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void hn_bitmap_remove(uint64_t *map, uint32_t bit)
{
	map[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

/* The first member at or after `from`; nr_bits where there is none. */
static inline uint32_t hn_bitmap_next(const uint64_t *map, uint32_t nr_bits, uint32_t from)
{
	uint64_t word;
	uint32_t w;

	if (from >= nr_bits)
		return nr_bits;
	w = from / 64;
	word = map[w] & (~UINT64_C(0) << (from % 64));
	while (!word) {
		if (++w >= HN_BITMAP_WORDS(nr_bits))
			return nr_bits;
		word = map[w];
	}
	return w * 64 + (uint32_t)__builtin_ctzll(word);
}

static inline uint32_t hn_bitmap_count(const uint64_t *map, uint32_t nr_bits)
{
	uint32_t count = 0;

	for (size_t w = 0; w < HN_BITMAP_WORDS(nr_bits); w++)
		count += (uint32_t)__builtin_popcountll(map[w]);
	return count;
}

/* Visits the members in ascending order. */
#define hn_bitmap_for_each(bit, map, nr_bits)                           \
	for (uint32_t bit = hn_bitmap_next((map), (nr_bits), 0);        \
	     bit < (nr_bits);                                           \
	     bit = hn_bitmap_next((map), (nr_bits), bit + 1))

#endif
