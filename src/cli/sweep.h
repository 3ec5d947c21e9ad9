/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep.h - one scenario over the values of a parameter: --sweep warehouses=1,2,4.
 *
 * Each value gives a scenario of its own ("specjbb:warehouses=2"); their tables become one, a row
 * for each value, as reports per warehouse or per number of groups are printed. */
#ifndef HN_CLI_SWEEP_H
#define HN_CLI_SWEEP_H

#include "cli/cli.h"
#include "report/table.h"

#define CLI_SWEEP_VALUES_MAX 256

struct cli_sweep {
	const char *key;      /* NULL: no sweep was asked for */
	const char **values;
	uint32_t nr_values;
};

/* Reads --sweep. Complaints are printed; returns a status. */
int cli_sweep_read(struct cli *cli, const struct cli_args *args, struct cli_sweep *ret_sweep);

/* The scenario with the parameter set to values[v]. */
const char *cli_sweep_spec(struct hn_arena *arena, const struct cli_sweep *sweep,
			   const char *scenario, uint32_t v);

/* Adds the tables of the groups, those that belong to one sweep as one table. */
void cli_sweep_print(struct cli *cli, const struct cli_sweep *sweep,
		     const struct hn_result_group *groups, uint32_t nr_groups,
		     const struct hn_table_options *options, struct hn_strbuf *buf);

#endif
