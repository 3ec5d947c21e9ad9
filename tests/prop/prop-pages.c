/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: pages behave like a model so plain that it can be seen to be right. Method: random regions
 * on a machine of four small nodes, two of them slow; random touches, marks, faults (disarm, new
 * cpupid, migration) and removals. The model keeps one struct per entry, finds room, marks (with
 * hn_mark_allows() itself) and searches by walking. Results are compared at each step, entries
 * at every eighth; hn_pages_check() walks the counts. The last seed printed is the failed one.
 *
 * Uniformity: 64 armed entries of a large region in four clusters, 64000 picks; each count is
 * within 6 standard deviations of 1000, and chi-square with 63 degrees of freedom below 110
 * (p < 0.0003) and above 25 (p < 0.0001: too even to be random). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"
#include "sim/pages.h"

#define NR_NODES 4
#define NODE_PAGES 8192
#define NR_REGIONS 5
#define ENTRIES_MAX 6000
#define NR_STEPS 400
#define NR_SEEDS 30

/* 4 nodes of 8192 pages are 131072 kB: minimum sqrt(16 * 131072) = 1448 kB = 362 pages, 90 a node;
 * step max(90 / 4, 8192 / 1000) = 22. */
#define MIN_PAGES 90
#define LOW_PAGES 112
#define HIGH_PAGES 134

struct naive_entry {
	bool is_present;
	bool is_armed;
	bool is_timed;
	hn_nid nid;
	int32_t cpupid;
	uint32_t access_ms;
};

struct naive_region {
	bool is_in_use;
	struct hn_region_desc desc;
	uint32_t nr_entries;
	uint32_t entry_pages;
	struct naive_entry entries[ENTRIES_MAX];
};

struct world {
	struct hn_arena arena;
	struct hn_rng rng;
	struct hn_machine machine;
	struct hn_node nodes[NR_NODES];
	uint16_t distance[NR_NODES * NR_NODES];
	struct hn_pages *pages;
	uint64_t nr_free[NR_NODES];
	struct naive_region regions[NR_REGIONS];
};

static uint32_t draw(struct world *w, uint32_t below)
{
	return (uint32_t)hn_rng_below(&w->rng, below);
}

/* Lives in its own arena. */
static struct world *start(uint64_t seed)
{
	struct hn_arena arena;
	struct world *w;

	hn_arena_init(&arena);
	w = HN_ARENA_NEW(&arena, struct world);
	w->arena = arena;
	hn_rng_init(&w->rng, seed, "prop-pages", 0);
	for (uint32_t i = 0; i < NR_NODES; i++) {
		w->nodes[i].mem_bytes = NODE_PAGES * HN_PAGE_BYTES;
		w->nodes[i].is_top_tier = i < 2;
		w->nr_free[i] = NODE_PAGES;
		for (uint32_t j = 0; j < NR_NODES; j++)
			w->distance[i * NR_NODES + j] =
				i == j ? 10 : (uint16_t)(20 + 10 * draw(w, 2));
	}
	w->machine = (struct hn_machine){ .nr_nodes = NR_NODES, .nodes = w->nodes,
					  .distance = w->distance };
	w->pages = hn_pages_create(&w->arena, &w->machine, NR_REGIONS);
	return w;
}

static void stop(struct world *w)
{
	struct hn_arena arena = w->arena;

	hn_arena_fini(&arena);
}

/* ---- the model ---- */

static bool has_room(const struct world *w, uint32_t nid, uint64_t mark, uint32_t nr_pages)
{
	return w->nr_free[nid] >= mark + nr_pages;
}

/* The nearest node that keeps `mark`; ties to the lower index. */
static hn_nid naive_nearest(const struct world *w, hn_nid from, uint64_t mark, uint32_t nr_pages)
{
	hn_nid best = HN_NID_NONE;

	for (hn_nid n = 0; n < NR_NODES; n++) {
		if (!has_room(w, (uint32_t)n, mark, nr_pages))
			continue;
		if (best == HN_NID_NONE || hn_machine_distance(&w->machine, from, n) <
					   hn_machine_distance(&w->machine, from, best))
			best = n;
	}
	return best;
}

