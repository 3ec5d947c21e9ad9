/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forming, joining and leaving groups, and active nodes. Task 0 ("P") faults on CPU 0 on a page
 * that task 1 ("Q") touched last, on CPU 4. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search-fixture.h"

#define P 0
#define Q 1

static struct hn_account_event make_event(hn_task_id task, hn_task_id last)
{
	return (struct hn_account_event){
		.task = task,
		.cpu = 0,
		.nr_pages = 1,
		.last_cpupid = hn_cpupid_make(4, FIXTURE_PID(last)),
		.last_curr = last,
	};
}

static void start(struct search_fixture *s)
{
	search_fixture_init(s, 2);
	search_fixture_start(s);
	for (hn_task_id task = 0; task < 4; task++)
		hn_faults_start(s->base.core, task);
	core_fixture_set_faults(&s->base, P, HN_STAT_MEM, 0, 30);
	core_fixture_set_faults(&s->base, P, HN_STAT_CPU, 1, 40);
	core_fixture_set_faults(&s->base, Q, HN_STAT_MEM, 0, 7);
}

/* A group of its own for the task, by a fault on a page of one that is gone. */
static void found_group(struct search_fixture *s, hn_task_id task)
{
	struct hn_account_event event = make_event(task, 5);

	event.last_curr = HN_TASK_NONE;
	assert_false(hn_group_note_shared(s->base.core, &event));
}

static void test_shared_fault__founds_a_group_with_own_counts(void **state)
{
	struct search_fixture s;
	const struct hn_core_group *group;

	(void)state;
	start(&s);
	found_group(&s, P);
	group = &s.base.core->groups[hn_core_get_task(s.base.core, P)->group];
	assert_int_equal(group->nr_tasks, 1);
	assert_int_equal(group->gid, FIXTURE_PID(P));
	assert_int_equal(group->total_faults, 30);
	assert_int_equal(group->nr_active_nodes, 1);
	assert_int_equal(group->max_faults_cpu, 0);
	assert_true(hn_bitmap_has(group->active_mask, 0));
	assert_int_equal(hn_faults_group(s.base.core, 0, HN_STAT_CPU, 1), 40);
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_CREATED), 1);
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_OTHER_GONE), 1);
	core_fixture_fini(&s.base);
}

/* Who runs there now is not who touched the page: the low byte of the pid tells. */
static void test_shared_fault__other_pid_runs_there(void **state)
{
	struct search_fixture s;
	struct hn_account_event event = make_event(P, Q);

	(void)state;
	start(&s);
	event.last_curr = 2;
	assert_false(hn_group_note_shared(s.base.core, &event));
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_OTHER_GONE), 1);
	core_fixture_fini(&s.base);
}

static void test_shared_fault__other_has_no_group(void **state)
{
	struct search_fixture s;
	struct hn_account_event event = make_event(P, Q);

	(void)state;
	start(&s);
	assert_false(hn_group_note_shared(s.base.core, &event));
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_OTHER_ALONE), 1);
	core_fixture_fini(&s.base);
}

/* Equal sizes: the older group ends. P founds first, so P joins Q. */
static void test_join__older_of_equals_moves(void **state)
{
	struct search_fixture s;
	struct hn_account_event event = make_event(P, Q);
	int32_t before, group;

	(void)state;
	start(&s);
	found_group(&s, P);
	found_group(&s, Q);
	before = hn_core_get_task(s.base.core, P)->group;
	assert_false(hn_group_note_shared(s.base.core, &event));
	group = hn_core_get_task(s.base.core, P)->group;
	assert_int_equal(group, hn_core_get_task(s.base.core, Q)->group);
	assert_int_equal(s.base.core->groups[group].nr_tasks, 2);
	assert_int_equal(s.base.core->groups[group].total_faults, 37);
	assert_int_equal(hn_faults_group(s.base.core, group, HN_STAT_CPU, 1), 40);
	assert_false(s.base.core->groups[before].is_in_use);
	core_fixture_fini(&s.base);
}

static void test_join__younger_of_equals_stays(void **state)
{
	struct search_fixture s;
	struct hn_account_event event = make_event(P, Q);

	(void)state;
	start(&s);
	found_group(&s, Q);
	found_group(&s, P);
	assert_false(hn_group_note_shared(s.base.core, &event));
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_MINE_LARGER), 1);
	core_fixture_fini(&s.base);
}

/* P and task 2 are two, Q is alone: P stays. With task 3 in Q's group they are equal, and P
 * moves. */
static void test_join__larger_group_stays(void **state)
{
	struct search_fixture s;
	struct hn_account_event event = make_event(P, Q);
	struct hn_account_event two_to_p = make_event(2, P);
	struct hn_account_event three_to_q = make_event(3, Q);

	(void)state;
	start(&s);
	found_group(&s, 2);
	found_group(&s, 3);
	found_group(&s, P);
	hn_group_note_shared(s.base.core, &two_to_p);
	found_group(&s, Q);
	hn_group_note_shared(s.base.core, &event);
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_MINE_LARGER), 1);
	hn_group_note_shared(s.base.core, &three_to_q);
	hn_group_note_shared(s.base.core, &event);
	assert_int_equal(s.base.core->groups[hn_core_get_task(s.base.core, Q)->group].nr_tasks, 3);
	hn_group_note_shared(s.base.core, &event);
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_SAME), 1);
	core_fixture_fini(&s.base);
}

