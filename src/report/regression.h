/* SPDX-License-Identifier: GPL-2.0-or-later */
/* regression.h - which columns of a table are worse than the baseline, as a yes or no.
 *
 * Judged are the means of what users wait for: all metrics but CPU time ("syst-", "user-"),
 * which may rise while work gets faster. A loss counts when it is larger than the limit and
 * significant; where the column and the baseline have one run each nothing is known of
 * significance, and the limit alone decides. Unknown values are no regression.
 * Tests: tests/unit/test-table.c. */
#ifndef HN_REPORT_REGRESSION_H
#define HN_REPORT_REGRESSION_H

#include "report/table.h"

struct hn_regression {
	const char *metric;
	const char *column;  /* label */
	double loss_pct;     /* > limit */
};

/* Row by row, column by column; the result lives in the arena. */
void hn_regression_find(struct hn_arena *arena, const struct hn_table *table, double limit_pct,
			struct hn_regression **ret_list, uint32_t *ret_nr);

#endif