static bool naive_place(struct world *w, struct naive_region *r, uint32_t e, hn_nid toucher,
			struct hn_alloc_result *result)
{
	hn_nid intended = toucher;
	hn_nid nid;

	if (r->desc.bind_nid != HN_NID_NONE)
		intended = r->desc.bind_nid;
	if (r->desc.is_interleaved)
		intended = (hn_nid)(e % NR_NODES);
	nid = naive_nearest(w, intended, LOW_PAGES, r->entry_pages);
	if (nid == HN_NID_NONE)
		nid = naive_nearest(w, intended, MIN_PAGES, r->entry_pages);
	if (nid == HN_NID_NONE)
		return false;
	r->entries[e] = (struct naive_entry){ .is_present = true, .nid = nid, .cpupid = -1 };
	w->nr_free[nid] -= r->entry_pages;
	result->nr_entries++;
	result->nr_hit += nid == intended ? r->entry_pages : 0;
	result->nr_miss += nid == intended ? 0 : r->entry_pages;
	result->nr_local += nid == toucher ? r->entry_pages : 0;
	result->nr_interleave += nid == intended && r->desc.is_interleaved ? r->entry_pages : 0;
	return true;
}

static bool naive_allows(const struct world *w, const struct naive_region *r,
			 const struct naive_entry *e, const struct hn_mark_rules *rules)
{
	return hn_mark_allows(rules, (struct hn_page_traits){
		.nid = e->nid,
		.is_huge = r->desc.is_huge,
		.is_top_tier = w->nodes[e->nid].is_top_tier,
		.is_dirty_file = r->desc.is_dirty_file,
		.is_cow_vma = r->desc.is_cow_vma,
		.is_mapped_once = r->desc.is_mapped_once,
		.has_one_reference = r->desc.has_one_reference,
	});
}

static uint32_t naive_slice_start(const struct naive_region *r, uint32_t slice)
{
	return (uint32_t)((uint64_t)slice * r->nr_entries / r->desc.nr_slices);
}

/* ---- steps ---- */

static uint32_t find_region(struct world *w)
{
	uint32_t region = draw(w, NR_REGIONS);

	return w->regions[region].is_in_use ? region : UINT32_MAX;
}

static void step_add(struct world *w)
{
	struct naive_region *r = NULL;
	uint32_t id;

	for (id = 0; id < NR_REGIONS && !r; id++) {
		if (!w->regions[id].is_in_use)
			r = &w->regions[id];
	}
	if (!r)
		return;
	memset(r, 0, sizeof(*r));
	r->is_in_use = true;
	r->desc.is_huge = draw(w, 4) == 0;
	r->entry_pages = r->desc.is_huge ? HN_HUGE_PAGES : 1;
	r->nr_entries = r->desc.is_huge ? 1 + draw(w, 12) : 1 + draw(w, ENTRIES_MAX);
	r->desc.nr_base_pages = (uint64_t)r->nr_entries * r->entry_pages;
	r->desc.nr_slices = draw(w, 3) ? 1 + draw(w, 9) : 1;
	r->desc.bind_nid = draw(w, 4) ? HN_NID_NONE : (hn_nid)draw(w, NR_NODES);
	r->desc.is_interleaved = draw(w, 4) == 0;
	r->desc.is_cow_vma = draw(w, 2);
	r->desc.is_mapped_once = draw(w, 2);
	r->desc.has_one_reference = draw(w, 2);
	r->desc.is_dirty_file = draw(w, 8) == 0;
	assert_int_equal(hn_pages_add(w->pages, &r->desc), id - 1);
}

