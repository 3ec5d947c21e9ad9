/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/table-internal.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "report/stats.h"

#define NR_STATISTICS 5
#define NR_DURATIONS 3
#define NR_SHARES 6
#define WHOLE_RUN 0.0 /* in place of a point of the run */
#define SMALL_VALUE 1.0 /* metrics below have four decimals instead of two */

enum statistic { STAT_MIN, STAT_MEAN, STAT_STDDEV, STAT_COEFFVAR, STAT_MAX };

/* One metric of the table, over all columns. */
struct table_metric {
	const char *name;
	enum hn_better better;
	uint32_t nr_decimals;
	struct hn_stats *stats; /* by column */
};

/* Counters that are printed unless all are asked for; those that stayed 0 are left out. */
static const enum hn_counter usual_counters[] = {
	HN_COUNT_NUMA_PTE_UPDATES, HN_COUNT_NUMA_HUGE_PTE_UPDATES, HN_COUNT_NUMA_HINT_FAULTS,
	HN_COUNT_NUMA_HINT_FAULTS_LOCAL, HN_COUNT_NUMA_PAGES_MIGRATED,
	HN_COUNT_PGPROMOTE_SUCCESS, HN_COUNT_SCHED_MOVE_NUMA, HN_COUNT_SCHED_SWAP_NUMA,
	HN_COUNT_SCHED_STICK_NUMA, HN_COUNT_SCHED_MIGRATE_TASK,
};

/* Points of a run at which its local share is shown, in percent of its length. */
static const struct share_point {
	const char *name;
	double pct;
} share_points[NR_SHARES - 1] = {
	{ "at-10%", 10 }, { "at-25%", 25 }, { "at-50%", 50 }, { "at-75%", 75 },
	{ "at-100%", 100 },
};

static const struct hn_metric *find_metric(const struct hn_run_record *record, const char *name)
{
	for (uint32_t m = 0; m < record->nr_metrics; m++) {
		if (!strcmp(record->metrics[m].name, name))
			return &record->metrics[m];
	}
	return NULL;
}

static uint32_t count_metrics(const struct table_build *build)
{
	uint32_t nr = 0;

	for (uint32_t c = 0; c < build->nr_columns; c++) {
		for (uint32_t r = 0; r < build->columns[c]->nr_runs; r++)
			nr += build->columns[c]->runs[r]->record.nr_metrics;
	}
	return nr;
}

uint32_t table_count_rows(const struct table_build *build)
{
	/* Each metric of each run counts here: more than the distinct names, but a plain bound. */
	return count_metrics(build) * NR_STATISTICS + NR_DURATIONS + HN_NR_COUNTERS + HN_NR_WHY +
	       NR_SHARES;
}

static struct hn_stats compute_column(const struct table_build *build,
				      const struct hn_result_column *column, const char *name)
{
	double *values = HN_ARENA_ARRAY(build->arena, double, column->nr_runs);
	uint32_t nr = 0;

	for (uint32_t r = 0; r < column->nr_runs; r++) {
		const struct hn_metric *metric = find_metric(&column->runs[r]->record, name);

		if (metric)
			values[nr++] = metric->value;
	}
	return hn_stats_compute(values, nr);
}

static void compute_metric(const struct table_build *build, const struct hn_metric *from,
			   struct table_metric *metric)
{
	double largest = 0;

	metric->name = from->name;
	metric->better = from->better;
	metric->stats = HN_ARENA_ARRAY(build->arena, struct hn_stats, build->nr_columns);
	for (uint32_t c = 0; c < build->nr_columns; c++) {
		metric->stats[c] = compute_column(build, build->columns[c], from->name);
		largest = fmax(largest, fabs(metric->stats[c].amean.value));
	}
	metric->nr_decimals = largest > 0 && largest < SMALL_VALUE ? 4 : 2;
}

static bool has_metric(const struct table_metric *metrics, uint32_t nr, const char *name)
{
	for (uint32_t m = 0; m < nr; m++) {
		if (!strcmp(metrics[m].name, name))
			return true;
	}
	return false;
}

/* The distinct metrics, in the order in which runs name them. */
static uint32_t list_metrics(const struct table_build *build, struct table_metric **ret_metrics)
{
	struct table_metric *metrics = HN_ARENA_ARRAY(build->arena, struct table_metric,
						      count_metrics(build));
	uint32_t nr = 0;

	for (uint32_t c = 0; c < build->nr_columns; c++) {
		for (uint32_t r = 0; r < build->columns[c]->nr_runs; r++) {
			const struct hn_run_record *record = &build->columns[c]->runs[r]->record;

			for (uint32_t m = 0; m < record->nr_metrics; m++) {
				if (!has_metric(metrics, nr, record->metrics[m].name))
					compute_metric(build, &record->metrics[m],
						       &metrics[nr++]);
			}
		}
	}
	*ret_metrics = metrics;
	return nr;
}

