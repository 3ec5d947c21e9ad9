/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both searches go up the levels of counts (blocks, groups, super-groups; see pages-internal.h) and
 * down again, so that a search passes a few dozen counts and one block, whatever the
 * size of the region. Slices start and end anywhere inside a block. */
#include "sim/pages-internal.h"

/* Entries, or counts, that are looked at together. */
#define CHUNK_ENTRIES 16
#define CHUNK_COUNTS 8

static uint32_t slice_first(const struct page_region *r, uint32_t slice)
{
	return slice == HN_PAGES_ALL ? 0 : r->slice_start[slice];
}

static uint32_t slice_end(const struct page_region *r, uint32_t slice)
{
	return slice == HN_PAGES_ALL ? r->nr_entries : r->slice_start[slice + 1];
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The first multiple of step (a power of two) at or after e, but no more than end. */
static uint32_t boundary(uint32_t e, uint32_t step, uint32_t end)
{
	return (uint32_t)hn_min_u64(hn_round_up_pow2(e, step), end);
}

/* ---- the next one ---- */

/* The first armed entry in first .. end-1, which lie in one block; end: none. */
static uint32_t scan_piece(const uint32_t *entries, uint32_t first, uint32_t end)
{
	uint32_t e = first;

	while (end - e >= CHUNK_ENTRIES) {
		uint32_t any = 0;

		for (uint32_t i = 0; i < CHUNK_ENTRIES; i++)
			any |= entries[e + i];
		if (any & ENTRY_ARMED)
			break;
		e += CHUNK_ENTRIES;
	}
	while (e < end && !(entries[e] & ENTRY_ARMED))
		e++;
	return e;
}

/* How far from e, the start of a block, everything is known not to be armed. */
static uint32_t empty_entries(const struct page_storage *s, uint32_t e)
{
	if (s->block_armed[e / BLOCK_ENTRIES])
		return 0;
	if (e % GROUP_ENTRIES || s->group_armed[e / GROUP_ENTRIES])
		return BLOCK_ENTRIES;
	if (e % SUPER_ENTRIES || s->super_armed[e / SUPER_ENTRIES])
		return GROUP_ENTRIES;
	return SUPER_ENTRIES;
}

/* The first armed entry in first .. end-1; UINT32_MAX: none. */
static uint32_t scan_forward(const struct page_region *r, uint32_t first, uint32_t end)
{
	uint32_t e = first;

	while (e < end) {
		uint32_t block = e - e % BLOCK_ENTRIES;
		uint32_t empty = empty_entries(r->storage, block);
		uint32_t found, piece_end;

		if (empty) {
			if (end - block <= empty)
				break;
			e = block + empty;
			continue;
		}
		piece_end = boundary(e + 1, BLOCK_ENTRIES, end);
		found = scan_piece(r->entries, e, piece_end);
		if (found < piece_end)
			return found;
		e = piece_end;
	}
	return UINT32_MAX;
}

uint32_t hn_pages_next_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice,
			     uint32_t from)
{
	const struct page_region *r = pages_region(pages, region);
	uint32_t first = slice_first(r, slice);
	uint32_t end = slice_end(r, slice);
	uint32_t found;

	if (!r->slice_armed[pages_row(r, slice)])
		return UINT32_MAX;
	if (from < first || from >= end)
		from = first;
	if (r->entries[from] & ENTRY_ARMED)
		return from;
	found = scan_forward(r, from, end);
	return found != UINT32_MAX ? found : scan_forward(r, first, from);
}

/* ---- a random one ---- */

/* Where a search for the k-th armed entry has come to. */
struct cursor {
	uint32_t entry;
	uint32_t nr_left;  /* armed entries still to pass over */
};

static uint32_t count_armed(const uint32_t *entries, uint32_t n)
{
	uint32_t nr_armed = 0;

	for (uint32_t i = 0; i < n; i++)
		nr_armed += entries[i] >> ENTRY_ARMED_SHIFT & 1;
	return nr_armed;
}

