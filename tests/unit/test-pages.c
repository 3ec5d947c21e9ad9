/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: pages lie where policy and free memory say, counts follow, and marking, searching and
 * moving do what the header promises, each at its boundary. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "model/event.h"
#include "sim/pages.h"

#define NR_NODES 4
#define NR_REGIONS 4
#define NODE_PAGES 4096

/* Nodes 0 to 3; node 2 has no memory, node 3 is slow and without CPUs.
 *
 *	distance   0   1   2   3
 *	   0      10  20  30  40
 *	   1      20  10  20  20
 *	   2      30  20  10  20
 *	   3      40  20  20  10
 *
 * 4096 pages (16 MiB) on each node with memory, 49152 kB: minimum sqrt(16 * 49152) = 886 kB,
 * 221 pages, of which a node has a third, 73; step max(73 / 4, 4096 / 1000) = 18: low 91,
 * high 109. */
#define MIN_PAGES 73
#define LOW_PAGES 91
#define HIGH_PAGES 109

struct fixture {
	struct hn_arena arena;
	struct hn_machine machine;
	struct hn_node nodes[NR_NODES];
	uint16_t distance[NR_NODES * NR_NODES];
	struct hn_pages *pages;
	struct hn_alloc_result alloc;
	struct hn_mark_result marked;
};

static const uint16_t distances[NR_NODES * NR_NODES] = {
	10, 20, 30, 40,
	20, 10, 20, 20,
	30, 20, 10, 20,
	40, 20, 20, 10,
};

static const struct hn_mark_rules mark_all = {
	.skip_local_nid = HN_NID_NONE, .skip_local_huge_nid = HN_NID_NONE,
};

/* The fixture lives in its own arena. */
static int start(void **state)
{
	struct hn_arena arena;
	struct fixture *f;

	hn_arena_init(&arena);
	f = HN_ARENA_NEW(&arena, struct fixture);
	f->arena = arena;
	for (uint32_t n = 0; n < NR_NODES; n++) {
		f->nodes[n].mem_bytes = n == 2 ? 0 : NODE_PAGES * HN_PAGE_BYTES;
		f->nodes[n].nr_cpus = n == 3 ? 0 : 1;
		f->nodes[n].is_top_tier = n != 3;
	}
	for (size_t i = 0; i < HN_ARRAY_LEN(distances); i++)
		f->distance[i] = distances[i];
	f->machine = (struct hn_machine){ .nr_nodes = NR_NODES, .nodes = f->nodes,
					  .distance = f->distance };
	f->pages = hn_pages_create(&f->arena, &f->machine, NR_REGIONS);
	*state = f;
	return 0;
}

static int stop(void **state)
{
	struct fixture *f = *state;
	struct hn_arena arena = f->arena;

	hn_pages_check(f->pages);
	hn_arena_fini(&arena);
	return 0;
}

static struct hn_region_desc plain(uint64_t nr_base_pages)
{
	return (struct hn_region_desc){ .nr_base_pages = nr_base_pages, .nr_slices = 1,
					.bind_nid = HN_NID_NONE };
}

static uint32_t add_plain(struct fixture *f, uint64_t nr_base_pages)
{
	struct hn_region_desc desc = plain(nr_base_pages);

	return hn_pages_add(f->pages, &desc);
}

static bool touch(struct fixture *f, uint32_t region, uint32_t first, uint32_t end, hn_nid nid)
{
	return hn_pages_touch(f->pages, region, first, end, nid, &f->alloc);
}

static void mark(struct fixture *f, uint32_t region, uint32_t first, uint32_t end)
{
	hn_pages_mark(f->pages, region, first, end, &mark_all, 0, &f->marked);
}

/* ---- allocation ---- */

static void test_touch__first_touch_is_local(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 100);

	assert_true(touch(f, region, 10, 30, 1));
	assert_int_equal(f->alloc.nr_entries, 20);
	assert_int_equal(f->alloc.nr_hit, 20);
	assert_int_equal(f->alloc.nr_local, 20);
	assert_int_equal(hn_pages_nid(f->pages, region, 10), 1);
	assert_int_equal(hn_pages_by_node(f->pages, region, HN_PAGES_ALL)[1], 20);
	assert_int_equal(hn_pages_free(f->pages, 1), NODE_PAGES - 20);
	assert_int_equal(hn_pages_cpupid(f->pages, region, 10), HN_CPUPID_NONE);
}

