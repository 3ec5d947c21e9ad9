/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: types of groups, imbalances and moves of the load balancer, worked by hand. Tasks run
 * alone for 16 s first, so that each has load and utilisation 1024 where a CPU is its own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched-fixture.h"

static const struct machine_shape two_by_4 = { .nr_nodes = 2, .llcs_per_node = 1,
					       .cores_per_llc = 4, .smt = 1 };
static const struct machine_shape two_by_16 = { .nr_nodes = 2, .llcs_per_node = 1,
						.cores_per_llc = 16, .smt = 1 };
static const struct machine_shape two_cores = { .nr_nodes = 1, .llcs_per_node = 1,
						.cores_per_llc = 2, .smt = 2 };

/* ---- types ---- */

static enum hn_group_type classify(uint32_t nr_running, uint64_t util, uint64_t runnable,
				   uint32_t pct)
{
	struct hn_group group = { .span = { NULL, 4 }, .capacity = 4096 };
	struct hn_group_stats stats = { .group = &group, .capacity = 4096, .util = util,
					.runnable = runnable, .nr_running = nr_running };

	return hn_group_classify(&stats, pct);
}

static void test_type__by_number_and_use(void **state HN_UNUSED)
{
	assert_int_equal(classify(3, 3072, 3072, 117), HN_GROUP_HAS_SPARE);
	assert_int_equal(classify(4, 4096, 4096, 117), HN_GROUP_FULLY_BUSY);
	assert_int_equal(classify(5, 4096, 5120, 117), HN_GROUP_OVERLOADED);
	/* four tasks that sleep a lot leave room */
	assert_int_equal(classify(4, 1000, 1000, 117), HN_GROUP_HAS_SPARE);
}

static void test_type__bounds_are_strict(void **state HN_UNUSED)
{
	/* 4096 * 100 = 3200 * 128: neither overloaded nor with room */
	assert_int_equal(classify(5, 3200, 3200, 128), HN_GROUP_FULLY_BUSY);
	assert_int_equal(classify(5, 3201, 3200, 128), HN_GROUP_OVERLOADED);
	assert_int_equal(classify(5, 3199, 3200, 128), HN_GROUP_HAS_SPARE);
	/* 4096 * 125 = 5120 * 100 */
	assert_int_equal(classify(5, 3000, 5120, 125), HN_GROUP_HAS_SPARE);
	assert_int_equal(classify(5, 3000, 5121, 125), HN_GROUP_OVERLOADED);
}

static void test_adjust_numa__lets_two_be(void **state HN_UNUSED)
{
	assert_int_equal(hn_group_adjust_numa(2, 4, 4), 0);
	assert_int_equal(hn_group_adjust_numa(2, 5, 4), 2);
	assert_int_equal(hn_group_adjust_numa(3, 4, 4), 3);
}

static void test_fbq__classes(void **state HN_UNUSED)
{
	assert_int_equal(hn_balance_fbq(3, 2, 0), HN_FBQ_REGULAR);
	assert_int_equal(hn_balance_fbq(3, 3, 2), HN_FBQ_REMOTE);
	assert_int_equal(hn_balance_fbq(3, 3, 3), HN_FBQ_ALL);
}

/* ---- imbalance ---- */

/* A pass of an idle CPU of node 0 over the NUMA domain, after the tasks were placed. */
static struct hn_pass make_pass(struct sched_fixture *f, hn_cpu cpu, uint32_t level,
				enum hn_cpu_idle_kind idle)
{
	return (struct hn_pass){
		.sched = f->sched,
		.domain = hn_domain_of(&f->sched->domains, cpu, level),
		.state = hn_domain_state(&f->sched->domains, cpu, level),
		.local_group = hn_domain_state(&f->sched->domains, cpu, level)->local_group,
		.dst = cpu,
		.other_dst = HN_CPU_NONE,
		.prefers_sibling = level > 0,
		.idle = idle,
		.fbq = HN_FBQ_ALL,
		.now_ns = f->now_ns,
	};
}

/* nr tasks on each of the first CPUs of a node, one after the other in turns. */
static void fill_node(struct sched_fixture *f, hn_cpu first, uint32_t nr_cpus, uint32_t nr_tasks)
{
	for (uint32_t t = 0; t < nr_tasks; t++)
		sched_fixture_place(f, first + (hn_cpu)(t % nr_cpus));
}

