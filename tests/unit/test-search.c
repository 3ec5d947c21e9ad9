/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes are searched for a task, what is summed up about them, and what happens to the
 * preferred node and the scan period afterwards. Task 0 ("A") on CPU 0 of node 0 prefers node
 * 1. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search-fixture.h"

#define A 0
#define B 1

/* ---- whether there is anything to do ---- */

static void test_pick_cpu__no_preferred_node(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	hn_core_get_task(s.base.core, A)->preferred_nid = HN_NID_NONE;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_NOTHING);
	assert_int_equal(s.decision.why, HN_WHY_MOVE_NO_PREFERRED);
	core_fixture_fini(&s.base);
}

static void test_pick_cpu__on_preferred_node(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 800, 200);
	hn_core_get_task(s.base.core, A)->preferred_nid = 0;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_NOTHING);
	assert_int_equal(s.decision.why, HN_WHY_MOVE_ON_PREFERRED);
	core_fixture_fini(&s.base);
}

static void test_pick_cpu__no_domain_gives_up_the_wish(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	s.view.has_numa_domain = false;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_NOTHING);
	assert_int_equal(s.decision.why, HN_WHY_MOVE_NO_DOMAIN);
	assert_int_equal(hn_core_get_task(s.base.core, A)->preferred_nid, 0);
	core_fixture_fini(&s.base);
}

static void test_stick__traced_since_v5_7(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	search_fixture_allow(&s, 1);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(s.decision.why, HN_WHY_CPU_NOT_ALLOWED);
	assert_true(s.decision.traces_stick);
	s.base.policy.stick_trace_when_none = false;
	assert_false(search_fixture_pick(&s)->traces_stick);
	core_fixture_fini(&s.base);
}

/* ---- node gate ---- */

/* The destination's four CPUs run four tasks: no free capacity. */
static void fill_destination(struct search_fixture *s)
{
	for (hn_cpu cpu = 4; cpu < 8; cpu++)
		search_fixture_run(s, cpu, cpu - 3);
}

static void test_gate__free_capacity(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v3_13(&s);
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	fill_destination(&s);
	assert_int_equal(search_fixture_pick(&s)->why, HN_WHY_MOVE_NODE_GATE);
	s.base.policy.node_gate = HN_NODE_GATE_NONE;
	/* Searched now: equal loads, so swaps with B (no faults, gain 600) are balanced. */
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_SWAP);
	core_fixture_fini(&s.base);
}

/* Three tasks of four CPUs each: loads 3072 * 112 > n * 100 while n < 3440.6. */
static void test_gate__has_capacity_by_load(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	search_fixture_run(&s, 1, 1);
	search_fixture_run(&s, 2, 2);
	search_fixture_run(&s, 4, 3);
	s.cpus[4].load = 3440;
	search_fixture_pick(&s);
	assert_int_equal(search_fixture_count(&s, HN_WHY_MOVE_NODE_GATE), 0);
	s.cpus[4].load = 3441;
	search_fixture_pick(&s);
	assert_int_equal(search_fixture_count(&s, HN_WHY_MOVE_NODE_GATE), 1);
	core_fixture_fini(&s.base);
}

/* Siblings with 589 each: smt = ceil(4096 / 2356) = 2, 4 / 2 = 2 cores, round(2356 / 1024) = 2.
 * One task leaves room, two do not; the source has room, so the gate shuts. */
static void test_gate__task_capacity_by_cores(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	search_fixture_run(&s, 4, B);
	s.cpus[4].load = 0;
	for (uint32_t c = 0; c < 8; c++)
		s.cpus[c].capacity = 589;
	search_fixture_pick(&s);
	assert_int_equal(search_fixture_count(&s, HN_WHY_MOVE_NODE_GATE), 0);
	s.cpus[4].nr_running = 2;
	search_fixture_pick(&s);
	assert_int_equal(search_fixture_count(&s, HN_WHY_MOVE_NODE_GATE), 1);
	core_fixture_fini(&s.base);
}

/* ---- node types ---- */

/* The shortcut needs "spare", and idle CPU 7 (all others busy): it shows the type. pct is 112,
 * the capacity of the node 4096: 4096 * 100 > util * 112 while util < 3657.1. */
