/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a scan gets, which mappings it leaves out by their kind, and which entries it wants
 * marked. What it leaves out by access: test-walk-access.c.
 *
 * The filter by access is off until a test turns it on. The scans come from CPU 0 of node 0 if
 * nothing else is said. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "walk-fixture.h"

#define AT HN_NS_PER_S
#define ALL WALK_ALL

static void set_up(struct walk *w)
{
	walk_init(w, HN_VMA_SCAN_RULE_ALL);
}

/* ---- how far ---- */

/* The example at the top of walk.c: 100 MB and 1024 MB, all populated. */
static void test_walk__budget_of_256_mb(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 100, ALL);
	walk_map(&w, 1, 2000, 1024, ALL);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 }, { 1, 2000, 2156 });
	walk_expect_at(&w, 2156, 0);
	EXPECT_WALK(&w, AT, { 1, 2156, 2412 });
	EXPECT_WALK(&w, AT, { 1, 2412, 2668 });
	EXPECT_WALK(&w, AT, { 1, 2668, 2924 });
	walk_expect_at(&w, 2924, 0);
	EXPECT_WALK(&w, AT, { 1, 2924, 3024 });
	walk_expect_at(&w, 0, 1);
	core_fixture_fini(&w.base);
}

static uint64_t count_allowed(const struct hn_mark_rules *rules, hn_nid nid)
{
	const struct hn_page_traits page = {
		.nid = nid, .is_top_tier = true, .is_cow_vma = true, .is_mapped_once = true,
	};

	return hn_mark_allows(rules, page) ? 65536 : 0;
}

/* Section 11, 1: 256 MB of base pages on the scanning CPU's node. One thread: rule 3.5.5 leaves
 * them alone, 256 MB of 8 * 256 MB of address range are walked, and the list ends. Two threads:
 * all 65536 become hints, the budget ends with the mapping. */
static void test_walk__local_pages_of_one_and_two_threads(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 256, 0);
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 });
	assert_int_equal(count_allowed(&w.ranges[0].rules, 0), 0);
	assert_int_equal(count_allowed(&w.ranges[0].rules, 1), 65536);
	walk_expect_at(&w, 0, 1);
	walk_attempt(&w, AT, 0);
	walk_expect_at(&w, 0, 2);
	core_fixture_fork(&w.base, 1, 0, 0);
	w.nr_updates[0] = ALL;
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 });
	assert_int_equal(count_allowed(&w.ranges[0].rules, 0), 65536);
	walk_expect_at(&w, 1256, 2);
	core_fixture_fini(&w.base);
}

/* A budget that ends exactly at the end of the last mapping has "stopped inside": the pass is
 * only complete when the next attempt finds nothing behind, and starts over at once. */
static void test_walk__budget_ends_at_the_end_of_the_mapping(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 256, ALL);
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 });
	walk_expect_at(&w, 1256, 0);
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 });
	walk_expect_at(&w, 1256, 1);
	core_fixture_fini(&w.base);
}

/* One huge page less, and the list ends first. */
static void test_walk__budget_just_suffices(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 254, ALL);
	EXPECT_WALK(&w, AT, { 0, 1000, 1254 });
	walk_expect_at(&w, 0, 1);
	core_fixture_fini(&w.base);
}

/* Nothing changes: chunks of 256 MB, until 2048 MB of address range. */
static void test_walk__virtual_budget(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 4096, 0);
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 }, { 0, 1256, 1512 }, { 0, 1512, 1768 },
		       { 0, 1768, 2024 }, { 0, 2024, 2280 }, { 0, 2280, 2536 },
		       { 0, 2536, 2792 }, { 0, 2792, 3048 });
	walk_expect_at(&w, 3048, 0);
	core_fixture_fini(&w.base);
}

static void test_walk__virtual_budget_just_suffices(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 2046, 0);
	walk_attempt(&w, AT, 0);
	walk_expect_at(&w, 0, 1);
	/* Two MB more end it at the end of the mapping, inside. */
	hn_core_note_vma_gone(w.base.core, 0);
	walk_map(&w, 0, 1000, 2048, 0);
	walk_attempt(&w, AT, 0);
	walk_expect_at(&w, 3048, 1);
	core_fixture_fini(&w.base);
}