/* Imbalance seen by the last CPU of node 0 with nr_local and nr_busiest tasks; 0: balanced. */
static int64_t numa_imbalance(struct machine_shape shape, struct hn_policy policy,
			      uint32_t nr_local, uint32_t nr_busiest)
{
	struct sched_fixture f;
	hn_cpu nr_cpus = (hn_cpu)shape.cores_per_llc;
	const struct hn_group *group;
	struct hn_pass pass;

	sched_fixture_init(&f, shape, policy);
	fill_node(&f, 0, shape.cores_per_llc, nr_local);
	fill_node(&f, nr_cpus, shape.cores_per_llc, nr_busiest);
	sched_fixture_saturate(&f);
	pass = make_pass(&f, nr_cpus - 1, 1, HN_CPU_IDLE);
	group = policy.balance == HN_BALANCE_RULE_LOAD ? hn_balance_by_load(&pass) :
							 hn_balance_by_types(&pass);
	if (group)
		assert_int_equal(group->span.cpus[0], nr_cpus);
	sched_fixture_fini(&f);
	return group ? pass.imbalance : 0;
}

static void test_types__half_of_the_difference(void **state HN_UNUSED)
{
	/* (3 - 1) / 2; imb_numa_nr is 1 and two would run: nothing is let be */
	assert_int_equal(numa_imbalance(two_by_4, policy_fixture_v6_1(), 1, 3), 1);
}

static void test_types__one_more_is_no_imbalance(void **state HN_UNUSED)
{
	assert_int_equal(numa_imbalance(two_by_4, policy_fixture_v6_1(), 1, 2), 0);
}

static void test_types__imb_numa_nr_lets_two_be(void **state HN_UNUSED)
{
	/* imb_numa_nr 2: two tasks would run here, and the difference is two */
	assert_int_equal(numa_imbalance(two_by_16, policy_fixture_v6_1(), 1, 3), 0);
	assert_int_equal(numa_imbalance(two_by_16, policy_fixture_v6_1(), 1, 4), 1);
	assert_int_equal(numa_imbalance(two_by_16, policy_fixture_v6_1(), 2, 4), 1);
}

static void test_types__allowance_only_where_the_balancer_knows_it(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v6_1();

	policy.balance_allows_numa = false;
	assert_int_equal(numa_imbalance(two_by_16, policy, 1, 3), 1);
}

static void test_types__quarter_of_a_node(void **state HN_UNUSED)
{
	/* v5.12: fewer than 16 / 4 there, and half the difference at most 2 */
	assert_int_equal(numa_imbalance(two_by_16, policy_fixture_v5_12(), 0, 3), 0);
	assert_int_equal(numa_imbalance(two_by_16, policy_fixture_v5_12(), 0, 4), 2);
	assert_int_equal(numa_imbalance(two_by_4, policy_fixture_v5_12(), 1, 3), 1);
}

static void test_types__two_running(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v5_12();

	policy.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_TWO_RUNNING;
	assert_int_equal(numa_imbalance(two_by_16, policy, 0, 2), 0);
	assert_int_equal(numa_imbalance(two_by_16, policy, 0, 3), 1);
}

static void test_types__overloaded_node_gives_utilisation(void **state HN_UNUSED)
{
	/* local: two CPUs of four in use, 4096 - 2048 to spare */
	assert_int_equal(numa_imbalance(two_by_4, policy_fixture_v6_1(), 2, 6), 2048);
}

static void test_load__towards_the_mean(void **state HN_UNUSED)
{
	/* averages 256 and 1792, mean 1024: (1024 - 256) * 4096 / 1024 */
	assert_int_equal(numa_imbalance(two_by_4, policy_fixture_v4_18(), 1, 7), 3072);
}

static void test_load__idle_cpus_alike_is_balanced(void **state HN_UNUSED)
{
	/* averages 256 and 512; three and two idle: one more is no reason */
	assert_int_equal(numa_imbalance(two_by_4, policy_fixture_v4_18(), 1, 2), 0);
}

