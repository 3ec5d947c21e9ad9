/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages-internal.h - how entries, regions and nodes are stored; for pages*.c alone.
 *
 *   pages.c        regions, questions about entries
 *   pages-mark.c   marking and disarming
 *   pages-alloc.c  nodes' free memory, first touch, migration
 *   pages-find.c   the next armed entry, and a random one
 *   pages-check.c  digest, invariants
 *
 * An entry is 32 bits:
 *
 *    31   30  29               10   9      8      7      6     5      0
 *   +-------+--------------------+------+------+------+-------+--------+
 *   | unused|      payload       | known| timed| armed|present|  node  |
 *   +-------+--------------------+------+------+------+-------+--------+
 *
 * The payload is cpu << 8 | pid & 255 of the last fault when known and not timed, the low 20
 * bits of a time in ms when timed. An absent entry is zero.
 *
 * Armed entries are counted per block of 64 entries, per group of 64 blocks, per super-group of
 * 64 groups (2^18 entries, 1 GiB of base pages), per slice and per region. A base page of
 * a large region thus takes 4 + 2/64 + 2/4096 + 4/2^18 = 4.032 bytes. */
#ifndef HN_SIM_PAGES_INTERNAL_H
#define HN_SIM_PAGES_INTERNAL_H

#include "base/assert.h"
#include "sim/pages.h"

#define ENTRY_NODE_MASK UINT32_C(63)
#define ENTRY_PRESENT_SHIFT 6
#define ENTRY_ARMED_SHIFT 7
#define ENTRY_PRESENT (UINT32_C(1) << ENTRY_PRESENT_SHIFT)
#define ENTRY_ARMED (UINT32_C(1) << ENTRY_ARMED_SHIFT)
#define ENTRY_TIMED (UINT32_C(1) << 8)
#define ENTRY_KNOWN (UINT32_C(1) << 9)
#define ENTRY_PAYLOAD_SHIFT 10
#define ENTRY_PAYLOAD_MASK UINT32_C(0xfffff)
/* What stays when the payload changes. */
#define ENTRY_STATE_MASK (ENTRY_NODE_MASK | ENTRY_PRESENT | ENTRY_ARMED)

#define BLOCK_ENTRIES UINT32_C(64)
#define GROUP_ENTRIES (BLOCK_ENTRIES * 64)
#define SUPER_ENTRIES (GROUP_ENTRIES * 64)
#define SIZE_CLASSES 32 /* free lists of storage, by the power of two that holds it */
#define ENTRIES_MAX (UINT32_C(1) << 31)

/* The arrays of one region; they outlive it on a free list. */
struct page_storage {
	struct page_storage *next; /* of the same size class, while free */
	uint32_t nr_room;          /* entries */
	uint32_t *entries;
	uint16_t *block_armed;     /* per BLOCK_ENTRIES */
	uint16_t *group_armed;     /* per GROUP_ENTRIES */
	uint32_t *super_armed;     /* per SUPER_ENTRIES */
};

struct page_region {
	bool is_in_use;
	struct hn_region_desc desc;
	uint32_t nr_entries;
	uint32_t entry_pages;      /* 1 or 512 */
	struct page_storage *storage;
	uint32_t *entries;         /* = storage->entries */
	/* One row for each slice, and one more for the region as a whole. */
	uint32_t *by_node;         /* [row][node] */
	uint32_t *slice_armed;     /* [row] */
	uint32_t *slice_present;   /* [row] */
	uint32_t *slice_start;     /* [row]; the last one is the number of entries */
	uint32_t nr_rows_max;      /* room in these; they stay with the region's id */
	uint32_t first_absent;     /* all entries before it are present */
};

/* Base pages; marks as in Linux' zones, see pages-alloc.c. */
struct page_node {
	uint64_t nr_total;
	uint64_t nr_free;
	uint64_t min_pages;
	uint64_t low_pages;
	uint64_t high_pages;
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
	uint64_t nr_resident;      /* base pages */
	uint64_t nr_resident_peak;
	uint64_t held_bytes;
};

static inline struct page_region *pages_region(const struct hn_pages *pages, uint32_t region)
{
	hn_assert(region < pages->nr_regions_max);
	hn_assert(pages->regions[region].is_in_use);
	return &pages->regions[region];
}

static inline uint32_t pages_row(const struct page_region *r, uint32_t slice)
{
	return slice == HN_PAGES_ALL ? r->desc.nr_slices : slice;
}

/* The slice of an entry: the last one that starts at or before it, so that
 * slice * n < (entry + 1) * nr_slices. */
static inline uint32_t pages_slice_of(const struct page_region *r, uint32_t entry)
{
	if (r->desc.nr_slices == 1)
		return 0;
	return (uint32_t)((((uint64_t)entry + 1) * r->desc.nr_slices - 1) / r->nr_entries);
}

/* `change` more (or less) armed entries in the block and slice of `entry`. */
static inline void pages_count_armed(struct page_region *r, uint32_t entry, uint32_t slice,
				     int32_t change)
{
	struct page_storage *s = r->storage;
	uint16_t *block = &s->block_armed[entry / BLOCK_ENTRIES];
	uint16_t *group = &s->group_armed[entry / GROUP_ENTRIES];

	*block = (uint16_t)(*block + change);
	*group = (uint16_t)(*group + change);
	s->super_armed[entry / SUPER_ENTRIES] += (uint32_t)change;
	r->slice_armed[slice] += (uint32_t)change;
	r->slice_armed[r->desc.nr_slices] += (uint32_t)change;
}

/* ---- pages-alloc.c ---- */

void pages_init_nodes(struct hn_pages *pages);
/* Gives back what the region holds. */
void pages_free_region(struct hn_pages *pages, const struct page_region *r);

#endif