/* Before v4.9 an attempt may walk everything: 4096 / 256 = 16 chunks. */
static void test_walk__no_virtual_budget_before_v4_9(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	w.base.policy.scan_virt_budget = false;
	walk_map(&w, 0, 1000, 4096, 0);
	walk_attempt(&w, AT, 0);
	assert_int_equal(w.nr_ranges, 16);
	walk_expect_at(&w, 0, 1);
	core_fixture_fini(&w.base);
}

/* The end is rounded up to a huge page: 1001 + 256 = 1257 -> 1258. All 257 MB are charged. */
static void test_walk__chunk_ends_at_a_huge_page(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1001, 1999, ALL);
	EXPECT_WALK(&w, AT, { 0, 1001, 1258 });
	walk_expect_at(&w, 1258, 0);
	core_fixture_fini(&w.base);
}

/* ---- what is charged ---- */

/* Three mappings: one entry of the first changes, none of the second, all of the third. */
static void map_three(struct walk *w)
{
	walk_map(w, 0, 1000, 100, 1);
	walk_map(w, 1, 1200, 100, 0);
	walk_map(w, 2, 2000, 1000, ALL);
}

/* A hit charges the whole chunk: 256 - 100 = 156 MB are left for the third. */
static void test_charge__chunk(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	map_three(&w);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 }, { 1, 1200, 1300 }, { 2, 2000, 2156 });
	walk_expect_at(&w, 2156, 0);
	core_fixture_fini(&w.base);
}

/* v3.13: after the first hit everything is charged: 256 - 100 - 100 = 56 MB. */
static void test_charge__cumulative(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	w.base.policy.scan_charge = HN_SCAN_CHARGE_CUMULATIVE;
	map_three(&w);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 }, { 1, 1200, 1300 }, { 2, 2000, 2056 });
	/* Anew for each attempt: 256 MB of the third remain to be done. */
	EXPECT_WALK(&w, AT, { 2, 2056, 2312 });
	core_fixture_fini(&w.base);
}

/* What lies before the first hit is free: 256 - 100 = 156 MB. */
static void test_charge__cumulative_is_free_before_the_first_hit(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	w.base.policy.scan_charge = HN_SCAN_CHARGE_CUMULATIVE;
	walk_map(&w, 0, 1000, 100, 0);
	walk_map(&w, 1, 1200, 100, 1);
	walk_map(&w, 2, 2000, 1000, ALL);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 }, { 1, 1200, 1300 }, { 2, 2000, 2156 });
	core_fixture_fini(&w.base);
}

/* v3.8: entries are charged, one so far. 65535 pages from 2000 MB end a page before 2256 MB and
 * are rounded up to it; its 65536 entries end the walk. */
static void test_charge__updates(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	w.base.policy.scan_charge = HN_SCAN_CHARGE_UPDATES;
	map_three(&w);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 }, { 1, 1200, 1300 }, { 2, 2000, 2256 });
	walk_expect_at(&w, 2256, 0);
	core_fixture_fini(&w.base);
}

/* Half of each chunk changed: 128 MB of entries are left, then 64 MB. */
static void test_charge__updates_shorten_the_chunks(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	w.base.policy.scan_charge = HN_SCAN_CHARGE_UPDATES;
	walk_map(&w, 0, 1000, 256, 32768);
	walk_map(&w, 1, 2000, 1000, 32768);
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 }, { 1, 2000, 2128 });
	walk_expect_at(&w, 2128, 0);
	core_fixture_fini(&w.base);
}

/* ---- going on ---- */

static void test_resume__mapping_ended_at_the_offset(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 256, ALL);
	walk_map(&w, 1, 1256, 100, ALL);
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 });
	EXPECT_WALK(&w, AT, { 1, 1256, 1356 });
	walk_expect_at(&w, 0, 1);
	core_fixture_fini(&w.base);
}

/* The mapping in which the walk stopped is gone: the next one behind. */
static void test_resume__mapping_is_gone(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 512, ALL);
	walk_map(&w, 1, 2000, 100, ALL);
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 });
	hn_core_note_vma_gone(w.base.core, 0);
	EXPECT_WALK(&w, AT, { 1, 2000, 2100 });
	walk_expect_at(&w, 0, 1);
	core_fixture_fini(&w.base);
}

/* Nothing behind the offset: a pass is complete, the front comes next in the same attempt, and
 * its end completes a second one. */