static void test_load__crowded_sibling_group_gives_one(void **state HN_UNUSED)
{
	/* 3 > 1 + 1 marks it overloaded; (768 - 512) * 4096 / 1024 = one task */
	assert_int_equal(numa_imbalance(two_by_4, policy_fixture_v4_18(), 1, 3), 1024);
}

static void test_types__sees_locality_classes(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_pass pass;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	fill_node(&f, 4, 4, 3);
	for (hn_task_id t = 0; t < 3; t++)
		hn_sched_set_preferred(f.sched, t, 1);
	sched_fixture_saturate(&f);
	pass = make_pass(&f, 0, 1, HN_CPU_IDLE);
	assert_non_null(hn_balance_by_types(&pass));
	assert_int_equal(pass.fbq, HN_FBQ_ALL);
	hn_sched_set_preferred(f.sched, 2, 0);
	assert_non_null(hn_balance_by_types(&pass));
	assert_int_equal(pass.fbq, HN_FBQ_REMOTE);
	hn_sched_set_preferred(f.sched, 2, HN_NID_NONE);
	assert_non_null(hn_balance_by_types(&pass));
	assert_int_equal(pass.fbq, HN_FBQ_REGULAR);
	sched_fixture_fini(&f);
}

static void test_idle_scan__depth_by_use(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_pass pass;

	sched_fixture_init(&f, two_by_16, policy_fixture_v6_1());
	fill_node(&f, 0, 16, 8);
	sched_fixture_saturate(&f);
	pass = make_pass(&f, 15, 0, HN_CPU_IDLE);
	(void)hn_balance_by_types(&pass);
	/* mean 512: 512^2 * 117^2 / 10240000 = 350; (1024 - 350) * 16 / 1024 = 10 */
	assert_int_equal(f.sched->llcs[0].nr_idle_scan, 10);
	sched_fixture_fini(&f);
}

/* ---- moves ---- */

static uint32_t run_pass(struct sched_fixture *f, hn_cpu cpu, uint32_t level,
			 enum hn_cpu_idle_kind idle)
{
	bool is_ours = true;
	uint32_t nr = hn_balance_pass(f->sched, cpu, level, idle, f->now_ns, &is_ours);

	sched_fixture_settle(f);
	return nr;
}

static void test_pass__pulls_half_of_two(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 1, 2);
	sched_fixture_saturate(&f);
	assert_int_equal(run_pass(&f, 0, 0, HN_CPU_IDLE), 1);
	assert_int_equal(hn_sched_nr_running(f.sched, 0), 1);
	assert_int_equal(hn_sched_nr_running(f.sched, 1), 1);
	assert_int_equal(f.moved_src, 1);
	assert_int_equal(f.moved_dst, 0);
	sched_fixture_fini(&f);
}

static void test_pass__only_the_first_idle_cpu_balances(void **state HN_UNUSED)
{
	struct sched_fixture f;
	bool is_ours = true;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 5, 2);
	sched_fixture_saturate(&f);
	assert_int_equal(hn_balance_pass(f.sched, 2, 1, HN_CPU_IDLE, f.now_ns, &is_ours), 0);
	assert_false(is_ours);
	sched_fixture_fini(&f);
}

static void test_pass__idle_core_before_idle_sibling(void **state HN_UNUSED)
{
	struct sched_fixture f;
	bool is_ours = true;

	sched_fixture_init(&f, (struct machine_shape){ .nr_nodes = 2, .llcs_per_node = 1,
						       .cores_per_llc = 2, .smt = 2 },
			   policy_fixture_v6_12());
	sched_fixture_place(&f, 0); /* CPU 1 is an idle sibling, CPUs 2 and 3 an idle core */
	hn_balance_pass(f.sched, 1, 2, HN_CPU_IDLE, 0, &is_ours);
	assert_false(is_ours);
	is_ours = true;
	hn_balance_pass(f.sched, 2, 2, HN_CPU_IDLE, 0, &is_ours);
	assert_true(is_ours);
	sched_fixture_fini(&f);
}

