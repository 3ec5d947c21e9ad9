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

/* ---- storage ---- */

static uint32_t size_class(uint32_t nr_entries)
{
	uint32_t class = 0;

	while ((UINT64_C(1) << class) < nr_entries)
		class++;
	return class;
}

/* The first storage of the class that has room, unlinked and cleared; NULL: none. */
static struct page_storage *take_spare(struct hn_pages *pages, uint32_t nr_entries)
{
	struct page_storage **link = &pages->spare[size_class(nr_entries)];
	uint64_t nr_blocks, nr_groups, nr_supers;
	struct page_storage *s;

	while (*link && (*link)->nr_room < nr_entries)
		link = &(*link)->next;
	s = *link;
	if (!s)
		return NULL;
	*link = s->next;
	nr_blocks = hn_div_up_u64(nr_entries, BLOCK_ENTRIES);
	nr_groups = hn_div_up_u64(nr_entries, GROUP_ENTRIES);
	nr_supers = hn_div_up_u64(nr_entries, SUPER_ENTRIES);
	memset(s->entries, 0, (size_t)nr_entries * sizeof(*s->entries));
	memset(s->block_armed, 0, nr_blocks * sizeof(*s->block_armed));
	memset(s->group_armed, 0, nr_groups * sizeof(*s->group_armed));
	memset(s->super_armed, 0, nr_supers * sizeof(*s->super_armed));
	return s;
}

/* Small regions come and go in many sizes: their storage is a whole power of two, so that it fits
 * every later one of the class. Large ones get what they need. */
static struct page_storage *make_storage(struct hn_pages *pages, uint32_t nr_entries)
{
	struct page_storage *s = HN_ARENA_NEW(pages->arena, struct page_storage);
	uint64_t nr_room = nr_entries;
	uint64_t nr_blocks, nr_groups, nr_supers;

	if (nr_room < GROUP_ENTRIES)
		nr_room = UINT64_C(1) << size_class(nr_entries);
	nr_blocks = hn_div_up_u64(nr_room, BLOCK_ENTRIES);
	nr_groups = hn_div_up_u64(nr_room, GROUP_ENTRIES);
	nr_supers = hn_div_up_u64(nr_room, SUPER_ENTRIES);
	s->nr_room = (uint32_t)nr_room;
	s->entries = HN_ARENA_ARRAY(pages->arena, uint32_t, nr_room);
	s->block_armed = HN_ARENA_ARRAY(pages->arena, uint16_t, nr_blocks);
	s->group_armed = HN_ARENA_ARRAY(pages->arena, uint16_t, nr_groups);
	s->super_armed = HN_ARENA_ARRAY(pages->arena, uint32_t, nr_supers);
	pages->held_bytes += sizeof(*s) + nr_room * sizeof(*s->entries) +
			     nr_blocks * sizeof(*s->block_armed) +
			     nr_groups * sizeof(*s->group_armed) +
			     nr_supers * sizeof(*s->super_armed);
	return s;
}

static void give_storage(struct hn_pages *pages, struct page_storage *s)
{
	uint32_t class = size_class(s->nr_room);

	s->next = pages->spare[class];
	pages->spare[class] = s;
}

/* Rows stay with the region's id; they grow by doubling. */
static void reserve_rows(struct hn_pages *pages, struct page_region *r, uint32_t nr_rows)
{
	if (nr_rows <= r->nr_rows_max)
		return;
	r->nr_rows_max = UINT32_C(1) << size_class(nr_rows);
	r->by_node = HN_ARENA_ARRAY(pages->arena, uint32_t,
				    (size_t)r->nr_rows_max * pages->nr_nodes);
	r->slice_armed = HN_ARENA_ARRAY(pages->arena, uint32_t, r->nr_rows_max);
	r->slice_present = HN_ARENA_ARRAY(pages->arena, uint32_t, r->nr_rows_max);
	r->slice_start = HN_ARENA_ARRAY(pages->arena, uint32_t, r->nr_rows_max);
	pages->held_bytes += (uint64_t)r->nr_rows_max * (pages->nr_nodes + 3) * sizeof(uint32_t);
}

