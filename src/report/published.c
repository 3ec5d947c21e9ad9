/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/published.h"

#include <string.h>

#include "report/stats.h"

#define RUNS_MAX 1000

bool hn_published_agrees(double published_pct, double simulated_pct)
{
	bool is_published_small = published_pct < HN_PUBLISHED_NOISE_PCT &&
				  published_pct > -HN_PUBLISHED_NOISE_PCT;
	bool is_simulated_small = simulated_pct < HN_PUBLISHED_NOISE_PCT &&
				  simulated_pct > -HN_PUBLISHED_NOISE_PCT;

	if (is_published_small || is_simulated_small)
		return is_published_small && is_simulated_small;
	return (published_pct > 0) == (simulated_pct > 0);
}

static const struct hn_metric *find_metric(const struct hn_run_record *record, const char *name)
{
	for (uint32_t m = 0; m < record->nr_metrics; m++) {
		if (!strcmp(record->metrics[m].name, name))
			return &record->metrics[m];
	}
	return NULL;
}

/* The mean that judges: Amean of times, Hmean of rates. False where a run lacks the metric. */
static bool compute_mean(const struct hn_result_column *column, const char *name,
			 double *ret_mean, enum hn_better *ret_better)
{
	double values[RUNS_MAX];
	struct hn_stats stats;
	uint32_t nr = 0;

	for (; nr < column->nr_runs && nr < RUNS_MAX; nr++) {
		const struct hn_metric *metric = find_metric(&column->runs[nr]->record, name);

		if (!metric)
			return false;
		values[nr] = metric->value;
		*ret_better = metric->better;
	}
	stats = hn_stats_compute(values, nr);
	*ret_mean = *ret_better == HN_BETTER_LOWER ? stats.amean.value : stats.hmean.value;
	return nr > 0;
}

static const struct hn_result_column *find_column(const struct hn_result_group *group,
						  const char *policy)
{
	for (uint32_t c = 1; c < group->nr_columns; c++) {
		if (!strcmp(group->columns[c].policy, policy))
			return &group->columns[c];
	}
	return NULL;
}

static bool find_gain(const struct hn_published *published, const struct hn_result_group *groups,
		      uint32_t nr_groups, double *ret_gain_pct)
{
	for (uint32_t g = 0; g < nr_groups; g++) {
		const struct hn_result_column *column;
		enum hn_better better = HN_BETTER_LOWER;
		double old, new;

		if (strcmp(groups[g].scenario, published->scenario) ||
		    strcmp(groups[g].machine, published->machine))
			continue;
		column = find_column(&groups[g], published->policy);
		if (!column)
			continue;
		if (!compute_mean(&groups[g].columns[0], published->metric, &old, &better) ||
		    !compute_mean(column, published->metric, &new, &better))
			continue;
		*ret_gain_pct = hn_stats_gain_pct(old, new, better);
		return true;
	}
	return false;
}

static void add_row(const struct hn_published *published, double gain_pct, struct hn_strbuf *buf)
{
	hn_strbuf_addf(buf, "%-30s %-12s %-40s %-12s %9.2f %9.2f  %s\n", published->scenario,
		       published->machine, published->policy, published->metric,
		       published->gain_pct, gain_pct,
		       hn_published_agrees(published->gain_pct, gain_pct) ? "agrees" : "differs");
}

void hn_published_text(const struct hn_published *published, uint32_t nr_published,
		       const struct hn_result_group *groups, uint32_t nr_groups,
		       struct hn_strbuf *buf)
{
	uint32_t nr_rows = 0;
	uint32_t nr_agreeing = 0;

	for (uint32_t p = 0; p < nr_published; p++) {
		double gain_pct;

		if (!find_gain(&published[p], groups, nr_groups, &gain_pct))
			continue;
		if (!nr_rows++)
			hn_strbuf_addf(buf, "\n%-96s %9s %9s\n",
				       "gain in percent against the first policy", "published",
				       "simulated");
		nr_agreeing += hn_published_agrees(published[p].gain_pct, gain_pct);
		add_row(&published[p], gain_pct, buf);
	}
	if (nr_rows)
		hn_strbuf_addf(buf,
			       "%u of %u agree in direction (both within %.0f %%, or of one sign "
			       "and beyond it)\n",
			       nr_agreeing, nr_rows, HN_PUBLISHED_NOISE_PCT);
}