static void test_pass__degrading_moves_wait_for_failures(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 4, 4);
	sched_fixture_saturate(&f);
	f.answer = HN_LOCALITY_DEGRADES;
	/* cache_nice_tries of a NUMA domain is 2: failures 1, 2, 3, then it moves */
	for (int failed = 0; failed < 3; failed++)
		assert_int_equal(run_pass(&f, 0, 1, HN_CPU_IDLE), 0);
	assert_true(run_pass(&f, 0, 1, HN_CPU_IDLE) > 0);
	assert_int_equal(f.query.src_nid, 1);
	assert_int_equal(f.query.dst_nid, 0);
	assert_int_equal(f.query.idle, HN_CPU_IDLE);
	sched_fixture_fini(&f);
}

static void test_pass__improving_moves_ignore_cache_heat(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id queued;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 4, 4);
	sched_fixture_saturate(&f);
	for (hn_task_id t = 0; t < 4; t++) /* all ran just now */
		f.sched->tasks[t].exec_start_ns = f.now_ns - 499999;
	queued = f.sched->rqs[4].order.first;
	assert_int_not_equal(queued, HN_TASK_NONE);
	f.answer = HN_LOCALITY_NEUTRAL;
	assert_int_equal(run_pass(&f, 0, 1, HN_CPU_IDLE), 0);
	f.answer = HN_LOCALITY_IMPROVES;
	assert_true(run_pass(&f, 0, 1, HN_CPU_IDLE) > 0);
	sched_fixture_fini(&f);
}

static void test_pass__inside_a_node_nobody_is_asked(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 1, 2);
	sched_fixture_saturate(&f);
	f.answer = HN_LOCALITY_DEGRADES;
	assert_int_equal(run_pass(&f, 0, 0, HN_CPU_IDLE), 1);
	assert_int_equal(f.nr_queries, 0);
	sched_fixture_fini(&f);
}

static void test_pass__pinned_tasks_stay(void **state HN_UNUSED)
{
	const uint64_t only_1[] = { 1 << 1 };
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 1, 3);
	for (hn_task_id t = 0; t < 3; t++)
		hn_sched_set_allowed(f.sched, 0, t, only_1);
	sched_fixture_saturate(&f);
	f.nr_queries = 0;
	for (int i = 0; i < 10; i++)
		assert_int_equal(run_pass(&f, 0, 0, HN_CPU_IDLE), 0);
	/* all pinned: the interval grows past twice the span, up to 512 ms */
	assert_int_equal(hn_domain_state(&f.sched->domains, 0, 0)->balance_interval_ms, 512);
	assert_int_equal(f.nr_queries, 0);
	sched_fixture_fini(&f);
}

static void test_pass__balanced_doubles_the_interval_once(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	run_pass(&f, 0, 0, HN_CPU_IDLE);
	assert_int_equal(hn_domain_state(&f.sched->domains, 0, 0)->balance_interval_ms, 8);
	run_pass(&f, 0, 0, HN_CPU_IDLE);
	assert_int_equal(hn_domain_state(&f.sched->domains, 0, 0)->balance_interval_ms, 8);
	sched_fixture_fini(&f);
}

static void test_active__two_on_a_core_beside_an_idle_core(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_cores, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	sched_fixture_place(&f, 1);
	sched_fixture_saturate(&f);
	/* both run, nothing can be detached: the fourth failure exceeds 1 + 2 and pushes */
	for (int failed = 0; failed < 3; failed++)
		run_pass(&f, 2, 1, HN_CPU_IDLE);
	assert_int_equal(hn_sched_counts(f.sched)->nr_active_balances, 0);
	run_pass(&f, 2, 1, HN_CPU_IDLE);
	assert_int_equal(hn_sched_counts(f.sched)->nr_active_balances, 1);
	assert_int_equal(hn_sched_nr_running(f.sched, 2), 1);
	sched_fixture_fini(&f);
}

static void test_smt_balance__idle_core_takes_one_of_two(void **state HN_UNUSED)
{
	struct sched_fixture f;
	struct hn_pass pass;

	sched_fixture_init(&f, two_cores, policy_fixture_v6_12());
	sched_fixture_place(&f, 0);
	sched_fixture_place(&f, 1);
	sched_fixture_saturate(&f);
	pass = make_pass(&f, 2, 1, HN_CPU_IDLE);
	assert_non_null(hn_balance_by_types(&pass));
	assert_int_equal(pass.kind, HN_MIGRATE_TASK);
	assert_int_equal(pass.imbalance, 1);
	sched_fixture_fini(&f);
}

