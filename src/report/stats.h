/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stats.h - what a handful of runs say about a metric, as MMTests computes and compares it.
 *
 * Definitions, for values x_1 .. x_n:
 *
 *	Amean	sum(x) / n
 *	Hmean	n / sum(1 / x); NaN where a value is not positive. For rates: the mean rate of
 *		equal amounts of work.
 *	Stddev	sqrt(sum((x - Amean)^2) / (n - 1)); NaN for n < 2
 *	CoeffVar	100 * Stddev / Amean; 0 where Amean is 0; NaN for n < 2
 *	Pctile.P	the sorted value at index floor((n - 1) * P / 100 + 0.5)
 *
 * The 95 % interval of Amean is Amean -+ t * Stddev / sqrt(n), with t the 0.975 quantile of
 * Student's distribution with n - 1 degrees of freedom. That of Hmean is the interval of the
 * mean of the reciprocals, turned over; it is not symmetric, and has no upper end where
 * the reciprocals' interval reaches 0.
 *
 *	x = 10, 12, 14	Amean 12, Stddev 2, CoeffVar 16.67, t = 4.3027,
 *			interval 12 -+ 4.3027 * 2 / sqrt(3) = 12 -+ 4.97
 *
 * Gain: plus is better, always. Higher is better: (new / old - 1) * 100; lower is better:
 * (1 - new / old) * 100. Zero rules for old = 0: equal gives 0; else 100 for higher, -99
 * for lower. Unknown values give NaN.
 * DEVIATES: MMTests prints 0 for a rate that fell to 0, since 0 marks a missing value there;
 * here a missing value is NaN, and such a rate lost 100 %.
 *
 * Significant: the difference divided by the sum of the two half-widths that face each other is
 * larger than 1, that is, the intervals do not touch. Never with less than two runs on either
 * side. Without any variation on both sides each difference is significant.
 *
 * Source: MMTests, lib/MMTests/Stat.pm (calc_ functions, pdiff, pndiff, cidiff).
 * DEVIATES: MMTests takes the interval from a normal distribution in its latest form; with the
 * three to five runs that are usual here that is far too narrow.
 *
 * A NaN among the values makes everything NaN. Tests: tests/unit/test-stats.c. */
#ifndef HN_REPORT_STATS_H
#define HN_REPORT_STATS_H

#include "base/types.h"
#include "model/record.h"

/* A mean with the ends of its 95 % interval; ends are NaN for n < 2. */
struct hn_mean {
	double value;
	double low;
	double high; /* may be infinite */
};

struct hn_stats {
	uint32_t nr;
	double min;
	double max;
	double stddev;
	double coeffvar_pct;
	struct hn_mean amean;
	struct hn_mean hmean;
};

/* For nr = 0 all is NaN. */
struct hn_stats hn_stats_compute(const double *values, uint32_t nr);

/* The values must be in ascending order, nr > 0, 0 <= pct <= 100. */
double hn_stats_percentile(const double *sorted, uint32_t nr, double pct);

/* In percent; positive is better. */
double hn_stats_gain_pct(double old, double new, enum hn_better better);

bool hn_stats_is_significant(struct hn_mean old, struct hn_mean new);

#endif
