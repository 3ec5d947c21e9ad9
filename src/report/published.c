/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/published.h"

#include <math.h>
#include <string.h>

#include "report/table.h"

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

/* The gain that the table of the group shows for the policy; NaN where it has no such row. */
static double find_gain_pct(const struct hn_published *published, const struct hn_table *table)
{
	for (uint32_t r = 0; r < table->nr_rows; r++) {
		const struct hn_table_row *row = &table->rows[r];

		if (!row->is_mean || strcmp(row->name, published->metric))
			continue;
		for (uint32_t c = 1; c < table->nr_columns; c++) {
			if (!strcmp(table->columns[c].label, published->policy))
				return row->cells[c].gain_pct;
		}
	}
	return NAN;
}

static bool find_gain(struct hn_arena *arena, const struct hn_published *published,
		      const struct hn_result_group *groups, uint32_t nr_groups,
		      double *ret_gain_pct)
{
	for (uint32_t g = 0; g < nr_groups; g++) {
		struct hn_table table;

		if (strcmp(groups[g].scenario, published->scenario) ||
		    strcmp(groups[g].machine, published->machine))
			continue;
		hn_table_build(arena, &groups[g], NULL, &table);
		*ret_gain_pct = find_gain_pct(published, &table);
		if (!isnan(*ret_gain_pct))
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

		if (!find_gain(buf->arena, &published[p], groups, nr_groups, &gain_pct))
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
