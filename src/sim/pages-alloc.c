/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/pages-internal.h"

/* Integer square root, rounded down. */
static uint64_t root(uint64_t x)
{
	uint64_t r = 0;

	for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1) {
		if ((r + bit) * (r + bit) <= x)
			r += bit;
	}
	return r;
}

/* Source: mm/page_alloc.c calculate_min_free_kbytes() and __setup_per_zone_wmarks(), v5.10 .. v6.12:
 * min_free_kbytes = sqrt(16 * memory in kB), between 128 and 262144, shared out by size; low and high
 * lie one and two steps of max(min / 4, 0.1 % of the node) above it.
 * ASSUMES: a node is one zone. */
static void init_watermarks(struct hn_pages *pages, uint64_t total_pages)
{
	uint64_t min_kbytes = root(16 * total_pages * 4);

	min_kbytes = hn_max_u64(128, hn_min_u64(min_kbytes, 262144));
	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		struct page_node *node = &pages->nodes[n];
		uint64_t step;

		if (!node->nr_total)
			continue;
		node->min_pages = min_kbytes / 4 * node->nr_total / total_pages;
		step = hn_max_u64(node->min_pages / 4, node->nr_total / 1000);
		node->high_pages = node->min_pages + 2 * step;
	}
}

/* Nodes with memory by distance from nid, then index; insertion sort of at most 64. */
static void init_zonelist(struct hn_pages *pages, hn_nid nid)
{
	hn_nid *list = pages->zonelist + (size_t)nid * pages->nr_nodes;
	uint32_t nr = 0;

	for (uint32_t m = 0; m < pages->nr_memory_nodes; m++) {
		hn_nid next = pages->memory_nodes[m];
		uint16_t distance = hn_machine_distance(pages->machine, nid, next);
		uint32_t at = nr++;

		while (at > 0 && hn_machine_distance(pages->machine, nid, list[at - 1]) > distance) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = next;
	}
}

void pages_init_nodes(struct hn_pages *pages)
{
	uint32_t nr_nodes = pages->nr_nodes;
	uint64_t total_pages = 0;

	pages->nodes = HN_ARENA_ARRAY(pages->arena, struct page_node, nr_nodes);
	pages->memory_nodes = HN_ARENA_ARRAY(pages->arena, hn_nid, nr_nodes);
	pages->zonelist = HN_ARENA_ARRAY(pages->arena, hn_nid, (size_t)nr_nodes * nr_nodes);
	for (uint32_t n = 0; n < nr_nodes; n++) {
		pages->nodes[n].nr_total = pages->machine->nodes[n].mem_bytes / HN_PAGE_BYTES;
		pages->nodes[n].nr_free = pages->nodes[n].nr_total;
		total_pages += pages->nodes[n].nr_total;
		if (pages->nodes[n].nr_total)
			pages->memory_nodes[pages->nr_memory_nodes++] = (hn_nid)n;
	}
	init_watermarks(pages, total_pages);
	for (uint32_t n = 0; n < nr_nodes; n++)
		init_zonelist(pages, (hn_nid)n);
}

/* Where the page should go: by the region's policy, else the first of the toucher's zonelist. */
static hn_nid intended_nid(const struct hn_pages *pages, const struct page_region *r,
			   uint32_t entry, hn_nid nid)
{
	if (r->desc.bind_nid != HN_NID_NONE)
		return r->desc.bind_nid;
	if (r->desc.is_interleaved)
		return pages->memory_nodes[entry % pages->nr_memory_nodes];
	return pages->zonelist[(size_t)nid * pages->nr_nodes];
}

static bool has_room(const struct page_node *node, uint32_t nr_pages)
{
	return node->nr_free >= node->min_pages + nr_pages;
}

/* The first node of the intended one's zonelist with room; NONE: the machine is full.
 * ASSUMES: memory is not fragmented, so that a huge page fits wherever 512 pages are free. */
