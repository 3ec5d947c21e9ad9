/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/pages-internal.h"

/* ---- nodes ---- */

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

#define MIN_FREE_KBYTES_LOW 128
#define MIN_FREE_KBYTES_HIGH 262144 /* 65536 before v5.9 */
#define WATERMARK_SCALE_PER_MYRIAD 10
#define KBYTES_PER_PAGE (HN_PAGE_BYTES / 1024)

/* Source: v6.12 mm/page_alloc.c, calculate_min_free_kbytes() and __setup_per_zone_wmarks(): the
 * minimum is sqrt(16 * memory in kB) kB, limited, and shared out by size; low and high lie one and
 * two steps of max(min / 4, 0.1 % of the zone) above it.
 * ASSUMES: a node is one zone, and khugepaged does not raise the minimum, as it does where huge
 * pages are on (about 90 MB on a machine with two nodes); nodes then seem full a little later.
 *
 * Example: two nodes of 32 GiB are 67108864 kB: minimum 32768 kB, 4096 pages a node; step
 * max(1024, 8388) = 8388; low 12484, high 20872 pages. */
static void init_watermarks(struct hn_pages *pages, uint64_t total_pages)
{
	uint64_t min_kbytes = root(16 * total_pages * KBYTES_PER_PAGE);

	min_kbytes = hn_min_u64(min_kbytes, MIN_FREE_KBYTES_HIGH);
	min_kbytes = hn_max_u64(min_kbytes, MIN_FREE_KBYTES_LOW);
	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		struct page_node *node = &pages->nodes[n];
		uint64_t step;

		if (!node->nr_total)
			continue;
		node->min_pages = min_kbytes / KBYTES_PER_PAGE * node->nr_total / total_pages;
		step = hn_max_u64(node->min_pages / 4,
				  node->nr_total * WATERMARK_SCALE_PER_MYRIAD / 10000);
		node->low_pages = node->min_pages + step;
		node->high_pages = node->min_pages + 2 * step;
	}
}

/* Nodes with memory by distance from nid, then index; insertion sort of at most 64. */
static void init_zonelist(struct hn_pages *pages, hn_nid nid)
{
	hn_nid *list = pages->zonelist + (size_t)nid * pages->nr_nodes;

	for (uint32_t m = 0; m < pages->nr_memory_nodes; m++) {
		hn_nid next = pages->memory_nodes[m];
		uint16_t distance = hn_machine_distance(pages->machine, nid, next);
		uint32_t at = m;

		while (at > 0 &&
		       hn_machine_distance(pages->machine, nid, list[at - 1]) > distance) {
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

	hn_assert(nr_nodes <= HN_NODES_MAX);
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
	hn_assert(pages->nr_memory_nodes > 0);
	init_watermarks(pages, total_pages);
	for (uint32_t n = 0; n < nr_nodes; n++)
		init_zonelist(pages, (hn_nid)n);
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

/* ---- counting ---- */

/* nr entries more on the node, for slice and region. */
static void count_entries(struct hn_pages *pages, struct page_region *r, uint32_t slice, hn_nid nid,
			  uint32_t nr)
{
	uint32_t all = r->desc.nr_slices;

	r->by_node[(size_t)slice * pages->nr_nodes + (size_t)nid] += nr;
	r->by_node[(size_t)all * pages->nr_nodes + (size_t)nid] += nr;
}

static void count_placed(struct hn_pages *pages, struct page_region *r, uint32_t slice, hn_nid nid,
			 uint32_t nr)
{
	uint64_t nr_pages = (uint64_t)nr * r->entry_pages;

	count_entries(pages, r, slice, nid, nr);
	r->slice_present[slice] += nr;
	r->slice_present[r->desc.nr_slices] += nr;
	pages->nodes[nid].nr_free -= nr_pages;
	pages->nr_resident += nr_pages;
}

void pages_free_region(struct hn_pages *pages, const struct page_region *r)
{
	const uint32_t *by_node = r->by_node + (size_t)r->desc.nr_slices * pages->nr_nodes;

	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		uint64_t nr_pages = (uint64_t)by_node[n] * r->entry_pages;

		pages->nodes[n].nr_free += nr_pages;
		pages->nr_resident -= nr_pages;
	}
}

/* ---- first touch ---- */

/* Where the entry should go: by the region's policy, else to the toucher's node or, where that
 * has no memory, the nearest one that has. */
static hn_nid intended_nid(const struct hn_pages *pages, const struct page_region *r,
			   uint32_t entry, hn_nid nid)
{
	if (r->desc.is_interleaved)
		return pages->memory_nodes[entry % pages->nr_memory_nodes];
	if (r->desc.bind_nid != HN_NID_NONE)
		nid = r->desc.bind_nid;
	return pages->zonelist[(size_t)nid * pages->nr_nodes];
}

/* Entries that fit above the mark. */
static uint64_t room_entries(const struct page_node *node, uint64_t mark_pages,
			     uint32_t entry_pages)
{
	return node->nr_free > mark_pages ? (node->nr_free - mark_pages) / entry_pages : 0;
}

/* The first node of the intended one's zonelist with room above its low mark, else above its
 * minimum; NONE: the machine is full. *ret_nr_room: how many entries fit.
 * Source: v6.12 mm/page_alloc.c, __alloc_pages_noprof(): a pass over the zonelist that keeps the
 * low mark, then the slow path with the minimum.
 * ASSUMES: there is nothing to reclaim; memory is not fragmented, so that a huge page fits wherever
 * 512 pages are free; a binding is a preference, as a strict one would end the program. */
static hn_nid find_room(const struct hn_pages *pages, hn_nid intended, uint32_t entry_pages,
			uint64_t *ret_nr_room)
{
	const hn_nid *list = pages->zonelist + (size_t)intended * pages->nr_nodes;

	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t k = 0; k < pages->nr_memory_nodes; k++) {
			const struct page_node *node = &pages->nodes[list[k]];
			uint64_t mark = pass == 0 ? node->low_pages : node->min_pages;
			uint64_t nr_room = room_entries(node, mark, entry_pages);

			if (!nr_room)
				continue;
			*ret_nr_room = nr_room;
			return list[k];
		}
	}
	return HN_NID_NONE;
}

