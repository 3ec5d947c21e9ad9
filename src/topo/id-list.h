/* SPDX-License-Identifier: GPL-2.0-or-later */
/* id-list.h - lists of CPU and node numbers as the kernel writes them.
 *
 * Two notations: lists ("0-3,8,10-12", with strides "0-10:2"), and masks ("ff,00000003", 32 bits
 * a word, most significant first). Numbers are the system's own; an empty text is an empty set.
 * Refused, with the column of the offending character: empty members ("0-3,,7"), descending
 * ranges ("7-3"), numbers at or above HN_ID_MAX, anything else. Blanks around are ignored. */
#ifndef HN_TOPO_ID_LIST_H
#define HN_TOPO_ID_LIST_H

#include "base/bitmap.h"
#include "base/diag.h"

#define HN_ID_MAX 65536 /* the system's numbers of CPUs and nodes lie below */

struct hn_id_set {
	uint64_t words[HN_BITMAP_WORDS(HN_ID_MAX)];
};

/* Adds the members of `text` to the set; `what` names the list in messages. On failure the set
 * holds the members before the bad one. */
int HN_MUST_CHECK hn_id_list_parse(const char *text, const char *what, struct hn_id_set *set,
				   struct hn_diag *diag);

int HN_MUST_CHECK hn_id_mask_parse(const char *text, const char *what, struct hn_id_set *set,
				   struct hn_diag *diag);

static inline bool hn_id_set_has(const struct hn_id_set *set, int32_t id)
{
	return id >= 0 && id < HN_ID_MAX && hn_bitmap_has(set->words, (uint32_t)id);
}

/* The lowest member, or -1. */
static inline int32_t hn_id_set_first(const struct hn_id_set *set)
{
	uint32_t first = hn_bitmap_next(set->words, HN_ID_MAX, 0);

	return first < HN_ID_MAX ? (int32_t)first : -1;
}

#endif
