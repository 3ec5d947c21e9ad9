/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Balance of loads (V8), reserved CPUs (V9), room on the node (V15, V16), refusals, and the
 * orders up to v4.18. See compare-fixture.h for A, B, C and D. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/compare-internal.h"
#include "compare-fixture.h"

/* ---- V8: balance of loads ---- */

static bool is_imbalanced(enum hn_too_imbalanced rule, uint64_t src_load, uint64_t dst_load,
			  int64_t load)
{
	struct hn_policy policy = { .too_imbalanced = rule };
	struct hn_core core = { .policy = &policy };
	struct hn_search search = {
		.core = &core,
		.imbalance_pct = 112,
		.src = { .load = src_load, .capacity = 1024 },
		.dst = { .load = dst_load, .capacity = 2048 },
	};

	return hn_compare_is_imbalanced(&search, load);
}

/* 212 : 0 becomes 112 : 100, 100 * 112 = 112 * 100: just balanced. 213 : 0 becomes 113 : 100. */
static void test_too_imbalanced__pct_simple(void **state)
{
	(void)state;
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_PCT_SIMPLE, 212, 0, 100));
	assert_true(is_imbalanced(HN_TOO_IMBALANCED_PCT_SIMPLE, 213, 0, 100));
}

/* 213 : 0 was worse before; 100 : 100 becomes 50 : 150, excess 9400 after -1200. */
static void test_too_imbalanced__pct_scaled_only_when_it_grows(void **state)
{
	(void)state;
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_PCT_SCALED, 213, 0, 100));
	assert_true(is_imbalanced(HN_TOO_IMBALANCED_PCT_SCALED, 100, 100, 50));
}

/* Destination twice as large: 100 : 100 becomes 50 : 150 (150 * 1024 * 100 = 15360000 against
 * 50 * 2048 * 112 = 11468800, excess 3891200, was -12697600): too far. 100 : 100 becomes 70 :
 * 130: 13312000 - 16056320 < 0: fine. */
static void test_too_imbalanced__pct_capacity(void **state)
{
	(void)state;
	assert_true(is_imbalanced(HN_TOO_IMBALANCED_PCT_CAPACITY, 100, 100, 50));
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_PCT_CAPACITY, 100, 100, 30));
}

/* The capacities do not change sides with the loads: 300 : 0 becomes 200 : 100. By capacity the
 * source is 400 % over; the rule compares 200 * 1024 * 100 with 100 * 2048 * 112 and sees none.
 */
static void test_too_imbalanced__pct_capacity_quirk(void **state)
{
	(void)state;
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_PCT_CAPACITY, 300, 0, 100));
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_PCT_CAPACITY, 200, 100, 0));
}

/* |dst * 1024 - src * 2048|: 30 : 0 is 61440; moving 20 gives 10 : 20, 0; moving 30 gives 0 : 30,
 * 30720. 10 : 20 is balanced, so any move is worse. 20 : 20 (20480) to 0 : 40 (40960): worse; to
 * 10 : 30 (10240): better. */
static void test_too_imbalanced__absolute(void **state)
{
	(void)state;
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_ABSOLUTE, 30, 0, 30));
	assert_true(is_imbalanced(HN_TOO_IMBALANCED_ABSOLUTE, 10, 20, 1));
	assert_true(is_imbalanced(HN_TOO_IMBALANCED_ABSOLUTE, 20, 20, 20));
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_ABSOLUTE, 20, 20, 10));
	/* The boundary: as large as before is fine. */
	assert_false(is_imbalanced(HN_TOO_IMBALANCED_ABSOLUTE, 20, 20, 0));
}

/* ---- V9: CPUs reserved ---- */

