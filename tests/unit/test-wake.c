/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: where a waking task goes: the tests of wake_affine() and the searches for an idle CPU, by
 * policy. Two nodes of four cores; with SMT, CPUs 2k and 2k + 1 are siblings. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched-fixture.h"

static const struct machine_shape cores = { .nr_nodes = 2, .llcs_per_node = 1, .cores_per_llc = 4,
					    .smt = 1 };
static const struct machine_shape threads = { .nr_nodes = 2, .llcs_per_node = 1,
					      .cores_per_llc = 4, .smt = 2 };

/* A task that slept on `cpu`, now blocked; nobody else is there. */
static hn_task_id make_sleeper(struct sched_fixture *f, hn_cpu cpu)
{
	sched_fixture_place(f, cpu);
	return sched_fixture_block(f, cpu);
}

static hn_cpu wake(struct sched_fixture *f, hn_task_id task, hn_cpu waker_cpu, bool is_sync)
{
	hn_cpu cpu = hn_sched_wake(f->sched, f->now_ns, task, waker_cpu, is_sync);

	sched_fixture_settle(f);
	return cpu;
}

static void test_timer__wakes_on_the_idle_previous_cpu(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, cores, policy_fixture_v6_1());
	task = make_sleeper(&f, 2);
	f.nr_moved = 0;
	assert_int_equal(wake(&f, task, HN_CPU_NONE, false), 2);
	assert_int_equal(f.nr_moved, 0);
	sched_fixture_fini(&f);
}

static void test_prev__idle_and_sharing_the_cache(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, cores, policy_fixture_v6_1());
	task = make_sleeper(&f, 2);
	sched_fixture_place(&f, 0);
	assert_int_equal(wake(&f, task, 0, false), 2);
	sched_fixture_fini(&f);
}

static void test_sync__lone_waker_on_another_node_pulls(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;
	hn_cpu cpu;

	sched_fixture_init(&f, cores, policy_fixture_v4_18());
	task = make_sleeper(&f, 6);
	sched_fixture_place(&f, 0);
	/* the target is CPU 0, which is busy: an idle CPU of its cache is found */
	cpu = wake(&f, task, 0, true);
	assert_int_equal(f.machine->cpus[cpu].nid, 0);
	assert_int_equal(f.moved_src, 6);
	assert_int_equal(f.moved_dst, cpu);
	sched_fixture_fini(&f);
}

static void test_idle_prev__wins_since_v5_12(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, cores, policy_fixture_v6_1());
	task = make_sleeper(&f, 6);
	sched_fixture_place(&f, 0);
	assert_int_equal(wake(&f, task, 0, false), 6);
	sched_fixture_fini(&f);
}

static void test_weight__loaded_prev_loses(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;
	hn_cpu cpu;

	sched_fixture_init(&f, cores, policy_fixture_v6_1());
	task = make_sleeper(&f, 6);
	sched_fixture_saturate(&f);
	sched_fixture_place_many(&f, 6, 3);
	sched_fixture_place(&f, 0);
	sched_fixture_saturate(&f);
	/* here (1024 + 0) * 100, there (3072 - 0) * 108 */
	cpu = wake(&f, task, 0, false);
	assert_int_equal(f.machine->cpus[cpu].nid, 0);
	sched_fixture_fini(&f);
}

static void test_wide__many_wakees_stay_where_they_were(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task, waker;

	sched_fixture_init(&f, cores, policy_fixture_v4_18());
	task = make_sleeper(&f, 6);
	waker = sched_fixture_place(&f, 0);
	/* factor 4: the wakee has 4 flips and the waker 16 and more */
	f.sched->tasks[task].wakee_flips = 4;
	f.sched->tasks[waker].wakee_flips = 15; /* this wake-up makes it 16 */
	assert_int_equal(wake(&f, task, 0, true), 6);
	sched_fixture_fini(&f);
}

static void test_wide__just_not(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task, waker;
	hn_cpu cpu;

	sched_fixture_init(&f, cores, policy_fixture_v4_18());
	task = make_sleeper(&f, 6);
	waker = sched_fixture_place(&f, 0);
	f.sched->tasks[task].wakee_flips = 4;
	f.sched->tasks[waker].wakee_flips = 14;
	cpu = wake(&f, task, 0, true);
	assert_int_equal(f.machine->cpus[cpu].nid, 0);
	sched_fixture_fini(&f);
}

static void test_search__idle_core_before_idle_sibling(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, threads, policy_fixture_v4_18());
	task = make_sleeper(&f, 0);
	sched_fixture_place(&f, 0);
	sched_fixture_place(&f, 2);
	f.sched->tasks[task].recent_used_cpu = 0;
	/* CPU 1 is an idle sibling of 0, 3 of 2; the first idle core is {4, 5} */
	assert_int_equal(wake(&f, task, HN_CPU_NONE, false), 4);
	sched_fixture_fini(&f);
}

static void test_search__failure_clears_the_hint(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, threads, policy_fixture_v4_18());
	task = make_sleeper(&f, 0);
	for (hn_cpu cpu = 0; cpu < 8; cpu += 2)
		sched_fixture_place(&f, cpu);
	f.sched->tasks[task].recent_used_cpu = 0;
	f.sched->llcs[0].has_idle_core = true;
	assert_int_equal(wake(&f, task, HN_CPU_NONE, false), 1);
	assert_false(f.sched->llcs[0].has_idle_core);
	sched_fixture_fini(&f);
}

static void test_hint__set_when_a_core_empties(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, threads, policy_fixture_v4_18());
	sched_fixture_place(&f, 0);
	sched_fixture_place(&f, 1);
	f.sched->llcs[0].has_idle_core = false;
	sched_fixture_block(&f, 1);
	assert_false(f.sched->llcs[0].has_idle_core);
	sched_fixture_block(&f, 0);
	assert_true(f.sched->llcs[0].has_idle_core);
	sched_fixture_fini(&f);
}

