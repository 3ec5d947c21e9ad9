/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a task scans: limits of the period, ticks, and the beginning and end of one attempt.
 *
 * Task 0 ("P") is alone in address space 0, two nodes of four CPUs. Ticks last 4 ms and count
 * from 1, so it is tick 1 at 0 ms and tick 251 at 1000 ms. P was forked at 0 ms: its address
 * space is due at tick 1 + 250 = 251. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/tick.h"
#include "core-fixture.h"

#define P 0
#define MS(x) ((x) * HN_NS_PER_MS)
#define PAGES_PER_GIB UINT64_C(262144)
#define CPU_NODE_0 0
#define CPU_NODE_1 4

static void start(struct core_fixture *f)
{
	core_fixture_start(f);
	core_fixture_fork(f, P, HN_TASK_NONE, 0);
}

static void set_up(struct core_fixture *f)
{
	core_fixture_init(f, 2);
	start(f);
}

static struct hn_core_task *task_p(struct core_fixture *f)
{
	return hn_core_get_task(f->core, P);
}

static bool begin_on(struct core_fixture *f, hn_time_ns now_ns, hn_cpu cpu)
{
	const struct hn_scan_event event = {
		.now_ns = now_ns,
		.task = P,
		.cpu = cpu,
		.sum_exec_ns = MS(5000),
		.nr_threads = 1,
	};

	return hn_core_scan_begin(f->core, &event);
}

static bool begin(struct core_fixture *f, hn_time_ns now_ns)
{
	return begin_on(f, now_ns, CPU_NODE_0);
}

/* ---- limits of the period ---- */

/* Section 11, 2 and 3, and what lies around: nwin = ceil(RSS / 256 MB), shortest =
 * max(100, 1000 div nwin), longest = max(shortest, 60000 div nwin). */
static void test_period__by_resident_size(void **state)
{
	static const struct {
		uint64_t rss_pages;
		uint32_t min_ms, max_ms;
	} cases[] = {
		{ 0, 1000, 60000 },                      /* unknown: one window */
		{ 1, 1000, 60000 },
		{ 65536, 1000, 60000 },                  /* exactly one window */
		{ 65537, 500, 30000 },                   /* a page more: two */
		{ PAGES_PER_GIB, 250, 15000 },           /* 4 */
		{ 10 * 65536, 100, 6000 },               /* 10: 1000 div 10 is the floor */
		{ 16 * PAGES_PER_GIB, 100, 937 },        /* 64: 15 is below it; 937.5 */
		{ 1024 * PAGES_PER_GIB, 100, 100 },      /* 4096: 14 is below the shortest */
	};
	struct core_fixture f;

	(void)state;
	set_up(&f);
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		hn_core_note_rss(f.core, 0, cases[i].rss_pages);
		assert_int_equal(hn_scan_period_ms_min(f.core, task_p(&f)), cases[i].min_ms);
		assert_int_equal(hn_scan_period_ms_start(f.core, task_p(&f)), cases[i].min_ms);
		assert_int_equal(hn_scan_period_ms_max(f.core, task_p(&f)), cases[i].max_ms);
	}
	core_fixture_fini(&f);
}

/* At most 2560 MB a second: the floor is 1000 div (2560 div size), and 1000 from 2560 MB on. */
static void test_period__floor_by_scan_size(void **state)
{
	static const struct {
		uint32_t size_mb, min_ms;
	} cases[] = {
		{ 0, 1000 },   { 1, 1 },       { 256, 100 },   { 512, 200 },
		{ 1280, 500 }, { 1281, 1000 }, { 2559, 1000 }, { 2560, 1000 },
	};
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	f.policy.scan_period_ms_min = 1;
	start(&f);
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		f.policy.scan_size_mb = cases[i].size_mb;
		assert_int_equal(hn_scan_period_ms_min(f.core, task_p(&f)), cases[i].min_ms);
	}
	core_fixture_fini(&f);
}

/* v3.8: the two tunables, whatever the size. */
static void test_period__first_nid_ignores_size(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_8(&f);
	start(&f);
	hn_core_note_rss(f.core, 0, 16 * PAGES_PER_GIB);
	assert_int_equal(hn_scan_period_ms_min(f.core, task_p(&f)), 100);
	assert_int_equal(hn_scan_period_ms_start(f.core, task_p(&f)), 100);
	assert_int_equal(hn_scan_period_ms_max(f.core, task_p(&f)), 5000);
	core_fixture_fini(&f);
}

