/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-internal.h - the parts of hn_table_build(). */
#ifndef HN_REPORT_TABLE_INTERNAL_H
#define HN_REPORT_TABLE_INTERNAL_H

#include "report/table.h"

/* A table while it grows. Columns are in the order of the table: the baseline first. */
struct table_build {
	struct hn_arena *arena;
	struct hn_table_options options;
	const struct hn_result_column **columns;
	uint32_t nr_columns;
	uint32_t nr_rows_max;
	struct hn_table table;
};

/* Lines with room for `nr_max` more. */
struct table_lines {
	const char **list;
	uint32_t nr;
};

/* table-rows.c */

/* How many rows table_add_rows() may add. */
uint32_t table_count_rows(const struct table_build *build);
void table_add_rows(struct table_build *build);

/* table-notes.c */

void table_add_intro(struct table_build *build);
void table_add_notes(struct table_build *build);

#endif
