/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Promotion of pages from slow memory. Node 0 is fast, node 1 slow; task 0 faults on CPU 0, so
 * node 0 is the target. Unless a test says otherwise the page was marked 10 ms before the
 * fault, and node 0 has 1000 free pages of 4194304 (16 GiB), too few to promote without a test.
 * */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core-fixture.h"

#define MS(x) ((x) * HN_NS_PER_MS)
#define NODE_PAGES (FIXTURE_NODE_BYTES / HN_PAGE_BYTES)
#define PAGES_PER_GIB UINT64_C(262144)
#define CPUPID 0x1234

struct page {
	struct hn_fault_event event;
	struct hn_fault_verdict verdict;
};

static void start(struct core_fixture *f)
{
	core_fixture_start(f);
	core_fixture_fork(f, 0, HN_TASK_NONE, 0);
	core_fixture_map(f, 0, 0, 1 << 20, 512);
}

static void set_up(struct core_fixture *f)
{
	core_fixture_init(f, 2);
	f->policy.numa_mode = HN_NUMA_MODE_BOTH;
	f->nodes[1].is_top_tier = false;
	start(f);
}

static struct page page_at(int64_t now_ms, int64_t marked_ms)
{
	return (struct page){ .event = {
		.now_ns = MS(now_ms),
		.page_nid = 1,
		.flags = HN_FAULT_TIMED,
		.nr_pages = 1,
		.last_cpupid = CPUPID,
		.access_time_ms = (uint32_t)marked_ms & 0xfffff,
		.dst_free_pages = 1000,
		.dst_pages = NODE_PAGES,
	} };
}

static enum hn_why decide(struct core_fixture *f, struct page *page)
{
	hn_core_decide_page(f->core, &page->event, &page->verdict);
	assert_true(page->verdict.is_counted);
	return (enum hn_why)page->verdict.why;
}

static enum hn_why decide_at(struct core_fixture *f, int64_t now_ms, int64_t marked_ms)
{
	struct page page = page_at(now_ms, marked_ms);

	return decide(f, &page);
}

static uint64_t nr_candidates(const struct core_fixture *f)
{
	return hn_core_counters(f->core)[HN_COUNT_PGPROMOTE_CANDIDATE];
}

/* ---- which pages ---- */

/* Without tiering, on fast memory, or before v6.1, the ordinary rules decide. */
static void test_tier__not_asked(void **state)
{
	static const struct {
		enum hn_numa_mode mode;
		bool decides, is_slow;
		hn_nid page_nid;
		bool is_asked;
	} cases[] = {
		{ HN_NUMA_MODE_BOTH, true, true, 1, true },
		{ HN_NUMA_MODE_TIERING, true, true, 1, true },
		{ HN_NUMA_MODE_NORMAL, true, true, 1, false },
		{ HN_NUMA_MODE_BOTH, false, true, 1, false },
		{ HN_NUMA_MODE_BOTH, true, false, 1, false }, /* all nodes are fast */
		{ HN_NUMA_MODE_BOTH, true, true, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct page page = page_at(5000, 4990);
		struct core_fixture f;

		core_fixture_init(&f, 2);
		f.policy.numa_mode = cases[i].mode;
		f.policy.tiering_decision = cases[i].decides;
		f.nodes[1].is_top_tier = !cases[i].is_slow;
		start(&f);
		page.event.page_nid = cases[i].page_nid;
		decide(&f, &page);
		assert_int_equal(page.verdict.why == HN_WHY_TIER_HOT, cases[i].is_asked);
		assert_int_equal(nr_candidates(&f), cases[i].is_asked);
		core_fixture_fini(&f);
	}
}

/* The record of who faulted last is the time's place: it is left alone. */
static void test_tier__no_record_is_written(void **state)
{
	struct page page = page_at(5000, 4990);
	struct core_fixture f;

	(void)state;
	set_up(&f);
	decide(&f, &page);
	assert_int_equal(page.verdict.target_nid, 0);
	assert_int_equal(page.verdict.new_cpupid, CPUPID);
	core_fixture_fini(&f);
}

/* The access still counts for the scan's filter by pid: 1001 has bit 22 (test-walk-access.c). */
static void test_tier__notes_the_access(void **state)
{
	struct page page = page_at(5000, 0);
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.core->vmas[0].has_state = true;
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_COLD);
	assert_int_equal(f.core->vmas[0].pids[1], UINT64_C(1) << 22);
	core_fixture_fini(&f);
}