static hn_nid find_room(const struct hn_pages *pages, hn_nid intended, uint32_t nr_pages)
{
	const hn_nid *list = pages->zonelist + (size_t)intended * pages->nr_nodes;

	for (uint32_t k = 0; k < pages->nr_memory_nodes; k++) {
		if (has_room(&pages->nodes[list[k]], nr_pages))
			return list[k];
	}
	return HN_NID_NONE;
}

static void place(struct hn_pages *pages, struct page_region *r, uint32_t entry, hn_nid nid)
{
	uint32_t slice = pages_slice_of(r, entry);

	r->entries[entry] = (uint32_t)nid | ENTRY_PRESENT;
	r->by_node[(size_t)slice * pages->nr_nodes + (uint32_t)nid]++;
	r->by_node[(size_t)r->desc.nr_slices * pages->nr_nodes + (uint32_t)nid]++;
	r->slice_present[slice]++;
	r->slice_present[r->desc.nr_slices]++;
	pages->nodes[nid].nr_free -= r->entry_pages;
	pages->nr_resident += r->entry_pages;
}

static void count_allocation(const struct page_region *r, hn_nid got, hn_nid intended,
			     hn_nid toucher, struct hn_alloc_result *result)
{
	result->nr_entries++;
	if (got == intended)
		result->nr_hit += r->entry_pages;
	else
		result->nr_miss += r->entry_pages;
	if (got == toucher)
		result->nr_local += r->entry_pages;
	if (r->desc.is_interleaved && got == intended)
		result->nr_interleave += r->entry_pages;
}

bool hn_pages_touch(struct hn_pages *pages, uint32_t region, uint32_t first, uint32_t end,
		    hn_nid nid, struct hn_alloc_result *ret)
{
	struct page_region *r = pages_region(pages, region);
	bool fits = true;

	hn_assert(end <= r->nr_entries);
	*ret = (struct hn_alloc_result){ 0 };
	for (uint32_t e = first; e < end && fits; e++) {
		hn_nid intended, got;

		if (r->entries[e] & ENTRY_PRESENT)
			continue;
		intended = intended_nid(pages, r, e, nid);
		got = find_room(pages, intended, r->entry_pages);
		fits = got != HN_NID_NONE;
		if (!fits)
			break;
		place(pages, r, e, got);
		count_allocation(r, got, intended, nid, ret);
	}
	if (pages->nr_resident > pages->nr_resident_peak)
		pages->nr_resident_peak = pages->nr_resident;
	return fits;
}

bool hn_pages_migrate(struct hn_pages *pages, uint32_t region, uint32_t entry, hn_nid nid)
{
	struct page_region *r = pages_region(pages, region);
	struct page_node *to = &pages->nodes[nid];
	uint32_t slice = pages_slice_of(r, entry);
	hn_nid from;

	hn_assert(entry < r->nr_entries);
	hn_assert(r->entries[entry] & ENTRY_PRESENT);
	from = (hn_nid)(r->entries[entry] & ENTRY_NODE_MASK);
	if (to->nr_free < to->high_pages + r->entry_pages)
		return false;
	r->entries[entry] = (r->entries[entry] & ~ENTRY_NODE_MASK) | (uint32_t)nid;
	r->by_node[(size_t)slice * pages->nr_nodes + (uint32_t)from]--;
	r->by_node[(size_t)slice * pages->nr_nodes + (uint32_t)nid]++;
	r->by_node[(size_t)r->desc.nr_slices * pages->nr_nodes + (uint32_t)from]--;
	r->by_node[(size_t)r->desc.nr_slices * pages->nr_nodes + (uint32_t)nid]++;
	pages->nodes[from].nr_free += r->entry_pages;
	to->nr_free -= r->entry_pages;
	return true;
}

uint64_t hn_pages_free(const struct hn_pages *pages, hn_nid nid)
{
	return pages->nodes[nid].nr_free;
}

uint64_t hn_pages_total(const struct hn_pages *pages, hn_nid nid)
{
	return pages->nodes[nid].nr_total;
}

uint64_t hn_pages_nr_resident(const struct hn_pages *pages)
{
	return pages->nr_resident;
}

uint64_t hn_pages_nr_resident_peak(const struct hn_pages *pages)
{
	return pages->nr_resident_peak;
}