/* Puts P into a group of `nr` with shared faults on node 0 and private ones on node 1. */
static void set_up_group(struct core_fixture *f, uint32_t nr, uint64_t nr_shared,
			 uint64_t nr_private)
{
	core_fixture_join_group(f, P, nr);
	hn_core_gfaults(f->core, P, HN_STAT_MEM)[0] = nr_shared;
	hn_core_gfaults(f->core, P, HN_STAT_MEM)[3] = nr_private;
}

/* G(x) = x * members * (S + 1) div (Pv + S + 1); start = max(1000, G(1000)), longest =
 * max(60000, G(60000)). */
static void test_period__stretched_for_groups(void **state)
{
	static const struct {
		uint32_t nr;
		uint64_t nr_shared, nr_private;
		uint32_t start_ms, max_ms;
	} cases[] = {
		{ 3, 299, 100, 2250, 135000 },  /* 3 * 300 / 400 */
		{ 3, 99, 200, 1000, 60000 },    /* 3 * 100 / 300 = 1: the border */
		{ 3, 100, 200, 1006, 60398 },   /* 303 / 301 = 1.00664 */
		{ 3, 0, 2999, 1000, 60000 },    /* 3 / 3000: never shorter */
		{ 2, 4, 2, 1428, 85714 },       /* 10 / 7 = 1.428571: truncated */
		{ 4, 0, 0, 4000, 240000 },      /* no faults yet: all count as shared */
	};
	struct core_fixture f;

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		set_up(&f);
		set_up_group(&f, cases[i].nr, cases[i].nr_shared, cases[i].nr_private);
		assert_int_equal(hn_scan_period_ms_min(f.core, task_p(&f)), 1000);
		assert_int_equal(hn_scan_period_ms_start(f.core, task_p(&f)), cases[i].start_ms);
		assert_int_equal(hn_scan_period_ms_max(f.core, task_p(&f)), cases[i].max_ms);
		core_fixture_fini(&f);
	}
}

static void test_period__not_stretched_until_v4_14(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	f.policy.scan_group_period = false;
	start(&f);
	set_up_group(&f, 3, 299, 100);
	assert_int_equal(hn_scan_period_ms_start(f.core, task_p(&f)), 1000);
	assert_int_equal(hn_scan_period_ms_max(f.core, task_p(&f)), 60000);
	/* The start alone: the longest period is stretched all the same. */
	f.policy.scan_group_period = true;
	f.policy.period_starts_at_start = false;
	assert_int_equal(hn_scan_period_ms_start(f.core, task_p(&f)), 1000);
	assert_int_equal(hn_scan_period_ms_max(f.core, task_p(&f)), 135000);
	core_fixture_fini(&f);
}

/* v3.8: 10 ticks in ms, 40 at 250 Hz, up to the longest period of 5000. */
static void test_unmoved_fault__adds_ten_ticks(void **state)
{
	static const uint32_t cases[][2] = {
		{ 100, 140 }, { 4959, 4999 }, { 4960, 5000 }, { 4961, 5000 }, { 5000, 5000 },
	};
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_8(&f);
	start(&f);
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		task_p(&f)->scan_period_ms = cases[i][0];
		hn_scan_note_unmoved_fault(f.core, task_p(&f));
		assert_int_equal(hn_core_scan_period_ms(f.core, P), cases[i][1]);
	}
	core_fixture_fini(&f);
}

/* ---- ticks ---- */

/* Period 1000 ms from the fork, stamp 0: strictly more CPU time than that is asked for. */
static void test_tick__due_after_one_period(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(hn_core_scan_due_exec_ns(f.core, P), MS(1000));
	assert_false(hn_core_note_tick(f.core, MS(9000), P, MS(1000)));
	assert_int_equal(task_p(&f)->node_stamp_ns, 0);
	assert_true(hn_core_note_tick(f.core, MS(9000), P, MS(1000) + 1));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(1000));
	core_fixture_fini(&f);
}

/* The address space is due at tick 251, which begins at 1000 ms. An attempt before uses up the
 * period of the task. */
