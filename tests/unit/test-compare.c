/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which CPU of a node is taken, and why not: one variant of the 2018 thread at a time (V1, V2, V4
 * to V7, V17). See compare-fixture.h for A, B, C and D. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare-fixture.h"

/* ---- V1: idle CPUs ---- */

static void test_idle_best_imp__takes_a_cpu_against_balance(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19_rc1(&s);
	compare_start_worse_balance(&s);
	/* CPU 5: 600 > 0; CPUs 6 and 7: 600 is not above 600. */
	compare_assert_move(search_fixture_pick(&s), 5, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(search_fixture_count(&s, HN_WHY_CPU_IDLE_NO_MAYMOVE), 2);
	core_fixture_fini(&s.base);
}

static void test_idle_maymove__minds_balance(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19_rc1(&s);
	s.base.policy.idle_cpu_rule = HN_IDLE_CPU_RULE_MAYMOVE;
	compare_start_worse_balance(&s);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(s.decision.why, HN_WHY_CPU_IDLE_NO_MAYMOVE);
	assert_int_equal(search_fixture_count(&s, HN_WHY_CPU_IDLE_NO_MAYMOVE), 3);
	core_fixture_fini(&s.base);
}

static void test_idle_maymove_best__minds_balance(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start_worse_balance(&s);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_false(s.decision.traces_stick);
	core_fixture_fini(&s.base);
}

/* before node0 [A 5 6 .] node1 [B . . .]; B (1000 : 0) gains 1000 by coming: swap 1600, move
 * 600. */
static void start_good_partner(struct search_fixture *s)
{
	compare_start(s);
	compare_load_source(s);
	search_fixture_run(s, 4, B);
	search_fixture_fault(s, B, 1000, 0);
}

static void test_idle_maymove__overwrites_a_better_swap(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.idle_cpu_rule = HN_IDLE_CPU_RULE_MAYMOVE;
	start_good_partner(&s);
	compare_assert_move(search_fixture_pick(&s), 7, 600, HN_WHY_MOVE_TO_IDLE);
	core_fixture_fini(&s.base);
}

static void test_idle_maymove_best__keeps_a_better_swap(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	start_good_partner(&s);
	compare_assert_swap(search_fixture_pick(&s), B, 1600, HN_WHY_MOVE_SWAP);
	assert_int_equal(s.decision.dst_cpu, 4);
	assert_true(s.decision.sets_migrate_on);
	assert_int_equal(search_fixture_count(&s, HN_WHY_CPU_IDLE_NO_GAIN), 3);
	core_fixture_fini(&s.base);
}

/* The boundary: equal gain is enough, so the last idle CPU wins, and each costs a sibling
 * search. */
static void test_idle_maymove_best__takes_equal_gain(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	compare_assert_move(search_fixture_pick(&s), 7, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(s.decision.nr_idle_searches, 4);
	/* Four CPUs of each node summed up, four compared. */
	assert_int_equal(s.decision.nr_cpus_examined, 12);
	core_fixture_fini(&s.base);
}

static void test_idle_maymove_best__refuses_a_loss(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	search_fixture_fault(&s, A, 501, 499);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(s.decision.why, HN_WHY_CPU_IDLE_NO_GAIN);
	core_fixture_fini(&s.base);
}

static void test_idle_classic__by_balance_in_the_new_order(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.idle_cpu_rule = HN_IDLE_CPU_RULE_CLASSIC;
	compare_start_worse_balance(&s);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_LOAD_IMBALANCED), 3);
	core_fixture_fini(&s.base);
}

/* ---- V2 and the sibling searches ---- */