static void test_touch__present_entries_stay(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 100);

	touch(f, region, 10, 20, 1);
	assert_true(touch(f, region, 0, 30, 0));
	assert_int_equal(f->alloc.nr_entries, 20);
	assert_int_equal(hn_pages_nid(f->pages, region, 9), 0);
	assert_int_equal(hn_pages_nid(f->pages, region, 19), 1);
	assert_int_equal(hn_pages_nid(f->pages, region, 20), 0);
}

/* Entries 0 to 19 are present in one stretch, 30 to 39 apart from it. */
static void test_skip_present__first_stretch(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 100);

	touch(f, region, 30, 40, 0);
	assert_int_equal(hn_pages_skip_present(f->pages, region, 0), 0);
	touch(f, region, 0, 20, 0);
	assert_int_equal(hn_pages_skip_present(f->pages, region, 5), 20);
	assert_int_equal(hn_pages_skip_present(f->pages, region, 20), 20);
	assert_int_equal(hn_pages_skip_present(f->pages, region, 25), 25);
}

/* Node 2 has no memory. Its nearest are 1 and 3, both at 20: the lower one. That is where the page
 * should go, but it is not local. */
static void test_touch__node_without_memory(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 4);

	assert_true(touch(f, region, 0, 4, 2));
	assert_int_equal(hn_pages_nid(f->pages, region, 0), 1);
	assert_int_equal(f->alloc.nr_hit, 4);
	assert_int_equal(f->alloc.nr_local, 0);
}

/* Entry i goes to the (i mod 3)-th of nodes 0, 1, 3; two of six are local to node 1. */
static void test_touch__interleaves_over_memory_nodes(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(6);
	uint32_t region;

	desc.is_interleaved = true;
	region = hn_pages_add(f->pages, &desc);
	assert_true(touch(f, region, 0, 6, 1));
	for (uint32_t e = 0; e < 6; e++)
		assert_int_equal(hn_pages_nid(f->pages, region, e), e % 3 == 2 ? 3 : e % 3);
	assert_int_equal(f->alloc.nr_interleave, 6);
	assert_int_equal(f->alloc.nr_local, 2);
}

static void test_touch__bound_region(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(6);
	uint32_t region;

	desc.bind_nid = 3;
	region = hn_pages_add(f->pages, &desc);
	assert_true(touch(f, region, 0, 6, 0));
	assert_int_equal(hn_pages_by_node(f->pages, region, HN_PAGES_ALL)[3], 6);
	assert_int_equal(f->alloc.nr_hit, 6);
	assert_int_equal(f->alloc.nr_local, 0);
}

/* Node 3 is at its low mark; its nearest others are 1 and 2, both at 20, and 2 has no memory. */
static void test_touch__bound_region_on_a_full_node(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(NODE_PAGES);
	uint32_t above_low = NODE_PAGES - LOW_PAGES;
	uint32_t region;

	desc.bind_nid = 3;
	region = hn_pages_add(f->pages, &desc);
	assert_true(touch(f, region, 0, above_low + 1, 0));
	assert_int_equal(hn_pages_nid(f->pages, region, above_low - 1), 3);
	assert_int_equal(hn_pages_nid(f->pages, region, above_low), 1);
	assert_int_equal(f->alloc.nr_hit, above_low);
	assert_int_equal(f->alloc.nr_miss, 1);
}

/* From node 0: 0 down to its low mark, then 1, then 3, then all down to their minimum in the same
 * order, then nothing. */
