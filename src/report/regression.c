/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/regression.h"

static bool is_regression(const struct hn_table *table, const struct hn_table_cell *cell,
			  uint32_t c, double limit_pct)
{
	bool is_single = table->columns[0].nr_runs == 1 && table->columns[c].nr_runs == 1;

	/* A gain that is NaN compares false. */
	return -cell->gain_pct > limit_pct && (cell->is_significant || is_single);
}

void hn_regression_find(struct hn_arena *arena, const struct hn_table *table, double limit_pct,
			struct hn_regression **ret_list, uint32_t *ret_nr)
{
	struct hn_regression *list = HN_ARENA_ARRAY(arena, struct hn_regression,
						    (size_t)table->nr_rows * table->nr_columns);
	uint32_t nr = 0;

	for (uint32_t r = 0; r < table->nr_rows; r++) {
		const struct hn_table_row *row = &table->rows[r];

		for (uint32_t c = 1; hn_table_row_judges(row) && c < table->nr_columns; c++) {
			if (!is_regression(table, &row->cells[c], c, limit_pct))
				continue;
			list[nr].metric = row->name;
			list[nr].column = table->columns[c].label;
			list[nr].loss_pct = -row->cells[c].gain_pct;
			nr++;
		}
	}
	*ret_list = list;
	*ret_nr = nr;
}