static void step_remove(struct world *w)
{
	uint32_t region = find_region(w);
	struct naive_region *r;

	if (region == UINT32_MAX)
		return;
	r = &w->regions[region];
	for (uint32_t e = 0; e < r->nr_entries; e++) {
		if (r->entries[e].is_present)
			w->nr_free[r->entries[e].nid] += r->entry_pages;
	}
	r->is_in_use = false;
	hn_pages_remove(w->pages, region);
}

static void step_touch(struct world *w, uint32_t region, uint32_t first, uint32_t end)
{
	struct naive_region *r = &w->regions[region];
	struct hn_alloc_result expected = { 0 };
	struct hn_alloc_result got;
	hn_nid toucher = (hn_nid)draw(w, NR_NODES);
	bool fits = true;

	for (uint32_t e = first; e < end && fits; e++) {
		if (!r->entries[e].is_present)
			fits = naive_place(w, r, e, toucher, &expected);
	}
	assert_int_equal(hn_pages_touch(w->pages, region, first, end, toucher, &got), fits);
	assert_int_equal(got.nr_entries, expected.nr_entries);
	assert_int_equal(got.nr_hit, expected.nr_hit);
	assert_int_equal(got.nr_miss, expected.nr_miss);
	assert_int_equal(got.nr_local, expected.nr_local);
	assert_int_equal(got.nr_interleave, expected.nr_interleave);
}

static hn_nid draw_nid_or_none(struct world *w)
{
	return (hn_nid)((int32_t)draw(w, NR_NODES + 1) - 1);
}

static void step_mark(struct world *w, uint32_t region, uint32_t first, uint32_t end)
{
	struct naive_region *r = &w->regions[region];
	uint32_t now_ms = (uint32_t)hn_rng_u64(&w->rng);
	struct hn_mark_result got;
	uint32_t nr_walked = 0;
	uint32_t nr_marked = 0;
	const struct hn_mark_rules rules = {
		.cow = (enum hn_mark_cow)draw(w, 4),
		.skips_dirty_file = draw(w, 2),
		.skips_ksm = draw(w, 2),
		.applies_to_huge = draw(w, 2),
		.skip_local_nid = draw_nid_or_none(w),
		.skip_local_huge_nid = draw_nid_or_none(w),
		.skips_top_tier = draw(w, 4) == 0,
		.stamps_slow = draw(w, 3) == 0,
	};

	for (uint32_t i = first; i < end; i++) {
		struct naive_entry *e = &r->entries[i];

		nr_walked += e->is_present;
		if (!e->is_present || e->is_armed || !naive_allows(w, r, e, &rules))
			continue;
		e->is_armed = true;
		nr_marked++;
		if (!rules.stamps_slow || w->nodes[e->nid].is_top_tier)
			continue;
		e->is_timed = true;
		e->cpupid = -1;
		e->access_ms = now_ms & 0xfffff;
	}
	hn_pages_mark(w->pages, region, first, end, &rules, now_ms, &got);
	assert_int_equal(got.nr_walked, nr_walked);
	assert_int_equal(got.nr_updates, nr_marked * r->entry_pages);
	assert_int_equal(got.nr_huge_updates, r->desc.is_huge ? nr_marked : 0);
}

/* What a hinting fault does to the entry; and, which no fault does, leaving it armed. */
static void fault(struct world *w, uint32_t region, uint32_t entry)
{
	struct naive_entry *e = &w->regions[region].entries[entry];
	uint32_t nr_pages = w->regions[region].entry_pages;
	int32_t cpupid = draw(w, 8) ? (int32_t)draw(w, 1 << 20) : -1;
	uint32_t nid = draw(w, NR_NODES);
	bool is_moved = has_room(w, nid, HIGH_PAGES, nr_pages);

	assert_int_equal(hn_pages_migrate(w->pages, region, entry, (hn_nid)nid), is_moved);
	if (is_moved) {
		w->nr_free[e->nid] += nr_pages;
		w->nr_free[nid] -= nr_pages;
		e->nid = (hn_nid)nid;
	}
	if (draw(w, 4)) {
		hn_pages_disarm(w->pages, region, entry);
		e->is_armed = false;
	}
	if (draw(w, 4) == 0)
		return;
	hn_pages_set_cpupid(w->pages, region, entry, cpupid);
	e->cpupid = cpupid;
	e->is_timed = false;
}