static void test_stop_at_idle__first_idle_cpu_ends_the_node(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.stop_at_idle = true;
	compare_start(&s);
	compare_assert_move(search_fixture_pick(&s), 4, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(s.decision.nr_idle_searches, 1);
	assert_int_equal(s.decision.nr_cpus_examined, 9);
	core_fixture_fini(&s.base);
}

static void test_idle_sibling_per_cpu__off_searches_once(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.idle_sibling_per_cpu = false;
	compare_start(&s);
	compare_assert_move(search_fixture_pick(&s), 7, 600, HN_WHY_MOVE_TO_IDLE);
	assert_int_equal(s.decision.nr_idle_searches, 1);
	core_fixture_fini(&s.base);
}

/* ---- V5: small gains ---- */

/* Balanced loads, so idle CPUs are out. A: 490 : 509 of 999, +19; B: 505 : 495, +10. */
static void test_small_imp__twenty_nine_is_too_little(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	search_fixture_fault(&s, A, 490, 509);
	search_fixture_run(&s, 4, B);
	search_fixture_fault(&s, B, 505, 495);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_int_equal(search_fixture_count(&s, HN_WHY_SWAP_SMALL_GAIN), 1);
	core_fixture_fini(&s.base);
}

static void test_small_imp__thirty_is_enough(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start(&s);
	search_fixture_fault(&s, A, 490, 510);
	search_fixture_run(&s, 4, B);
	search_fixture_fault(&s, B, 505, 495);
	compare_assert_swap(search_fixture_pick(&s), B, 30, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

static void test_small_imp__off_takes_one(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.small_imp = 0;
	compare_start(&s);
	/* A -1 (500 : 499 of 999), B +2 (501 : 499). */
	search_fixture_fault(&s, A, 500, 499);
	search_fixture_run(&s, 4, B);
	search_fixture_fault(&s, B, 501, 499);
	compare_assert_swap(search_fixture_pick(&s), B, 1, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

/* B gains 20 + 80 = 100; C must exceed that by more than 15. */
static void start_two_partners(struct search_fixture *s, uint64_t c_on_0, uint64_t c_on_1)
{
	search_fixture_init(s, 2);
	search_fixture_use_v4_19(s);
	compare_start(s);
	search_fixture_run(s, 1, 5);
	search_fixture_fault(s, A, 490, 510);
	search_fixture_run(s, 4, B);
	search_fixture_fault(s, B, 540, 460);
	search_fixture_run(s, 5, C);
	search_fixture_fault(s, C, c_on_0, c_on_1);
}

static void test_small_imp__fifteen_above_the_best_is_too_little(void **state)
{
	struct search_fixture s;

	(void)state;
	start_two_partners(&s, 547, 452); /* of 999: +95 */
	compare_assert_swap(search_fixture_pick(&s), B, 100, HN_WHY_MOVE_SWAP);
	assert_int_equal(search_fixture_count(&s, HN_WHY_SWAP_NO_GAIN), 1);
	core_fixture_fini(&s.base);
}

static void test_small_imp__sixteen_above_the_best_is_enough(void **state)
{
	struct search_fixture s;

	(void)state;
	start_two_partners(&s, 548, 452); /* +96 */
	compare_assert_swap(search_fixture_pick(&s), C, 116, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

/* ---- V6: a move that beats a swap ---- */

static void test_move_imp_minus_one__on(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19_rc1(&s);
	compare_start_move_over_swap(&s);
	compare_assert_move(search_fixture_pick(&s), 4, 599, HN_WHY_MOVE_OVER_SWAP);
	assert_false(s.decision.sets_migrate_on);
	core_fixture_fini(&s.base);
}

static void test_move_imp_minus_one__off(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	compare_start_move_over_swap(&s);
	compare_assert_move(search_fixture_pick(&s), 4, 600, HN_WHY_MOVE_OVER_SWAP);
	core_fixture_fini(&s.base);
}

/* ---- V4: the target ---- */

/* As above, but A may also use CPU 6: a sibling search from busy CPU 4 finds it. CPU 7 is no
 * choice. */
static void test_idle_target__sibling_of_a_busy_cpu(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.stop_at_idle = true; /* so that CPU 6 itself is not reached */
	compare_start_move_over_swap(&s);
	search_fixture_allow(&s, ONLY_CPU(4) | ONLY_CPU(6));
	compare_assert_move(search_fixture_pick(&s), 6, 600, HN_WHY_MOVE_OVER_SWAP);
	core_fixture_fini(&s.base);
}

static void test_idle_target__late_leaves_a_busy_cpu(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.stop_at_idle = true;
	s.base.policy.idle_target = HN_IDLE_TARGET_SIBLING_LATE;
	compare_start_move_over_swap(&s);
	search_fixture_allow(&s, ONLY_CPU(4) | ONLY_CPU(6));
	compare_assert_move(search_fixture_pick(&s), 4, 600, HN_WHY_MOVE_OVER_SWAP);
	assert_int_equal(s.decision.nr_idle_searches, 0);
	core_fixture_fini(&s.base);
}

static void test_idle_target__cached_cpu_of_the_node(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	s.base.policy.idle_shortcut = false;
	s.base.policy.swap_skip_group_spare = false;
	s.view.imb_numa_nr = 4; /* nr_dst 2 <= 4, imbalance max(0, 2 - 2) = 0: may move */
	compare_start_move_over_swap(&s);
	search_fixture_allow(&s, ONLY_CPU(4) | ONLY_CPU(6));
	compare_assert_move(search_fixture_pick(&s), 6, 600, HN_WHY_MOVE_OVER_SWAP);
	assert_int_equal(s.decision.nr_idle_searches, 0);
	core_fixture_fini(&s.base);
}

/* ---- V7: gain of a partner with a group ---- */

/* A +20 without a group; B 700 : 300 (+400) is in a group with C (0 : 1000): 350 : 650 (-300). */
static void start_grouped_partner(struct search_fixture *s)
{
	compare_start(s);
	search_fixture_fault(s, A, 490, 510);
	search_fixture_run(s, 4, B);
	core_fixture_join_group(&s->base, B, 2);
	search_fixture_fault(s, B, 700, 300);
	search_fixture_fault(s, C, 0, 1000);
}

static void test_swap_gain__curr_group_counts_the_group(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	s.base.policy.swap_gain = HN_SWAP_GAIN_CURR_GROUP;
	start_grouped_partner(&s);
	/* 20 - 300 < 0 */
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	core_fixture_fini(&s.base);
}

static void test_swap_gain__both_groups_counts_the_task(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	start_grouped_partner(&s);
	compare_assert_swap(search_fixture_pick(&s), B, 420, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

/* A and B in one group: 420 - 420 / 16 = 394. */
static void start_one_group(struct search_fixture *s)
{
	search_fixture_start(s);
	core_fixture_join_group(&s->base, A, 2);
	search_fixture_fault(s, A, 490, 510);
	search_fixture_run(s, 4, B);
	search_fixture_fault(s, B, 700, 300);
}

static void test_swap_gain__inside_a_group_by_tasks_less_a_sixteenth(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v4_19(&s);
	start_one_group(&s);
	compare_assert_swap(search_fixture_pick(&s), B, 394, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

/* ---- V17 ---- */

/* Two tasks against none on the source would be an imbalance that no allowance covers. */
static void start_group_spare(struct search_fixture *s)
{
	s->base.policy.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_NONE;
	start_one_group(s);
}

static void test_swap_skip_group_spare__on(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start_group_spare(&s);
	assert_int_equal(search_fixture_pick(&s)->kind, HN_DECIDE_STICK);
	assert_true(s.decision.traces_stick);
	assert_int_equal(search_fixture_count(&s, HN_WHY_SWAP_GROUP_SPARE), 1);
	core_fixture_fini(&s.base);
}

static void test_swap_skip_group_spare__off(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	s.base.policy.swap_skip_group_spare = false;
	start_group_spare(&s);
	compare_assert_swap(search_fixture_pick(&s), B, 394, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

/* ---- swap_prefers ---- */

static void start_preferring(struct search_fixture *s, hn_nid preferred)
{
	compare_start(s);
	search_fixture_fault(s, A, 490, 510);
	search_fixture_run(s, 4, B);
	search_fixture_fault(s, B, 700, 300);
	hn_core_get_task(s->base.core, B)->preferred_nid = preferred;
	s->base.policy.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_NONE;
	s->base.policy.swap_skip_group_spare = false;
}

static void test_swap_prefers__partner_that_wants_here_counts_more(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start_preferring(&s, 0);
	/* 420 + 420 / 8; and the search stops there: CPUs 5 .. 7 are not compared. */
	compare_assert_swap(search_fixture_pick(&s), B, 472, HN_WHY_MOVE_SWAP);
	assert_int_equal(s.decision.nr_cpus_examined, 9);
	core_fixture_fini(&s.base);
}

static void test_swap_prefers__partner_at_home_counts_less(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start_preferring(&s, 1);
	compare_assert_swap(search_fixture_pick(&s), B, 394, HN_WHY_MOVE_SWAP);
	assert_int_equal(s.decision.nr_cpus_examined, 12);
	core_fixture_fini(&s.base);
}

/* B (+400) on CPU 4, C (+600) on CPU 5, nothing else allowed; the node may take A, but a move
 * gains only 20. */
static void start_two_preferring(struct search_fixture *s, uint64_t b_on_0, uint64_t c_on_0)
{
	compare_start(s);
	compare_load_source(s);
	search_fixture_fault(s, A, 490, 510);
	search_fixture_run(s, 4, B);
	search_fixture_run(s, 5, C);
	search_fixture_fault(s, B, b_on_0, 1000 - b_on_0);
	search_fixture_fault(s, C, c_on_0, 1000 - c_on_0);
	search_fixture_allow(s, ONLY_CPU(4) | ONLY_CPU(5));
	s->view.imb_numa_nr = 4;
	s->base.policy.swap_skip_group_spare = false;
}

static void test_swap_prefers__keeps_a_partner_that_wants_here(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start_two_preferring(&s, 700, 800);
	hn_core_get_task(s.base.core, B)->preferred_nid = 0;
	compare_assert_swap(search_fixture_pick(&s), B, 472, HN_WHY_MOVE_SWAP);
	assert_int_equal(search_fixture_count(&s, HN_WHY_SWAP_KEEPS_PREFERRED), 1);
	core_fixture_fini(&s.base);
}

static void test_swap_prefers__off_takes_the_larger_gain(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	s.base.policy.swap_prefers = false;
	start_two_preferring(&s, 700, 800);
	hn_core_get_task(s.base.core, B)->preferred_nid = 0;
	compare_assert_swap(search_fixture_pick(&s), C, 620, HN_WHY_MOVE_SWAP);
	core_fixture_fini(&s.base);
}

static void test_swap_prefers__partner_that_wants_here_replaces_a_better_one(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start_two_preferring(&s, 800, 700);
	hn_core_get_task(s.base.core, C)->preferred_nid = 0;
	compare_assert_swap(search_fixture_pick(&s), C, 472, HN_WHY_MOVE_SWAP_PREFERS);
	core_fixture_fini(&s.base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_best_imp__takes_a_cpu_against_balance),
		cmocka_unit_test(test_idle_maymove__minds_balance),
		cmocka_unit_test(test_idle_maymove_best__minds_balance),
		cmocka_unit_test(test_idle_maymove__overwrites_a_better_swap),
		cmocka_unit_test(test_idle_maymove_best__keeps_a_better_swap),
		cmocka_unit_test(test_idle_maymove_best__takes_equal_gain),
		cmocka_unit_test(test_idle_maymove_best__refuses_a_loss),
		cmocka_unit_test(test_idle_classic__by_balance_in_the_new_order),
		cmocka_unit_test(test_stop_at_idle__first_idle_cpu_ends_the_node),
		cmocka_unit_test(test_idle_sibling_per_cpu__off_searches_once),
		cmocka_unit_test(test_small_imp__twenty_nine_is_too_little),
		cmocka_unit_test(test_small_imp__thirty_is_enough),
		cmocka_unit_test(test_small_imp__off_takes_one),
		cmocka_unit_test(test_small_imp__fifteen_above_the_best_is_too_little),
		cmocka_unit_test(test_small_imp__sixteen_above_the_best_is_enough),
		cmocka_unit_test(test_move_imp_minus_one__on),
		cmocka_unit_test(test_move_imp_minus_one__off),
		cmocka_unit_test(test_idle_target__sibling_of_a_busy_cpu),
		cmocka_unit_test(test_idle_target__late_leaves_a_busy_cpu),
		cmocka_unit_test(test_idle_target__cached_cpu_of_the_node),
		cmocka_unit_test(test_swap_gain__curr_group_counts_the_group),
		cmocka_unit_test(test_swap_gain__both_groups_counts_the_task),
		cmocka_unit_test(test_swap_gain__inside_a_group_by_tasks_less_a_sixteenth),
		cmocka_unit_test(test_swap_skip_group_spare__on),
		cmocka_unit_test(test_swap_skip_group_spare__off),
		cmocka_unit_test(test_swap_prefers__partner_that_wants_here_counts_more),
		cmocka_unit_test(test_swap_prefers__partner_at_home_counts_less),
		cmocka_unit_test(test_swap_prefers__keeps_a_partner_that_wants_here),
		cmocka_unit_test(test_swap_prefers__off_takes_the_larger_gain),
		cmocka_unit_test(test_swap_prefers__partner_that_wants_here_replaces_a_better_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