/* Passes whole chunks, then entries, up to `end` or the armed entry that is looked for. */
static void pass_entries(const struct page_region *r, struct cursor *c, uint32_t end)
{
	while (end - c->entry >= CHUNK_ENTRIES) {
		uint32_t nr_armed = count_armed(r->entries + c->entry, CHUNK_ENTRIES);

		if (nr_armed > c->nr_left)
			break;
		c->nr_left -= nr_armed;
		c->entry += CHUNK_ENTRIES;
	}
	for (; c->entry < end; c->entry++) {
		uint32_t is_armed = r->entries[c->entry] >> ENTRY_ARMED_SHIFT & 1;

		if (is_armed > c->nr_left)
			return;
		c->nr_left -= is_armed;
	}
}

/* The number of blocks or groups of `step` entries that lie wholly between the cursor and end; none
 * where the cursor is inside one. */
static uint32_t steps_to(const struct cursor *c, uint32_t step, uint32_t end)
{
	return c->entry % step ? 0 : (end - c->entry) / step;
}

/* From a boundary of blocks or groups of `step` entries, whose counts stand in armed[]: passes
 * those before `end` that end before the entry that is looked for. */
static void pass_small(const uint16_t *armed, uint32_t step, struct cursor *c, uint32_t end)
{
	uint32_t i = c->entry / step;
	uint32_t limit = i + steps_to(c, step, end);

	for (; limit - i >= CHUNK_COUNTS; i += CHUNK_COUNTS) {
		uint32_t sum = 0;

		for (uint32_t k = 0; k < CHUNK_COUNTS; k++)
			sum += armed[i + k];
		if (sum > c->nr_left)
			break;
		c->nr_left -= sum;
	}
	for (; i < limit && armed[i] <= c->nr_left; i++)
		c->nr_left -= armed[i];
	if (i > c->entry / step)
		c->entry = i * step;
}

/* The same for super-groups. */
static void pass_supers(const uint32_t *armed, struct cursor *c, uint32_t end)
{
	uint32_t i = c->entry / SUPER_ENTRIES;
	uint32_t limit = i + steps_to(c, SUPER_ENTRIES, end);

	for (; i < limit && armed[i] <= c->nr_left; i++) {
		c->nr_left -= armed[i];
		c->entry += SUPER_ENTRIES;
	}
}

/* The k-th (from 0) armed entry of first .. end-1, which has more than k of them. */
static uint32_t find_nth(const struct page_region *r, uint32_t first, uint32_t end, uint32_t k)
{
	const struct page_storage *s = r->storage;
	struct cursor c = { .entry = first, .nr_left = k };
	uint32_t block_end = boundary(first, BLOCK_ENTRIES, end);

	pass_entries(r, &c, block_end);
	if (c.entry < block_end)
		return c.entry;
	pass_small(s->block_armed, BLOCK_ENTRIES, &c, boundary(c.entry, GROUP_ENTRIES, end));
	pass_small(s->group_armed, GROUP_ENTRIES, &c, boundary(c.entry, SUPER_ENTRIES, end));
	pass_supers(s->super_armed, &c, end);
	pass_small(s->group_armed, GROUP_ENTRIES, &c, end);
	pass_small(s->block_armed, BLOCK_ENTRIES, &c, end);
	if (s->block_armed[c.entry / BLOCK_ENTRIES] == BLOCK_ENTRIES)
		return c.entry + c.nr_left;
	pass_entries(r, &c, min_u32(end, c.entry + BLOCK_ENTRIES));
	return c.entry;
}

uint32_t hn_pages_pick_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice,
			     struct hn_rng *rng)
{
	const struct page_region *r = pages_region(pages, region);
	uint32_t nr_armed = r->slice_armed[pages_row(r, slice)];
	uint32_t entry;

	if (!nr_armed)
		return UINT32_MAX;
	entry = find_nth(r, slice_first(r, slice), slice_end(r, slice),
			 (uint32_t)hn_rng_below(rng, nr_armed));
	hn_assert(r->entries[entry] & ENTRY_ARMED);
	return entry;
}
