/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: order, slices, placement and preemption of one queue, for CFS and EEVDF. Eight CPUs, so
 * the kernel's times are scaled by 4: period 24 ms, granularity 3 ms, wake-up granularity 4 ms;
 * EEVDF's slice 2.8 ms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched-fixture.h"

static const struct machine_shape eight = { .nr_nodes = 2, .llcs_per_node = 1, .cores_per_llc = 4,
					    .smt = 1 };

static struct hn_sched_task *task_of(struct sched_fixture *f, hn_task_id id)
{
	return &f->sched->tasks[id];
}

static struct hn_rq *rq_of(struct sched_fixture *f, hn_cpu cpu)
{
	return &f->sched->rqs[cpu];
}

static void test_weight__by_nice(void **state HN_UNUSED)
{
	assert_int_equal(hn_weight_of_nice(0), 1024);
	assert_int_equal(hn_weight_of_nice(-5), 3121);
	assert_int_equal(hn_weight_of_nice(5), 335);
	assert_int_equal(hn_weight_of_nice(19), 15);
	assert_int_equal(hn_weight_of_nice(-20), 88761);
}

static void test_cfs__slice_is_half_a_period_for_two(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 0, 2);
	/* more than 12 ms, so 12 ms and 1 ns after the pick at 0; the other is ahead, not behind */
	assert_int_equal(hn_order_expiry_ns(f.sched, rq_of(&f, 0)), 12 * MS + 1);
	sched_fixture_fini(&f);
}

static void test_cfs__many_tasks_get_the_granularity_each(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 0, 8);
	assert_int_equal(hn_order_expiry_ns(f.sched, rq_of(&f, 0)), 3 * MS + 1); /* 24 / 8 */
	sched_fixture_place_many(&f, 0, 4);
	/* 12 tasks: the period grows to 36 ms */
	assert_int_equal(hn_order_expiry_ns(f.sched, rq_of(&f, 0)), 3 * MS + 1);
	sched_fixture_fini(&f);
}

static void test_cfs__no_expiry_for_one_task(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 0, 1);
	assert_int_equal(hn_order_expiry_ns(f.sched, rq_of(&f, 0)), HN_TIME_NEVER);
	sched_fixture_fini(&f);
}

static void test_cfs__new_task_starts_a_slice_ahead(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v6_1();
	struct machine_shape one = { .nr_nodes = 1, .llcs_per_node = 1, .cores_per_llc = 1,
				     .smt = 1 };
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, one, policy);
	sched_fixture_fork(&f, 0);
	task = sched_fixture_fork(&f, 0);
	/* one CPU, factor 1: period 6 ms, half of it each; min_vruntime is the first task's 6 ms */
	assert_int_equal(task_of(&f, task)->vruntime, (6 + 3) * MS);
	sched_fixture_fini(&f);
}

static void test_cfs__sleeper_gets_half_a_period_of_credit(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id sleeper;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	sleeper = sched_fixture_block(&f, 0);
	sched_fixture_place(&f, 0);
	f.now_ns = 100 * MS;
	hn_rq_update_curr(f.sched, rq_of(&f, 0), f.now_ns);
	hn_rq_enqueue(f.sched, rq_of(&f, 0), sleeper, HN_ENQUEUE_WAKEUP, f.now_ns);
	assert_int_equal(task_of(&f, sleeper)->vruntime, rq_of(&f, 0)->min_vruntime - 12 * MS);
	sched_fixture_fini(&f);
}

/* Two tasks on CPU 0; the queued one is put `behind_ns` behind the running one. */
static bool would_preempt(hn_time_ns behind_ns)
{
	struct sched_fixture f;
	hn_task_id queued;
	bool preempts;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 0, 2);
	queued = rq_of(&f, 0)->order.first;
	task_of(&f, queued)->vruntime = task_of(&f, rq_of(&f, 0)->curr)->vruntime - behind_ns;
	preempts = hn_order_preempts(f.sched, rq_of(&f, 0), queued);
	sched_fixture_fini(&f);
	return preempts;
}

static void test_cfs__wakeup_preempts_beyond_the_granularity(void **state HN_UNUSED)
{
	assert_false(would_preempt(4 * MS - 1));
	assert_false(would_preempt(4 * MS));
	assert_true(would_preempt(4 * MS + 1));
}