static void test_numa_migrate_on__reserved_cpu_is_left(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	s.cpus[7].is_numa_migrate_on = true;
	compare_assert_move(search_fixture_pick(&s), 6, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(search_fixture_count(&s, HN_WHY_CPU_MIGRATE_ON), 1);
	core_fixture_fini(&s.base);
}

static void test_numa_migrate_on__off_does_not_look(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.numa_migrate_on = false;
	compare_start(&s);
	s.cpus[7].is_numa_migrate_on = true;
	compare_assert_move(search_fixture_pick(&s), 7, 600, HN_WHY_MOVE_TO_IDLE);
	core_fixture_fini(&s.base);
}

/* One search in hand: CPU 6 is the node's cached CPU and has been reserved since. */
static struct hn_search make_search(struct search_fixture *s)
{
	return (struct hn_search){
		.core = s->base.core,
		.view = &s->view,
		.task = A,
		.dst_nid = 1,
		.dst = { .nid = 1, .idle_cpu = 6, .nr_cpus = 4 },
		.best_cpu = HN_CPU_NONE,
		.best_task = HN_TASK_NONE,
	};
}

static void test_numa_migrate_on__next_idle_cpu_in_ring_order(void **state)
{
	struct search_fixture s;
	struct hn_search search;
	struct hn_candidate cand = { .cpu = 5, .curr = HN_TASK_NONE, .imp = 7, .is_idle = true };

	(void)state;
	search_fixture_init(&s, 2);
	compare_start(&s);
	s.cpus[6].is_numa_migrate_on = true;
	search_fixture_run(&s, 7, B);
	search = make_search(&s);
	hn_compare_assign(&search, &cand);
	/* 6 is taken, 7 is busy, so the ring goes on at 4. */
	assert_int_equal(search.best_cpu, 4);
	assert_int_equal(search.best_imp, 7);
	core_fixture_fini(&s.base);
}

static void test_numa_migrate_on__own_reservation_blocks_until_v5_6(void **state)
{
	struct search_fixture s;
	struct hn_search search;
	struct hn_candidate cand = { .cpu = 6, .curr = HN_TASK_NONE, .imp = 7, .is_idle = true };

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	search = make_search(&s);
	search.best_cpu = 6;
	search.best_imp = 3;
	hn_compare_assign(&search, &cand);
	assert_int_equal(search.best_imp, 3);
	s.base.policy.idle_target = HN_IDLE_TARGET_NODE_CACHED;
	hn_compare_assign(&search, &cand);
	assert_int_equal(search.best_imp, 7);
	core_fixture_fini(&s.base);
}

/* ---- V15, V16 ---- */

static void test_idle_shortcut__takes_the_cached_cpu_unweighed(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	compare_start(&s);
	compare_assert_move(search_fixture_pick(&s), 4, 0, HN_WHY_MOVE_TO_IDLE_SHORTCUT);
	assert_int_equal(s.decision.nr_cpus_examined, 8);
	core_fixture_fini(&s.base);
}

static void test_idle_shortcut__off_compares(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	s.base.policy.idle_shortcut = false;
	compare_start(&s);
	compare_assert_move(search_fixture_pick(&s), 4, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(s.decision.nr_cpus_examined, 9);
	core_fixture_fini(&s.base);
}

/* A node of 16 CPUs with nr_dst tasks against a source with nr_src, A included. */
static bool may_move(enum hn_imbalance_allowance allowance, uint32_t nr_src, uint32_t nr_dst)
{
	struct search_fixture s;
	struct hn_search search;

	search_fixture_init(&s, 2);
	s.base.policy.imbalance_allowance = allowance;
	compare_start(&s);
	search_fixture_allow(&s, 1);
	s.view.imb_numa_nr = 5;
	search = make_search(&s);
	search.src.nr_running = nr_src;
	search.dst.nr_running = nr_dst;
	search.dst.nr_cpus = 16;
	search.dst.type = HN_NODE_HAS_SPARE;
	search.dst.idle_cpu = HN_CPU_NONE;
	hn_compare_node(&search);
	core_fixture_fini(&s.base);
	return search.may_move;
}

/* 3 : 1 becomes 2 : 2; 2 : 1 becomes 1 : 2. */
static void test_imbalance_allowance__none(void **state)
{
	(void)state;
	assert_true(may_move(HN_IMBALANCE_ALLOWANCE_NONE, 3, 1));
	assert_false(may_move(HN_IMBALANCE_ALLOWANCE_NONE, 2, 1));
}

/* Up to two tasks, A included, whatever the difference. */
static void test_imbalance_allowance__two_running(void **state)
{
	(void)state;
	assert_true(may_move(HN_IMBALANCE_ALLOWANCE_TWO_RUNNING, 1, 1));
	assert_false(may_move(HN_IMBALANCE_ALLOWANCE_TWO_RUNNING, 2, 2));
}

/* Below 16 / 4 = 4 tasks: 3 is, 4 is not; and the difference may be 2, not 3. */
static void test_imbalance_allowance__quarter(void **state)
{
	(void)state;
	assert_true(may_move(HN_IMBALANCE_ALLOWANCE_QUARTER, 2, 2));
	assert_false(may_move(HN_IMBALANCE_ALLOWANCE_QUARTER, 3, 3));
	assert_false(may_move(HN_IMBALANCE_ALLOWANCE_QUARTER, 1, 2));
}

/* Up to imb_numa_nr = 5 tasks. */
static void test_imbalance_allowance__imb_numa_nr(void **state)
{
	(void)state;
	assert_true(may_move(HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR, 4, 4));
	assert_false(may_move(HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR, 5, 5));
	assert_false(may_move(HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR, 3, 4));
}

/* ---- small refusals ---- */

static void test_partner__not_allowed_on_our_cpu(void **state)
{
	static const uint64_t only_4[1] = { 1 << 4 };
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	search_fixture_run(&s, 4, B);
	search_fixture_fault(&s, B, 1000, 0);
	s.cpus[4].curr_allowed = only_4;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_SWAP_NOT_ALLOWED), 1);
	core_fixture_fini(&s.base);
}