/* What the migration code refuses holds for promotion as well. */
static void test_tier__refusals_follow(void **state)
{
	struct page page = page_at(5000, 4990);
	struct core_fixture f;

	(void)state;
	set_up(&f);
	page.event.flags |= HN_FAULT_FILE_DIRTY;
	assert_int_equal(decide(&f, &page), HN_WHY_PAGE_DIRTY_FILE);
	assert_int_equal(page.verdict.target_nid, HN_NID_NONE);
	assert_true(page.verdict.is_refused);
	core_fixture_fini(&f);
}

/* ---- free memory ---- */

/* Enough: a GiB, or a sixteenth of the node if that is more (32 GiB: 2 GiB). */
static void test_free__by_size_of_the_node(void **state)
{
	static const struct {
		uint64_t free_pages, node_pages;
		bool is_enough;
	} cases[] = {
		{ PAGES_PER_GIB, 16 * PAGES_PER_GIB, true },
		{ PAGES_PER_GIB - 1, 16 * PAGES_PER_GIB, false },
		{ PAGES_PER_GIB, 2 * PAGES_PER_GIB, true },
		{ 2 * PAGES_PER_GIB, 32 * PAGES_PER_GIB, true },
		{ 2 * PAGES_PER_GIB - 1, 32 * PAGES_PER_GIB, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct page page = page_at(9000, 0); /* cold */
		struct core_fixture f;

		set_up(&f);
		page.event.dst_free_pages = cases[i].free_pages;
		page.event.dst_pages = cases[i].node_pages;
		assert_int_equal(decide(&f, &page), cases[i].is_enough ? HN_WHY_TIER_FREE
								       : HN_WHY_TIER_COLD);
		assert_int_equal(page.verdict.target_nid, cases[i].is_enough ? 0 : HN_NID_NONE);
		assert_int_equal(nr_candidates(&f), 0);
		core_fixture_fini(&f);
	}
}

static void test_free__resets_the_threshold(void **state)
{
	struct page page = page_at(9000, 0);
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.core->nodes[0].promo_threshold_ms = 125;
	f.core->nodes[1].promo_threshold_ms = 125;
	page.event.dst_free_pages = PAGES_PER_GIB;
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_FREE);
	assert_int_equal(f.core->nodes[0].promo_threshold_ms, 0);
	assert_int_equal(f.core->nodes[1].promo_threshold_ms, 125);
	core_fixture_fini(&f);
}

/* ---- hotness ---- */

/* The threshold is 1000 ms, strictly; the clock has 20 bits: 1048576 ms are 0 again. */
static void test_hot__by_time_since_marking(void **state)
{
	static const struct {
		int64_t now_ms, marked_ms;
		enum hn_why why;
	} cases[] = {
		{ 5000, 5000, HN_WHY_TIER_HOT },
		{ 5000, 4001, HN_WHY_TIER_HOT },           /* 999 */
		{ 5000, 4000, HN_WHY_TIER_COLD },          /* 1000 */
		{ 1048576 + 500, 1048576 - 499, HN_WHY_TIER_HOT },
		{ 1048576 + 500, 1048576 - 500, HN_WHY_TIER_COLD },
		{ 1048576 + 5000, 4500, HN_WHY_TIER_HOT }, /* QUIRK: 17 minutes look like 500 ms */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct core_fixture f;

		set_up(&f);
		/* No adjustment in between. */
		f.core->nodes[0].promo_adjust_ms = (uint32_t)cases[i].now_ms;
		assert_int_equal(decide_at(&f, cases[i].now_ms, cases[i].marked_ms), cases[i].why);
		core_fixture_fini(&f);
	}
}

static void test_hot__by_the_adapted_threshold(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.core->nodes[0].promo_threshold_ms = 125;
	assert_int_equal(decide_at(&f, 5000, 4876), HN_WHY_TIER_HOT);
	assert_int_equal(decide_at(&f, 5000, 4875), HN_WHY_TIER_COLD);
	core_fixture_fini(&f);
}