static bool has_spare(uint32_t nr_running, uint64_t util, uint64_t runnable)
{
	struct search_fixture s;
	bool is_shortcut;

	search_fixture_init(&s, 2);
	s.base.policy.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR;
	s.view.imb_numa_nr = 100;
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	s.cpus[0].nr_fair = nr_running + 1;
	for (hn_cpu cpu = 4; cpu < 7; cpu++) {
		search_fixture_run(&s, cpu, cpu - 3);
		s.cpus[cpu].util = 0;
		s.cpus[cpu].runnable = 0;
		s.cpus[cpu].nr_fair = 0;
	}
	s.cpus[4].nr_fair = nr_running;
	s.cpus[4].util = util;
	s.cpus[4].runnable = runnable;
	is_shortcut = search_fixture_pick(&s)->why == HN_WHY_MOVE_TO_IDLE_SHORTCUT;
	core_fixture_fini(&s.base);
	return is_shortcut;
}

static void test_node_type__fewer_tasks_than_cpus_is_spare(void **state)
{
	(void)state;
	assert_true(has_spare(3, 4096, 9000));
	assert_false(has_spare(4, 4096, 9000));
}

/* Four tasks, and more: by utilisation and by runnable time (4096 * 112 > runnable * 100: <
 * 4587.5). */
static void test_node_type__low_use_is_spare(void **state)
{
	(void)state;
	assert_true(has_spare(4, 3657, 4587));
	assert_false(has_spare(4, 3658, 4587));
	assert_false(has_spare(4, 3657, 4588));
	assert_true(has_spare(5, 3657, 4587));
	assert_false(has_spare(5, 3658, 4587));
}

/* ---- idle core ---- */

/* CPUs 4 5 | 6 7 are cores; 5 is busy, so 4 is an idle CPU and 6 the first idle core. */
static hn_cpu pick_idle(enum hn_idle_core_rule rule, bool has_hint)
{
	struct search_fixture s;
	hn_cpu cpu;

	search_fixture_init(&s, 2);
	s.base.policy.idle_core_rule = rule;
	s.view.imb_numa_nr = 4;
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	search_fixture_run(&s, 5, B);
	s.cpus[4].is_core_idle = false;
	for (uint32_t c = 4; c < 8; c++)
		s.cpus[c].is_llc_with_idle_core = has_hint;
	cpu = search_fixture_pick(&s)->dst_cpu;
	core_fixture_fini(&s.base);
	return cpu;
}

static void test_idle_core__siblings_are_asked(void **state)
{
	(void)state;
	assert_int_equal(pick_idle(HN_IDLE_CORE_RULE_SIBLINGS, true), 6);
	assert_int_equal(pick_idle(HN_IDLE_CORE_RULE_SIBLINGS_STOP, true), 6);
}

static void test_idle_core__self_test_takes_any(void **state)
{
	(void)state;
	assert_int_equal(pick_idle(HN_IDLE_CORE_RULE_SELF_TEST, true), 4);
}

static void test_idle_core__without_the_hint_the_first_idle_cpu(void **state)
{
	(void)state;
	assert_int_equal(pick_idle(HN_IDLE_CORE_RULE_SIBLINGS, false), 4);
}

/* ---- other nodes ---- */

/* Ring of four, two CPUs each; A prefers node 1 but may run on nodes 0 and 3 only. Direct
 * weights. */
static void start_ring(struct search_fixture *s, uint64_t on_0, uint64_t on_3)
{
	search_fixture_init(s, 4);
	search_fixture_use_v4_19(s);
	s->base.policy.weight_near = false;
	search_fixture_start(s);
	core_fixture_set_faults(&s->base, A, HN_STAT_MEM, 0, on_0);
	core_fixture_set_faults(&s->base, A, HN_STAT_MEM, 1, 1000 - on_0 - on_3);
	core_fixture_set_faults(&s->base, A, HN_STAT_MEM, 3, on_3);
	search_fixture_allow(s, 0xc3);
}

static void test_other_nodes__second_best_without_a_group(void **state)
{
	struct search_fixture s;

	(void)state;
	start_ring(&s, 200, 300);
	/* Node 2 has nothing: -200, and no group to gain: group 0 is not below 0, so it is
	 * searched. */
	assert_int_equal(search_fixture_pick(&s)->dst_cpu, 7);
	assert_int_equal(s.decision.imp, 100);
	assert_int_equal(search_fixture_count(&s, HN_WHY_MOVE_NEGATIVE), 0);
	core_fixture_fini(&s.base);
}

/* With the group losing too, nodes 2 and 3 are left out. */
static void test_other_nodes__both_lose(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	search_fixture_use_v4_19(&s);
	s.base.policy.weight_near = false;
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, A, 1);
	search_fixture_fault(&s, A, 400, 600);
	search_fixture_allow(&s, 0xc3);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_MOVE_NEGATIVE), 2);
	assert_int_equal(s.decision.why, HN_WHY_MOVE_NEGATIVE);
	core_fixture_fini(&s.base);
}