static void init_rows(struct hn_pages *pages, struct page_region *r)
{
	uint32_t nr_slices = r->desc.nr_slices;
	uint32_t nr_rows = nr_slices + 1;

	reserve_rows(pages, r, nr_rows);
	memset(r->by_node, 0, (size_t)nr_rows * pages->nr_nodes * sizeof(*r->by_node));
	memset(r->slice_armed, 0, nr_rows * sizeof(*r->slice_armed));
	memset(r->slice_present, 0, nr_rows * sizeof(*r->slice_present));
	for (uint32_t i = 0; i <= nr_slices; i++)
		r->slice_start[i] = (uint32_t)((uint64_t)i * r->nr_entries / nr_slices);
}

/* ---- regions ---- */

uint32_t hn_pages_add(struct hn_pages *pages, const struct hn_region_desc *desc)
{
	uint32_t region = pages->first_free;
	struct page_region *r;
	uint64_t nr_entries;

	while (region < pages->nr_regions_max && pages->regions[region].is_in_use)
		region++;
	hn_assert(region < pages->nr_regions_max);
	pages->first_free = region + 1;
	r = &pages->regions[region];
	r->is_in_use = true;
	r->first_absent = 0;
	r->desc = *desc;
	r->entry_pages = desc->is_huge ? HN_HUGE_PAGES : 1;
	nr_entries = hn_div_up_u64(desc->nr_base_pages, r->entry_pages);
	hn_assert(nr_entries > 0);
	hn_assert(nr_entries <= ENTRIES_MAX);
	hn_assert(desc->nr_slices >= 1);
	r->nr_entries = (uint32_t)nr_entries;
	r->storage = take_spare(pages, r->nr_entries);
	if (!r->storage)
		r->storage = make_storage(pages, r->nr_entries);
	r->entries = r->storage->entries;
	init_rows(pages, r);
	return region;
}

void hn_pages_remove(struct hn_pages *pages, uint32_t region)
{
	struct page_region *r = pages_region(pages, region);

	pages_free_region(pages, r);
	give_storage(pages, r->storage);
	r->storage = NULL;
	r->entries = NULL;
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

	hn_assert(slice <= r->desc.nr_slices);
	return r->slice_start[slice];
}

uint64_t hn_pages_held_bytes(const struct hn_pages *pages)
{
	return pages->held_bytes;
}

/* ---- questions about slices ---- */

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

/* ---- questions about entries ---- */

static uint32_t *get_entry(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	const struct page_region *r = pages_region(pages, region);

	hn_assert(entry < r->nr_entries);
	return &r->entries[entry];
}

hn_nid hn_pages_nid(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	return (hn_nid)(*get_entry(pages, region, entry) & ENTRY_NODE_MASK);
}

bool hn_pages_is_armed(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	return *get_entry(pages, region, entry) & ENTRY_ARMED;
}

bool hn_pages_is_timed(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	return *get_entry(pages, region, entry) & ENTRY_TIMED;
}

static uint32_t payload(uint32_t value)
{
	return value >> ENTRY_PAYLOAD_SHIFT & ENTRY_PAYLOAD_MASK;
}

int32_t hn_pages_cpupid(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	uint32_t value = *get_entry(pages, region, entry);

	if (!(value & ENTRY_KNOWN) || (value & ENTRY_TIMED))
		return -1;
	return (int32_t)payload(value);
}

uint32_t hn_pages_access_ms(const struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	uint32_t value = *get_entry(pages, region, entry);

	hn_assert(value & ENTRY_TIMED);
	return payload(value);
}

void hn_pages_set_cpupid(struct hn_pages *pages, uint32_t region, uint32_t entry, int32_t cpupid)
{
	uint32_t *at = get_entry(pages, region, entry);

	hn_assert(*at & ENTRY_PRESENT);
	hn_assert(cpupid <= (int32_t)ENTRY_PAYLOAD_MASK);
	*at &= ENTRY_STATE_MASK;
	if (cpupid >= 0)
		*at |= ENTRY_KNOWN | (uint32_t)cpupid << ENTRY_PAYLOAD_SHIFT;
}