static void test_tick__address_space_not_due(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_false(hn_core_note_tick(f.core, MS(1000) - 1, P, MS(1001)));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(1000));
	assert_false(task_p(&f)->is_scan_queued);
	assert_true(hn_core_note_tick(f.core, MS(1000), P, MS(2001)));
	assert_true(task_p(&f)->is_scan_queued);
	core_fixture_fini(&f);
}

/* With 1 GiB resident the start is 250 ms; the stamp still moves by the old period. */
static void test_tick__first_event_sets_the_period(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	hn_core_note_rss(f.core, 0, PAGES_PER_GIB);
	hn_core_note_tick(f.core, MS(9000), P, MS(1700));
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 250);
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(1000));
	core_fixture_fini(&f);
}

/* A stamp other than 0, as staggered threads have: the period stays what it was. */
static void test_tick__later_events_leave_the_period(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	hn_core_note_rss(f.core, 0, PAGES_PER_GIB);
	task_p(&f)->node_stamp_ns = MS(8);
	assert_false(hn_core_note_tick(f.core, MS(9000), P, MS(1008)));
	assert_true(hn_core_note_tick(f.core, MS(9000), P, MS(1008) + 1));
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 1000);
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(1008));
	core_fixture_fini(&f);
}

static void test_tick__v3_8_sets_the_stamp_to_now(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_8(&f);
	start(&f);
	assert_true(hn_core_note_tick(f.core, MS(9000), P, MS(1700)));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(1700));
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 100);
	core_fixture_fini(&f);
}

/* Stamp 2000 ms. Up to v4.4, 2000 ms - 1 less 2000 ms is 2^64 - 1, more than any period; 2000
 * less 2000 is 0. Later kernels wait for 3000 ms in both cases. */
static void test_tick__stamp_ahead_of_the_clock(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	task_p(&f)->node_stamp_ns = MS(2000);
	assert_false(hn_core_note_tick(f.core, MS(9000), P, MS(2000) - 1));
	f.policy.stamp_wraps = true;
	assert_false(hn_core_note_tick(f.core, MS(9000), P, MS(2000)));
	assert_int_equal(hn_core_scan_due_exec_ns(f.core, P), MS(3000));
	assert_true(hn_core_note_tick(f.core, MS(9000), P, MS(2000) - 1));
	/* So the stamp runs away by a period a tick, and each tick is due. */
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(3000));
	task_p(&f)->is_scan_queued = false;
	assert_int_equal(hn_core_scan_due_exec_ns(f.core, P), 0);
	core_fixture_fini(&f);
}

/* A stamp behind the clock is due after more than a period, up to v4.4 as well. */
static void test_tick__stamp_behind_the_clock_before_v4_9(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.policy.stamp_wraps = true;
	task_p(&f)->node_stamp_ns = MS(2000);
	assert_false(hn_core_note_tick(f.core, MS(9000), P, MS(3000)));
	assert_true(hn_core_note_tick(f.core, MS(9000), P, MS(3000) + 1));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(3000));
	core_fixture_fini(&f);
}

static void test_tick__queued_only_once(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_true(hn_core_note_tick(f.core, MS(9000), P, MS(2000)));
	assert_int_equal(hn_core_scan_due_exec_ns(f.core, P), HN_TIME_NEVER);
	assert_false(hn_core_note_tick(f.core, MS(9000), P, MS(4000)));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(1000));
	/* The attempt ends the wait, whatever comes of it. */
	task_p(&f)->node_stamp_ns = MS(1000);
	f.core->mms[0].next_scan_ticks = INT64_MAX;
	assert_false(begin(&f, MS(9000)));
	assert_int_equal(hn_core_scan_due_exec_ns(f.core, P), MS(2000));
	core_fixture_fini(&f);
}

static void expect_no_tick(struct core_fixture *f)
{
	assert_int_equal(hn_core_scan_due_exec_ns(f->core, P), HN_TIME_NEVER);
	assert_false(hn_core_note_tick(f->core, MS(9000), P, MS(9000)));
	assert_int_equal(task_p(f)->node_stamp_ns, 0);
}

static void test_tick__not_for_kernel_threads_or_the_dead(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	task_p(&f)->is_kthread = true;
	expect_no_tick(&f);
	task_p(&f)->is_kthread = false;
	task_p(&f)->mm = HN_MM_NONE;
	expect_no_tick(&f);
	task_p(&f)->mm = 0;
	f.policy.numa_mode = HN_NUMA_MODE_OFF;
	expect_no_tick(&f);
	f.policy.numa_mode = HN_NUMA_MODE_TIERING;
	hn_core_note_exit(f.core, P);
	expect_no_tick(&f);
	core_fixture_fini(&f);
}

