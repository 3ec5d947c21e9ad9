/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: statistics have the values of their definitions in report/stats.h. Expected values are
 * worked by hand; quantiles of Student's distribution are those of printed tables: 0.975 with 1
 * degree of freedom 12.7062, with 2 4.30265, with 4 2.77645. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "report/stats.h"

#define EPS 1e-4

static struct hn_mean mean_of(double value, double low, double high)
{
	return (struct hn_mean){ value, low, high };
}

/* 10 12 14: mean 36 / 3; squares of the distances 4 0 4, over n - 1 = 2 gives variance 4;
 * CoeffVar 200 / 12; half-width 4.30265 * 2 / sqrt(3) = 4.96827. */
static void test_compute__three_values(void **state)
{
	const double values[] = { 14, 10, 12 };
	struct hn_stats stats = hn_stats_compute(values, 3);

	(void)state;
	assert_int_equal(stats.nr, 3);
	assert_float_equal(stats.min, 10, 0);
	assert_float_equal(stats.max, 14, 0);
	assert_float_equal(stats.amean.value, 12, EPS);
	assert_float_equal(stats.stddev, 2, EPS);
	assert_float_equal(stats.coeffvar_pct, 16.66667, EPS);
	assert_float_equal(stats.amean.low, 12 - 4.96827, EPS);
	assert_float_equal(stats.amean.high, 12 + 4.96827, EPS);
}

/* 1 2 3 4 5: mean 3, variance 10 / 4, half-width 2.77645 * sqrt(2.5) / sqrt(5) = 1.96325. */
static void test_compute__interval_of_five(void **state)
{
	const double values[] = { 1, 2, 3, 4, 5 };
	struct hn_stats stats = hn_stats_compute(values, 5);

	(void)state;
	assert_float_equal(stats.stddev, 1.58114, EPS);
	assert_float_equal(stats.amean.low, 3 - 1.96325, EPS);
	assert_float_equal(stats.amean.high, 3 + 1.96325, EPS);
}

/* 40 and 60: 2 / (1/40 + 1/60) = 48. */
static void test_hmean__two_rates(void **state)
{
	const double values[] = { 40, 60 };

	(void)state;
	assert_float_equal(hn_stats_compute(values, 2).hmean.value, 48, EPS);
}

/* 90 100 110: reciprocals 0.0111111 0.01 0.0090909, mean 0.0100673, distances 0.0010438
 * -0.0000673 -0.0009764, variance 2.04743e-6 / 2, deviation 0.00101179; half-width
 * 4.30265 * 0.00101179 / sqrt(3) = 0.00251343. Ends 1 / 0.0125808 and 1 / 0.0075539. */
static void test_hmean__interval_is_turned_over(void **state)
{
	const double values[] = { 90, 100, 110 };
	struct hn_mean hmean = hn_stats_compute(values, 3).hmean;

	(void)state;
	assert_float_equal(hmean.value, 99.3311, 1e-3);
	assert_float_equal(hmean.low, 79.487, 0.01);
	assert_float_equal(hmean.high, 132.382, 0.01);
}

/* 1 and 100: reciprocals 1 and 0.01, deviation 0.70, half-width 6.29 > mean 0.505. */
static void test_hmean__interval_without_upper_end(void **state)
{
	const double values[] = { 1, 100 };
	struct hn_mean hmean = hn_stats_compute(values, 2).hmean;

	(void)state;
	assert_true(isinf(hmean.high));
	assert_true(hmean.low > 0);
}

static void test_hmean__value_not_positive(void **state)
{
	const double values[] = { 5, 0 };

	(void)state;
	assert_true(isnan(hn_stats_compute(values, 2).hmean.value));
	assert_float_equal(hn_stats_compute(values, 2).amean.value, 2.5, EPS);
}

static void test_compute__one_value(void **state)
{
	const double value = 7;
	struct hn_stats stats = hn_stats_compute(&value, 1);

	(void)state;
	assert_float_equal(stats.amean.value, 7, 0);
	assert_float_equal(stats.hmean.value, 7, EPS);
	assert_true(isnan(stats.stddev));
	assert_true(isnan(stats.amean.low));
}

static void test_compute__no_value(void **state)
{
	(void)state;
	assert_true(isnan(hn_stats_compute(NULL, 0).amean.value));
	assert_true(isnan(hn_stats_compute(NULL, 0).min));
}

static void test_compute__nan_spreads(void **state)
{
	const double values[] = { 1, NAN, 3 };

	(void)state;
	assert_true(isnan(hn_stats_compute(values, 3).amean.value));
	assert_true(isnan(hn_stats_compute(values, 3).max));
}

static void test_compute__mean_zero(void **state)
{
	const double values[] = { 0, 0 };

	(void)state;
	assert_float_equal(hn_stats_compute(values, 2).coeffvar_pct, 0, 0);
}

/* Index floor((n - 1) * p / 100 + 0.5) of five: p 0 -> 0, 50 -> 2, 62 -> floor(2.98) = 2,
 * 63 -> floor(3.02) = 3, 100 -> 4. */
