/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Closing a window: decay, sums, and the weighing of CPU counts. Two nodes, task 0. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search-fixture.h"

static const struct hn_task_clock no_clock = { 0 };

static void start(struct search_fixture *s)
{
	search_fixture_start(s);
	hn_faults_start(s->base.core, 0);
}

static uint64_t *count(struct search_fixture *s, enum hn_fault_stat stat, hn_nid nid,
		       bool is_private)
{
	return hn_core_faults(s->base.core, 0, stat) + 2 * nid + is_private;
}

static uint64_t close_mem(bool rounds_up, uint64_t mem, uint64_t membuf)
{
	struct search_fixture s;
	struct hn_faults_window window;
	uint64_t result;

	search_fixture_init(&s, 2);
	s.base.policy.decay_rounds_up = rounds_up;
	start(&s);
	*count(&s, HN_STAT_MEM, 1, true) = mem;
	hn_core_get_task(s.base.core, 0)->total_faults = mem;
	*count(&s, HN_STAT_MEMBUF, 1, true) = membuf;
	hn_faults_close_window(s.base.core, 0, &no_clock, &window);
	result = *count(&s, HN_STAT_MEM, 1, true);
	assert_int_equal(*count(&s, HN_STAT_MEMBUF, 1, true), 0);
	assert_int_equal(hn_core_get_task(s.base.core, 0)->total_faults, result);
	assert_int_equal(window.task_sum[1], result);
	assert_int_equal(window.nr_private, membuf);
	core_fixture_fini(&s.base);
	return result;
}

/* 5 - 2 + 3 = 6; v3.13: 2 + 3 = 5. */
static void test_decay__odd_count(void **state)
{
	(void)state;
	assert_int_equal(close_mem(true, 5, 3), 6);
	assert_int_equal(close_mem(false, 5, 3), 5);
}

static void test_decay__even_count_and_empty_window(void **state)
{
	(void)state;
	assert_int_equal(close_mem(true, 4, 0), 2);
	assert_int_equal(close_mem(false, 4, 0), 2);
	/* A last fault never decays when halves round up. */
	assert_int_equal(close_mem(true, 1, 0), 1);
	assert_int_equal(close_mem(false, 1, 0), 0);
}

static void test_window__sums_both_kinds_per_node(void **state)
{
	struct search_fixture s;
	struct hn_faults_window window;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	*count(&s, HN_STAT_MEMBUF, 0, false) = 3;
	*count(&s, HN_STAT_MEMBUF, 0, true) = 4;
	*count(&s, HN_STAT_MEMBUF, 1, false) = 5;
	hn_faults_close_window(s.base.core, 0, &no_clock, &window);
	assert_int_equal(window.task_sum[0], 7);
	assert_int_equal(window.task_sum[1], 5);
	assert_int_equal(window.group_sum[0], 0);
	assert_int_equal(window.nr_shared, 8);
	assert_int_equal(window.nr_private, 4);
	assert_int_equal(hn_faults_task(s.base.core, 0, HN_STAT_MEM, 0), 7);
	core_fixture_fini(&s.base);
}

/* The group has 100 more from another member; both take the difference of task 0, -2 + 3. */
static void test_window__group_takes_the_same_difference(void **state)
{
	struct search_fixture s;
	struct hn_faults_window window;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	core_fixture_join_group(&s.base, 0, 2);
	core_fixture_set_faults(&s.base, 0, HN_STAT_MEM, 0, 5);
	core_fixture_set_faults(&s.base, 1, HN_STAT_MEM, 0, 100);
	*count(&s, HN_STAT_MEMBUF, 0, false) = 3;
	hn_faults_close_window(s.base.core, 0, &no_clock, &window);
	assert_int_equal(window.task_sum[0], 6);
	assert_int_equal(window.group_sum[0], 106);
	assert_int_equal(hn_faults_group(s.base.core, 0, HN_STAT_MEM, 0), 106);
	assert_int_equal(s.base.core->groups[0].total_faults, 106);
	core_fixture_fini(&s.base);
}

/* ---- CPU counts ---- */

/* A window of 100 faults, 90 of them from node 0, from 1 s to 2 s on the run-queue clock, in
 * which the task ran 500 ms; the old CPU count is 7. */
static uint64_t close_cpu(enum hn_faults_cpu_weight weight)
{
	const struct hn_task_clock clock = { .sum_exec_ns = 800000000,
					     .exec_start_ns = 2000000000 };
	struct search_fixture s;
	struct hn_faults_window window;
	struct hn_core_task *task;
	uint64_t result;

	search_fixture_init(&s, 2);
	s.base.policy.faults_cpu_weight = weight;
	start(&s);
	task = hn_core_get_task(s.base.core, 0);
	task->last_placement_ns = 1000000000;
	task->last_sum_exec_ns = 300000000;
	task->locality[0] = 60;
	task->locality[1] = 40;
	*count(&s, HN_STAT_CPU, 0, false) = 7;
	*count(&s, HN_STAT_CPUBUF, 0, false) = 90;
	hn_faults_close_window(s.base.core, 0, &clock, &window);
	result = *count(&s, HN_STAT_CPU, 0, false);
	assert_int_equal(*count(&s, HN_STAT_CPUBUF, 0, false), 0);
	core_fixture_fini(&s.base);
	return result;
}

static void test_faults_cpu_weight__none(void **state)
{
	(void)state;
	assert_int_equal(close_cpu(HN_FAULTS_CPU_WEIGHT_NONE), 4);
}

static void test_faults_cpu_weight__raw(void **state)
{
	(void)state;
	assert_int_equal(close_cpu(HN_FAULTS_CPU_WEIGHT_RAW), 4 + 90);
}