/* ---- the beginning of an attempt ---- */

static void test_begin__from_the_due_tick_on(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_false(begin(&f, MS(1000) - 1));
	assert_int_equal(f.core->reasons[HN_WHY_SCAN_NOT_DUE], 1);
	assert_int_equal(f.core->mms[0].next_scan_ticks, 251);
	assert_int_equal(task_p(&f)->node_stamp_ns, 0);
	assert_true(begin(&f, MS(1000)));
	assert_int_equal(f.core->reasons[HN_WHY_SCAN_DONE], 1);
	/* A period of 1000 ms later, and the winner steps back by two ticks. */
	assert_int_equal(f.core->mms[0].next_scan_ticks, 501);
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(8));
	core_fixture_fini(&f);
}

/* 250 ms are 62.5 ticks: 63. */
static void test_begin__rounds_the_period_up_to_ticks(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	task_p(&f)->scan_period_ms = 250;
	assert_true(begin(&f, MS(1000)));
	assert_int_equal(f.core->mms[0].next_scan_ticks, 251 + 63);
	core_fixture_fini(&f);
}

/* Two threads, one address space: who comes second in the same tick finds it taken. */
static void test_begin__one_winner_per_period(void **state)
{
	const struct hn_scan_event second = {
		.now_ns = MS(1000), .task = 1, .cpu = 1, .nr_threads = 2,
	};
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_fork(&f, 1, P, 0);
	assert_true(begin(&f, MS(1000)));
	assert_false(hn_core_scan_begin(f.core, &second));
	assert_int_equal(f.core->reasons[HN_WHY_SCAN_NOT_DUE], 1);
	core_fixture_fini(&f);
}

/* At 2000 ms it is tick 501: not before 501 + 250. Without a delay the scan starts at once. */
static void test_begin__unset_time_starts_with_the_delay(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.core->mms[0].next_scan_ticks = 0;
	assert_false(begin(&f, MS(2000)));
	assert_int_equal(f.core->mms[0].next_scan_ticks, 751);
	f.core->mms[0].next_scan_ticks = 0;
	f.policy.scan_delay_ms = 0;
	assert_true(begin(&f, MS(2000)));
	core_fixture_fini(&f);
}

static void test_begin__no_period_yet(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	hn_core_note_rss(f.core, 0, PAGES_PER_GIB);
	task_p(&f)->scan_period_ms = 0;
	assert_true(begin(&f, MS(1000)));
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 250);
	assert_int_equal(task_p(&f)->scan_period_ms_max, 15000);
	core_fixture_fini(&f);
}

/* v4.15: the period is lost. Before, the scan waited for the lock. */
static void test_begin__lock_busy(void **state)
{
	struct hn_scan_event event = { .now_ns = MS(1000), .is_lock_busy = true };
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_false(hn_core_scan_begin(f.core, &event));
	assert_int_equal(f.core->reasons[HN_WHY_SCAN_LOCK_BUSY], 1);
	assert_int_equal(f.core->mms[0].next_scan_ticks, 501);
	f.policy.scan_trylock = false;
	event.now_ns = MS(2000);
	assert_true(hn_core_scan_begin(f.core, &event));
	core_fixture_fini(&f);
}

/* v7.2: left out before anything else; the period is not taken. */
static void test_begin__single_node_cpuset(void **state)
{
	struct hn_scan_event event = { .now_ns = MS(1000), .is_single_node = true };
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.policy.cpuset_skip = true;
	assert_false(hn_core_scan_begin(f.core, &event));
	assert_int_equal(f.core->reasons[HN_WHY_SCAN_CPUSET], 1);
	assert_int_equal(f.core->counters[HN_COUNT_SCHED_SKIP_CPUSET_NUMA], 1);
	assert_int_equal(f.core->mms[0].next_scan_ticks, 251);
	event.is_single_node = false;
	assert_true(hn_core_scan_begin(f.core, &event));
	event.is_single_node = true;
	event.now_ns = MS(2000);
	f.policy.cpuset_skip = false;
	assert_true(hn_core_scan_begin(f.core, &event));
	core_fixture_fini(&f);
}

