/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/pages.h"

#include <string.h>

#include "sim/pages-internal.h"

struct hn_pages *hn_pages_create(struct hn_arena *arena, const struct hn_machine *machine,
				 uint32_t nr_regions_max)
{
	struct hn_pages *pages = HN_ARENA_NEW(arena, struct hn_pages);

	pages->arena = arena;
	pages->machine = machine;
	pages->nr_nodes = machine->nr_nodes;
	pages->nr_regions_max = nr_regions_max;
	pages->regions = HN_ARENA_ARRAY(arena, struct page_region, nr_regions_max);
	pages_init_nodes(pages);
	return pages;
}

/* ---- regions ---- */

static uint32_t size_class(uint32_t nr_entries)
{
	uint32_t class = 0;

	while ((UINT64_C(1) << class) < nr_entries)
		class++;
	return class;
}

static uint64_t nr_blocks(uint32_t nr_entries)
{
	return hn_div_up_u64(nr_entries, BLOCK_ENTRIES);
}

static uint64_t nr_groups(uint32_t nr_entries)
{
	return hn_div_up_u64(nr_blocks(nr_entries), GROUP_BLOCKS);
}

/* An array that a removed region of the class left, cleared; or none. */
static bool take_spare(struct hn_pages *pages, struct page_region *r)
{
	struct page_storage *spare = pages->spare[r->size_class];

	if (!spare)
		return false;
	pages->spare[r->size_class] = spare->next;
	r->entries = spare->entries;
	r->block_armed = spare->block_armed;
	r->group_armed = spare->group_armed;
	memset(r->entries, 0, (size_t)r->nr_entries * sizeof(*r->entries));
	memset(r->block_armed, 0, nr_blocks(r->nr_entries) * sizeof(*r->block_armed));
	memset(r->group_armed, 0, nr_groups(r->nr_entries) * sizeof(*r->group_armed));
	spare->next = pages->spare_heads;
	pages->spare_heads = spare;
	return true;
}

/* Spare arrays must fit every region of their class, so regions that come and go get whole powers of
 * two; the first use of a class by a large region gets what it needs, and is used again only by
 * regions that are not larger. */
static void take_storage(struct hn_pages *pages, struct page_region *r)
{
	uint32_t room = r->nr_entries;

	r->size_class = size_class(r->nr_entries);
	if (take_spare(pages, r))
		return;
	if (room < BLOCK_ENTRIES * GROUP_BLOCKS)
		room = UINT32_C(1) << r->size_class;
	r->entries = HN_ARENA_ARRAY(pages->arena, uint32_t, room);
	r->block_armed = HN_ARENA_ARRAY(pages->arena, uint16_t, nr_blocks(room));
	r->group_armed = HN_ARENA_ARRAY(pages->arena, uint32_t, nr_groups(room));
	pages->held_bytes += (uint64_t)room * 4 + nr_blocks(room) * 2 + nr_groups(room) * 4;
}

static void take_rows(struct hn_pages *pages, struct page_region *r)
{
	uint32_t nr_rows = r->desc.nr_slices + 1;

	if (nr_rows > r->nr_rows_max) {
		r->by_node = HN_ARENA_ARRAY(pages->arena, uint32_t,
					    (size_t)nr_rows * pages->nr_nodes);
		r->slice_armed = HN_ARENA_ARRAY(pages->arena, uint32_t, nr_rows);
		r->slice_present = HN_ARENA_ARRAY(pages->arena, uint32_t, nr_rows);
		r->nr_rows_max = nr_rows;
		pages->held_bytes += (uint64_t)nr_rows * (pages->nr_nodes + 2) * 4;
		return;
	}
	memset(r->by_node, 0, (size_t)nr_rows * pages->nr_nodes * sizeof(*r->by_node));
	memset(r->slice_armed, 0, nr_rows * sizeof(*r->slice_armed));
	memset(r->slice_present, 0, nr_rows * sizeof(*r->slice_present));
}

