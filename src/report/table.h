/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - the comparison of policies on one scenario and machine, laid out as MMTests does.
 *
 * All numbers are computed by hn_table_build(); hn_table_text() only spells them.
 *
 *	                                   none                  v4.19
 *	                                                           rc1
 *	Min       elsp-NUMA01      118.20 (   0.00%)       98.00 (  17.09%)
 *	Amean     elsp-NUMA01      120.50 (   0.00%)      101.30 *  15.93%*
 *	Stddev    elsp-NUMA01        2.10 (   0.00%)        3.90 ( -85.71%)
 *	CoeffVar  elsp-NUMA01        1.74 (   0.00%)        3.85 (-120.91%)
 *	Max       elsp-NUMA01      122.40 (   0.00%)      105.80 (  13.56%)
 *	Duration  User              900.10                 870.40
 *	Ops       numa_hint_faults       0                   5125
 *	Local%    at-10%             51.00                  61.20
 *
 * Rows. Min, the mean, Stddev, CoeffVar and Max, each over all metrics, as MMTests orders
 * them; the mean is Amean where lower is better and Hmean where higher is. With one run per
 * column there is the mean alone, which is the value. Gains are against the first column
 * and positive for better (stats.h); on the mean's row stars replace the parentheses where the
 * difference is significant. Stddev and CoeffVar count as better when lower. Then, as means over
 * the runs: the durations, counters under their kernel names, and if asked for the reasons.
 * Last the share of memory accesses that were local, in the window that contains 10, 25, 50, 75
 * and 100 % of the run, and over the whole run. A value that a column lacks is NaN; gains of
 * 1000 % and more, such as those of a Stddev that was nearly 0, lose their decimals, and from
 * 100000 % on show their magnitude: -2e+06%.
 *
 * Columns carry the policy's name in two rows, split at its first '-'; one with replaced fields
 * is split at each '+' instead. Where files are compared the file's name stands above.
 *
 * Above: the command that reproduces the table, and where the machine's figures come from.
 * Below: for each column whose policy differs from the baseline in more than one field, these
 * fields, since that is not a like-for-like comparison.
 *
 * Everything lives in the arena that is handed in and borrows the set's strings.
 * Source: layout of MMTests, lib/MMTests/Compare.pm. Tests: tests/unit/test-table.c. */
#ifndef HN_REPORT_TABLE_H
#define HN_REPORT_TABLE_H

#include "base/strbuf.h"
#include "report/result.h"

#define HN_TABLE_WRAP_COLUMNS 100 /* notes are wrapped here */
#define HN_TABLE_FIELDS_MAX 8     /* differing fields that a note names */

struct hn_table_options {
	const char *baseline;    /* label of the column to compare with; NULL: the first */
	bool shows_all_counters; /* also those that stayed 0 or say little */
	bool shows_reasons;
};

/* NaN marks a value that is not known. */
struct hn_table_cell {
	double value;
	double gain_pct;         /* unused where the row has none */
	bool is_significant;
};

struct hn_table_row {
	const char *label;       /* "Amean", "Duration", "Ops" */
	const char *name;        /* "elsp-NUMA01", "User", "numa_hint_faults" */
	bool has_gain;
	bool is_mean;            /* of a metric: the row that judges */
	enum hn_better better;   /* of the metric */
	uint32_t nr_decimals;
	struct hn_table_cell *cells; /* by column */
};

struct hn_table_column {
	const char *label;       /* "v6.12"; "out1:v6.12" where files are compared */
	const char *const *header; /* by header row; "" where there is none */
	uint32_t nr_runs;
};

struct hn_table {
	const char *const *intro; /* lines above */
	uint32_t nr_intro;
	struct hn_table_column *columns; /* the first is the baseline */
	uint32_t nr_columns;
	uint32_t nr_header_rows;
	struct hn_table_row *rows;
	uint32_t nr_rows;
	const char *const *notes; /* lines below, not yet wrapped */
	uint32_t nr_notes;
};

/* `options` may be NULL. A baseline that the group lacks leaves the first column in its place,
 * and a note says so. */
void hn_table_build(struct hn_arena *arena, const struct hn_result_group *group,
		    const struct hn_table_options *options, struct hn_table *ret_table);

/* Whether the row judges a policy: the mean of a metric, other than that of CPU time by kind. */
bool hn_table_row_judges(const struct hn_table_row *row);

/* The column's label as --baseline takes it. */
const char *hn_table_column_label(struct hn_arena *arena, const struct hn_result_column *column);

void hn_table_text(const struct hn_table *table, struct hn_strbuf *buf);

#endif
