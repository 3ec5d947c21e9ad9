/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/stats.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#include "base/assert.h"

#define CONFIDENCE_UPPER 0.975 /* two-sided 95 % */

static bool has_nan(const double *values, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		if (isnan(values[i]))
			return true;
	}
	return false;
}

/* Half the width of the interval of a mean. */
static double half_width(double stddev, uint32_t nr)
{
	return gsl_cdf_tdist_Pinv(CONFIDENCE_UPPER, nr - 1) * stddev / sqrt(nr);
}

static struct hn_mean interval(double mean, double half)
{
	return (struct hn_mean){ .value = mean, .low = mean - half, .high = mean + half };
}

/* Mean and standard deviation of the reciprocals, in one pass each; values are positive. */
static void describe_reciprocals(const double *values, uint32_t nr, double *ret_mean,
				 double *ret_stddev)
{
	double mean = 0, squares = 0;

	for (uint32_t i = 0; i < nr; i++)
		mean += 1 / values[i];
	mean /= nr;
	for (uint32_t i = 0; i < nr; i++)
		squares += (1 / values[i] - mean) * (1 / values[i] - mean);
	*ret_mean = mean;
	*ret_stddev = nr > 1 ? sqrt(squares / (nr - 1)) : NAN;
}

static struct hn_mean harmonic_mean(const double *values, uint32_t nr, double min)
{
	struct hn_mean hmean = { NAN, NAN, NAN };
	double mean, stddev, half;

	if (!(min > 0))
		return hmean;
	describe_reciprocals(values, nr, &mean, &stddev);
	hmean.value = 1 / mean;
	if (nr < 2)
		return hmean;
	half = half_width(stddev, nr);
	hmean.low = 1 / (mean + half);
	hmean.high = mean > half ? 1 / (mean - half) : INFINITY;
	return hmean;
}

struct hn_stats hn_stats_compute(const double *values, uint32_t nr)
{
	struct hn_stats stats = {
		.nr = nr, .min = NAN, .max = NAN, .stddev = NAN, .coeffvar_pct = NAN,
		.amean = { NAN, NAN, NAN }, .hmean = { NAN, NAN, NAN },
	};
	double mean;

	if (nr == 0 || has_nan(values, nr))
		return stats;
	mean = gsl_stats_mean(values, 1, nr);
	gsl_stats_minmax(&stats.min, &stats.max, values, 1, nr);
	stats.amean.value = mean;
	stats.hmean = harmonic_mean(values, nr, stats.min);
	if (nr < 2)
		return stats;
	stats.stddev = gsl_stats_sd_m(values, 1, nr, mean);
	stats.coeffvar_pct = mean == 0 ? 0 : stats.stddev * 100 / mean;
	stats.amean = interval(mean, half_width(stats.stddev, nr));
	return stats;
}

double hn_stats_percentile(const double *sorted, uint32_t nr, double pct)
{
	hn_assert(nr > 0);
	hn_assert(pct >= 0);
	hn_assert(pct <= 100);
	return sorted[(uint32_t)((nr - 1) * pct / 100 + 0.5)];
}

double hn_stats_gain_pct(double old, double new, enum hn_better better)
{
	if (isnan(old) || isnan(new))
		return NAN;
	if (old == new)
		return 0;
	switch (better) {
	case HN_BETTER_HIGHER:
		return old == 0 ? 100 : (new / old - 1) * 100;
	case HN_BETTER_LOWER:
		return old == 0 ? -99 : (1 - new / old) * 100;
	}
	return NAN;
}

bool hn_stats_is_significant(struct hn_mean old, struct hn_mean new)
{
	double facing;

	if (new.value < old.value)
		facing = (new.high - new.value) + (old.value - old.low);
	else
		facing = (new.value - new.low) + (old.high - old.value);
	if (facing == 0)
		return old.value != new.value;
	return fabs(new.value - old.value) / facing > 1;
}