uint32_t hn_pages_add(struct hn_pages *pages, const struct hn_region_desc *desc)
{
	uint32_t region = pages->first_free;
	struct page_region *r;
	uint64_t nr_entries;

	while (region < pages->nr_regions_max && pages->regions[region].is_in_use)
		region++;
	r = pages_region(pages, region);
	pages->first_free = region + 1;
	r->entry_pages = desc->is_huge ? HN_HUGE_PAGES : 1;
	nr_entries = hn_div_up_u64(desc->nr_base_pages, r->entry_pages);
	hn_assert(nr_entries > 0 && nr_entries < UINT32_MAX / 2);
	hn_assert(desc->nr_slices >= 1);
	r->is_in_use = true;
	r->desc = *desc;
	r->nr_entries = (uint32_t)nr_entries;
	take_storage(pages, r);
	take_rows(pages, r);
	return region;
}

static void give_storage(struct hn_pages *pages, struct page_region *r)
{
	struct page_storage *spare = pages->spare_heads;

	if (r->nr_entries >= BLOCK_ENTRIES * GROUP_BLOCKS && r->nr_entries !=
	    UINT32_C(1) << r->size_class)
		return; /* too odd a size to be used again; large regions rarely come and go */
	if (spare)
		pages->spare_heads = spare->next;
	else
		spare = HN_ARENA_NEW(pages->arena, struct page_storage);
	spare->entries = r->entries;
	spare->block_armed = r->block_armed;
	spare->group_armed = r->group_armed;
	spare->next = pages->spare[r->size_class];
	pages->spare[r->size_class] = spare;
}

void hn_pages_remove(struct hn_pages *pages, uint32_t region)
{
	struct page_region *r = pages_region(pages, region);
	const uint32_t *by_node = hn_pages_by_node(pages, region, HN_PAGES_ALL);

	hn_assert(r->is_in_use);
	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		uint64_t nr_pages = (uint64_t)by_node[n] * r->entry_pages;

		pages->nodes[n].nr_free += nr_pages;
		pages->nr_resident -= nr_pages;
	}
	give_storage(pages, r);
	r->is_in_use = false;
	if (region < pages->first_free)
		pages->first_free = region;
}

uint32_t hn_pages_nr_entries(const struct hn_pages *pages, uint32_t region)
{
	return pages_region(pages, region)->nr_entries;
}

uint32_t hn_pages_slice_start(const struct hn_pages *pages, uint32_t region, uint32_t slice)
{
	const struct page_region *r = pages_region(pages, region);

	return (uint32_t)((uint64_t)slice * r->nr_entries / r->desc.nr_slices);
}

/* ---- marking ---- */

/* What the rules say depends on the node alone, the rest is the same for the whole region. */
static void fill_allowed(const struct hn_pages *pages, const struct page_region *r,
			 const struct hn_mark_rules *rules, uint8_t allowed[HN_NODES_MAX],
			 bool stamped[HN_NODES_MAX])
{
	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		struct hn_page_traits traits = {
			.nid = (hn_nid)n,
			.is_huge = r->entry_pages > 1,
			.is_top_tier = pages->machine->nodes[n].is_top_tier,
			.is_dirty_file = r->desc.is_dirty_file,
			.is_cow_vma = r->desc.is_cow_vma,
			.is_mapped_once = r->desc.is_mapped_once,
			.has_one_reference = r->desc.has_one_reference,
		};

		allowed[n] = hn_mark_allows(rules, traits);
		stamped[n] = rules->stamps_slow && !traits.is_top_tier;
	}
}

struct mark_run {
	struct page_region *r;
	const uint8_t *allowed;    /* by node */
	const bool *stamped;       /* by node */
	uint32_t stamp;            /* timed payload as entry bits */
	uint32_t nr_walked;
	uint32_t nr_marked;
};

/* Marks first .. end-1, which lie in one block and one slice; returns how many. */
static uint32_t mark_piece(struct mark_run *run, uint32_t first, uint32_t end)
{
	uint32_t *entries = run->r->entries;
	uint32_t nr_marked = 0;

	for (uint32_t e = first; e < end; e++) {
		uint32_t entry = entries[e];
		uint32_t nid = entry & ENTRY_NODE_MASK;

		if (!(entry & ENTRY_PRESENT))
			continue;
		run->nr_walked++;
		if ((entry & ENTRY_ARMED) || !run->allowed[nid])
			continue;
		entry |= ENTRY_ARMED;
		if (run->stamped[nid])
			entry = (entry & (ENTRY_NODE_MASK | ENTRY_PRESENT | ENTRY_ARMED)) |
				run->stamp;
		entries[e] = entry;
		nr_marked++;
	}
	return nr_marked;
}