static void test_partner__self_is_none(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	search_fixture_allow(&s, ONLY_CPU(4));
	search_fixture_run(&s, 4, A);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_CPU_SELF), 1);
	core_fixture_fini(&s.base);
}

static void test_kthread_is_idle__on_and_off(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	compare_load_source(&s);
	search_fixture_allow(&s, ONLY_CPU(4));
	search_fixture_run(&s, 4, B);
	s.cpus[4].is_curr_kthread = true;
	/* B has no faults: the swap gains as much as the move, 600, and is no worse. */
	compare_assert_swap(search_fixture_pick(&s), B, 600, HN_WHY_MOVE_SWAP);
	s.base.policy.kthread_is_idle = true;
	compare_assert_move(search_fixture_pick(&s), 4, 600, HN_WHY_MOVE_TO_IDLE);
	core_fixture_fini(&s.base);
}

static void test_swap__loads_too_unequal(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	search_fixture_run(&s, 4, B);
	search_fixture_fault(&s, B, 1000, 0);
	s.cpus[4].curr_h_load = 1023; /* 1 goes over to 1024 : 1024 */
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_LOAD_IMBALANCED), 1);
	core_fixture_fini(&s.base);
}

/* ---- the classic orders ---- */

/* Strictly better only: the first idle CPU stays. One sibling search. */
static void test_v3_19__first_idle_cpu(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	compare_start(&s);
	compare_assert_move(search_fixture_pick(&s), 4, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(s.decision.nr_idle_searches, 1);
	assert_int_equal(search_fixture_count(&s, HN_WHY_CPU_IDLE_NO_GAIN), 3);
	core_fixture_fini(&s.base);
}

/* Four tasks for four CPUs on the destination, one on CPU 7 still idle; the source is not
 * crowded. */
static void test_v3_19__no_capacity(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	s.base.policy.node_gate = HN_NODE_GATE_NONE;
	compare_start(&s);
	search_fixture_allow(&s, ONLY_CPU(7));
	search_fixture_run(&s, 4, B);
	search_fixture_run(&s, 5, C);
	search_fixture_run(&s, 6, D);
	s.cpus[4].nr_running = 2;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_CPU_IDLE_NO_CAPACITY), 1);
	core_fixture_fini(&s.base);
}

/* One task on each CPU: balance does not matter, even with loads 1024 and 1. */
static void test_v3_19__alone_on_both_cpus(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	compare_start(&s);
	search_fixture_allow(&s, ONLY_CPU(4));
	search_fixture_run(&s, 4, B);
	search_fixture_fault(&s, B, 1000, 0);
	s.cpus[4].curr_h_load = 1;
	compare_assert_swap(search_fixture_pick(&s), B, 1600, HN_WHY_MOVE_SWAP);
	s.cpus[4].nr_running = 2;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_LOAD_IMBALANCED), 1);
	core_fixture_fini(&s.base);
}

/* 3072 : 1024 becomes 2048 : 2048. */
static void test_v3_19__move_over_swap(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	compare_start_move_over_swap(&s);
	compare_assert_move(search_fixture_pick(&s), 4, 599, HN_WHY_MOVE_OVER_SWAP);
	core_fixture_fini(&s.base);
}

static void test_v3_19__small_swap_loses(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_9(&s);
	compare_start_worse_balance(&s);
	search_fixture_allow(&s, ONLY_CPU(4));
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_SWAP_NO_GAIN), 1);
	core_fixture_fini(&s.base);
}

/* Loads are scaled by the nodes' power, A's own load is not: 4096 -> 1024 and 3072 -> 768, A 100:
 * 924 : 868, 868 * 112 >= 92400. Equal gain replaces: idle CPU 6, then 7. */