static void test_cfs__virtual_time_runs_by_weight(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_sched_task_desc desc = { .task = 0, .cpu = 0, .nice = 5 };
	hn_cpu cpu;
	int64_t before;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	cpu = hn_sched_fork(f.sched, 0, &desc);
	sched_fixture_settle(&f);
	before = task_of(&f, 0)->vruntime;
	hn_rq_update_curr(f.sched, rq_of(&f, cpu), 335 * 1000);
	assert_int_equal(task_of(&f, 0)->vruntime - before, 1024 * 1000);
	assert_int_equal(task_of(&f, 0)->sum_exec_ns, 335 * 1000);
	sched_fixture_fini(&f);
}

static void test_cfs__move_keeps_the_distance_to_the_queue(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;
	int64_t ahead;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	task = sched_fixture_place(&f, 0);
	f.now_ns = 50 * MS;
	hn_rq_update_curr(f.sched, rq_of(&f, 0), f.now_ns);
	ahead = task_of(&f, task)->vruntime - rq_of(&f, 0)->min_vruntime;
	rq_of(&f, 1)->min_vruntime = 7 * MS;
	assert_int_equal(hn_sched_move(f.sched, f.now_ns, task, 0, 1), 0);
	assert_int_equal(task_of(&f, task)->vruntime, 7 * MS + ahead);
	sched_fixture_fini(&f);
}

static void test_eevdf__deadline_ends_the_turn(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_rq *rq;

	sched_fixture_init(&f, eight, policy_fixture_v6_12());
	sched_fixture_place(&f, 0);
	sched_fixture_place(&f, 0);
	rq = rq_of(&f, 0);
	/* a new task's first turn is half a slice, the next one a whole */
	assert_int_equal(hn_order_expiry_ns(f.sched, rq), 1400 * 1000);
	task_of(&f, rq->curr)->deadline = task_of(&f, rq->curr)->vruntime + 2800 * 1000;
	assert_int_equal(hn_order_expiry_ns(f.sched, rq), 2800 * 1000);
	sched_fixture_fini(&f);
}

static void test_eevdf__new_task_has_half_a_slice(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, eight, policy_fixture_v6_12());
	task = sched_fixture_fork(&f, 0);
	assert_int_equal(task_of(&f, task)->deadline - task_of(&f, task)->vruntime, 1400 * 1000);
	sched_fixture_fini(&f);
}

static void test_eevdf__tick_after_the_deadline_switches(void **state HN_UNUSED)
{
	struct machine_shape one = { .nr_nodes = 1, .llcs_per_node = 1, .cores_per_llc = 1,
				     .smt = 1 };
	struct sched_fixture f;
	hn_task_id first;

	sched_fixture_init(&f, one, policy_fixture_v6_12());
	first = sched_fixture_fork(&f, 0);
	sched_fixture_fork(&f, 0);
	assert_int_equal(hn_sched_curr(f.sched, 0), first);
	f.now_ns = HN_TICK_NS;
	hn_sched_tick(f.sched, f.now_ns, 0);
	sched_fixture_settle(&f);
	assert_int_not_equal(hn_sched_curr(f.sched, 0), first);
	sched_fixture_fini(&f);
}

static void test_eevdf__who_is_past_the_mean_is_not_picked(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id running, queued;
	struct hn_rq *rq;

	sched_fixture_init(&f, eight, policy_fixture_v6_12());
	sched_fixture_place_many(&f, 0, 2);
	rq = rq_of(&f, 0);
	running = rq->curr;
	queued = rq->order.first;
	/* mean of 3 and 1 is 2: only the one at 1 is eligible, in spite of its later deadline */
	task_of(&f, running)->vruntime = 3 * MS;
	task_of(&f, running)->deadline = 4 * MS;
	task_of(&f, queued)->vruntime = 1 * MS;
	task_of(&f, queued)->deadline = 9 * MS;
	assert_int_equal(hn_order_pick(f.sched, rq), queued);
	/* both at the mean: both eligible, and the running one goes on until its deadline */
	task_of(&f, running)->vruntime = 1 * MS;
	task_of(&f, running)->parity_deadline = 4 * MS;
	task_of(&f, queued)->deadline = 2 * MS;
	assert_int_equal(hn_order_pick(f.sched, rq), running);
	sched_fixture_fini(&f);
}