static void mark_slice(struct mark_run *run, uint32_t slice, uint32_t first, uint32_t end)
{
	while (first < end) {
		uint32_t block_end = (first / BLOCK_ENTRIES + 1) * BLOCK_ENTRIES;
		uint32_t piece_end = block_end < end ? block_end : end;
		uint32_t nr_marked = mark_piece(run, first, piece_end);

		if (nr_marked)
			pages_count_armed(run->r, first, slice, (int32_t)nr_marked);
		run->nr_marked += nr_marked;
		first = piece_end;
	}
}

void hn_pages_mark(struct hn_pages *pages, uint32_t region, uint32_t first, uint32_t end,
		   const struct hn_mark_rules *rules, uint32_t now_ms, struct hn_mark_result *ret)
{
	struct page_region *r = pages_region(pages, region);
	uint8_t allowed[HN_NODES_MAX] = { 0 };
	bool stamped[HN_NODES_MAX] = { false };
	struct mark_run run = { .r = r, .allowed = allowed, .stamped = stamped };

	hn_assert(end <= r->nr_entries);
	fill_allowed(pages, r, rules, allowed, stamped);
	run.stamp = ENTRY_TIMED | ENTRY_KNOWN | (now_ms & ENTRY_PAYLOAD_MASK) << ENTRY_PAYLOAD_SHIFT;
	while (first < end) {
		uint32_t slice = pages_slice_of(r, first);
		uint32_t slice_end = hn_pages_slice_start(pages, region, slice + 1);

		if (slice_end > end)
			slice_end = end;
		mark_slice(&run, slice, first, slice_end);
		first = slice_end;
	}
	*ret = (struct hn_mark_result){
		.nr_updates = (uint64_t)run.nr_marked * r->entry_pages,
		.nr_walked = run.nr_walked,
		.nr_huge_updates = r->entry_pages > 1 ? run.nr_marked : 0,
	};
}

void hn_pages_disarm(struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	struct page_region *r = pages_region(pages, region);

	if (!(r->entries[entry] & ENTRY_ARMED))
		return;
	r->entries[entry] &= ~ENTRY_ARMED;
	pages_count_armed(r, entry, pages_slice_of(r, entry), -1);
}

/* ---- questions ---- */

uint32_t hn_pages_nr_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice)
{
	const struct page_region *r = pages_region(pages, region);

	return r->slice_armed[pages_row(r, slice)];
}

const uint32_t *hn_pages_by_node(const struct hn_pages *pages, uint32_t region, uint32_t slice)
{
	const struct page_region *r = pages_region(pages, region);

	return r->by_node + (size_t)pages_row(r, slice) * pages->nr_nodes;
}

uint32_t hn_pages_nr_present(const struct hn_pages *pages, uint32_t region, uint32_t slice)
{
	const struct page_region *r = pages_region(pages, region);

	return r->slice_present[pages_row(r, slice)];
}

static uint32_t get_entry(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	const struct page_region *r = pages_region(pages, region);

	hn_assert(entry < r->nr_entries);
	return r->entries[entry];
}

hn_nid hn_pages_nid(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	return (hn_nid)(get_entry(pages, region, entry) & ENTRY_NODE_MASK);
}

bool hn_pages_is_armed(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	return get_entry(pages, region, entry) & ENTRY_ARMED;
}

bool hn_pages_is_timed(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	return get_entry(pages, region, entry) & ENTRY_TIMED;
}

static uint32_t payload(uint32_t entry)
{
	return entry >> ENTRY_PAYLOAD_SHIFT & ENTRY_PAYLOAD_MASK;
}