static void test_percentile__nearest_rank(void **state)
{
	const double sorted[] = { 1, 2, 4, 8, 16 };

	(void)state;
	assert_float_equal(hn_stats_percentile(sorted, 5, 0), 1, 0);
	assert_float_equal(hn_stats_percentile(sorted, 5, 50), 4, 0);
	assert_float_equal(hn_stats_percentile(sorted, 5, 62), 4, 0);
	assert_float_equal(hn_stats_percentile(sorted, 5, 63), 8, 0);
	assert_float_equal(hn_stats_percentile(sorted, 5, 100), 16, 0);
}

/* The table in the conventions of MMTests: 120.50 to 101.30 is 15.93 % better, Stddev 2.10 to
 * 3.90 is 85.71 % worse; a rate from 26524.18 to 26480.70 lost 0.16 %. */
static void test_gain__plus_is_better(void **state)
{
	(void)state;
	assert_float_equal(hn_stats_gain_pct(120.50, 101.30, HN_BETTER_LOWER), 15.9336, EPS);
	assert_float_equal(hn_stats_gain_pct(2.10, 3.90, HN_BETTER_LOWER), -85.7143, EPS);
	assert_float_equal(hn_stats_gain_pct(26524.18, 26480.70, HN_BETTER_HIGHER), -0.1639,
			   EPS);
	assert_float_equal(hn_stats_gain_pct(50, 75, HN_BETTER_HIGHER), 50, EPS);
}

static void test_gain__zero_rules(void **state)
{
	(void)state;
	assert_float_equal(hn_stats_gain_pct(0, 0, HN_BETTER_LOWER), 0, 0);
	assert_float_equal(hn_stats_gain_pct(0, 5, HN_BETTER_LOWER), -99, 0);
	assert_float_equal(hn_stats_gain_pct(0, 5, HN_BETTER_HIGHER), 100, 0);
	assert_float_equal(hn_stats_gain_pct(5, 0, HN_BETTER_LOWER), 100, EPS);
	assert_float_equal(hn_stats_gain_pct(5, 0, HN_BETTER_HIGHER), -100, EPS);
	assert_true(isnan(hn_stats_gain_pct(NAN, 5, HN_BETTER_LOWER)));
	assert_true(isnan(hn_stats_gain_pct(5, NAN, HN_BETTER_LOWER)));
}

/* 10 -+ 1 and 13: facing half-widths 1 + 2 = 3, difference 3: touching is not significant; with
 * 1.9 it is 3 / 2.9. */
static void test_significant__boundary(void **state)
{
	(void)state;
	assert_false(hn_stats_is_significant(mean_of(10, 9, 11), mean_of(13, 11, 15)));
	assert_true(hn_stats_is_significant(mean_of(10, 9, 11), mean_of(13, 11.1, 15)));
}

/* Downwards the other ends face each other: old 10 .. 6 below, new 7 .. 7.5 above:
 * 3 / (4 + 0.5) < 1 although the ends that look away are near. */
static void test_significant__facing_ends_count(void **state)
{
	(void)state;
	assert_false(hn_stats_is_significant(mean_of(10, 6, 10.1), mean_of(7, 6.9, 7.5)));
	assert_true(hn_stats_is_significant(mean_of(10, 9, 20), mean_of(7, 1, 7.5)));
}

static void test_significant__no_variation(void **state)
{
	(void)state;
	assert_true(hn_stats_is_significant(mean_of(10, 10, 10), mean_of(11, 11, 11)));
	assert_false(hn_stats_is_significant(mean_of(10, 10, 10), mean_of(10, 10, 10)));
}

static void test_significant__unknown_interval(void **state)
{
	(void)state;
	assert_false(hn_stats_is_significant(mean_of(10, NAN, NAN), mean_of(99, 98, 100)));
	assert_false(hn_stats_is_significant(mean_of(10, 9, INFINITY), mean_of(99, 98, 100)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compute__three_values),
		cmocka_unit_test(test_compute__interval_of_five),
		cmocka_unit_test(test_hmean__two_rates),
		cmocka_unit_test(test_hmean__interval_is_turned_over),
		cmocka_unit_test(test_hmean__interval_without_upper_end),
		cmocka_unit_test(test_hmean__value_not_positive),
		cmocka_unit_test(test_compute__one_value),
		cmocka_unit_test(test_compute__no_value),
		cmocka_unit_test(test_compute__nan_spreads),
		cmocka_unit_test(test_compute__mean_zero),
		cmocka_unit_test(test_percentile__nearest_rank),
		cmocka_unit_test(test_gain__plus_is_better),
		cmocka_unit_test(test_gain__zero_rules),
		cmocka_unit_test(test_significant__boundary),
		cmocka_unit_test(test_significant__facing_ends_count),
		cmocka_unit_test(test_significant__no_variation),
		cmocka_unit_test(test_significant__unknown_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
