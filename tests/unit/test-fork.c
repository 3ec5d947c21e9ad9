/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: where the threads of a new program start, by the policy's rule (V20), worked by hand.
 * Two nodes of 16 CPUs without SMT; a parent on CPU 0 forks at one instant, so every task has
 * load 1024, which is 1024 * 1024 / 16384 = 64 of a node's average. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched-fixture.h"

static const struct machine_shape two_by_16 = { .nr_nodes = 2, .llcs_per_node = 1,
						.cores_per_llc = 16, .smt = 1 };

/* A parent on CPU 0 and its threads; the node of each thread as a digit, in order. */
static void check_nodes(struct hn_policy policy, enum hn_children children, const char *nodes)
{
	struct sched_fixture f;

	policy.children = children;
	sched_fixture_init(&f, two_by_16, policy);
	sched_fixture_place(&f, 0);
	for (; *nodes; nodes++) {
		hn_task_id task = sched_fixture_fork(&f, 0);
		hn_cpu cpu = hn_sched_task_cpu(f.sched, task);

		assert_int_equal('0' + f.machine->cpus[cpu].nid, *nodes);
		assert_int_equal(hn_sched_nr_running(f.sched, cpu), 1); /* on an idle CPU */
	}
	sched_fixture_fini(&f);
}

static void test_spread__alternates(void **state HN_UNUSED)
{
	/* the own node wins when both are equal: 1+0, then 1+1, 2+1, 2+2, ... */
	check_nodes(policy_fixture_v4_18(), HN_CHILDREN_SPREAD, "10101010");
}

static void test_local_load__stays_within_a_quarter_task_of_average(void **state HN_UNUSED)
{
	/* imb 256 is four tasks' worth: local while own - other <= 4: 1+0 2+0 3+0 4+0 5+0, then in
	 * turns */
	check_nodes(policy_fixture_v4_18(), HN_CHILDREN_LOCAL_LOAD, "00001010");
}

static void test_local_idle__stays_while_a_cpu_is_idle(void **state HN_UNUSED)
{
	/* 15 CPUs are idle beside the parent's, then none */
	check_nodes(policy_fixture_v6_1(), HN_CHILDREN_LOCAL_IDLE, "0000000000000001");
}

static void test_local_quarter__stays_up_to_a_quarter_of_both_nodes(void **state HN_UNUSED)
{
	/* 32 / 4 = 8 tasks on the own node, the parent included */
	check_nodes(policy_fixture_v5_12(), HN_CHILDREN_LOCAL_QUARTER, "00000001");
}

static void test_local_imb__stays_while_imb_numa_nr_allows(void **state HN_UNUSED)
{
	/* imb_numa_nr = 16 / 8 = 2: the first thread makes two; then by idle CPUs, which are
	 * 14 and 16, 14 and 15, 14 and 14 (no difference: stay), 13 and 14, ... */
	check_nodes(policy_fixture_v6_1(), HN_CHILDREN_LOCAL_IMB, "01101010");
}

static void test_spread__in_new_kernels_by_idle_cpus(void **state HN_UNUSED)
{
	check_nodes(policy_fixture_v6_1(), HN_CHILDREN_SPREAD, "10101010");
}

static void test_fork__prefers_an_idle_core(void **state HN_UNUSED)
{
	struct machine_shape smt = { .nr_nodes = 1, .llcs_per_node = 1, .cores_per_llc = 2,
				     .smt = 2 };
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, smt, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	task = sched_fixture_fork(&f, 0);
	assert_int_equal(hn_sched_task_cpu(f.sched, task) / 2, 1);
	sched_fixture_fini(&f);
}

static void test_fork__respects_allowed_cpus(void **state HN_UNUSED)
{
	const uint64_t allowed[] = { UINT64_C(1) << 20 };
	struct hn_sched_task_desc desc = { .task = 0, .cpu = 0, .allowed = allowed };
	struct sched_fixture f;

	sched_fixture_init(&f, two_by_16, policy_fixture_v6_1());
	assert_int_equal(hn_sched_fork(f.sched, 0, &desc), 20);
	assert_int_equal(f.nr_moved, 0); /* the first place is no move */
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_fork__takes_the_cpu_that_became_idle_last(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_16, policy_fixture_v6_1());
	sched_fixture_place(&f, 0);
	sched_fixture_place(&f, 23);
	f.now_ns = 10 * MS;
	sched_fixture_block(&f, 23);
	f.policy.children = HN_CHILDREN_SPREAD;
	task = sched_fixture_fork(&f, 0);
	assert_int_equal(hn_sched_task_cpu(f.sched, task), 23);
	sched_fixture_fini(&f);
}

static void test_exec__leaves_a_crowded_cpu(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;
	hn_cpu cpu;

	sched_fixture_init(&f, two_by_16, policy_fixture_v6_1());
	sched_fixture_place_many(&f, 0, 2);
	task = hn_sched_curr(f.sched, 0);
	f.nr_moved = 0;
	cpu = hn_sched_exec(f.sched, 0, task);
	assert_int_not_equal(cpu, 0);
	assert_int_equal(hn_sched_task_cpu(f.sched, task), cpu);
	assert_int_equal(f.nr_moved, 1);
	sched_fixture_settle(&f);
	sched_fixture_fini(&f);
}

static void test_exec__alone_on_the_machine_stays(void **state HN_UNUSED)
{
	struct sched_fixture f;
	hn_task_id task;

	sched_fixture_init(&f, two_by_16, policy_fixture_v6_1());
	task = sched_fixture_place(&f, 3);
	assert_int_equal(hn_sched_exec(f.sched, 0, task), 3);
	sched_fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread__alternates),
		cmocka_unit_test(test_local_load__stays_within_a_quarter_task_of_average),
		cmocka_unit_test(test_local_idle__stays_while_a_cpu_is_idle),
		cmocka_unit_test(test_local_quarter__stays_up_to_a_quarter_of_both_nodes),
		cmocka_unit_test(test_local_imb__stays_while_imb_numa_nr_allows),
		cmocka_unit_test(test_spread__in_new_kernels_by_idle_cpus),
		cmocka_unit_test(test_fork__prefers_an_idle_core),
		cmocka_unit_test(test_fork__respects_allowed_cpus),
		cmocka_unit_test(test_fork__takes_the_cpu_that_became_idle_last),
		cmocka_unit_test(test_exec__leaves_a_crowded_cpu),
		cmocka_unit_test(test_exec__alone_on_the_machine_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