/* A page that came to slow memory after its marking carries no time. */
static void test_hot__not_without_a_time(void **state)
{
	struct page page = page_at(5000, 5000);
	struct core_fixture f;

	(void)state;
	set_up(&f);
	page.event.flags = 0;
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_COLD);
	core_fixture_fini(&f);
}

/* ---- the threshold ---- */

/* Limit 4 MB/s = 1024 pages, window 60 s: reference 61440 candidates; nine tenths are 55296,
 * eleven tenths 67584. Steps of 1000 * 2 div 16 = 125 ms, between 125 and 2000. The fault comes
 * 60001 ms after the last adjustment. */
static void test_threshold__follows_the_candidates(void **state)
{
	static const struct {
		uint64_t nr_new;
		uint32_t before_ms, after_ms;
	} cases[] = {
		{ 55295, 0, 1125 },    { 55296, 0, 1000 },    { 67584, 0, 1000 },
		{ 67585, 0, 875 },     { 0, 1875, 2000 },     { 0, 2000, 2000 },
		{ 0, 1950, 2000 },     { 67585, 250, 125 },   { 67585, 125, 125 },
		{ 60000, 1125, 1125 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct core_fixture f;
		struct hn_core_node *node;

		set_up(&f);
		f.policy.promote_rate_limit_mbps = 4;
		node = &f.core->nodes[0];
		node->promo_adjust_ms = 1000;
		node->promo_adjust_base = 7;
		node->promo_candidates = 7 + cases[i].nr_new;
		node->promo_threshold_ms = cases[i].before_ms;
		decide_at(&f, 61001, 0);
		assert_int_equal(node->promo_threshold_ms, cases[i].after_ms);
		assert_int_equal(node->promo_adjust_ms, 61001);
		assert_int_equal(node->promo_adjust_base, 7 + cases[i].nr_new);
		core_fixture_fini(&f);
	}
}

/* At most once a scan_period_max: not at 60000 ms after the last time. */
static void test_threshold__once_a_window(void **state)
{
	struct core_fixture f;
	struct hn_core_node *node;

	(void)state;
	set_up(&f);
	node = &f.core->nodes[0];
	node->promo_adjust_ms = 1000;
	decide_at(&f, 61000, 0);
	assert_int_equal(node->promo_threshold_ms, 0);
	assert_int_equal(node->promo_adjust_ms, 1000);
	decide_at(&f, 61001, 0);
	assert_int_equal(node->promo_threshold_ms, 1125);
	decide_at(&f, 61002, 0);
	assert_int_equal(node->promo_threshold_ms, 1125);
	core_fixture_fini(&f);
}

/* The fault that adjusts is judged by the new threshold: 1125 ms, as there were no candidates. */
static void test_threshold__adjusted_before_the_judgement(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(decide_at(&f, 60000, 60000 - 1124), HN_WHY_TIER_COLD);
	assert_int_equal(decide_at(&f, 60001, 60001 - 1124), HN_WHY_TIER_HOT);
	assert_int_equal(decide_at(&f, 60001, 60001 - 1125), HN_WHY_TIER_COLD);
	core_fixture_fini(&f);
}

/* 7 * 2 div 16 = 0 and 8 * 2 div 16 = 1: below 8 ms there is no step, neither up nor down. */
static void test_threshold__no_step_below_eight_ms(void **state)
{
	struct core_fixture f;
	struct hn_core_node *node;

	(void)state;
	set_up(&f);
	f.policy.promote_rate_limit_mbps = 4;
	f.policy.hot_threshold_ms = 7;
	node = &f.core->nodes[0];
	decide_at(&f, 60001, 0);
	assert_int_equal(node->promo_threshold_ms, 7);
	node->promo_candidates = 67585;
	decide_at(&f, 120002, 0);
	assert_int_equal(node->promo_threshold_ms, 7);
	f.policy.hot_threshold_ms = 8;
	decide_at(&f, 180003, 0);
	assert_int_equal(node->promo_threshold_ms, 8);
	core_fixture_fini(&f);
}

/* ---- the rate ---- */

/* 1 MB/s = 256 pages. The base is taken more than 1000 ms after the last one and includes the page
 * that takes it: 255 more pages pass, the 256th does not. */
static void test_rate__limit_per_second(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.policy.promote_rate_limit_mbps = 1;
	for (int k = 0; k < 256; k++)
		assert_int_equal(decide_at(&f, 5000 + k, 4999), HN_WHY_TIER_HOT);
	assert_int_equal(decide_at(&f, 5256, 5256), HN_WHY_TIER_RATE_LIMIT);
	/* Refused ones are candidates too. */
	assert_int_equal(nr_candidates(&f), 257);
	assert_int_equal(decide_at(&f, 6000, 6000), HN_WHY_TIER_RATE_LIMIT);
	assert_int_equal(decide_at(&f, 6001, 6000), HN_WHY_TIER_HOT);
	core_fixture_fini(&f);
}

/* 4 MB/s are 1024 pages, and a huge page counts 512. The first one takes the base, the second
 * makes it 512 since then, the third 1024. */
static void test_rate__huge_pages(void **state)
{
	struct page page = page_at(5000, 4999);
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.policy.promote_rate_limit_mbps = 4;
	page.event.nr_pages = 512;
	page.event.flags |= HN_FAULT_HUGE;
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_HOT);
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_HOT);
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_RATE_LIMIT);
	assert_int_equal(page.verdict.target_nid, HN_NID_NONE);
	/* Not a refusal by the migration code: nothing was to be moved. */
	assert_false(page.verdict.is_refused);
	assert_int_equal(nr_candidates(&f), 3 * 512);
	core_fixture_fini(&f);
}