static void test_begin__no_scan_size(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_map(&f, 0, 0, 0, 512);
	f.policy.scan_size_mb = 0;
	assert_false(begin(&f, MS(1000)));
	/* The period is used up first. */
	assert_int_equal(f.core->mms[0].next_scan_ticks, 501);
	core_fixture_fini(&f);
}

static void test_begin__exiting_task(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	hn_core_note_exit(f.core, P);
	assert_false(begin(&f, MS(1000)));
	assert_int_equal(f.core->mms[0].next_scan_ticks, 251);
	core_fixture_fini(&f);
}

/* ---- v3.8: nothing until the process ran on a second node ---- */

static void set_up_v3_8(struct core_fixture *f)
{
	core_fixture_init(f, 2);
	core_fixture_use_v3_8(f);
	start(f);
}

static void test_first_nid__waits_for_a_second_node(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_v3_8(&f);
	assert_false(begin_on(&f, MS(1000), CPU_NODE_1));
	assert_false(begin_on(&f, MS(9000), CPU_NODE_1 + 3));
	assert_int_equal(f.core->reasons[HN_WHY_SCAN_FIRST_NODE], 2);
	assert_int_equal(f.core->mms[0].next_scan_ticks, 251);
	/* The first attempt elsewhere scans, and so do all later ones, also at home. */
	assert_true(begin_on(&f, MS(10000), CPU_NODE_0));
	assert_true(begin_on(&f, MS(20000), CPU_NODE_1));
	core_fixture_fini(&f);
}

static void test_first_nid__not_since_v3_13(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_13(&f);
	start(&f);
	assert_true(begin(&f, MS(1000)));
	core_fixture_fini(&f);
}

/* Reset due strictly after tick 1 + 15000, which begins at 60000 ms; the next one is due after
 * tick 15002 + 15000. It comes before the test whether a scan is due, and after that of nodes. */
static void test_first_nid__resets_the_period(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_v3_8(&f);
	task_p(&f)->scan_period_ms = 5000;
	assert_false(begin_on(&f, MS(60004), CPU_NODE_0));
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 5000);
	f.core->mms[0].next_scan_ticks = INT64_MAX;
	assert_false(begin_on(&f, MS(60004) - 1, CPU_NODE_1));
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 5000);
	assert_false(begin_on(&f, MS(60004), CPU_NODE_1));
	assert_int_equal(f.core->reasons[HN_WHY_SCAN_NOT_DUE], 2);
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 100);
	assert_int_equal(f.core->mms[0].next_reset_ticks, 30002);
	core_fixture_fini(&f);
}

static void test_first_nid__period_is_not_reset_without_interval(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_8(&f);
	f.policy.scan_period_ms_reset = 0;
	start(&f);
	task_p(&f)->scan_period_ms = 5000;
	f.core->mms[0].is_first_nid_active = true;
	assert_true(begin(&f, MS(600000)));
	assert_int_equal(hn_core_scan_period_ms(f.core, P), 5000);
	core_fixture_fini(&f);
}

/* No hints while the running node has no migration budget left (nr > 32768 inside the window,
 * whose last tick is 300, from 1196 ms). The period is used up. */
static void test_first_nid__waits_for_the_rate_limit(void **state)
{
	static const struct {
		uint64_t nr_pages;
		hn_time_ns now_ns;
		hn_cpu cpu;
		bool begins;
	} cases[] = {
		{ 32769, MS(1000), CPU_NODE_1, false },
		{ 32769, MS(1200) - 1, CPU_NODE_1, false },
		{ 32769, MS(1200), CPU_NODE_1, true },  /* past the window */
		{ 32768, MS(1000), CPU_NODE_1, true },  /* at the limit */
		{ 32769, MS(1000), CPU_NODE_0, true },  /* another node */
	};
	struct core_fixture f;

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		set_up_v3_8(&f);
		f.core->mms[0].is_first_nid_active = true;
		f.core->nodes[1].migrate_next_window_ticks = 300;
		f.core->nodes[1].migrate_nr_pages = cases[i].nr_pages;
		assert_int_equal(begin_on(&f, cases[i].now_ns, cases[i].cpu), cases[i].begins);
		assert_int_equal(f.core->reasons[HN_WHY_SCAN_RATE_LIMIT], !cases[i].begins);
		assert_true(f.core->mms[0].next_scan_ticks > 251);
		assert_int_equal(f.core->nodes[1].migrate_nr_pages, cases[i].nr_pages);
		core_fixture_fini(&f);
	}
}

