/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages-internal.h - how entries and regions are stored.
 *
 *   pages.c        regions, marking, faults' questions, digest, check
 *   pages-alloc.c  nodes' free memory, first touch, migration
 *   pages-find.c   the next armed entry, and a random one
 *
 * An entry is 32 bits: node 0-5, present 6, armed 7, timed 8, payload known 9, payload 10-29. The payload
 * is cpu << 8 | pid (20 bits), or the low 20 bits of a time in ms when timed. */
#ifndef HN_SIM_PAGES_INTERNAL_H
#define HN_SIM_PAGES_INTERNAL_H

#include "base/assert.h"
#include "sim/pages.h"

#define ENTRY_NODE_MASK UINT32_C(63)
#define ENTRY_PRESENT (UINT32_C(1) << 6)
#define ENTRY_ARMED (UINT32_C(1) << 7)
#define ENTRY_TIMED (UINT32_C(1) << 8)
#define ENTRY_KNOWN (UINT32_C(1) << 9)
#define ENTRY_PAYLOAD_SHIFT 10
#define ENTRY_PAYLOAD_MASK UINT32_C(0xfffff)

#define BLOCK_ENTRIES 512   /* entries that share one count of armed ones */
#define GROUP_BLOCKS 64     /* blocks that share a second one */
#define SIZE_CLASSES 40     /* free lists of entry arrays by power of two */

struct page_region {
	bool is_in_use;
	struct hn_region_desc desc;
	uint32_t nr_entries;
	uint32_t entry_pages;      /* 1 or 512 */
	uint32_t size_class;
	uint32_t *entries;
	uint16_t *block_armed;     /* per BLOCK_ENTRIES entries */
	uint32_t *group_armed;     /* per GROUP_BLOCKS blocks */
	/* Rows for each slice, and one more for the region as a whole. */
	uint32_t *by_node;         /* [slice][node] */
	uint32_t *slice_armed;
	uint32_t *slice_present;
	uint32_t nr_rows_max;      /* rows that the arrays have room for */
};

/* An entry array that a removed region left behind. */
struct page_storage {
	struct page_storage *next;
	uint32_t *entries;
	uint16_t *block_armed;
	uint32_t *group_armed;
};

struct page_node {
	uint64_t nr_total;         /* base pages */
	uint64_t nr_free;
	uint64_t min_pages;        /* allocation stops here */
	uint64_t high_pages;       /* migration stops here */
};

struct hn_pages {
	struct hn_arena *arena;    /* borrowed */
	const struct hn_machine *machine;
	uint32_t nr_nodes;
	struct page_node *nodes;
	hn_nid *zonelist;          /* [node][k]: nodes with memory by distance, then index */
	uint32_t nr_memory_nodes;
	hn_nid *memory_nodes;      /* ascending */
	struct page_region *regions;
	uint32_t nr_regions_max;
	uint32_t first_free;       /* no free region below */
	struct page_storage *spare[SIZE_CLASSES];
	struct page_storage *spare_heads; /* structs without arrays, for reuse */
	uint64_t nr_resident;
	uint64_t nr_resident_peak;
	uint64_t held_bytes;
};

static inline struct page_region *pages_region(const struct hn_pages *pages, uint32_t region)
{
	hn_assert(region < pages->nr_regions_max);
	return &pages->regions[region];
}

static inline uint32_t pages_row(const struct page_region *r, uint32_t slice)
{
	return slice == HN_PAGES_ALL ? r->desc.nr_slices : slice;
}

/* The slice an entry is part of: slice i starts at i * n / s. */
static inline uint32_t pages_slice_of(const struct page_region *r, uint32_t entry)
{
	if (r->desc.nr_slices == 1)
		return 0;
	return (uint32_t)((((uint64_t)entry + 1) * r->desc.nr_slices - 1) / r->nr_entries);
}

/* Changes the counts of armed entries for one entry of the slice. */
static inline void pages_count_armed(struct page_region *r, uint32_t entry, uint32_t slice,
				     int32_t change)
{
	uint32_t block = entry / BLOCK_ENTRIES;

	r->block_armed[block] = (uint16_t)(r->block_armed[block] + change);
	r->group_armed[block / GROUP_BLOCKS] += (uint32_t)change;
	r->slice_armed[slice] += (uint32_t)change;
	r->slice_armed[r->desc.nr_slices] += (uint32_t)change;
}

/* ---- pages-alloc.c ---- */

void pages_init_nodes(struct hn_pages *pages);

#endif