static struct hn_table_row *add_row(struct table_build *build, const char *label,
				    const char *name)
{
	struct hn_table_row *row;

	hn_assert(build->table.nr_rows < build->nr_rows_max);
	row = &build->table.rows[build->table.nr_rows++];
	row->label = label;
	row->name = name;
	row->nr_decimals = 2;
	row->cells = HN_ARENA_ARRAY(build->arena, struct hn_table_cell, build->nr_columns);
	return row;
}

static const struct hn_mean *pick_mean(const struct hn_stats *stats, enum hn_better better)
{
	return better == HN_BETTER_HIGHER ? &stats->hmean : &stats->amean;
}

static double pick_statistic(const struct hn_stats *stats, enum statistic which,
			     enum hn_better better)
{
	switch (which) {
	case STAT_MIN: return stats->min;
	case STAT_MEAN: return pick_mean(stats, better)->value;
	case STAT_STDDEV: return stats->stddev;
	case STAT_COEFFVAR: return stats->coeffvar_pct;
	case STAT_MAX: return stats->max;
	}
	return NAN;
}

static const char *label_statistic(enum statistic which, enum hn_better better)
{
	switch (which) {
	case STAT_MIN: return "Min";
	case STAT_MEAN: return better == HN_BETTER_HIGHER ? "Hmean" : "Amean";
	case STAT_STDDEV: return "Stddev";
	case STAT_COEFFVAR: return "CoeffVar";
	case STAT_MAX: return "Max";
	}
	return "";
}

static void add_statistic(struct table_build *build, const struct table_metric *metric,
			  enum statistic which)
{
	bool is_spread = which == STAT_STDDEV || which == STAT_COEFFVAR;
	enum hn_better better = is_spread ? HN_BETTER_LOWER : metric->better;
	struct hn_table_row *row = add_row(build, label_statistic(which, metric->better),
					   metric->name);

	row->has_gain = true;
	row->is_mean = which == STAT_MEAN;
	row->better = metric->better;
	row->nr_decimals = which == STAT_COEFFVAR ? 2 : metric->nr_decimals;
	for (uint32_t c = 0; c < build->nr_columns; c++) {
		struct hn_table_cell *cell = &row->cells[c];

		cell->value = pick_statistic(&metric->stats[c], which, metric->better);
		cell->gain_pct = hn_stats_gain_pct(row->cells[0].value, cell->value, better);
		if (row->is_mean && c > 0)
			cell->is_significant = hn_stats_is_significant(
				*pick_mean(&metric->stats[0], metric->better),
				*pick_mean(&metric->stats[c], metric->better));
	}
}

static void add_statistics(struct table_build *build)
{
	struct table_metric *metrics;
	uint32_t nr_metrics = list_metrics(build, &metrics);
	bool is_single = true;

	for (uint32_t c = 0; c < build->nr_columns; c++)
		is_single = is_single && build->columns[c]->nr_runs == 1;
	for (int which = STAT_MIN; which <= STAT_MAX; which++) {
		if (is_single && which != STAT_MEAN)
			continue;
		for (uint32_t m = 0; m < nr_metrics; m++)
			add_statistic(build, &metrics[m], (enum statistic)which);
	}
}

enum duration { DURATION_USER, DURATION_SYSTEM, DURATION_ELAPSED };

static const char *const duration_names[NR_DURATIONS] = { "User", "System", "Elapsed" };

static double pick_duration(const struct hn_run_record *record, enum duration which)
{
	switch (which) {
	case DURATION_USER: return record->user_s;
	case DURATION_SYSTEM: return record->system_s;
	case DURATION_ELAPSED: return record->elapsed_s;
	}
	return NAN;
}

static void add_durations(struct table_build *build)
{
	for (int which = DURATION_USER; which <= DURATION_ELAPSED; which++) {
		struct hn_table_row *row = add_row(build, "Duration", duration_names[which]);

		for (uint32_t c = 0; c < build->nr_columns; c++) {
			const struct hn_result_column *column = build->columns[c];
			double sum = 0;

			for (uint32_t r = 0; r < column->nr_runs; r++)
				sum += pick_duration(&column->runs[r]->record,
						     (enum duration)which);
			row->cells[c].value = sum / column->nr_runs;
		}
	}
}

/* Counts have decimals only where a mean is small and not whole. */
static void set_count_decimals(struct hn_table_row *row, uint32_t nr_columns)
{
	row->nr_decimals = 0;
	for (uint32_t c = 0; c < nr_columns; c++) {
		double value = row->cells[c].value;

		if (value < 100 && value != floor(value))
			row->nr_decimals = 2;
	}
}