/* Success on the preferred node ends it, except for a group that is active on two nodes. */
static void test_other_nodes__after_success_for_spread_groups_only(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	search_fixture_use_v4_19(&s);
	s.base.policy.weight_near = false;
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, A, 1);
	search_fixture_fault(&s, A, 100, 400);
	core_fixture_set_faults(&s.base, A, HN_STAT_MEM, 3, 500);
	assert_int_equal(search_fixture_pick(&s)->dst_cpu, 3);
	assert_int_equal(s.decision.imp, 300);
	hn_core_get_task(s.base.core, A)->preferred_nid = 1;
	s.base.core->groups[A].nr_active_nodes = 2;
	assert_int_equal(search_fixture_pick(&s)->dst_cpu, 7);
	assert_int_equal(s.decision.imp, 400);
	core_fixture_fini(&s.base);
}

/* Backplane of two boxes, nodes 0 1 | 2 3, 15 inside and 22 across; A prefers node 2 but may
 * run in its own box only. When node 1 comes up, the distance is still that to node 2, 22, by
 * which both nodes weigh as one box: gain 0. By the true distance, 15, node 1 would gain 400 -
 * 100 = 300. */
static void test_other_nodes__distance_of_the_node_before(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	search_fixture_use_v4_19(&s);
	for (uint32_t a = 0; a < 4; a++) {
		for (uint32_t b = 0; b < 4; b++)
			s.base.distance[a * 4 + b] = a == b ? 10 : a / 2 == b / 2 ? 15 : 22;
	}
	search_fixture_start(&s);
	assert_int_equal(s.base.core->topology, HN_TOPOLOGY_BACKPLANE);
	search_fixture_fault(&s, A, 100, 400);
	core_fixture_set_faults(&s.base, A, HN_STAT_MEM, 2, 500);
	hn_core_get_task(s.base.core, A)->preferred_nid = 2;
	search_fixture_allow(&s, 0x0f);
	assert_int_equal(search_fixture_pick(&s)->dst_cpu, 3);
	assert_int_equal(s.decision.imp, 0);
	core_fixture_fini(&s.base);
}

static void test_other_nodes__memory_only_node_left_out_since_v5_19(void **state)
{
	struct search_fixture s;

	(void)state;
	start_ring(&s, 200, 300);
	s.base.policy.active_nodes_cpu_only = true;
	s.base.nodes[3].nr_cpus = 0;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	core_fixture_fini(&s.base);
}

/* ---- V11: the preferred node afterwards ---- */

/* A is in a group; the search succeeds on node 3 (CPU 7), the last one searched. */
static hn_nid preferred_after(enum hn_preferred_update rule, bool has_group, uint64_t active_mask)
{
	struct search_fixture s;
	hn_nid nid;

	search_fixture_init(&s, 4);
	search_fixture_use_v4_19(&s);
	s.base.policy.weight_near = false;
	s.base.policy.preferred_update = rule;
	s.base.policy.active_nodes = HN_ACTIVE_NODES_MASK;
	search_fixture_start(&s);
	if (has_group) {
		core_fixture_join_group(&s.base, A, 1);
		s.base.core->groups[A].active_mask[0] = active_mask;
		s.base.core->groups[A].nr_active_nodes = hn_bitmap_count(&active_mask, 4);
	}
	search_fixture_fault(&s, A, 200, 500);
	core_fixture_set_faults(&s.base, A, HN_STAT_MEM, 3, 300);
	search_fixture_allow(&s, 0xc3);
	assert_int_equal(search_fixture_pick(&s)->dst_cpu, 7);
	nid = hn_core_get_task(s.base.core, A)->preferred_nid;
	core_fixture_fini(&s.base);
	return nid;
}

static void test_preferred_update__always_last_dst(void **state)
{
	(void)state;
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_ALWAYS_LAST_DST, false, 0), 3);
}

static void test_preferred_update__success_active(void **state)
{
	(void)state;
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_SUCCESS_ACTIVE, true, 1 << 3), 3);
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_SUCCESS_ACTIVE, true, 1 << 1), 1);
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_SUCCESS_ACTIVE, false, 0), 1);
}

static void test_preferred_update__nid_active(void **state)
{
	(void)state;
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_NID_ACTIVE, true, 1 << 3), 3);
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_NID_ACTIVE, true, 1 << 1), 1);
}

static void test_preferred_update__last_dst_active_needs_two_nodes(void **state)
{
	(void)state;
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_LAST_DST_ACTIVE, true, 0xa), 3);
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_LAST_DST_ACTIVE, true, 1 << 3), 1);
}