static void test_touch__full_nodes_by_distance(void **state)
{
	struct fixture *f = *state;
	uint32_t above_low = NODE_PAGES - LOW_PAGES;
	uint32_t region = add_plain(f, 3 * NODE_PAGES);

	assert_true(touch(f, region, 0, above_low, 0));
	assert_int_equal(f->alloc.nr_miss, 0);
	assert_true(touch(f, region, above_low, above_low + 1, 0));
	assert_int_equal(hn_pages_nid(f->pages, region, above_low), 1);
	assert_int_equal(f->alloc.nr_miss, 1);
	assert_true(touch(f, region, 0, 3 * above_low, 0));
	assert_int_equal(hn_pages_free(f->pages, 3), LOW_PAGES);
	assert_true(touch(f, region, 0, 3 * above_low + 1, 0));
	assert_int_equal(hn_pages_free(f->pages, 0), LOW_PAGES - 1);
	assert_false(touch(f, region, 0, 3 * NODE_PAGES, 0));
	assert_int_equal(hn_pages_free(f->pages, 0), MIN_PAGES);
	assert_int_equal(hn_pages_free(f->pages, 3), MIN_PAGES);
	assert_int_equal(hn_pages_nr_resident(f->pages), 3 * (NODE_PAGES - MIN_PAGES));
}

/* (4096 - 91) / 512 = 7 huge pages fit above the low mark; 8 of 512 would leave nothing. */
static void test_touch__huge_entries_need_512_pages(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(9 * 512 - 1);
	uint32_t region;

	desc.is_huge = true;
	region = hn_pages_add(f->pages, &desc);
	assert_int_equal(hn_pages_nr_entries(f->pages, region), 9);
	assert_true(touch(f, region, 0, 9, 0));
	assert_int_equal(hn_pages_by_node(f->pages, region, HN_PAGES_ALL)[0], 7);
	assert_int_equal(hn_pages_by_node(f->pages, region, HN_PAGES_ALL)[1], 2);
	assert_int_equal(f->alloc.nr_hit, 7 * 512);
	assert_int_equal(f->alloc.nr_miss, 2 * 512);
}

static void test_remove__gives_memory_back(void **state)
{
	struct fixture *f = *state;
	uint32_t first = add_plain(f, 1000);
	uint32_t second = add_plain(f, 10);
	uint64_t held_bytes = hn_pages_held_bytes(f->pages);

	touch(f, first, 0, 1000, 0);
	mark(f, first, 0, 1000);
	hn_pages_remove(f->pages, first);
	assert_int_equal(hn_pages_free(f->pages, 0), NODE_PAGES);
	assert_int_equal(hn_pages_nr_resident(f->pages), 0);
	assert_int_equal(hn_pages_nr_resident_peak(f->pages), 1000);
	/* The lowest free id, and storage of the same class: 513 to 1024 entries. */
	assert_int_equal(add_plain(f, 900), first);
	assert_int_equal(hn_pages_held_bytes(f->pages), held_bytes);
	assert_int_equal(hn_pages_nr_armed(f->pages, first, HN_PAGES_ALL), 0);
	assert_int_equal(hn_pages_nr_present(f->pages, first, HN_PAGES_ALL), 0);
	assert_int_equal(second, 1);
}

/* ---- migration ---- */

static void test_migrate__moves_and_counts(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 10);

	touch(f, region, 0, 10, 0);
	mark(f, region, 0, 10);
	hn_pages_set_cpupid(f->pages, region, 4, hn_cpupid_make(3, 77));
	assert_true(hn_pages_migrate(f->pages, region, 4, 1));
	assert_int_equal(hn_pages_nid(f->pages, region, 4), 1);
	assert_int_equal(hn_pages_by_node(f->pages, region, 0)[0], 9);
	assert_int_equal(hn_pages_by_node(f->pages, region, 0)[1], 1);
	assert_int_equal(hn_pages_free(f->pages, 0), NODE_PAGES - 9);
	assert_int_equal(hn_pages_cpupid(f->pages, region, 4), hn_cpupid_make(3, 77));
	assert_true(hn_pages_is_armed(f->pages, region, 4));
}

/* The target keeps its high mark: the page that would take one from it stays. */
static void test_migrate__target_keeps_high_mark(void **state)
{
	struct fixture *f = *state;
	uint32_t filler = add_plain(f, NODE_PAGES);
	uint32_t region = add_plain(f, 2);

	touch(f, filler, 0, NODE_PAGES - HIGH_PAGES - 1, 1);
	touch(f, region, 0, 2, 0);
	assert_true(hn_pages_migrate(f->pages, region, 0, 1));
	assert_int_equal(hn_pages_free(f->pages, 1), HIGH_PAGES);
	assert_false(hn_pages_migrate(f->pages, region, 1, 1));
	assert_int_equal(hn_pages_nid(f->pages, region, 1), 0);
}