static void test_resume__nothing_behind(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 100, ALL);
	w.base.core->mms[0].scan_offset = 1100 * MB;
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 });
	walk_expect_at(&w, 0, 2);
	/* One page before the end there is something. */
	w.base.core->mms[0].scan_offset = 1100 * MB - HN_PAGE_BYTES;
	walk_attempt(&w, AT, 0);
	assert_int_equal(w.nr_ranges, 1);
	assert_int_equal(w.ranges[0].start, 1100 * MB - HN_PAGE_BYTES);
	walk_expect_at(&w, 0, 3);
	core_fixture_fini(&w.base);
}

static void test_resume__no_mapping_at_all(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_attempt(&w, AT, 0);
	assert_int_equal(w.nr_ranges, 0);
	walk_expect_at(&w, 0, 1);
	core_fixture_fini(&w.base);
}

/* ---- kinds of mappings ---- */

/* Why the only mapping is left out; HN_WHY_NONE: it is not. */
static enum hn_why find_reason(const struct walk *w)
{
	for (int why = HN_WHY_VMA_UNSUITABLE; why <= HN_WHY_VMA_SMALL; why++) {
		if (w->base.core->reasons[why])
			return (enum hn_why)why;
	}
	return HN_WHY_NONE;
}

enum era { V3_8, V3_13, V6_12 };

static enum hn_why skip_reason(enum era era, uint64_t start, uint64_t end, uint32_t flags)
{
	const struct hn_vma vma = { .start = start, .end = end, .flags = flags };
	struct walk w = { 0 };
	enum hn_why why;

	core_fixture_init(&w.base, 2);
	if (era == V3_8)
		core_fixture_use_v3_8(&w.base);
	else if (era == V3_13)
		core_fixture_use_v3_13(&w.base);
	core_fixture_start(&w.base);
	core_fixture_fork(&w.base, 0, HN_TASK_NONE, 0);
	w.base.core->mms[0].is_first_nid_active = true;
	hn_core_note_vma(w.base.core, &vma);
	walk_attempt(&w, AT, 0);
	why = find_reason(&w);
	assert_int_equal(w.nr_ranges, why == HN_WHY_NONE);
	core_fixture_fini(&w.base);
	return why;
}

#define R HN_VMA_READ
#define W HN_VMA_WRITE
#define X HN_VMA_EXEC
#define FILE_ HN_VMA_FILE

static void test_kinds__by_era(void **state)
{
	static const struct {
		uint32_t flags;
		enum hn_why v3_8, v3_13, v6_12;
	} cases[] = {
		{ R | W, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_NONE },
		{ R, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_NONE },
		{ X, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_NONE },
		{ R | W | HN_VMA_SPECIAL, HN_WHY_VMA_UNSUITABLE, HN_WHY_VMA_UNSUITABLE,
		  HN_WHY_VMA_UNSUITABLE },
		{ R | W | HN_VMA_BOUND, HN_WHY_VMA_UNSUITABLE, HN_WHY_VMA_UNSUITABLE,
		  HN_WHY_VMA_UNSUITABLE },
		{ R | W | HN_VMA_HUGETLB, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_VMA_UNSUITABLE },
		{ R | W | HN_VMA_MIXEDMAP, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_VMA_UNSUITABLE },
		{ R | FILE_, HN_WHY_NONE, HN_WHY_VMA_SHARED_RO, HN_WHY_VMA_SHARED_RO },
		{ R | X | FILE_, HN_WHY_NONE, HN_WHY_VMA_SHARED_RO, HN_WHY_VMA_SHARED_RO },
		{ R | W | FILE_, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_NONE },
		{ W | FILE_, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_NONE },
		{ X | FILE_, HN_WHY_NONE, HN_WHY_NONE, HN_WHY_NONE },
		{ R | X | HN_VMA_NO_OWNER, HN_WHY_NONE, HN_WHY_VMA_SHARED_RO,
		  HN_WHY_VMA_SHARED_RO },
		{ 0, HN_WHY_NONE, HN_WHY_VMA_INACCESSIBLE, HN_WHY_VMA_INACCESSIBLE },
		{ FILE_, HN_WHY_NONE, HN_WHY_VMA_INACCESSIBLE, HN_WHY_VMA_INACCESSIBLE },
		/* The first reason counts. */
		{ HN_VMA_SPECIAL | HN_VMA_NO_OWNER, HN_WHY_VMA_UNSUITABLE,
		  HN_WHY_VMA_UNSUITABLE, HN_WHY_VMA_UNSUITABLE },
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		uint32_t flags = cases[i].flags;

		assert_int_equal(skip_reason(V3_8, 10 * MB, 20 * MB, flags), cases[i].v3_8);
		assert_int_equal(skip_reason(V3_13, 10 * MB, 20 * MB, flags), cases[i].v3_13);
		assert_int_equal(skip_reason(V6_12, 10 * MB, 20 * MB, flags), cases[i].v6_12);
	}
}