int32_t hn_pages_cpupid(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	uint32_t value = get_entry(pages, region, entry);

	if (!(value & ENTRY_KNOWN) || (value & ENTRY_TIMED))
		return -1;
	return (int32_t)payload(value);
}

uint32_t hn_pages_access_ms(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	return payload(get_entry(pages, region, entry));
}

void hn_pages_set_cpupid(struct hn_pages *pages, uint32_t region, uint32_t entry, int32_t cpupid)
{
	struct page_region *r = pages_region(pages, region);
	uint32_t value;

	hn_assert(entry < r->nr_entries);
	value = r->entries[entry] & (ENTRY_NODE_MASK | ENTRY_PRESENT | ENTRY_ARMED);
	if (cpupid >= 0)
		value |= ENTRY_KNOWN | ((uint32_t)cpupid & ENTRY_PAYLOAD_MASK)
				       << ENTRY_PAYLOAD_SHIFT;
	r->entries[entry] = value;
}

uint64_t hn_pages_held_bytes(const struct hn_pages *pages)
{
	return pages->held_bytes;
}

/* ---- digest and check ---- */

/* Source: FNV-1a, Fowler, Noll and Vo; whole words, since counts are small. */
static uint64_t fold(uint64_t digest, uint64_t value)
{
	return (digest ^ value) * UINT64_C(0x100000001b3);
}

uint64_t hn_pages_digest(const struct hn_pages *pages)
{
	uint64_t digest = UINT64_C(0xcbf29ce484222325);

	for (uint32_t n = 0; n < pages->nr_nodes; n++)
		digest = fold(digest, pages->nodes[n].nr_free);
	for (uint32_t i = 0; i < pages->nr_regions_max; i++) {
		const struct page_region *r = &pages->regions[i];

		if (!r->is_in_use)
			continue;
		for (uint32_t s = 0; s <= r->desc.nr_slices; s++) {
			digest = fold(digest, r->slice_armed[s]);
			for (uint32_t n = 0; n < pages->nr_nodes; n++)
				digest = fold(digest, r->by_node[(size_t)s * pages->nr_nodes + n]);
		}
	}
	return digest;
}

static void check_region(const struct hn_pages *pages, uint32_t region)
{
	const struct page_region *r = &pages->regions[region];

	for (uint32_t s = 0; s < r->desc.nr_slices; s++) {
		uint32_t by_node[HN_NODES_MAX] = { 0 };
		uint32_t nr_armed = 0;
		uint32_t end = hn_pages_slice_start(pages, region, s + 1);

		for (uint32_t e = hn_pages_slice_start(pages, region, s); e < end; e++) {
			uint32_t entry = r->entries[e];

			hn_assert(pages_slice_of(r, e) == s);
			hn_assert((entry & ENTRY_PRESENT) || !(entry & ENTRY_ARMED));
			by_node[entry & ENTRY_NODE_MASK] += !!(entry & ENTRY_PRESENT);
			nr_armed += !!(entry & ENTRY_ARMED);
		}
		hn_assert(r->slice_armed[s] == nr_armed);
		for (uint32_t n = 0; n < pages->nr_nodes; n++)
			hn_assert(r->by_node[(size_t)s * pages->nr_nodes + n] == by_node[n]);
	}
}

static void check_blocks(const struct page_region *r)
{
	uint32_t nr_armed = 0;

	for (uint32_t e = 0; e < r->nr_entries; e++) {
		nr_armed += !!(r->entries[e] & ENTRY_ARMED);
		if ((e + 1) % BLOCK_ENTRIES && e + 1 < r->nr_entries)
			continue;
		hn_assert(r->block_armed[e / BLOCK_ENTRIES] == nr_armed);
		nr_armed = 0;
	}
}

void hn_pages_check(const struct hn_pages *pages)
{
	for (uint32_t i = 0; i < pages->nr_regions_max; i++) {
		if (!pages->regions[i].is_in_use)
			continue;
		check_region(pages, i);
		check_blocks(&pages->regions[i]);
	}
	for (uint32_t n = 0; n < pages->nr_nodes; n++)
		hn_assert(pages->nodes[n].nr_free <= pages->nodes[n].nr_total);
}
