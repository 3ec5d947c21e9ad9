/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: the scheduler's interface: lives of tasks, moves and swaps, hooks, ticks, the view. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "sched-fixture.h"

static const struct machine_shape two_by_4 = { .nr_nodes = 2, .llcs_per_node = 1,
					       .cores_per_llc = 4, .smt = 1 };
static const struct machine_shape one_cpu = { .nr_nodes = 1, .llcs_per_node = 1,
					      .cores_per_llc = 1, .smt = 1 };

static void test_fork__asks_the_idle_cpu_to_pick(void **state HN_UNUSED)
{
	struct hn_sched_task_desc desc = { .task = 0, .cpu = 3 };
	struct sched_fixture f;
	hn_cpu cpu;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	cpu = hn_sched_fork(f.sched, 0, &desc);
	assert_int_equal(f.nr_resched, 1);
	assert_int_equal(f.resched_cpu, cpu);
	assert_int_equal(hn_sched_curr(f.sched, cpu), HN_TASK_NONE);
	assert_int_equal(hn_sched_pick(f.sched, 0, cpu), 0);
	assert_int_equal(hn_sched_curr(f.sched, cpu), 0);
	sched_fixture_fini(&f);
}

static void test_block__leaves_the_cpu_idle_and_wake_returns(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 2);
	f.now_ns = 5 * MS;
	assert_int_equal(sched_fixture_block(&f, 2), task);
	assert_int_equal(hn_sched_curr(f.sched, 2), HN_TASK_NONE);
	assert_false(hn_sched_is_queued(f.sched, task));
	f.now_ns = 9 * MS;
	assert_int_equal(hn_sched_wake(f.sched, f.now_ns, task, HN_CPU_NONE, false), 2);
	assert_true(hn_sched_is_queued(f.sched, task));
	sched_fixture_settle(&f);
	assert_int_equal(hn_sched_curr(f.sched, 2), task);
	sched_fixture_fini(&f);
}