static void test_migrate__node_without_memory(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 1);

	touch(f, region, 0, 1, 0);
	assert_false(hn_pages_migrate(f->pages, region, 0, 2));
}

/* ---- cpupid ---- */

static void test_cpupid__extremes(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 1);

	touch(f, region, 0, 1, 0);
	hn_pages_set_cpupid(f->pages, region, 0, hn_cpupid_make(4095, 255));
	assert_int_equal(hn_pages_cpupid(f->pages, region, 0), 4095 << 8 | 255);
	hn_pages_set_cpupid(f->pages, region, 0, hn_cpupid_make(0, 0));
	assert_int_equal(hn_pages_cpupid(f->pages, region, 0), 0);
	hn_pages_set_cpupid(f->pages, region, 0, HN_CPUPID_NONE);
	assert_int_equal(hn_pages_cpupid(f->pages, region, 0), HN_CPUPID_NONE);
	assert_int_equal(hn_pages_nid(f->pages, region, 0), 0);
}

/* ---- marking ---- */

static void test_mark__counts_updates_and_walked(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 2000);

	touch(f, region, 100, 1500, 0);
	mark(f, region, 0, 2000);
	assert_int_equal(f->marked.nr_walked, 1400);
	assert_int_equal(f->marked.nr_updates, 1400);
	assert_int_equal(f->marked.nr_huge_updates, 0);
	hn_pages_disarm(f->pages, region, 700);
	hn_pages_disarm(f->pages, region, 700);
	mark(f, region, 0, 2000);
	assert_int_equal(f->marked.nr_walked, 1400);
	assert_int_equal(f->marked.nr_updates, 1);
	assert_int_equal(hn_pages_nr_armed(f->pages, region, HN_PAGES_ALL), 1400);
}

/* More than 4096 entries, so that whole groups of blocks are full of hints. */
static void test_mark__again_updates_nothing(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 9000);

	touch(f, region, 0, 9000, 0);
	mark(f, region, 0, 9000);
	assert_int_equal(f->marked.nr_updates, 9000);
	mark(f, region, 0, 9000);
	assert_int_equal(f->marked.nr_updates, 0);
	assert_int_equal(f->marked.nr_walked, 9000);
}

static void test_mark__skips_local_node(void **state)
{
	struct fixture *f = *state;
	struct hn_mark_rules rules = mark_all;
	uint32_t region = add_plain(f, 20);

	touch(f, region, 0, 10, 0);
	touch(f, region, 10, 20, 1);
	rules.skip_local_nid = 1;
	hn_pages_mark(f->pages, region, 0, 20, &rules, 0, &f->marked);
	assert_int_equal(f->marked.nr_updates, 10);
	assert_int_equal(f->marked.nr_walked, 20);
	assert_true(hn_pages_is_armed(f->pages, region, 9));
	assert_false(hn_pages_is_armed(f->pages, region, 10));
}

/* One trait of a page, and a rule that it falls under: how many of 4 entries are marked. */
struct mark_case {
	const char *name;
	struct hn_region_desc desc;
	struct hn_mark_rules rules;
	uint32_t nr_marked;
};

/* Tables leave out what they don't ask for, so that 0 stands for no node. */
static hn_nid nid_or_none(hn_nid nid)
{
	return nid == 0 ? HN_NID_NONE : nid;
}

static void check_mark_case(struct fixture *f, const struct mark_case *c)
{
	struct hn_region_desc desc = c->desc;
	struct hn_mark_rules rules = c->rules;
	uint32_t region;

	desc.nr_slices = 1;
	desc.bind_nid = HN_NID_NONE;
	desc.nr_base_pages = desc.is_huge ? 4 * 512 : 4;
	rules.skip_local_nid = nid_or_none(rules.skip_local_nid);
	rules.skip_local_huge_nid = nid_or_none(rules.skip_local_huge_nid);
	region = hn_pages_add(f->pages, &desc);
	assert_true(touch(f, region, 0, 4, 1));
	hn_pages_mark(f->pages, region, 0, 4, &rules, 0, &f->marked);
	if (hn_pages_nr_armed(f->pages, region, HN_PAGES_ALL) != c->nr_marked)
		fail_msg("%s: %u marked, expected %u", c->name,
			 hn_pages_nr_armed(f->pages, region, HN_PAGES_ALL), c->nr_marked);
	assert_int_equal(f->marked.nr_walked, 4);
	hn_pages_remove(f->pages, region);
}