static void count_result(const struct page_region *r, struct hn_alloc_result *result, uint32_t nr,
			 bool is_hit, bool is_local)
{
	uint64_t nr_pages = (uint64_t)nr * r->entry_pages;

	result->nr_entries += nr;
	if (is_hit)
		result->nr_hit += nr_pages;
	else
		result->nr_miss += nr_pages;
	if (is_local)
		result->nr_local += nr_pages;
	if (is_hit && r->desc.is_interleaved)
		result->nr_interleave += nr_pages;
}

/* One stretch of a touch: absent entries from `entry` on that go to the same node. */
struct touch {
	uint32_t entry;
	uint32_t end;      /* of the stretch: also of the slice, or of one interleaved entry */
	uint32_t slice;
	hn_nid toucher;
};

/* Places until the stretch ends or the node is full; moves t->entry on. */
static bool place_stretch(struct hn_pages *pages, struct page_region *r, struct touch *t,
			  struct hn_alloc_result *result)
{
	hn_nid intended = intended_nid(pages, r, t->entry, t->toucher);
	uint64_t nr_room = 0;
	hn_nid nid = find_room(pages, intended, r->entry_pages, &nr_room);
	uint32_t nr = 0;

	if (nid == HN_NID_NONE)
		return false;
	for (; t->entry < t->end && nr < nr_room; t->entry++) {
		uint32_t *at = &r->entries[t->entry];

		if (*at & ENTRY_PRESENT)
			continue;
		*at = (uint32_t)nid | ENTRY_PRESENT;
		nr++;
	}
	count_placed(pages, r, t->slice, nid, nr);
	count_result(r, result, nr, nid == intended, nid == t->toucher);
	return true;
}

static void skip_present(const struct page_region *r, struct touch *t, uint32_t end)
{
	while (t->entry < end && (r->entries[t->entry] & ENTRY_PRESENT))
		t->entry++;
}

/* Touches t->entry .. slice_end-1, all of one slice. */
static bool touch_slice(struct hn_pages *pages, struct page_region *r, struct touch *t,
			uint32_t slice_end, struct hn_alloc_result *result)
{
	for (;;) {
		skip_present(r, t, slice_end);
		if (t->entry >= slice_end)
			return true;
		t->end = r->desc.is_interleaved ? t->entry + 1 : slice_end;
		if (!place_stretch(pages, r, t, result))
			return false;
	}
}

bool hn_pages_touch(struct hn_pages *pages, uint32_t region, uint32_t first, uint32_t end,
		    hn_nid nid, struct hn_alloc_result *ret)
{
	struct page_region *r = pages_region(pages, region);
	struct touch t = { .entry = first, .toucher = nid };
	bool is_placed = true;

	hn_assert(end <= r->nr_entries);
	*ret = (struct hn_alloc_result){ 0 };
	if (t.entry < r->first_absent)
		t.entry = r->first_absent;
	while (t.entry < end && is_placed) {
		uint32_t slice_end;

		t.slice = pages_slice_of(r, t.entry);
		slice_end = r->slice_start[t.slice + 1];
		is_placed = touch_slice(pages, r, &t, slice_end < end ? slice_end : end, ret);
	}
	if (is_placed && first <= r->first_absent && end > r->first_absent)
		r->first_absent = end;
	pages->nr_resident_peak = hn_max_u64(pages->nr_resident_peak, pages->nr_resident);
	return is_placed;
}

/* ---- migration ---- */

/* Source: v6.12 mm/migrate.c, migrate_balanced_pgdat(): the target must keep its high mark. */
bool hn_pages_migrate(struct hn_pages *pages, uint32_t region, uint32_t entry, hn_nid nid)
{
	struct page_region *r = pages_region(pages, region);
	struct page_node *to = &pages->nodes[nid];
	uint32_t slice;
	hn_nid from;

	hn_assert(entry < r->nr_entries);
	hn_assert(r->entries[entry] & ENTRY_PRESENT);
	if (room_entries(to, to->high_pages, r->entry_pages) == 0)
		return false;
	from = (hn_nid)(r->entries[entry] & ENTRY_NODE_MASK);
	slice = pages_slice_of(r, entry);
	r->entries[entry] = (r->entries[entry] & ~ENTRY_NODE_MASK) | (uint32_t)nid;
	count_entries(pages, r, slice, from, UINT32_MAX); /* minus one */
	count_entries(pages, r, slice, nid, 1);
	pages->nodes[from].nr_free += r->entry_pages;
	to->nr_free -= r->entry_pages;
	return true;
}

uint32_t hn_pages_skip_present(const struct hn_pages *pages, uint32_t region, uint32_t from)
{
	const struct page_region *r = pages_region(pages, region);

	return from < r->first_absent ? r->first_absent : from;
}