static void test_begin__rate_limit_does_not_matter_since_v3_13(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_13(&f);
	start(&f);
	f.core->nodes[0].migrate_next_window_ticks = INT64_MAX;
	f.core->nodes[0].migrate_nr_pages = 99999;
	assert_true(begin(&f, MS(1000)));
	core_fixture_fini(&f);
}

/* ---- the end of an attempt ---- */

/* 3 ms of scanning, 32 * 3 = 96 ms of peace; and two ticks from the beginning. */
static void test_charged__repays_32_times(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_true(begin(&f, MS(1000)));
	hn_core_scan_charged(f.core, P, MS(5003));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(96 + 8));
	/* The runtime is refreshed by ticks only: a short scan costs nothing. */
	assert_true(begin(&f, MS(2000)));
	hn_core_scan_charged(f.core, P, MS(5000));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(96 + 16));
	core_fixture_fini(&f);
}

static void test_charged__nothing_before_v4_9(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.policy.scan_repay = false;
	assert_true(begin(&f, MS(1000)));
	hn_core_scan_charged(f.core, P, MS(5003));
	assert_int_equal(task_p(&f)->node_stamp_ns, MS(8));
	core_fixture_fini(&f);
}

static void test_charged__nothing_for_an_attempt_that_did_not_begin(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_false(begin(&f, 0));
	hn_core_scan_charged(f.core, P, MS(5003));
	assert_int_equal(task_p(&f)->node_stamp_ns, 0);
	core_fixture_fini(&f);
}

static const struct CMUnitTest period_and_tick_tests[] = {
	cmocka_unit_test(test_period__by_resident_size),
	cmocka_unit_test(test_period__floor_by_scan_size),
	cmocka_unit_test(test_period__first_nid_ignores_size),
	cmocka_unit_test(test_period__stretched_for_groups),
	cmocka_unit_test(test_period__not_stretched_until_v4_14),
	cmocka_unit_test(test_unmoved_fault__adds_ten_ticks),
	cmocka_unit_test(test_tick__due_after_one_period),
	cmocka_unit_test(test_tick__address_space_not_due),
	cmocka_unit_test(test_tick__first_event_sets_the_period),
	cmocka_unit_test(test_tick__later_events_leave_the_period),
	cmocka_unit_test(test_tick__v3_8_sets_the_stamp_to_now),
	cmocka_unit_test(test_tick__stamp_ahead_of_the_clock),
	cmocka_unit_test(test_tick__stamp_behind_the_clock_before_v4_9),
	cmocka_unit_test(test_tick__queued_only_once),
	cmocka_unit_test(test_tick__not_for_kernel_threads_or_the_dead),
};

static const struct CMUnitTest attempt_tests[] = {
	cmocka_unit_test(test_begin__from_the_due_tick_on),
	cmocka_unit_test(test_begin__rounds_the_period_up_to_ticks),
	cmocka_unit_test(test_begin__one_winner_per_period),
	cmocka_unit_test(test_begin__unset_time_starts_with_the_delay),
	cmocka_unit_test(test_begin__no_period_yet),
	cmocka_unit_test(test_begin__lock_busy),
	cmocka_unit_test(test_begin__single_node_cpuset),
	cmocka_unit_test(test_begin__no_scan_size),
	cmocka_unit_test(test_begin__exiting_task),
	cmocka_unit_test(test_first_nid__waits_for_a_second_node),
	cmocka_unit_test(test_first_nid__not_since_v3_13),
	cmocka_unit_test(test_first_nid__resets_the_period),
	cmocka_unit_test(test_first_nid__period_is_not_reset_without_interval),
	cmocka_unit_test(test_first_nid__waits_for_the_rate_limit),
	cmocka_unit_test(test_begin__rate_limit_does_not_matter_since_v3_13),
	cmocka_unit_test(test_charged__repays_32_times),
	cmocka_unit_test(test_charged__nothing_before_v4_9),
	cmocka_unit_test(test_charged__nothing_for_an_attempt_that_did_not_begin),
};

int main(void)
{
	int nr_failed = cmocka_run_group_tests(period_and_tick_tests, NULL, NULL);

	return nr_failed + cmocka_run_group_tests(attempt_tests, NULL, NULL);
}
