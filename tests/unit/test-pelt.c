/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: the decaying sums are the kernel's, to the unit. Expected values by hand from
 * y = 2^(-1/32): y = 0.978572, y^2 = 0.957603. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/pelt.h"

#define SEGMENT_NS ((hn_time_ns)HN_PELT_SEGMENT << 10)

static void test_decay__one_segment(void **state HN_UNUSED)
{
	/* 1024 * 0.978572 = 1002.06 */
	assert_int_equal(hn_pelt_decay(1024, 1), 1002);
}

static void test_decay__half_life_is_one_less_than_half(void **state HN_UNUSED)
{
	/* 500 * (2^32 - 1) / 2^32 = 499.9999 */
	assert_int_equal(hn_pelt_decay(1000, 32), 499);
	assert_int_equal(hn_pelt_decay(1000, 64), 249);
}

static void test_decay__wide_sums(void **state HN_UNUSED)
{
	/* 2^39 * (2^32 - 1) / 2^32 = 2^39 - 2^7 */
	assert_int_equal(hn_pelt_decay(UINT64_C(1) << 40, 32), (UINT64_C(1) << 39) - 128);
}

static void test_decay__nothing_left_after_63_halvings(void **state HN_UNUSED)
{
	assert_int_equal(hn_pelt_decay(UINT64_MAX, 32 * 63 + 1), 0);
	assert_int_not_equal(hn_pelt_decay(UINT64_MAX, 32 * 62), 0);
}

static void test_max__is_the_limit_of_full_segments(void **state HN_UNUSED)
{
	uint64_t sum = 0;

	for (int i = 0; i < 1000; i++)
		sum = hn_pelt_decay(sum, 1) + HN_PELT_SEGMENT;
	assert_int_equal(sum, HN_PELT_MAX);
}

static void test_contribution__inside_a_segment_is_the_span(void **state HN_UNUSED)
{
	assert_int_equal(hn_pelt_contribution(100, 100), 0);
	assert_int_equal(hn_pelt_contribution(100, 1023), 923);
}

static void test_contribution__over_one_boundary(void **state HN_UNUSED)
{
	/* 24 units before it: 24 * y = 23.5; full 47742 - 46718.98 - 1024: the limit is 1024 short
	 * of itself after one segment, so rounding leaves 0; 76 after it */
	assert_int_equal(hn_pelt_contribution(1000, 1100), 23 + 0 + 76);
}

static void test_contribution__over_two_boundaries(void **state HN_UNUSED)
{
	/* 1024 * y^2 = 980; 47742 - 45717 - 1024 = 1001; 10 */
	assert_int_equal(hn_pelt_contribution(1024, 3082), 980 + 1001 + 10);
}

static void test_advance__decays_and_adds(void **state HN_UNUSED)
{
	struct hn_pelt pelt = { .at_units = 0, .sums = { [HN_PELT_LOAD] = 1000 } };
	struct hn_pelt_rate rate = { .per_unit = { [HN_PELT_LOAD] = 1, [HN_PELT_UTIL] = 1024 } };

	hn_pelt_advance(&pelt, 2 * SEGMENT_NS + (10 << 10), &rate);
	assert_int_equal(pelt.at_units, 2058);
	assert_int_equal(pelt.sums[HN_PELT_LOAD], 957 + 1991);
	assert_int_equal(pelt.sums[HN_PELT_UTIL], 1991 * 1024);
	assert_int_equal(pelt.sums[HN_PELT_RUNNABLE], 0);
}

static void test_advance__part_of_a_unit_is_not_lost(void **state HN_UNUSED)
{
	struct hn_pelt pelt = { .at_units = 0 };
	struct hn_pelt_rate rate = { .per_unit = { [HN_PELT_LOAD] = 1 } };

	for (hn_time_ns now_ns = 0; now_ns <= 10240; now_ns += 1000)
		hn_pelt_advance(&pelt, now_ns, &rate);
	hn_pelt_advance(&pelt, 10240, &rate);
	assert_int_equal(pelt.sums[HN_PELT_LOAD], 10);
}

static void test_avg__always_on_is_the_full_value(void **state HN_UNUSED)
{
	struct hn_pelt pelt = { .at_units = 0 };
	struct hn_pelt_rate rate = { .per_unit = { [HN_PELT_LOAD] = 1024, [HN_PELT_UTIL] = 1024 } };

	/* sum 46718 * 1024, divisor 46718 */
	hn_pelt_advance(&pelt, 1000 * SEGMENT_NS, &rate);
	assert_int_equal(hn_pelt_avg(&pelt, HN_PELT_LOAD), 1024);
	assert_int_equal(hn_pelt_avg(&pelt, HN_PELT_UTIL), 1024);
	assert_int_equal(hn_pelt_avg(&pelt, HN_PELT_RUNNABLE), 0);
}

static void test_divider__follows_the_open_segment(void **state HN_UNUSED)
{
	assert_int_equal(hn_pelt_divider(0), 46718);
	assert_int_equal(hn_pelt_divider(1023), 47741);
	assert_int_equal(hn_pelt_divider(1024), 46718);
}

static void test_sub__stops_at_zero(void **state HN_UNUSED)
{
	struct hn_pelt pelt = { .sums = { [HN_PELT_UTIL] = 5 } };

	hn_pelt_sub(&pelt, HN_PELT_UTIL, 5);
	assert_int_equal(pelt.sums[HN_PELT_UTIL], 0);
	hn_pelt_add(&pelt, HN_PELT_UTIL, 3);
	hn_pelt_sub(&pelt, HN_PELT_UTIL, 4);
	assert_int_equal(pelt.sums[HN_PELT_UTIL], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decay__one_segment),
		cmocka_unit_test(test_decay__half_life_is_one_less_than_half),
		cmocka_unit_test(test_decay__wide_sums),
		cmocka_unit_test(test_decay__nothing_left_after_63_halvings),
		cmocka_unit_test(test_max__is_the_limit_of_full_segments),
		cmocka_unit_test(test_contribution__inside_a_segment_is_the_span),
		cmocka_unit_test(test_contribution__over_one_boundary),
		cmocka_unit_test(test_contribution__over_two_boundaries),
		cmocka_unit_test(test_advance__decays_and_adds),
		cmocka_unit_test(test_advance__part_of_a_unit_is_not_lost),
		cmocka_unit_test(test_avg__always_on_is_the_full_value),
		cmocka_unit_test(test_divider__follows_the_open_segment),
		cmocka_unit_test(test_sub__stops_at_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