/* The first armed entry at or after from, going round; by walking. */
static uint32_t naive_next(const struct naive_region *r, uint32_t first, uint32_t end,
			   uint32_t from)
{
	for (uint32_t k = 0; k < end - first; k++) {
		uint32_t e = first + (from - first + k) % (end - first);

		if (r->entries[e].is_armed)
			return e;
	}
	return UINT32_MAX;
}

static void step_fault(struct world *w, uint32_t region)
{
	const struct naive_region *r = &w->regions[region];
	uint32_t slice = draw(w, r->desc.nr_slices + 1);
	uint32_t first = slice < r->desc.nr_slices ? naive_slice_start(r, slice) : 0;
	uint32_t end = slice < r->desc.nr_slices ? naive_slice_start(r, slice + 1) : r->nr_entries;
	uint32_t next, picked, from;

	if (first == end)
		return;
	from = first + draw(w, end - first);
	slice = slice < r->desc.nr_slices ? slice : HN_PAGES_ALL;
	next = naive_next(r, first, end, from);
	assert_int_equal(hn_pages_next_armed(w->pages, region, slice, from), next);
	picked = hn_pages_pick_armed(w->pages, region, slice, &w->rng);
	assert_int_equal(picked == UINT32_MAX, next == UINT32_MAX);
	if (next == UINT32_MAX)
		return;
	assert_in_range(picked, first, end - 1);
	assert_true(r->entries[picked].is_armed);
	fault(w, region, draw(w, 2) ? picked : next);
}

static void step_region(struct world *w)
{
	uint32_t region = find_region(w);
	uint32_t first, end, nr_entries;

	if (region == UINT32_MAX)
		return;
	nr_entries = w->regions[region].nr_entries;
	first = draw(w, nr_entries);
	end = first + draw(w, nr_entries - first + 1);
	switch (draw(w, 3)) {
	case 0:
		step_touch(w, region, first, end);
		break;
	case 1:
		step_mark(w, region, first, end);
		break;
	case 2:
		for (uint32_t i = 0; i < 20; i++)
			step_fault(w, region);
		break;
	}
}

static void compare_region(const struct world *w, uint32_t region)
{
	const struct naive_region *r = &w->regions[region];

	for (uint32_t i = 0; i < r->nr_entries; i++) {
		const struct naive_entry *e = &r->entries[i];

		assert_int_equal(hn_pages_is_armed(w->pages, region, i), e->is_armed);
		if (!e->is_present)
			continue;
		assert_int_equal(hn_pages_nid(w->pages, region, i), e->nid);
		assert_int_equal(hn_pages_cpupid(w->pages, region, i), e->cpupid);
		assert_int_equal(hn_pages_is_timed(w->pages, region, i), e->is_timed);
		if (e->is_timed)
			assert_int_equal(hn_pages_access_ms(w->pages, region, i), e->access_ms);
	}
}

static void compare(const struct world *w)
{
	for (uint32_t i = 0; i < NR_REGIONS; i++) {
		if (w->regions[i].is_in_use)
			compare_region(w, i);
	}
	for (uint32_t n = 0; n < NR_NODES; n++)
		assert_int_equal(hn_pages_free(w->pages, (hn_nid)n), w->nr_free[n]);
	hn_pages_check(w->pages);
}

static void test_pages__equal_naive_model(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < NR_SEEDS; seed++) {
		struct world *w = start(seed);

		print_message("seed %u\n", (unsigned int)seed);
		for (uint32_t step = 0; step < NR_STEPS; step++) {
			uint32_t kind = draw(w, 20);

			if (kind == 0)
				step_remove(w);
			else if (kind <= 2)
				step_add(w);
			else
				step_region(w);
			if (step % 8 == 0)
				compare(w);
		}
		compare(w);
		stop(w);
	}
}