/* Everything but the last CPU of the node is busy; how far does the search get? */
static hn_cpu search_far(struct hn_policy policy, uint32_t nr_idle_scan, int64_t avg_idle_ns,
			 int64_t scan_cost_ns)
{
	struct machine_shape wide = { .nr_nodes = 1, .llcs_per_node = 1, .cores_per_llc = 16,
				      .smt = 1 };
	struct sched_fixture f;
	hn_task_id task;
	hn_cpu cpu;

	sched_fixture_init(&f, wide, policy);
	task = make_sleeper(&f, 0);
	for (hn_cpu busy = 0; busy < 15; busy++)
		sched_fixture_place(&f, busy);
	f.sched->tasks[task].recent_used_cpu = 0;
	f.sched->llcs[0].nr_idle_scan = nr_idle_scan;
	f.sched->rqs[0].avg_idle_ns = avg_idle_ns;
	hn_domain_state(&f.sched->domains, 0, 0)->avg_scan_cost_ns = scan_cost_ns;
	cpu = wake(&f, task, HN_CPU_NONE, false);
	sched_fixture_fini(&f);
	return cpu;
}

static void test_util__depth_is_nr_idle_scan(void **state HN_UNUSED)
{
	/* from CPU 1 on: CPU 15 is the 15th */
	assert_int_equal(search_far(policy_fixture_v6_1(), 15, 0, 0), 15);
	assert_int_equal(search_far(policy_fixture_v6_1(), 14, 0, 0), 0);
	assert_int_equal(search_far(policy_fixture_v6_1(), 0, 0, 0), 0);
}

static void test_prop__depth_by_idle_time_over_cost(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v4_18();

	/* ring from the target: CPU 15 is the 16th, so the budget must be 17. 512000 / 512 = 1000;
	 * 16 * 1000 / (940 + 1) = 17; / (999 + 1) = 16 */
	assert_int_equal(search_far(policy, 0, 512000, 940), 15);
	assert_int_equal(search_far(policy, 0, 512000, 999), 0);
}

static void test_avg_cpu__no_search_when_it_costs_more(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v4_18();

	policy.sis = HN_SIS_RULE_AVG_CPU;
	assert_int_equal(search_far(policy, 0, 512000, 1000), 15);
	assert_int_equal(search_far(policy, 0, 512000, 1001), 0);
}

static void test_none__searches_everything(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v4_18();

	policy.sis = HN_SIS_RULE_NONE;
	assert_int_equal(search_far(policy, 0, 0, 1000000), 15);
}

static void test_aged__idle_time_halves_each_tick(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v6_1();
	struct sched_fixture f;
	hn_task_id task;

	policy.sis = HN_SIS_RULE_PROP;
	sched_fixture_init(&f, cores, policy);
	task = make_sleeper(&f, 0);
	for (hn_cpu busy = 0; busy < 3; busy++)
		sched_fixture_place(&f, busy);
	f.sched->rqs[0].wake_avg_idle_ns = 80000;
	f.sched->rqs[0].wake_stamp_ticks = 1;
	f.now_ns = 3 * HN_TICK_NS; /* three halvings: 10000; three CPUs looked at cost 600 */
	wake(&f, task, HN_CPU_NONE, false);
	assert_int_equal(f.sched->rqs[0].wake_avg_idle_ns, 10000 - 600);
	sched_fixture_fini(&f);
}

static void test_group_scan__takes_idle_cores_in_ring_order(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, threads, policy_fixture_v3_13());
	task = make_sleeper(&f, 2);
	sched_fixture_place(&f, 2);
	sched_fixture_place(&f, 5);
	/* ring from core 1: {2,3} busy, {4,5} busy, {6,7} */
	assert_int_equal(wake(&f, task, HN_CPU_NONE, false), 6);
	sched_fixture_fini(&f);
}

static void test_search__never_leaves_the_allowed_cpus(void **state HN_UNUSED)
{
	const uint64_t allowed[] = { 1 << 0 | 1 << 3 };
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, cores, policy_fixture_v4_18());
	task = make_sleeper(&f, 0);
	hn_sched_set_allowed(f.sched, 0, task, allowed);
	sched_fixture_place(&f, 0);
	assert_int_equal(wake(&f, task, HN_CPU_NONE, false), 3);
	sched_fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timer__wakes_on_the_idle_previous_cpu),
		cmocka_unit_test(test_prev__idle_and_sharing_the_cache),
		cmocka_unit_test(test_sync__lone_waker_on_another_node_pulls),
		cmocka_unit_test(test_idle_prev__wins_since_v5_12),
		cmocka_unit_test(test_weight__loaded_prev_loses),
		cmocka_unit_test(test_wide__many_wakees_stay_where_they_were),
		cmocka_unit_test(test_wide__just_not),
		cmocka_unit_test(test_search__idle_core_before_idle_sibling),
		cmocka_unit_test(test_search__failure_clears_the_hint),
		cmocka_unit_test(test_hint__set_when_a_core_empties),
		cmocka_unit_test(test_util__depth_is_nr_idle_scan),
		cmocka_unit_test(test_prop__depth_by_idle_time_over_cost),
		cmocka_unit_test(test_avg_cpu__no_search_when_it_costs_more),
		cmocka_unit_test(test_none__searches_everything),
		cmocka_unit_test(test_aged__idle_time_halves_each_tick),
		cmocka_unit_test(test_group_scan__takes_idle_cores_in_ring_order),
		cmocka_unit_test(test_search__never_leaves_the_allowed_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
