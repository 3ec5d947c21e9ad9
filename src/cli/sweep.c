/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/sweep.h"

#include <string.h>

#include "base/assert.h"

static bool is_given(const struct cli_sweep *sweep, const char *value)
{
	for (uint32_t v = 0; v < sweep->nr_values; v++) {
		if (!strcmp(sweep->values[v], value))
			return true;
	}
	return false;
}

int cli_sweep_read(struct cli *cli, const struct cli_args *args, struct cli_sweep *ret_sweep)
{
	const char *text = cli_value(args, "sweep");
	struct cli_sweep sweep = { 0 };
	char *key, *value;

	if (!text)
		return CLI_DONE;
	key = hn_arena_strdup(cli->arena, text);
	value = strchr(key, '=');
	if (!value || value == key || !value[1]) {
		cli_complain("--sweep '%s': expected PARAMETER=VALUE,VALUE,...", text);
		return CLI_USAGE;
	}
	*value = '\0';
	sweep.key = key;
	sweep.values = HN_ARENA_ARRAY(cli->arena, const char *, CLI_SWEEP_VALUES_MAX);
	while (value) {
		char *next = strchr(++value, ',');

		if (sweep.nr_values == CLI_SWEEP_VALUES_MAX) {
			cli_complain("--sweep: more than %d values", CLI_SWEEP_VALUES_MAX);
			return CLI_USAGE;
		}
		if (next)
			*next = '\0';
		if (!*value) {
			cli_complain("--sweep '%s': an empty value", text);
			return CLI_USAGE;
		}
		if (is_given(&sweep, value)) {
			cli_complain("--sweep '%s': '%s' is given twice", text, value);
			return CLI_USAGE;
		}
		sweep.values[sweep.nr_values++] = value;
		value = next;
	}
	*ret_sweep = sweep;
	return CLI_DONE;
}

const char *cli_sweep_spec(struct hn_arena *arena, const struct cli_sweep *sweep,
			   const char *scenario, uint32_t v)
{
	struct hn_strbuf spec;

	hn_strbuf_init(&spec, arena);
	hn_strbuf_addf(&spec, "%s%c%s=%s", scenario, strchr(scenario, ':') ? ',' : ':',
		       sweep->key, sweep->values[v]);
	return spec.text;
}

/* Groups of one sweep stand nr_values in a row for each machine; they come scenario by
 * scenario, and machine by machine inside one, so those of one machine are a fixed number of
 * groups apart. */
static uint32_t count_machines(const struct hn_result_group *groups, uint32_t nr_groups)
{
	uint32_t nr = 1;

	while (nr < nr_groups && !strcmp(groups[nr].scenario, groups[0].scenario))
		nr++;
	return nr;
}

/* Every row says which value it is of, whether or not its own name does. */
static const char *row_name(struct hn_arena *arena, const struct cli_sweep *sweep, uint32_t v,
			    const char *name)
{
	struct hn_strbuf text;

	hn_strbuf_init(&text, arena);
	hn_strbuf_addf(&text, "%s %s=%s", name, sweep->key, sweep->values[v]);
	return text.text;
}

static void add_rows(struct cli *cli, const struct cli_sweep *sweep, uint32_t v,
		     const struct hn_table *table, struct hn_table *merged)
{
	for (uint32_t r = 0; r < table->nr_rows; r++) {
		struct hn_table_row *row;

		if (!hn_table_row_judges(&table->rows[r]))
			continue;
		row = &merged->rows[merged->nr_rows++];
		*row = table->rows[r];
		row->name = row_name(cli->arena, sweep, v, row->name);
	}
}

static void print_sweep(struct cli *cli, const struct cli_sweep *sweep,
			const struct hn_result_group *first, uint32_t step,
			const struct hn_table_options *options, struct hn_strbuf *buf)
{
	struct hn_table merged = { 0 };

	for (uint32_t v = 0; v < sweep->nr_values; v++) {
		struct hn_table table;

		hn_table_build(cli->arena, &first[v * step], options, &table);
		if (v == 0) {
			merged = table;
			merged.nr_rows = 0;
			merged.rows = HN_ARENA_ARRAY(cli->arena, struct hn_table_row,
						     (size_t)table.nr_rows * sweep->nr_values);
		}
		add_rows(cli, sweep, v, &table, &merged);
	}
	hn_strbuf_addf(buf, "sweep of %s over %u values; the first row comes from:\n", sweep->key,
		       sweep->nr_values);
	hn_table_text(&merged, buf);
}

void cli_sweep_print(struct cli *cli, const struct cli_sweep *sweep,
		     const struct hn_result_group *groups, uint32_t nr_groups,
		     const struct hn_table_options *options, struct hn_strbuf *buf)
{
	uint32_t g = 0;

	while (g < nr_groups) {
		uint32_t nr_machines = count_machines(groups + g, nr_groups - g);

		hn_assert(g + nr_machines * sweep->nr_values <= nr_groups);
		for (uint32_t m = 0; m < nr_machines; m++) {
			if (g + m)
				hn_strbuf_add(buf, "\n");
			print_sweep(cli, sweep, groups + g + m, nr_machines, options, buf);
		}
		g += nr_machines * sweep->nr_values;
	}
}