/* All entries lie on node 1. */
static void test_mark__each_rule_of_sharing(void **state)
{
	static const struct mark_case cases[] = {
		{ "any: shared page", { .is_cow_vma = true }, { .cow = HN_MARK_COW_ANY }, 4 },
		{ "single: plain mapping, shared", { 0 }, { .cow = HN_MARK_COW_SINGLE_ALL }, 0 },
		{ "single: mapped once", { .is_mapped_once = true },
		  { .cow = HN_MARK_COW_SINGLE_ALL }, 4 },
		{ "unshared: plain mapping, shared", { 0 }, { .cow = HN_MARK_COW_UNSHARED }, 4 },
		{ "unshared: shared", { .is_cow_vma = true, .has_one_reference = true },
		  { .cow = HN_MARK_COW_UNSHARED }, 0 },
		{ "unshared: mapped once", { .is_cow_vma = true, .is_mapped_once = true },
		  { .cow = HN_MARK_COW_UNSHARED }, 4 },
		{ "unreferenced: plain mapping", { 0 }, { .cow = HN_MARK_COW_UNREFERENCED }, 4 },
		{ "unreferenced: pinned", { .is_cow_vma = true, .is_mapped_once = true },
		  { .cow = HN_MARK_COW_UNREFERENCED }, 0 },
		{ "unreferenced: one reference",
		  { .is_cow_vma = true, .has_one_reference = true },
		  { .cow = HN_MARK_COW_UNREFERENCED }, 4 },
	};

	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++)
		check_mark_case(*state, &cases[i]);
}

/* Tests of base entries reach huge ones with applies_to_huge only; local ones have a node each. */
static void test_mark__each_rule_of_file_and_huge(void **state)
{
	static const struct mark_case cases[] = {
		{ "dirty, rule off", { .is_dirty_file = true }, { 0 }, 4 },
		{ "dirty, rule on", { .is_dirty_file = true }, { .skips_dirty_file = true }, 0 },
		{ "clean, rule on", { 0 }, { .skips_dirty_file = true }, 4 },
		{ "no page is merged", { 0 }, { .skips_ksm = true }, 4 },
		{ "dirty huge", { .is_huge = true, .is_dirty_file = true },
		  { .skips_dirty_file = true }, 4 },
		{ "dirty huge, tested", { .is_huge = true, .is_dirty_file = true },
		  { .skips_dirty_file = true, .applies_to_huge = true }, 0 },
		{ "shared huge, tested", { .is_huge = true, .is_cow_vma = true },
		  { .cow = HN_MARK_COW_UNSHARED, .applies_to_huge = true }, 0 },
		{ "base, local for huge", { 0 }, { .skip_local_huge_nid = 1 }, 4 },
		{ "huge, local for huge", { .is_huge = true }, { .skip_local_huge_nid = 1 }, 0 },
		{ "huge, local for base", { .is_huge = true }, { .skip_local_nid = 1 }, 4 },
		{ "huge, top tier", { .is_huge = true }, { .skips_top_tier = true }, 0 },
	};

	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++)
		check_mark_case(*state, &cases[i]);
}

static void test_mark__huge_entry_counts_512(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(4 * 512);
	uint32_t region;

	desc.is_huge = true;
	region = hn_pages_add(f->pages, &desc);
	touch(f, region, 0, 3, 0);
	mark(f, region, 0, 4);
	assert_int_equal(f->marked.nr_walked, 3);
	assert_int_equal(f->marked.nr_updates, 3 * 512);
	assert_int_equal(f->marked.nr_huge_updates, 3);
}