/* ---- a large region ---- */

#define NR_ARMED 64
#define NR_PICKS_EACH 1000
#define LARGE_ENTRIES 5000000

/* Four clusters of 16: at the start, over a block's border, far out, at the end. */
static uint32_t armed_entry(uint32_t i)
{
	static const uint32_t starts[] = { 0, 32760, 4200000, LARGE_ENTRIES - 16 };

	return starts[i / 16] + i % 16;
}

static void arm_large(struct hn_pages *pages, uint32_t region)
{
	const struct hn_mark_rules rules = { .skip_local_nid = HN_NID_NONE,
					     .skip_local_huge_nid = HN_NID_NONE };
	struct hn_alloc_result alloc;
	struct hn_mark_result marked;

	assert_true(hn_pages_touch(pages, region, 0, LARGE_ENTRIES, 0, &alloc));
	for (uint32_t i = 0; i < NR_ARMED; i++) {
		uint32_t e = armed_entry(i);

		hn_pages_mark(pages, region, e, e + 1, &rules, 0, &marked);
	}
}

static void check_uniform(struct hn_pages *pages, uint32_t region, struct hn_rng *rng)
{
	uint32_t nr_picked[NR_ARMED] = { 0 };
	double chi_square = 0;

	for (uint32_t pick = 0; pick < NR_ARMED * NR_PICKS_EACH; pick++) {
		uint32_t entry = hn_pages_pick_armed(pages, region, HN_PAGES_ALL, rng);
		uint32_t i = 0;

		while (i < NR_ARMED && armed_entry(i) != entry)
			i++;
		assert_true(i < NR_ARMED);
		nr_picked[i]++;
	}
	for (uint32_t i = 0; i < NR_ARMED; i++) {
		double off = (double)nr_picked[i] - NR_PICKS_EACH;

		assert_in_range(nr_picked[i], NR_PICKS_EACH - 190, NR_PICKS_EACH + 190);
		chi_square += off * off / NR_PICKS_EACH;
	}
	assert_true(chi_square < 110);
	assert_true(chi_square > 25);
}

/* From each armed entry to the next, over empty blocks, groups and super-groups, and round. */
static void check_order(const struct hn_pages *pages, uint32_t region)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i < NR_ARMED; i++) {
		assert_int_equal(hn_pages_next_armed(pages, region, HN_PAGES_ALL, from),
				 armed_entry(i));
		from = armed_entry(i) + 1;
	}
	assert_int_equal(hn_pages_next_armed(pages, region, HN_PAGES_ALL, from), armed_entry(0));
}

static void test_large_region__searches(void **state)
{
	const struct hn_region_desc desc = { .nr_base_pages = LARGE_ENTRIES, .nr_slices = 7,
					     .bind_nid = HN_NID_NONE };
	struct hn_node node = { .mem_bytes = 2 * LARGE_ENTRIES * HN_PAGE_BYTES, .nr_cpus = 1 };
	uint16_t distance = HN_DISTANCE_LOCAL;
	struct hn_machine machine = { .nr_nodes = 1, .nodes = &node, .distance = &distance };
	struct hn_arena arena;
	struct hn_pages *pages;
	struct hn_rng rng;
	uint32_t region;

	(void)state;
	hn_arena_init(&arena);
	hn_rng_init(&rng, 7, "prop-pages", 1);
	pages = hn_pages_create(&arena, &machine, 1);
	region = hn_pages_add(pages, &desc);
	arm_large(pages, region);
	hn_pages_check(pages);
	check_order(pages, region);
	check_uniform(pages, region, &rng);
	/* The claim of pages-internal.h: at most 4.05 bytes a base page. */
	assert_true((double)hn_pages_held_bytes(pages) <= 4.05 * LARGE_ENTRIES);
	hn_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages__equal_naive_model),
		cmocka_unit_test(test_large_region__searches),
	};

	return cmocka_run_group_tests_name("pages (properties)", tests, NULL, NULL);
}