/* v3.8: a whole aligned huge page of 2 MB must fit between the ends. */
static void test_kinds__small_in_v3_8(void **state)
{
	static const struct {
		uint64_t start, end;
		bool is_small;
	} cases[] = {
		{ 2 * MB, 4 * MB, false },
		{ 2 * MB, 4 * MB - HN_PAGE_BYTES, true },
		{ 2 * MB + HN_PAGE_BYTES, 4 * MB, true },
		{ 3 * MB, 5 * MB, true },   /* two MB, but in two halves */
		{ 3 * MB, 6 * MB, false },  /* 4 .. 6 */
		{ 1 * MB, 5 * MB, false },  /* 2 .. 4 */
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		assert_int_equal(skip_reason(V3_8, cases[i].start, cases[i].end, R | W),
				 cases[i].is_small ? HN_WHY_VMA_SMALL : HN_WHY_NONE);
		assert_int_equal(skip_reason(V3_13, cases[i].start, cases[i].end, R | W),
				 HN_WHY_NONE);
	}
}

/* The trace point came with v6.7; without it the reason alone is counted. The skipped GB costs
 * nothing: the budget is whole. */
static void test_kinds__skipped_without_charge(void **state)
{
	static const struct {
		enum hn_vma_scan_rule rule;
		uint32_t nr_traced;
	} cases[] = {
		{ HN_VMA_SCAN_RULE_ALL, 0 },
		{ HN_VMA_SCAN_RULE_RECENT_PIDS, 0 },
		{ HN_VMA_SCAN_RULE_PARTIAL, 1 },
		{ HN_VMA_SCAN_RULE_SEQ_THRESHOLD, 1 },
	};
	const struct hn_vma text = { .id = 1, .start = 0, .end = 1024 * MB,
				     .flags = R | X | FILE_ };

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		struct walk w = { 0 };

		set_up(&w);
		w.base.policy.vma_scan_rule = cases[i].rule;
		hn_core_note_vma(w.base.core, &text);
		walk_map(&w, 0, 2000, 1000, ALL);
		EXPECT_WALK(&w, AT, { 0, 2000, 2256 });
		assert_int_equal(w.base.core->reasons[HN_WHY_VMA_SHARED_RO], 1);
		assert_int_equal(w.base.core->counters[HN_COUNT_SCHED_SKIP_VMA_NUMA],
				 cases[i].nr_traced);
		core_fixture_fini(&w.base);
	}
}

/* ---- what is to be marked ---- */

static const struct hn_mark_rules *mark_rules(struct walk *w, hn_cpu cpu)
{
	walk_attempt(w, AT, cpu);
	assert_int_equal(w->nr_ranges, 1);
	return &w->ranges[0].rules;
}

static void test_marks__cow_rule(void **state)
{
	static const struct {
		enum hn_mark_cow_rule rule;
		enum hn_mark_cow cow;
	} cases[] = {
		{ HN_MARK_COW_RULE_MAPCOUNT_ONE_ALL, HN_MARK_COW_SINGLE_ALL },
		{ HN_MARK_COW_RULE_NONE, HN_MARK_COW_ANY },
		{ HN_MARK_COW_RULE_MAPCOUNT, HN_MARK_COW_UNSHARED },
		{ HN_MARK_COW_RULE_REFCOUNT, HN_MARK_COW_UNREFERENCED },
		{ HN_MARK_COW_RULE_MAYBE_SHARED, HN_MARK_COW_UNSHARED },
	};
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 100, 0);
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		w.base.policy.mark_cow_rule = cases[i].rule;
		assert_int_equal(mark_rules(&w, 0)->cow, cases[i].cow);
	}
	core_fixture_fini(&w.base);
}

static void test_marks__switches(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 100, 0);
	assert_true(mark_rules(&w, 0)->skips_dirty_file);
	assert_true(mark_rules(&w, 0)->skips_ksm);
	assert_false(mark_rules(&w, 0)->applies_to_huge);
	w.base.policy.mark_skip_dirty_file = false;
	assert_false(mark_rules(&w, 0)->skips_dirty_file);
	w.base.policy.mark_skip_ksm = false;
	assert_false(mark_rules(&w, 0)->skips_ksm);
	w.base.policy.mark_tests_huge = true;
	assert_true(mark_rules(&w, 0)->applies_to_huge);
	core_fixture_fini(&w.base);
}