static void test_eevdf__lag_is_bounded_by_two_slices(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_rq *rq;
	hn_task_id queued;

	sched_fixture_init(&f, eight, policy_fixture_v6_12());
	sched_fixture_place_many(&f, 0, 2);
	rq = rq_of(&f, 0);
	queued = rq->order.first;
	task_of(&f, rq->curr)->vruntime = 40 * MS;
	task_of(&f, queued)->vruntime = 0;
	hn_order_note_leave(f.sched, rq, queued); /* 20 ms behind the mean; 2 * 2.8 ms at most */
	assert_int_equal(task_of(&f, queued)->vlag, 5600 * 1000);
	sched_fixture_fini(&f);
}

static void test_counts__follow_the_preferred_node(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	assert_int_equal(rq_of(&f, 0)->nr_numa, 0);
	hn_sched_set_preferred(f.sched, task, 1);
	assert_int_equal(rq_of(&f, 0)->nr_numa, 1);
	assert_int_equal(rq_of(&f, 0)->nr_preferred, 0);
	assert_int_equal(hn_sched_move(f.sched, 0, task, 0, 4), 0);
	assert_int_equal(rq_of(&f, 0)->nr_numa, 0);
	assert_int_equal(rq_of(&f, 4)->nr_preferred, 1);
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_load__blocked_tasks_count_in_load_avg_only(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_rq_load load;

	sched_fixture_init(&f, eight, policy_fixture_v4_18()); /* signal: runnable load */
	sched_fixture_place(&f, 0);
	sched_fixture_saturate(&f);
	sched_fixture_block(&f, 0);
	load = hn_rq_read_load(f.sched, rq_of(&f, 0), f.now_ns);
	assert_int_equal(load.load, 0);
	assert_int_equal(load.load_avg, 1024);
	/* 32 segments later half is left: 511 of 1024, by the quirk of the half-life */
	load = hn_rq_read_load(f.sched, rq_of(&f, 0), f.now_ns + ((hn_time_ns)32 << 20));
	assert_int_equal(load.load_avg, 511);
	sched_fixture_fini(&f);
}

static void test_load__moves_with_the_task(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	sched_fixture_saturate(&f);
	assert_int_equal(hn_sched_move(f.sched, f.now_ns, task, 0, 5), 0);
	assert_int_equal(hn_rq_read_load(f.sched, rq_of(&f, 0), f.now_ns).load, 0);
	assert_int_equal(hn_rq_read_load(f.sched, rq_of(&f, 5), f.now_ns).load, 1024);
	assert_int_equal(hn_rq_read_load(f.sched, rq_of(&f, 5), f.now_ns).util, 1024);
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_load__new_task_counts_in_full(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, eight, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 0);
	assert_int_equal(hn_rq_task_load(f.sched, task, 0), 1024);
	/* half of what an idle CPU has left: 1024 / 2 */
	assert_int_equal(hn_rq_read_load(f.sched, rq_of(&f, 0), 0).util, 512);
	sched_fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weight__by_nice),
		cmocka_unit_test(test_cfs__slice_is_half_a_period_for_two),
		cmocka_unit_test(test_cfs__many_tasks_get_the_granularity_each),
		cmocka_unit_test(test_cfs__no_expiry_for_one_task),
		cmocka_unit_test(test_cfs__new_task_starts_a_slice_ahead),
		cmocka_unit_test(test_cfs__sleeper_gets_half_a_period_of_credit),
		cmocka_unit_test(test_cfs__wakeup_preempts_beyond_the_granularity),
		cmocka_unit_test(test_cfs__virtual_time_runs_by_weight),
		cmocka_unit_test(test_cfs__move_keeps_the_distance_to_the_queue),
		cmocka_unit_test(test_eevdf__deadline_ends_the_turn),
		cmocka_unit_test(test_eevdf__new_task_has_half_a_slice),
		cmocka_unit_test(test_eevdf__tick_after_the_deadline_switches),
		cmocka_unit_test(test_eevdf__who_is_past_the_mean_is_not_picked),
		cmocka_unit_test(test_eevdf__lag_is_bounded_by_two_slices),
		cmocka_unit_test(test_counts__follow_the_preferred_node),
		cmocka_unit_test(test_load__blocked_tasks_count_in_load_avg_only),
		cmocka_unit_test(test_load__moves_with_the_task),
		cmocka_unit_test(test_load__new_task_counts_in_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