/* Tiering: top-tier pages stay as they are, slow ones (node 3) get the time, 20 bits of it. */
static void test_mark__stamps_slow_memory(void **state)
{
	struct fixture *f = *state;
	struct hn_mark_rules rules = mark_all;
	uint32_t region = add_plain(f, 2);

	rules.skips_top_tier = true;
	rules.stamps_slow = true;
	touch(f, region, 0, 1, 0);
	touch(f, region, 1, 2, 3);
	hn_pages_set_cpupid(f->pages, region, 1, hn_cpupid_make(5, 9));
	hn_pages_mark(f->pages, region, 0, 2, &rules, (1 << 20) + 12345, &f->marked);
	assert_int_equal(f->marked.nr_updates, 1);
	assert_false(hn_pages_is_armed(f->pages, region, 0));
	assert_true(hn_pages_is_armed(f->pages, region, 1));
	assert_true(hn_pages_is_timed(f->pages, region, 1));
	assert_int_equal(hn_pages_access_ms(f->pages, region, 1), 12345);
	assert_int_equal(hn_pages_cpupid(f->pages, region, 1), HN_CPUPID_NONE);
	hn_pages_set_cpupid(f->pages, region, 1, hn_cpupid_make(5, 9));
	assert_false(hn_pages_is_timed(f->pages, region, 1));
}

/* ---- slices and searches ---- */

/* 10 entries in 3 slices: 0-2, 3-5, 6-9. */
static void test_slice__counts_by_slice(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(10);
	uint32_t region;

	desc.nr_slices = 3;
	region = hn_pages_add(f->pages, &desc);
	assert_int_equal(hn_pages_slice_start(f->pages, region, 1), 3);
	assert_int_equal(hn_pages_slice_start(f->pages, region, 2), 6);
	assert_int_equal(hn_pages_slice_start(f->pages, region, 3), 10);
	touch(f, region, 2, 8, 1);
	mark(f, region, 5, 10);
	assert_int_equal(hn_pages_nr_present(f->pages, region, 0), 1);
	assert_int_equal(hn_pages_nr_present(f->pages, region, 1), 3);
	assert_int_equal(hn_pages_nr_present(f->pages, region, 2), 2);
	assert_int_equal(hn_pages_by_node(f->pages, region, 1)[1], 3);
	assert_int_equal(hn_pages_nr_armed(f->pages, region, 0), 0);
	assert_int_equal(hn_pages_nr_armed(f->pages, region, 1), 1);
	assert_int_equal(hn_pages_nr_armed(f->pages, region, 2), 2);
}

/* 2 entries in 4 slices: slices 0 and 2 are empty, 1 and 3 have one each. */
static void test_slice__more_slices_than_entries(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(2);
	uint32_t region;

	desc.nr_slices = 4;
	region = hn_pages_add(f->pages, &desc);
	touch(f, region, 0, 2, 0);
	mark(f, region, 0, 2);
	assert_int_equal(hn_pages_nr_present(f->pages, region, 0), 0);
	assert_int_equal(hn_pages_nr_present(f->pages, region, 1), 1);
	assert_int_equal(hn_pages_next_armed(f->pages, region, 0, 0), UINT32_MAX);
	assert_int_equal(hn_pages_next_armed(f->pages, region, 3, 0), 1);
}

static void test_next_armed__goes_round_once(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 3000);

	touch(f, region, 0, 3000, 0);
	assert_int_equal(hn_pages_next_armed(f->pages, region, HN_PAGES_ALL, 5), UINT32_MAX);
	mark(f, region, 511, 512);
	mark(f, region, 2900, 2901);
	assert_int_equal(hn_pages_next_armed(f->pages, region, HN_PAGES_ALL, 0), 511);
	assert_int_equal(hn_pages_next_armed(f->pages, region, HN_PAGES_ALL, 511), 511);
	assert_int_equal(hn_pages_next_armed(f->pages, region, HN_PAGES_ALL, 512), 2900);
	assert_int_equal(hn_pages_next_armed(f->pages, region, HN_PAGES_ALL, 2901), 511);
	/* Past the end, as after a last entry: from the start. */
	assert_int_equal(hn_pages_next_armed(f->pages, region, HN_PAGES_ALL, 3000), 511);
}