static void test_preferred_update__best_node(void **state)
{
	(void)state;
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_BEST_NODE, true, 0), 3);
	assert_int_equal(preferred_after(HN_PREFERRED_UPDATE_BEST_NODE, false, 0), 1);
}

/* Without success: v4.19 prefers the own node; v3.19 tests the own node and sets the last one. */
static hn_nid preferred_after_failure(enum hn_preferred_update rule)
{
	struct search_fixture s;
	hn_nid nid;

	search_fixture_init(&s, 4);
	search_fixture_use_v4_19(&s);
	s.base.policy.weight_near = false;
	s.base.policy.preferred_update = rule;
	s.base.policy.active_nodes = HN_ACTIVE_NODES_MASK;
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, A, 1);
	s.base.core->groups[A].active_mask[0] = 1;
	search_fixture_fault(&s, A, 200, 500);
	core_fixture_set_faults(&s.base, A, HN_STAT_MEM, 3, 300);
	search_fixture_allow(&s, 0x03);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	nid = hn_core_get_task(s.base.core, A)->preferred_nid;
	core_fixture_fini(&s.base);
	return nid;
}

static void test_preferred_update__without_success(void **state)
{
	(void)state;
	assert_int_equal(preferred_after_failure(HN_PREFERRED_UPDATE_BEST_NODE), 0);
	assert_int_equal(preferred_after_failure(HN_PREFERRED_UPDATE_NID_ACTIVE), 3);
	assert_int_equal(preferred_after_failure(HN_PREFERRED_UPDATE_SUCCESS_ACTIVE), 1);
	assert_int_equal(preferred_after_failure(HN_PREFERRED_UPDATE_ALWAYS_LAST_DST), 1);
}

/* ---- V12: the scan period ---- */

static uint32_t period_after(enum hn_scan_reset rule, uint64_t allowed)
{
	struct search_fixture s;
	uint32_t period_ms;

	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	s.base.policy.scan_reset = rule;
	search_fixture_start(&s);
	search_fixture_fault(&s, A, 200, 800);
	search_fixture_allow(&s, allowed);
	hn_core_get_task(s.base.core, A)->scan_period_ms = 7000;
	search_fixture_pick(&s);
	period_ms = hn_core_get_task(s.base.core, A)->scan_period_ms;
	core_fixture_fini(&s.base);
	return period_ms;
}

/* Without resident pages the shortest period is scan_period_ms_min, 1000. */
static void test_scan_reset__at_numa_move(void **state)
{
	(void)state;
	assert_int_equal(period_after(HN_SCAN_RESET_AT_NUMA_MOVE, 255), 1000);
	assert_int_equal(period_after(HN_SCAN_RESET_AT_NUMA_MOVE, 1), 7000);
	assert_int_equal(period_after(HN_SCAN_RESET_AT_NODE_CHANGE, 255), 7000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pick_cpu__no_preferred_node),
		cmocka_unit_test(test_pick_cpu__on_preferred_node),
		cmocka_unit_test(test_pick_cpu__no_domain_gives_up_the_wish),
		cmocka_unit_test(test_stick__traced_since_v5_7),
		cmocka_unit_test(test_gate__free_capacity),
		cmocka_unit_test(test_gate__has_capacity_by_load),
		cmocka_unit_test(test_gate__task_capacity_by_cores),
		cmocka_unit_test(test_node_type__fewer_tasks_than_cpus_is_spare),
		cmocka_unit_test(test_node_type__low_use_is_spare),
		cmocka_unit_test(test_idle_core__siblings_are_asked),
		cmocka_unit_test(test_idle_core__self_test_takes_any),
		cmocka_unit_test(test_idle_core__without_the_hint_the_first_idle_cpu),
		cmocka_unit_test(test_other_nodes__second_best_without_a_group),
		cmocka_unit_test(test_other_nodes__both_lose),
		cmocka_unit_test(test_other_nodes__after_success_for_spread_groups_only),
		cmocka_unit_test(test_other_nodes__distance_of_the_node_before),
		cmocka_unit_test(test_other_nodes__memory_only_node_left_out_since_v5_19),
		cmocka_unit_test(test_preferred_update__always_last_dst),
		cmocka_unit_test(test_preferred_update__success_active),
		cmocka_unit_test(test_preferred_update__nid_active),
		cmocka_unit_test(test_preferred_update__last_dst_active_needs_two_nodes),
		cmocka_unit_test(test_preferred_update__best_node),
		cmocka_unit_test(test_preferred_update__without_success),
		cmocka_unit_test(test_scan_reset__at_numa_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