enum count_kind { COUNT_OPS, COUNT_WHY };

static const char *name_count(enum count_kind kind, uint32_t idx)
{
	return kind == COUNT_OPS ? hn_counter_name((enum hn_counter)idx) :
				   hn_why_name((enum hn_why)idx);
}

static double mean_count(const struct hn_result_column *column, enum count_kind kind, uint32_t idx)
{
	double sum = 0;

	for (uint32_t r = 0; r < column->nr_runs; r++) {
		const struct hn_run_record *record = &column->runs[r]->record;

		sum += (double)(kind == COUNT_OPS ? record->counters[idx] : record->reasons[idx]);
	}
	return sum / column->nr_runs;
}

static bool is_count_zero(const struct table_build *build, enum count_kind kind, uint32_t idx)
{
	for (uint32_t c = 0; c < build->nr_columns; c++) {
		if (mean_count(build->columns[c], kind, idx) != 0)
			return false;
	}
	return true;
}

static void add_count(struct table_build *build, enum count_kind kind, uint32_t idx)
{
	struct hn_table_row *row = add_row(build, kind == COUNT_OPS ? "Ops" : "Why",
					   name_count(kind, idx));

	for (uint32_t c = 0; c < build->nr_columns; c++)
		row->cells[c].value = mean_count(build->columns[c], kind, idx);
	set_count_decimals(row, build->nr_columns);
}

static void add_counters(struct table_build *build)
{
	if (build->options.shows_all_counters) {
		for (uint32_t k = 0; k < HN_NR_COUNTERS; k++)
			add_count(build, COUNT_OPS, k);
		return;
	}
	for (uint32_t k = 0; k < HN_ARRAY_LEN(usual_counters); k++) {
		if (!is_count_zero(build, COUNT_OPS, usual_counters[k]))
			add_count(build, COUNT_OPS, usual_counters[k]);
	}
}

static void add_reasons(struct table_build *build)
{
	if (!build->options.shows_reasons)
		return;
	for (uint32_t w = 0; w < HN_NR_WHY; w++) {
		if (!is_count_zero(build, COUNT_WHY, w))
			add_count(build, COUNT_WHY, w);
	}
}

/* The share of the window that contains this part of the run. */
static double share_at(const struct hn_run_record *record, double pct)
{
	double at_ns;

	if (!record->nr_windows)
		return NAN;
	at_ns = (double)record->windows[record->nr_windows - 1].end_ns * pct / 100;
	for (uint32_t w = 0; w < record->nr_windows; w++) {
		if ((double)record->windows[w].end_ns >= at_ns)
			return record->windows[w].local_share;
	}
	return record->windows[record->nr_windows - 1].local_share;
}

/* The mean over the run, each window weighted by its length. */
static double mean_share(const struct hn_run_record *record)
{
	double sum = 0;
	hn_time_ns begin_ns = 0;

	for (uint32_t w = 0; w < record->nr_windows; w++) {
		sum += record->windows[w].local_share *
		       (double)(record->windows[w].end_ns - begin_ns);
		begin_ns = record->windows[w].end_ns;
	}
	return begin_ns > 0 ? sum / (double)begin_ns : NAN;
}

static double mean_share_of_column(const struct hn_result_column *column, double pct)
{
	double sum = 0;

	for (uint32_t r = 0; r < column->nr_runs; r++) {
		const struct hn_run_record *record = &column->runs[r]->record;

		sum += pct > WHOLE_RUN ? share_at(record, pct) : mean_share(record);
	}
	return 100 * sum / column->nr_runs;
}

static bool has_windows(const struct table_build *build)
{
	for (uint32_t c = 0; c < build->nr_columns; c++) {
		for (uint32_t r = 0; r < build->columns[c]->nr_runs; r++) {
			if (build->columns[c]->runs[r]->record.nr_windows)
				return true;
		}
	}
	return false;
}

static void add_share(struct table_build *build, const char *name, double pct)
{
	struct hn_table_row *row = add_row(build, "Local%", name);

	for (uint32_t c = 0; c < build->nr_columns; c++)
		row->cells[c].value = mean_share_of_column(build->columns[c], pct);
}

static void add_shares(struct table_build *build)
{
	if (!has_windows(build))
		return;
	for (uint32_t p = 0; p < HN_ARRAY_LEN(share_points); p++)
		add_share(build, share_points[p].name, share_points[p].pct);
	add_share(build, "mean", WHOLE_RUN);
}

void table_add_rows(struct table_build *build)
{
	add_statistics(build);
	add_durations(build);
	add_counters(build);
	add_reasons(build);
	add_shares(build);
}