/* 3000 entries in 7 slices: slice 3 is 1285 .. 1713; both armed neighbours lie outside. */
static void test_next_armed__stays_in_slice(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(3000);
	uint32_t region;

	desc.nr_slices = 7;
	region = hn_pages_add(f->pages, &desc);
	touch(f, region, 0, 3000, 0);
	mark(f, region, 1284, 1285);
	mark(f, region, 1714, 1715);
	assert_int_equal(hn_pages_next_armed(f->pages, region, 3, 1285), UINT32_MAX);
	mark(f, region, 1713, 1714);
	assert_int_equal(hn_pages_next_armed(f->pages, region, 3, 1285), 1713);
	assert_int_equal(hn_pages_next_armed(f->pages, region, 2, 1285), 1284);
}

static void test_pick_armed__only_one(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 3000);
	struct hn_rng rng;

	hn_rng_init(&rng, 1, "test-pages", 0);
	touch(f, region, 0, 3000, 0);
	assert_int_equal(hn_pages_pick_armed(f->pages, region, HN_PAGES_ALL, &rng), UINT32_MAX);
	mark(f, region, 2999, 3000);
	assert_int_equal(hn_pages_pick_armed(f->pages, region, HN_PAGES_ALL, &rng), 2999);
}

/* 3000 entries in 7 slices: slice 3 is 1285 .. 1713. Entries beside it are not picked; its first
 * and its last turn up in 64 picks (that one does not has a chance of 1 in 2^63). */
static void test_pick_armed__stays_in_slice(void **state)
{
	struct fixture *f = *state;
	struct hn_region_desc desc = plain(3000);
	uint32_t nr_first = 0, nr_last = 0, region;
	struct hn_rng rng;

	desc.nr_slices = 7;
	region = hn_pages_add(f->pages, &desc);
	hn_rng_init(&rng, 1, "test-pages", 1);
	touch(f, region, 0, 3000, 0);
	mark(f, region, 1284, 1285);
	mark(f, region, 1714, 1715);
	assert_int_equal(hn_pages_pick_armed(f->pages, region, 3, &rng), UINT32_MAX);
	mark(f, region, 1285, 1286);
	mark(f, region, 1713, 1714);
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t picked = hn_pages_pick_armed(f->pages, region, 3, &rng);

		nr_first += picked == 1285;
		nr_last += picked == 1713;
	}
	assert_int_equal(nr_first + nr_last, 64);
	assert_true(nr_first > 0);
	assert_true(nr_last > 0);
}

/* ---- digest ---- */

static void test_digest__sees_a_migration(void **state)
{
	struct fixture *f = *state;
	uint32_t region = add_plain(f, 10);
	uint64_t before;

	touch(f, region, 0, 10, 0);
	before = hn_pages_digest(f->pages);
	hn_pages_migrate(f->pages, region, 3, 1);
	assert_true(hn_pages_digest(f->pages) != before);
	hn_pages_migrate(f->pages, region, 3, 0);
	assert_true(hn_pages_digest(f->pages) == before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_touch__first_touch_is_local),
		TEST(test_touch__present_entries_stay),
		TEST(test_skip_present__first_stretch),
		TEST(test_touch__node_without_memory),
		TEST(test_touch__interleaves_over_memory_nodes),
		TEST(test_touch__bound_region),
		TEST(test_touch__bound_region_on_a_full_node),
		TEST(test_touch__full_nodes_by_distance),
		TEST(test_touch__huge_entries_need_512_pages),
		TEST(test_remove__gives_memory_back),
		TEST(test_migrate__moves_and_counts),
		TEST(test_migrate__target_keeps_high_mark),
		TEST(test_migrate__node_without_memory),
		TEST(test_cpupid__extremes),
		TEST(test_mark__counts_updates_and_walked),
		TEST(test_mark__again_updates_nothing),
		TEST(test_mark__skips_local_node),
		TEST(test_mark__each_rule_of_sharing),
		TEST(test_mark__each_rule_of_file_and_huge),
		TEST(test_mark__huge_entry_counts_512),
		TEST(test_mark__stamps_slow_memory),
		TEST(test_slice__counts_by_slice),
		TEST(test_slice__more_slices_than_entries),
		TEST(test_next_armed__goes_round_once),
		TEST(test_next_armed__stays_in_slice),
		TEST(test_pick_armed__only_one),
		TEST(test_pick_armed__stays_in_slice),
		TEST(test_digest__sees_a_migration),
	};

	return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