/* Cold pages are no candidates, and each target node has its own count. */
static void test_rate__counts_hot_pages_of_one_node(void **state)
{
	struct page page = page_at(5000, 4999);
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 4);
	f.policy.numa_mode = HN_NUMA_MODE_BOTH;
	f.policy.promote_rate_limit_mbps = 1;
	f.nodes[1].is_top_tier = false;
	start(&f);
	assert_int_equal(decide_at(&f, 5000, 0), HN_WHY_TIER_COLD);
	assert_int_equal(f.core->nodes[0].promo_candidates, 0);
	f.core->nodes[0].promo_rate_start_ms = 5000;
	f.core->nodes[0].promo_candidates = 256;
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_RATE_LIMIT);
	page.event.cpu = 4; /* of node 2 */
	assert_int_equal(decide(&f, &page), HN_WHY_TIER_HOT);
	assert_int_equal(page.verdict.target_nid, 2);
	core_fixture_fini(&f);
}

/* A limit of zero is not "no limit". The default of 65536 MB/s is 2^24 pages. */
static void test_rate__zero_and_default(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.policy.promote_rate_limit_mbps = 0;
	assert_int_equal(decide_at(&f, 500, 490), HN_WHY_TIER_RATE_LIMIT);
	f.policy.promote_rate_limit_mbps = 65536;
	f.core->nodes[0].promo_candidates = (1 << 24) - 2;
	assert_int_equal(decide_at(&f, 500, 490), HN_WHY_TIER_HOT);
	assert_int_equal(decide_at(&f, 500, 490), HN_WHY_TIER_RATE_LIMIT);
	core_fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tier__not_asked),
		cmocka_unit_test(test_tier__no_record_is_written),
		cmocka_unit_test(test_tier__notes_the_access),
		cmocka_unit_test(test_tier__refusals_follow),
		cmocka_unit_test(test_free__by_size_of_the_node),
		cmocka_unit_test(test_free__resets_the_threshold),
		cmocka_unit_test(test_hot__by_time_since_marking),
		cmocka_unit_test(test_hot__by_the_adapted_threshold),
		cmocka_unit_test(test_hot__not_without_a_time),
		cmocka_unit_test(test_threshold__follows_the_candidates),
		cmocka_unit_test(test_threshold__once_a_window),
		cmocka_unit_test(test_threshold__adjusted_before_the_judgement),
		cmocka_unit_test(test_threshold__no_step_below_eight_ms),
		cmocka_unit_test(test_rate__limit_per_second),
		cmocka_unit_test(test_rate__huge_pages),
		cmocka_unit_test(test_rate__counts_hot_pages_of_one_node),
		cmocka_unit_test(test_rate__zero_and_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