/* ---- about to idle ---- */

static void test_newidle__pulls_one(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	sched_fixture_place_many(&f, 1, 4);
	sched_fixture_saturate(&f);
	sched_fixture_block(&f, 0);
	assert_int_equal(hn_sched_nr_running(f.sched, 0), 1);
	assert_int_equal(hn_sched_nr_running(f.sched, 1), 3);
	sched_fixture_fini(&f);
}

static void test_newidle__short_idle_does_not_pay(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v4_18());
	sched_fixture_place(&f, 0);
	sched_fixture_place_many(&f, 1, 4);
	sched_fixture_saturate(&f);
	f.sched->rqs[0].avg_idle_ns = HN_MIGRATION_COST_NS - 1;
	sched_fixture_block(&f, 0);
	assert_int_equal(hn_sched_nr_running(f.sched, 0), 0);
	sched_fixture_fini(&f);
}

static void test_newidle__stops_where_the_cost_exceeds_the_idle_time(void **state HN_UNUSED)
{
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_4, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	sched_fixture_place_many(&f, 4, 4);
	sched_fixture_saturate(&f);
	f.answer = HN_LOCALITY_ALLOWS;
	/* 4 CPUs at 200 ns below; one ns short of what the upper level cost before */
	hn_domain_state(&f.sched->domains, 0, 1)->newidle_cost_ns_max = 5000;
	f.sched->rqs[0].avg_idle_ns = 5799;
	sched_fixture_block(&f, 0);
	assert_int_equal(hn_sched_nr_running(f.sched, 0), 0);
	f.now_ns += MS;
	hn_sched_wake(f.sched, f.now_ns, 0, HN_CPU_NONE, false);
	sched_fixture_settle(&f);
	f.sched->rqs[0].avg_idle_ns = 5800;
	f.now_ns += MS;
	sched_fixture_block(&f, 0);
	assert_int_equal(hn_sched_nr_running(f.sched, 0), 1);
	sched_fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_type__by_number_and_use),
		cmocka_unit_test(test_type__bounds_are_strict),
		cmocka_unit_test(test_adjust_numa__lets_two_be),
		cmocka_unit_test(test_fbq__classes),
		cmocka_unit_test(test_types__half_of_the_difference),
		cmocka_unit_test(test_types__one_more_is_no_imbalance),
		cmocka_unit_test(test_types__imb_numa_nr_lets_two_be),
		cmocka_unit_test(test_types__allowance_only_where_the_balancer_knows_it),
		cmocka_unit_test(test_types__quarter_of_a_node),
		cmocka_unit_test(test_types__two_running),
		cmocka_unit_test(test_types__overloaded_node_gives_utilisation),
		cmocka_unit_test(test_load__towards_the_mean),
		cmocka_unit_test(test_load__idle_cpus_alike_is_balanced),
		cmocka_unit_test(test_load__crowded_sibling_group_gives_one),
		cmocka_unit_test(test_types__sees_locality_classes),
		cmocka_unit_test(test_idle_scan__depth_by_use),
		cmocka_unit_test(test_pass__pulls_half_of_two),
		cmocka_unit_test(test_pass__only_the_first_idle_cpu_balances),
		cmocka_unit_test(test_pass__idle_core_before_idle_sibling),
		cmocka_unit_test(test_pass__degrading_moves_wait_for_failures),
		cmocka_unit_test(test_pass__improving_moves_ignore_cache_heat),
		cmocka_unit_test(test_pass__inside_a_node_nobody_is_asked),
		cmocka_unit_test(test_pass__pinned_tasks_stay),
		cmocka_unit_test(test_pass__balanced_doubles_the_interval_once),
		cmocka_unit_test(test_active__two_on_a_core_beside_an_idle_core),
		cmocka_unit_test(test_smt_balance__idle_core_takes_one_of_two),
		cmocka_unit_test(test_newidle__pulls_one),
		cmocka_unit_test(test_newidle__short_idle_does_not_pay),
		cmocka_unit_test(test_newidle__stops_where_the_cost_exceeds_the_idle_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