/* Another address space and no shared mapping: no join, and the fault counts as private. */
static void test_join__foreign_memory(void **state)
{
	struct search_fixture s;
	struct hn_account_event event = make_event(P, Q);

	(void)state;
	start(&s);
	found_group(&s, P);
	found_group(&s, Q);
	hn_core_get_task(s.base.core, Q)->mm = 1;
	assert_true(hn_group_note_shared(s.base.core, &event));
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_NOT_SHARED), 1);
	event.flags = HN_ACCOUNT_SHARED;
	assert_false(hn_group_note_shared(s.base.core, &event));
	assert_int_equal(search_fixture_count(&s, HN_WHY_GROUP_JOINED), 1);
	hn_core_get_task(s.base.core, Q)->mm = 0;
	core_fixture_fini(&s.base);
}

static void test_leave__takes_the_counts_along(void **state)
{
	struct search_fixture s;
	struct hn_account_event event = make_event(P, Q);
	int32_t group;

	(void)state;
	start(&s);
	found_group(&s, P);
	found_group(&s, Q);
	hn_group_note_shared(s.base.core, &event);
	group = hn_core_get_task(s.base.core, Q)->group;
	hn_group_leave(s.base.core, P);
	assert_int_equal(hn_core_get_task(s.base.core, P)->group, HN_GROUP_NONE);
	assert_int_equal(s.base.core->groups[group].total_faults, 7);
	assert_int_equal(hn_faults_group(s.base.core, group, HN_STAT_CPU, 1), 0);
	hn_group_leave(s.base.core, Q);
	assert_false(s.base.core->groups[group].is_in_use);
	hn_group_leave(s.base.core, Q); /* without a group: nothing */
	core_fixture_fini(&s.base);
}

/* ---- active nodes ---- */

/* Counts on node 0 and node 1; node 0 was active. */
static uint64_t mask_after(uint64_t before, uint64_t on_0, uint64_t on_1)
{
	struct search_fixture s;
	uint64_t mask;

	search_fixture_init(&s, 2);
	s.base.policy.active_nodes = HN_ACTIVE_NODES_MASK;
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, P, 1);
	s.base.core->groups[P].active_mask[0] = before;
	core_fixture_set_faults(&s.base, P, HN_STAT_CPU, 0, on_0);
	core_fixture_set_faults(&s.base, P, HN_STAT_CPU, 1, on_1);
	hn_group_update_active(s.base.core, P);
	mask = s.base.core->groups[P].active_mask[0];
	assert_int_equal(s.base.core->groups[P].nr_active_nodes, hn_bitmap_count(&mask, 2));
	core_fixture_fini(&s.base);
	return mask;
}

/* Of 160: joins above 60, leaves below 30. */
static void test_active_mask__hysteresis(void **state)
{
	(void)state;
	assert_int_equal(mask_after(1, 160, 60), 1);
	assert_int_equal(mask_after(1, 160, 61), 3);
	assert_int_equal(mask_after(3, 160, 30), 3);
	assert_int_equal(mask_after(3, 160, 29), 1);
}

static uint32_t nr_active(bool cpu_only, uint64_t on_0, uint64_t on_1)
{
	struct search_fixture s;
	uint32_t nr;

	search_fixture_init(&s, 2);
	s.base.policy.active_nodes_cpu_only = cpu_only;
	search_fixture_start(&s);
	s.base.nodes[0].nr_cpus = cpu_only ? 0 : 4;
	core_fixture_join_group(&s.base, P, 1);
	core_fixture_set_faults(&s.base, P, HN_STAT_CPU, 0, on_0);
	core_fixture_set_faults(&s.base, P, HN_STAT_CPU, 1, on_1);
	hn_group_update_active(s.base.core, P);
	nr = s.base.core->groups[P].nr_active_nodes;
	core_fixture_fini(&s.base);
	return nr;
}

/* More than a third of 90: 31 is, 30 is not. */
static void test_active_count__a_third(void **state)
{
	(void)state;
	assert_int_equal(nr_active(false, 90, 30), 1);
	assert_int_equal(nr_active(false, 90, 31), 2);
	assert_int_equal(nr_active(false, 0, 0), 0);
}

/* Node 0 has no CPUs: its 90 do not set the maximum. */
static void test_active_count__nodes_with_cpus_only(void **state)
{
	(void)state;
	assert_int_equal(nr_active(true, 90, 10), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared_fault__founds_a_group_with_own_counts),
		cmocka_unit_test(test_shared_fault__other_pid_runs_there),
		cmocka_unit_test(test_shared_fault__other_has_no_group),
		cmocka_unit_test(test_join__older_of_equals_moves),
		cmocka_unit_test(test_join__younger_of_equals_stays),
		cmocka_unit_test(test_join__larger_group_stays),
		cmocka_unit_test(test_join__foreign_memory),
		cmocka_unit_test(test_leave__takes_the_counts_along),
		cmocka_unit_test(test_active_mask__hysteresis),
		cmocka_unit_test(test_active_count__a_third),
		cmocka_unit_test(test_active_count__nodes_with_cpus_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