static void test_exit__frees_the_id(void **state HN_UNUSED)
{
	struct hn_sched_task_desc desc = { .task = 0, .cpu = 0 };
	struct sched_fixture f;

	sched_fixture_init(&f, one_cpu, policy_fixture_v6_1());
	sched_fixture_fork(&f, 0);
	hn_sched_exit(f.sched, 0, 0);
	sched_fixture_settle(&f);
	assert_int_equal(hn_rq_read_load(f.sched, &f.sched->rqs[0], 0).load, 0);
	assert_int_equal(hn_sched_fork(f.sched, MS, &desc), 0);
	f.now_ns = MS;
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_clock__counts_running_time_and_changes_nothing(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;
	struct hn_task_clock clock;
	uint64_t digest;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	f.now_ns = 7 * MS;
	digest = hn_sched_digest(f.sched);
	clock = hn_sched_clock(f.sched, f.now_ns, task);
	assert_int_equal(clock.sum_exec_ns, 7 * MS);
	assert_int_equal(clock.exec_start_ns, 7 * MS);
	assert_in_range(clock.load_sum, 46718, 47742);
	assert_int_equal(hn_sched_digest(f.sched), digest);
	sched_fixture_block(&f, 0);
	clock = hn_sched_clock(f.sched, 20 * MS, task);
	assert_int_equal(clock.sum_exec_ns, 7 * MS);
	assert_int_equal(clock.exec_start_ns, 7 * MS);
	sched_fixture_fini(&f);
}

static void test_view__changes_nothing_and_shows_the_queues(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_view *view;
	uint64_t digest;
	hn_task_id task;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	sched_fixture_place_many(&f, 4, 2);
	sched_fixture_saturate(&f);
	digest = hn_sched_digest(f.sched);
	view = hn_sched_view(f.sched, f.now_ns, task);
	hn_view_need(view, 0);
	hn_view_need(view, 1);
	assert_int_equal(hn_sched_digest(f.sched), digest);
	assert_int_equal(view->task_cpu, 0);
	assert_int_equal(view->task_h_load, 1024);
	assert_true(view->has_numa_domain);
	assert_int_equal(view->imbalance_pct, 117);
	assert_int_equal(view->imb_numa_nr, 1);
	assert_int_equal(view->cpus[0].curr, task);
	assert_int_equal(view->cpus[4].nr_running, 2);
	assert_int_equal(view->cpus[4].load, 2048);
	assert_int_equal(view->cpus[4].runnable, 2048);
	assert_int_equal(view->cpus[4].util, 1024);
	assert_true(view->cpus[5].is_idle);
	assert_false(view->cpus[4].is_idle);
	sched_fixture_fini(&f);
}

/* ---- moves ---- */

static void test_move__running_task_runs_elsewhere(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	f.nr_moved = 0;
	assert_int_equal(hn_sched_move(f.sched, 0, task, 0, 6), 0);
	assert_int_equal(f.nr_moved, 1);
	assert_int_equal(f.moved_src, 0);
	assert_int_equal(f.moved_dst, 6);
	sched_fixture_settle(&f);
	assert_int_equal(hn_sched_curr(f.sched, 0), HN_TASK_NONE);
	assert_int_equal(hn_sched_curr(f.sched, 6), task);
	sched_fixture_fini(&f);
}

static void test_move__refused_when_the_task_left(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	f.nr_moved = 0;
	assert_int_equal(hn_sched_move(f.sched, 0, task, 1, 6), -EAGAIN);
	assert_int_equal(f.nr_moved, 0);
	sched_fixture_fini(&f);
}

static void test_move__refused_where_not_allowed(void **state HN_UNUSED)
{
	const uint64_t allowed[] = { 0x0f };
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	hn_sched_set_allowed(f.sched, 0, task, allowed);
	assert_int_equal(hn_sched_move(f.sched, 0, task, 0, 4), -EAGAIN);
	assert_int_equal(hn_sched_move(f.sched, 0, task, 0, 3), 0);
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_move__blocked_task_stays_blocked(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	sched_fixture_block(&f, 0);
	assert_int_equal(hn_sched_move(f.sched, 0, task, 0, 5), 0);
	assert_int_equal(hn_sched_task_cpu(f.sched, task), 5);
	assert_false(hn_sched_is_queued(f.sched, task));
	assert_int_equal(hn_sched_wake(f.sched, 0, task, HN_CPU_NONE, false), 5);
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_swap__both_run_on(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id a, b;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	a = sched_fixture_place(&f, 0);
	b = sched_fixture_place(&f, 5);
	f.now_ns = 3 * MS;
	f.nr_moved = 0;
	assert_int_equal(hn_sched_swap(f.sched, f.now_ns, a, 0, b, 5), 0);
	assert_int_equal(f.nr_moved, 2);
	sched_fixture_settle(&f);
	assert_int_equal(hn_sched_curr(f.sched, 0), b);
	assert_int_equal(hn_sched_curr(f.sched, 5), a);
	sched_fixture_fini(&f);
}

static void test_swap__refused_as_a_whole(void **state HN_UNUSED)
{
	const uint64_t allowed[] = { 0xf0 };
	struct sched_fixture f;
	hn_task_id a, b;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	a = sched_fixture_place(&f, 0);
	b = sched_fixture_place(&f, 5);
	hn_sched_set_allowed(f.sched, 0, b, allowed);
	assert_int_equal(hn_sched_swap(f.sched, 0, a, 0, b, 5), -EAGAIN);
	assert_int_equal(hn_sched_task_cpu(f.sched, a), 0);
	assert_int_equal(hn_sched_task_cpu(f.sched, b), 5);
	sched_fixture_fini(&f);
}

static void test_set_allowed__moves_a_task_that_may_not_stay(void **state HN_UNUSED)
{
	const uint64_t allowed[] = { 1 << 3 | 1 << 6 };
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	hn_sched_set_allowed(f.sched, 0, task, allowed);
	assert_int_equal(hn_sched_task_cpu(f.sched, task), 3); /* its own node first */
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

/* ---- ticks ---- */

static void test_next_tick__idle_cpu_has_none(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	assert_int_equal(hn_sched_next_tick_ns(f.sched, 0, 0), HN_TIME_NEVER);
	sched_fixture_place(&f, 0);
	sched_fixture_block(&f, 0);
	assert_int_equal(hn_sched_next_tick_ns(f.sched, 0, 0), HN_TIME_NEVER);
	sched_fixture_fini(&f);
}

static void test_next_tick__busy_cpu_balances_rarely(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	assert_int_equal(hn_sched_next_tick_ns(f.sched, 0, 0), HN_TICK_NS);
	f.now_ns = HN_TICK_NS;
	hn_sched_tick(f.sched, f.now_ns, 0);
	/* the level of four CPUs: 4 ms, 16 times that while busy, less one tick: 15 in all */
	assert_int_equal(hn_sched_next_tick_ns(f.sched, f.now_ns, 0), 15 * HN_TICK_NS);
	sched_fixture_fini(&f);
}

static void test_next_tick__turn_of_the_next_task(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, one_cpu, policy_fixture_v6_1());
	sched_fixture_fork(&f, 0);
	f.now_ns = HN_TICK_NS;
	hn_sched_tick(f.sched, f.now_ns, 0);
	f.now_ns += MS;
	sched_fixture_fork(&f, 0);
	/* one CPU: slice 3 ms, over since 3 ms after the pick at 0 */
	assert_int_equal(hn_sched_next_tick_ns(f.sched, f.now_ns, 0), 2 * HN_TICK_NS);
	sched_fixture_fini(&f);
}

static void test_next_tick__announced_one_survives_a_change_at_its_instant(void **state HN_UNUSED)
{
	struct sched_fixture f;
	uint32_t generation;

	sched_fixture_init(&f, one_cpu, policy_fixture_v6_1());
	sched_fixture_fork(&f, 0);
	assert_int_equal(hn_sched_next_tick_ns(f.sched, 0, 0), HN_TICK_NS);
	generation = hn_sched_tick_generation(f.sched, 0);
	f.now_ns = HN_TICK_NS;
	sched_fixture_fork(&f, 0);
	assert_int_not_equal(hn_sched_tick_generation(f.sched, 0), generation);
	assert_int_equal(hn_sched_next_tick_ns(f.sched, f.now_ns, 0), HN_TICK_NS);
	hn_sched_tick(f.sched, f.now_ns, 0);
	assert_true(hn_sched_next_tick_ns(f.sched, f.now_ns, 0) > HN_TICK_NS);
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_tick__not_due_changes_nothing(void **state HN_UNUSED)
{
	struct sched_fixture f;
	uint64_t digest;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	f.now_ns = HN_TICK_NS;
	hn_sched_tick(f.sched, f.now_ns, 0);
	digest = hn_sched_digest(f.sched);
	f.now_ns = 14 * HN_TICK_NS;
	hn_sched_tick(f.sched, f.now_ns, 0);
	hn_sched_tick(f.sched, f.now_ns, 5);
	assert_int_equal(hn_sched_digest(f.sched), digest);
	f.now_ns = 15 * HN_TICK_NS;
	hn_sched_tick(f.sched, f.now_ns, 0);
	assert_int_not_equal(hn_sched_digest(f.sched), digest);
	sched_fixture_fini(&f);
}

static void test_nohz__busy_tick_spreads_onto_idle_cpus(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 0, 2);
	f.now_ns = HN_TICK_NS;
	hn_sched_tick(f.sched, f.now_ns, 0);
	sched_fixture_settle(&f);
	assert_int_equal(hn_sched_nr_running(f.sched, 0), 1);
	assert_int_equal(f.moved_src, 0);
	assert_int_equal(f.moved_dst, 2); /* CPU 1 does the work, and comes last itself */
	sched_fixture_fini(&f);
}

static void test_nohz__lone_task_kicks_nobody(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	assert_int_equal(f.sched->nohz.kicker, HN_CPU_NONE);
	sched_fixture_place(&f, 4); /* another cache */
	assert_int_equal(f.sched->nohz.kicker, HN_CPU_NONE);
	sched_fixture_place(&f, 1); /* the same one: two busy CPUs */
	assert_int_equal(f.sched->nohz.kicker, 1);
	sched_fixture_fini(&f);
}

static void test_two_instances__do_not_notice_each_other(void **state HN_UNUSED)
{
	struct sched_fixture a, b;
	uint64_t digest;

	sched_fixture_init(&a, two_by_4, policy_fixture_v6_12());
	sched_fixture_init(&b, two_by_4, policy_fixture_v6_12());
	sched_fixture_place_many(&a, 0, 3);
	digest = hn_sched_digest(b.sched);
	sched_fixture_place_many(&a, 4, 2);
	assert_int_equal(hn_sched_digest(b.sched), digest);
	sched_fixture_place_many(&b, 0, 3);
	sched_fixture_place_many(&b, 4, 2);
	assert_int_equal(hn_sched_digest(a.sched), hn_sched_digest(b.sched));
	sched_fixture_fini(&a);
	sched_fixture_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fork__asks_the_idle_cpu_to_pick),
		cmocka_unit_test(test_block__leaves_the_cpu_idle_and_wake_returns),
		cmocka_unit_test(test_exit__frees_the_id),
		cmocka_unit_test(test_clock__counts_running_time_and_changes_nothing),
		cmocka_unit_test(test_view__changes_nothing_and_shows_the_queues),
		cmocka_unit_test(test_move__running_task_runs_elsewhere),
		cmocka_unit_test(test_move__refused_when_the_task_left),
		cmocka_unit_test(test_move__refused_where_not_allowed),
		cmocka_unit_test(test_move__blocked_task_stays_blocked),
		cmocka_unit_test(test_swap__both_run_on),
		cmocka_unit_test(test_swap__refused_as_a_whole),
		cmocka_unit_test(test_set_allowed__moves_a_task_that_may_not_stay),
		cmocka_unit_test(test_next_tick__idle_cpu_has_none),
		cmocka_unit_test(test_next_tick__busy_cpu_balances_rarely),
		cmocka_unit_test(test_next_tick__turn_of_the_next_task),
		cmocka_unit_test(test_next_tick__announced_one_survives_a_change_at_its_instant),
		cmocka_unit_test(test_tick__not_due_changes_nothing),
		cmocka_unit_test(test_nohz__busy_tick_spreads_onto_idle_cpus),
		cmocka_unit_test(test_nohz__lone_task_kicks_nobody),
		cmocka_unit_test(test_two_instances__do_not_notice_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
