/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of armed entries per block, and per 64 blocks, let both searches skip what is not armed. */
#include "sim/pages-internal.h"

#define GROUP_ENTRIES (BLOCK_ENTRIES * GROUP_BLOCKS)

/* The first armed entry in first .. end-1; end when there is none. */
static uint32_t scan_forward(const struct page_region *r, uint32_t first, uint32_t end)
{
	uint32_t e = first;

	while (e < end) {
		if (e % GROUP_ENTRIES == 0 && !r->group_armed[e / GROUP_ENTRIES]) {
			e += GROUP_ENTRIES;
			continue;
		}
		if (!r->block_armed[e / BLOCK_ENTRIES]) {
			e = (e / BLOCK_ENTRIES + 1) * BLOCK_ENTRIES;
			continue;
		}
		if (r->entries[e] & ENTRY_ARMED)
			return e;
		e++;
	}
	return end;
}

static uint32_t slice_first(const struct hn_pages *pages, uint32_t region, uint32_t slice)
{
	return slice == HN_PAGES_ALL ? 0 : hn_pages_slice_start(pages, region, slice);
}

static uint32_t slice_end(const struct hn_pages *pages, uint32_t region, uint32_t slice)
{
	if (slice == HN_PAGES_ALL)
		return pages->regions[region].nr_entries;
	return hn_pages_slice_start(pages, region, slice + 1);
}

uint32_t hn_pages_next_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice,
			     uint32_t from)
{
	const struct page_region *r = pages_region(pages, region);
	uint32_t first = slice_first(pages, region, slice);
	uint32_t end = slice_end(pages, region, slice);
	uint32_t found;

	if (!r->slice_armed[pages_row(r, slice)])
		return UINT32_MAX;
	found = scan_forward(r, from, end);
	if (found < end)
		return found;
	found = scan_forward(r, first, from);
	return found < from ? found : UINT32_MAX;
}

/* Armed entries of the block that lie in first .. end-1. */
static uint32_t count_piece(const struct page_region *r, uint32_t first, uint32_t end)
{
	uint32_t nr_armed = 0;

	for (uint32_t e = first; e < end; e++)
		nr_armed += r->entries[e] / ENTRY_ARMED & 1;
	return nr_armed;
}

/* The k-th (from 0) armed entry of first .. end-1, which has more than k of them. */
static uint32_t find_in_piece(const struct page_region *r, uint32_t first, uint32_t end, uint32_t k)
{
	uint32_t e = first;

	for (; e < end; e++) {
		if (!(r->entries[e] & ENTRY_ARMED))
			continue;
		if (k-- == 0)
			break;
	}
	return e;
}

/* The k-th (from 0) armed entry at or after first, by groups, blocks, then entries. */
static uint32_t find_nth(const struct page_region *r, uint32_t first, uint32_t end, uint32_t k)
{
	uint32_t e = first;

	while (e < end) {
		uint32_t piece_end = (e / BLOCK_ENTRIES + 1) * BLOCK_ENTRIES;
		uint32_t nr_armed;

		if (e % GROUP_ENTRIES == 0 && end - e >= GROUP_ENTRIES &&
		    r->group_armed[e / GROUP_ENTRIES] <= k) {
			k -= r->group_armed[e / GROUP_ENTRIES];
			e += GROUP_ENTRIES;
			continue;
		}
		if (piece_end > end)
			piece_end = end;
		nr_armed = e % BLOCK_ENTRIES ? count_piece(r, e, piece_end)
					     : r->block_armed[e / BLOCK_ENTRIES];
		if (nr_armed > k)
			return find_in_piece(r, e, piece_end, k);
		k -= nr_armed;
		e = piece_end;
	}
	return UINT32_MAX;
}

uint32_t hn_pages_pick_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice,
			     struct hn_rng *rng)
{
	const struct page_region *r = pages_region(pages, region);
	uint32_t nr_armed = r->slice_armed[pages_row(r, slice)];

	if (!nr_armed)
		return UINT32_MAX;
	return find_nth(r, slice_first(pages, region, slice), slice_end(pages, region, slice),
			(uint32_t)hn_rng_below(rng, nr_armed));
}