static void start_v3_13(struct search_fixture *s)
{
	search_fixture_init(s, 2);
	search_fixture_use_v3_13(s);
	compare_start(s);
	for (hn_cpu cpu = 1; cpu < 6; cpu++)
		search_fixture_run(s, cpu, cpu);
	s->cpus[4].load = 2048; /* two tasks' worth by one: nr_running 2 of 4 */
	s->view.task_h_load = 100;
	search_fixture_allow(s, ONLY_CPU(6) | ONLY_CPU(7));
}

static void test_v3_13__equal_gain_replaces(void **state)
{
	struct search_fixture s;

	(void)state;
	start_v3_13(&s);
	compare_assert_move(search_fixture_pick(&s), 7, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(s.decision.nr_idle_searches, 0);
	core_fixture_fini(&s.base);
}

/* A 128: 896 : 896 is balanced; A 200: 824 : 968, 824 * 112 = 92288 < 96800. */
static void test_v3_13__balance_of_scaled_loads(void **state)
{
	struct search_fixture s;

	(void)state;
	start_v3_13(&s);
	s.view.task_h_load = 200;
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_LOAD_IMBALANCED), 2);
	core_fixture_fini(&s.base);
}

/* The group would lose 100 (A 200 : 800 with B 900 : 0, 1100 : 800 of 1900, 578 : 421): the
 * task's own 600 counts instead. */
static void test_v3_13__negative_group_gain_falls_back_to_the_task(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v3_13(&s);
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, A, 2);
	search_fixture_fault(&s, A, 200, 800);
	search_fixture_fault(&s, B, 900, 0);
	s.view.task_h_load = 0;
	s.cpus[0].load = 0; /* nothing to unbalance */
	compare_assert_move(search_fixture_pick(&s), 7, 600, HN_WHY_MOVE_TO_IDLE);
	core_fixture_fini(&s.base);
}

/* B and C gain the same: the later one wins. In v3.19 the first stays. */
static void test_v3_13__equal_swap_replaces(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v3_13(&s);
	compare_start(&s);
	search_fixture_allow(&s, ONLY_CPU(4) | ONLY_CPU(5));
	search_fixture_run(&s, 4, B);
	search_fixture_run(&s, 5, C);
	compare_assert_swap(search_fixture_pick(&s), C, 600, HN_WHY_MOVE_SWAP);
	s.base.policy.compare_order = HN_COMPARE_ORDER_V3_19;
	compare_assert_swap(search_fixture_pick(&s), B, 600, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_imbalanced__pct_simple),
		cmocka_unit_test(test_too_imbalanced__pct_scaled_only_when_it_grows),
		cmocka_unit_test(test_too_imbalanced__pct_capacity),
		cmocka_unit_test(test_too_imbalanced__pct_capacity_quirk),
		cmocka_unit_test(test_too_imbalanced__absolute),
		cmocka_unit_test(test_numa_migrate_on__reserved_cpu_is_left),
		cmocka_unit_test(test_numa_migrate_on__off_does_not_look),
		cmocka_unit_test(test_numa_migrate_on__next_idle_cpu_in_ring_order),
		cmocka_unit_test(test_numa_migrate_on__own_reservation_blocks_until_v5_6),
		cmocka_unit_test(test_idle_shortcut__takes_the_cached_cpu_unweighed),
		cmocka_unit_test(test_idle_shortcut__off_compares),
		cmocka_unit_test(test_imbalance_allowance__none),
		cmocka_unit_test(test_imbalance_allowance__two_running),
		cmocka_unit_test(test_imbalance_allowance__quarter),
		cmocka_unit_test(test_imbalance_allowance__imb_numa_nr),
		cmocka_unit_test(test_partner__not_allowed_on_our_cpu),
		cmocka_unit_test(test_partner__self_is_none),
		cmocka_unit_test(test_kthread_is_idle__on_and_off),
		cmocka_unit_test(test_swap__loads_too_unequal),
		cmocka_unit_test(test_v3_19__first_idle_cpu),
		cmocka_unit_test(test_v3_19__no_capacity),
		cmocka_unit_test(test_v3_19__alone_on_both_cpus),
		cmocka_unit_test(test_v3_19__move_over_swap),
		cmocka_unit_test(test_v3_19__small_swap_loses),
		cmocka_unit_test(test_v3_13__equal_gain_replaces),
		cmocka_unit_test(test_v3_13__balance_of_scaled_loads),
		cmocka_unit_test(test_v3_13__negative_group_gain_falls_back_to_the_task),
		cmocka_unit_test(test_v3_13__equal_swap_replaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