/* 16384 * 500e6 * 90 = 737280000000000; (100 + 1) * 1e9 + 1 = 101000000001; the quotient is
 * 7299.8, so 7299. */
static void test_faults_cpu_weight__seed(void **state)
{
	(void)state;
	assert_int_equal(close_cpu(HN_FAULTS_CPU_WEIGHT_SEED), 4 + 7299);
}

/* w = floor(500e6 * 65536 / (1e9 + 1)) = 32767; 32767 * 90 / 101 = 29198.5. */
static void test_faults_cpu_weight__cpu_share(void **state)
{
	(void)state;
	assert_int_equal(close_cpu(HN_FAULTS_CPU_WEIGHT_CPU_SHARE), 4 + 29198);
}

static void test_run_share__marks_move_on(void **state)
{
	const struct hn_task_clock clock = { .sum_exec_ns = 5, .exec_start_ns = 9 };
	struct search_fixture s;
	struct hn_faults_window window;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	hn_faults_close_window(s.base.core, 0, &clock, &window);
	assert_int_equal(hn_core_get_task(s.base.core, 0)->last_sum_exec_ns, 5);
	assert_int_equal(hn_core_get_task(s.base.core, 0)->last_placement_ns, 9);
	core_fixture_fini(&s.base);
}

/* A clock that went back counts as no time: w = 7 * 65536 / 1; 100 faults of 100: w * 100 /
 * 101. */
static void test_run_share__clock_going_back(void **state)
{
	const struct hn_task_clock clock = { .sum_exec_ns = 7, .exec_start_ns = 5 };
	struct search_fixture s;
	struct hn_faults_window window;
	struct hn_core_task *task;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	task = hn_core_get_task(s.base.core, 0);
	task->last_placement_ns = 9;
	task->locality[1] = 100;
	*count(&s, HN_STAT_CPUBUF, 1, true) = 100;
	hn_faults_close_window(s.base.core, 0, &clock, &window);
	assert_int_equal(*count(&s, HN_STAT_CPU, 1, true), 458752 * 100 / 101);
	core_fixture_fini(&s.base);
}

/* The first window, 100 of 100 faults from node 0, by load tracking: weight w * 100 / 101. */
static uint64_t close_first(enum hn_first_runtime rule, uint64_t load_sum, hn_time_ns sum_exec_ns)
{
	const struct hn_task_clock clock = { .sum_exec_ns = sum_exec_ns,
					     .exec_start_ns = 1,
					     .load_sum = load_sum };
	struct search_fixture s;
	struct hn_faults_window window;
	uint64_t result;

	search_fixture_init(&s, 2);
	s.base.policy.first_runtime = rule;
	start(&s);
	hn_core_get_task(s.base.core, 0)->locality[1] = 100;
	*count(&s, HN_STAT_CPUBUF, 0, true) = 100;
	hn_faults_close_window(s.base.core, 0, &clock, &window);
	result = *count(&s, HN_STAT_CPU, 0, true);
	core_fixture_fini(&s.base);
	return result;
}

/* Half of the maximum: w = 23871 * 65536 / 47743 = 32767; 32767 * 100 / 101 = 32442.5. */
static void test_first_runtime__load_sum(void **state)
{
	(void)state;
	assert_int_equal(close_first(HN_FIRST_RUNTIME_LOAD_SUM, 23871, 10), 32442);
}

/* An old task: the same. One of two load periods, 2 * 1048576 ns: tracked 1024 * y + 1024 =
 * 1002 + 1024 = 2026; ran all of it: w = 2026 * 65536 / 2027 = 65503; 65503 * 100 / 101 =
 * 64854.5. */
static void test_first_runtime__runnable_avg(void **state)
{
	(void)state;
	assert_int_equal(close_first(HN_FIRST_RUNTIME_RUNNABLE_AVG, 23871, INT64_C(400000000)),
			 32442);
	assert_int_equal(close_first(HN_FIRST_RUNTIME_RUNNABLE_AVG, 2026, 2 * 1048576), 64854);
}

static void test_start__clears(void **state)
{
	struct search_fixture s;
	struct hn_core_task *task;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	task = hn_core_get_task(s.base.core, 0);
	*count(&s, HN_STAT_CPUBUF, 1, true) = 3;
	task->total_faults = 4;
	task->locality[2] = 5;
	hn_faults_start(s.base.core, 0);
	assert_int_equal(*count(&s, HN_STAT_CPUBUF, 1, true), 0);
	assert_int_equal(task->total_faults, 0);
	assert_int_equal(task->locality[2], 0);
	core_fixture_fini(&s.base);
}

static void test_questions__without_arrays_or_group(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	assert_int_equal(hn_faults_task(s.base.core, 3, HN_STAT_MEM, 0), 0);
	assert_int_equal(hn_faults_group(s.base.core, HN_GROUP_NONE, HN_STAT_MEM, 0), 0);
	core_fixture_fini(&s.base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decay__odd_count),
		cmocka_unit_test(test_decay__even_count_and_empty_window),
		cmocka_unit_test(test_window__sums_both_kinds_per_node),
		cmocka_unit_test(test_window__group_takes_the_same_difference),
		cmocka_unit_test(test_faults_cpu_weight__none),
		cmocka_unit_test(test_faults_cpu_weight__raw),
		cmocka_unit_test(test_faults_cpu_weight__seed),
		cmocka_unit_test(test_faults_cpu_weight__cpu_share),
		cmocka_unit_test(test_run_share__marks_move_on),
		cmocka_unit_test(test_run_share__clock_going_back),
		cmocka_unit_test(test_first_runtime__load_sum),
		cmocka_unit_test(test_first_runtime__runnable_avg),
		cmocka_unit_test(test_start__clears),
		cmocka_unit_test(test_questions__without_arrays_or_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