/* Rule 3.5.5: private mapping, one user, and the node of the CPU that scans. Huge entries only
 * in v7.2. */
static void test_marks__local_pages_of_single_threads(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 100, 0);
	assert_int_equal(mark_rules(&w, 0)->skip_local_nid, 0);
	assert_int_equal(mark_rules(&w, 4)->skip_local_nid, 1);
	assert_int_equal(mark_rules(&w, 4)->skip_local_huge_nid, HN_NID_NONE);
	w.base.policy.mark_tests_huge = true;
	assert_int_equal(mark_rules(&w, 4)->skip_local_huge_nid, 1);
	w.base.policy.mark_skip_local_private = false;
	assert_int_equal(mark_rules(&w, 0)->skip_local_nid, HN_NID_NONE);
	w.base.policy.mark_skip_local_private = true;
	core_fixture_fork(&w.base, 1, 0, 0);
	assert_int_equal(mark_rules(&w, 0)->skip_local_nid, HN_NID_NONE);
	/* The second thread is gone: single again, until the mapping is a shared one. */
	hn_core_note_exit(w.base.core, 1);
	assert_int_equal(mark_rules(&w, 0)->skip_local_nid, 0);
	w.base.core->vmas[0].map.flags |= HN_VMA_SHARED;
	assert_int_equal(mark_rules(&w, 0)->skip_local_nid, HN_NID_NONE);
	assert_int_equal(mark_rules(&w, 0)->skip_local_huge_nid, HN_NID_NONE);
	core_fixture_fini(&w.base);
}

/* Fast memory is left alone only when NORMAL mode is off; stamps need the decision of v6.1. */
static void test_marks__tiering(void **state)
{
	static const struct {
		enum hn_numa_mode mode;
		bool decides, skips_top_tier, stamps_slow;
	} cases[] = {
		{ HN_NUMA_MODE_NORMAL, true, false, false },
		{ HN_NUMA_MODE_TIERING, true, true, true },
		{ HN_NUMA_MODE_BOTH, true, false, true },
		{ HN_NUMA_MODE_TIERING, false, true, false },
		{ HN_NUMA_MODE_BOTH, false, false, false },
	};
	struct walk w = { 0 };

	(void)state;
	set_up(&w);
	walk_map(&w, 0, 1000, 100, 0);
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		w.base.policy.numa_mode = cases[i].mode;
		w.base.policy.tiering_decision = cases[i].decides;
		assert_int_equal(mark_rules(&w, 0)->skips_top_tier, cases[i].skips_top_tier);
		assert_int_equal(mark_rules(&w, 0)->stamps_slow, cases[i].stamps_slow);
	}
	core_fixture_fini(&w.base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walk__budget_of_256_mb),
		cmocka_unit_test(test_walk__local_pages_of_one_and_two_threads),
		cmocka_unit_test(test_walk__budget_ends_at_the_end_of_the_mapping),
		cmocka_unit_test(test_walk__budget_just_suffices),
		cmocka_unit_test(test_walk__virtual_budget),
		cmocka_unit_test(test_walk__virtual_budget_just_suffices),
		cmocka_unit_test(test_walk__no_virtual_budget_before_v4_9),
		cmocka_unit_test(test_walk__chunk_ends_at_a_huge_page),
		cmocka_unit_test(test_charge__chunk),
		cmocka_unit_test(test_charge__cumulative),
		cmocka_unit_test(test_charge__cumulative_is_free_before_the_first_hit),
		cmocka_unit_test(test_charge__updates),
		cmocka_unit_test(test_charge__updates_shorten_the_chunks),
		cmocka_unit_test(test_resume__mapping_ended_at_the_offset),
		cmocka_unit_test(test_resume__mapping_is_gone),
		cmocka_unit_test(test_resume__nothing_behind),
		cmocka_unit_test(test_resume__no_mapping_at_all),
		cmocka_unit_test(test_kinds__by_era),
		cmocka_unit_test(test_kinds__small_in_v3_8),
		cmocka_unit_test(test_kinds__skipped_without_charge),
		cmocka_unit_test(test_marks__cow_rule),
		cmocka_unit_test(test_marks__switches),
		cmocka_unit_test(test_marks__local_pages_of_single_threads),
		cmocka_unit_test(test_marks__tiering),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
