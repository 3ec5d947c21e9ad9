/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marking is the busiest loop over pages: a scan of 256 MiB looks at 65536 entries. What
 * hn_mark_allows() says depends, inside one region, on the node of the page alone, so it
 * is asked once per node. Rules that leave out at most one node, the usual case, run through
 * a loop without branches that compilers turn into vector code; the rest looks up a table. */
#include "sim/pages-internal.h"

/* No entry has this node. */
#define NID_NOBODY (ENTRY_NODE_MASK + 1)

struct mark_run {
	struct page_region *r;
	bool is_simple;            /* all nodes but skip_nid are allowed, none is stamped */
	uint32_t skip_nid;         /* NID_NOBODY: none */
	/* By node, 64 rows so that no node's number can lead out of them. */
	uint32_t armed_bit[HN_NODES_MAX];  /* ENTRY_ARMED where allowed, else 0 */
	uint32_t stamp[HN_NODES_MAX];      /* payload and flags that marking sets */
	uint32_t keep_mask[HN_NODES_MAX];  /* bits that marking keeps */
	uint32_t nr_walked;
	uint32_t nr_marked;
};

static struct hn_page_traits node_traits(const struct hn_pages *pages, const struct page_region *r,
					 uint32_t nid)
{
	return (struct hn_page_traits){
		.nid = (hn_nid)nid,
		.is_huge = r->entry_pages > 1,
		.is_top_tier = pages->machine->nodes[nid].is_top_tier,
		.is_dirty_file = r->desc.is_dirty_file,
		.is_cow_vma = r->desc.is_cow_vma,
		.is_mapped_once = r->desc.is_mapped_once,
		.has_one_reference = r->desc.has_one_reference,
	};
}

/* ASSUMES: no page is shared by KSM. */
static void init_run(struct mark_run *run, const struct hn_pages *pages,
		     const struct hn_mark_rules *rules, uint32_t now_ms)
{
	uint32_t nr_skipped = 0;

	run->is_simple = true;
	run->skip_nid = NID_NOBODY;
	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		struct hn_page_traits traits = node_traits(pages, run->r, n);

		run->keep_mask[n] = UINT32_MAX;
		if (!hn_mark_allows(rules, traits)) {
			run->skip_nid = n;
			nr_skipped++;
			continue;
		}
		run->armed_bit[n] = ENTRY_ARMED;
		if (rules->stamps_slow && !traits.is_top_tier) {
			run->keep_mask[n] = ENTRY_STATE_MASK;
			run->stamp[n] = ENTRY_TIMED |
					(now_ms & ENTRY_PAYLOAD_MASK) << ENTRY_PAYLOAD_SHIFT;
			run->is_simple = false;
		}
	}
	run->is_simple = run->is_simple && nr_skipped <= 1;
}

/* Marks n entries of one block; returns how many were marked. */
static uint32_t mark_simple(struct mark_run *run, uint32_t *entries, uint32_t n)
{
	uint32_t skip_nid = run->skip_nid;
	uint32_t nr_walked = 0;
	uint32_t nr_marked = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t entry = entries[i];
		uint32_t is_present = entry >> ENTRY_PRESENT_SHIFT & 1;
		uint32_t is_plain = is_present & ~(entry >> ENTRY_ARMED_SHIFT);
		uint32_t is_marked = (entry & ENTRY_NODE_MASK) == skip_nid ? 0 : is_plain;

		entries[i] = entry | is_marked << ENTRY_ARMED_SHIFT;
		nr_walked += is_present;
		nr_marked += is_marked;
	}
	run->nr_walked += nr_walked;
	return nr_marked;
}

static uint32_t mark_by_table(struct mark_run *run, uint32_t *entries, uint32_t n)
{
	uint32_t nr_marked = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t entry = entries[i];
		uint32_t nid = entry & ENTRY_NODE_MASK;

		if (!(entry & ENTRY_PRESENT))
			continue;
		run->nr_walked++;
		if ((entry & ENTRY_ARMED) || !run->armed_bit[nid])
			continue;
		entries[i] = (entry & run->keep_mask[nid]) | ENTRY_ARMED | run->stamp[nid];
		nr_marked++;
	}
	return nr_marked;
}

/* Marks first .. end-1, which lie in one block and one slice. */
static void mark_piece(struct mark_run *run, uint32_t slice, uint32_t first, uint32_t end)
{
	uint32_t *entries = run->r->entries + first;
	uint32_t n = end - first;
	uint32_t nr_marked;

	nr_marked = run->is_simple ? mark_simple(run, entries, n) : mark_by_table(run, entries, n);
	if (nr_marked)
		pages_count_armed(run->r, first, slice, (int32_t)nr_marked);
	run->nr_marked += nr_marked;
}

/* A group full of hints has nothing to mark: a second scan before anybody came by. */
static bool is_full_group(const struct page_region *r, uint32_t first, uint32_t end)
{
	return first % GROUP_ENTRIES == 0 && end - first >= GROUP_ENTRIES &&
	       r->storage->group_armed[first / GROUP_ENTRIES] == GROUP_ENTRIES;
}

static void mark_slice(struct mark_run *run, uint32_t slice, uint32_t first, uint32_t end)
{
	while (first < end) {
		uint32_t block_end = (first / BLOCK_ENTRIES + 1) * BLOCK_ENTRIES;
		uint32_t piece_end = block_end < end ? block_end : end;

		if (is_full_group(run->r, first, end)) {
			run->nr_walked += GROUP_ENTRIES;
			first += GROUP_ENTRIES;
			continue;
		}
		mark_piece(run, slice, first, piece_end);
		first = piece_end;
	}
}

void hn_pages_mark(struct hn_pages *pages, uint32_t region, uint32_t first, uint32_t end,
		   const struct hn_mark_rules *rules, uint32_t now_ms, struct hn_mark_result *ret)
{
	struct mark_run run = { .r = pages_region(pages, region) };

	hn_assert(end <= run.r->nr_entries);
	init_run(&run, pages, rules, now_ms);
	while (first < end) {
		uint32_t slice = pages_slice_of(run.r, first);
		uint32_t slice_end = run.r->slice_start[slice + 1];

		if (slice_end > end)
			slice_end = end;
		mark_slice(&run, slice, first, slice_end);
		first = slice_end;
	}
	*ret = (struct hn_mark_result){
		.nr_updates = (uint64_t)run.nr_marked * run.r->entry_pages,
		.nr_walked = run.nr_walked,
		.nr_huge_updates = run.r->entry_pages > 1 ? run.nr_marked : 0,
	};
}

void hn_pages_disarm(struct hn_pages *pages, uint32_t region, uint32_t entry)
{
	struct page_region *r = pages_region(pages, region);

	hn_assert(entry < r->nr_entries);
	if (!(r->entries[entry] & ENTRY_ARMED))
		return;
	r->entries[entry] &= ~ENTRY_ARMED;
	pages_count_armed(r, entry, pages_slice_of(r, entry), -1);
}
