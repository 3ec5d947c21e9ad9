/* SPDX-License-Identifier: GPL-2.0-or-later */
/* homenode compare: results that were written earlier, side by side. */
#include "cli/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "report/json-read.h"
#include "report/regression.h"
#include "report/table.h"

#define FILES_MAX 64
#define LOSS_PCT_MAX 1e6
#define NAMES_MAX 256 /* columns among which a misspelt baseline is looked for */

static const char *const synopsis[] = {
	"FILE... [--baseline NAME] [--fail-on-regression PCT] [options]",
};

static const struct cli_option options[] = {
	{ "baseline", 'b', "NAME", "column to compare with: POLICY or FILE:POLICY" },
	{ "fail-on-regression", 0, "PCT", "exit 1 when something got worse by more than that" },
	{ "counters", 'c', NULL, "show all counters, not only the usual ones" },
	{ "reasons", 0, NULL, "show how often each reason decided" },
	{ "help", 'h', NULL, "this text" },
};

/* All files of a command line. */
struct comparison {
	struct cli *cli;
	struct hn_result_set set;
	struct hn_result_group *groups;
	uint32_t nr_groups;
	struct hn_table_options options;
	double limit_pct; /* NaN: not asked for */
};

/* "runs/new.json" gives "new"; the whole path where two files would be called the same. */
static const char *label_file(struct cli *cli, const struct cli_args *args, uint32_t which,
			      bool is_short)
{
	const char *path = args->words[which];
	const char *slash = strrchr(path, '/');
	const char *base = is_short && slash ? slash + 1 : path;
	size_t len = strlen(base);
	struct hn_strbuf label;

	if (len > 5 && !strcmp(base + len - 5, ".json"))
		len -= 5;
	hn_strbuf_init(&label, cli->arena);
	hn_strbuf_add_bytes(&label, base, len);
	return label.text;
}

static bool has_distinct_labels(struct cli *cli, const struct cli_args *args, bool is_short)
{
	for (uint32_t a = 0; a < args->nr_words; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (!strcmp(label_file(cli, args, a, is_short),
				    label_file(cli, args, b, is_short)))
				return false;
		}
	}
	return true;
}

static int read_sets(struct cli *cli, const struct cli_args *args, struct hn_result_set *sets)
{
	for (uint32_t w = 0; w < args->nr_words; w++) {
		struct hn_diag diag = { 0 };
		int err = hn_result_read_json(cli->arena, args->words[w], &sets[w], &diag);

		if (err)
			return cli_complain_diag(err, &diag);
	}
	return CLI_DONE;
}

/* One set out of all files; where there are several, each run carries its file's label. */
static int read_files(struct comparison *comparison, const struct cli_args *args)
{
	struct cli *cli = comparison->cli;
	struct hn_result_set *sets = HN_ARENA_ARRAY(cli->arena, struct hn_result_set,
						    args->nr_words);
	bool is_short = has_distinct_labels(cli, args, /* is_short */ true);
	struct hn_result_set *all = &comparison->set;
	uint32_t nr = 0;
	int status;

	if (!is_short && !has_distinct_labels(cli, args, /* is_short */ false)) {
		cli_complain("compare: a file is given twice");
		return CLI_USAGE;
	}
	status = read_sets(cli, args, sets);
	if (status)
		return status;
	for (uint32_t w = 0; w < args->nr_words; w++)
		nr += sets[w].nr_runs;
	all->runs = HN_ARENA_ARRAY(cli->arena, struct hn_result_run, nr);
	for (uint32_t w = 0; w < args->nr_words; w++) {
		const char *label = args->nr_words == 1 ? NULL :
				    label_file(cli, args, w, is_short);

		for (uint32_t r = 0; r < sets[w].nr_runs; r++) {
			all->runs[all->nr_runs] = sets[w].runs[r];
			all->runs[all->nr_runs++].file = label;
		}
	}
	return CLI_DONE;
}

static int read_options(struct comparison *comparison, const struct cli_args *args)
{
	const char *limit = cli_value(args, "fail-on-regression");
	char *end;

	comparison->options.baseline = cli_value(args, "baseline");
	comparison->options.shows_all_counters = cli_has(args, "counters");
	comparison->options.shows_reasons = cli_has(args, "reasons");
	comparison->limit_pct = NAN;
	if (!limit)
		return CLI_DONE;
	comparison->limit_pct = strtod(limit, &end);
	if (limit[0] >= '0' && limit[0] <= '9' && !*end && comparison->limit_pct <= LOSS_PCT_MAX)
		return CLI_DONE;
	cli_complain("--fail-on-regression '%s': expected a number of percent, not negative",
		     limit);
	return CLI_USAGE;
}

static void add_name(const char **names, uint32_t *nr, const char *name)
{
	if (*nr < NAMES_MAX)
		names[(*nr)++] = name;
}

/* A baseline that no table has is a mistake; one that some lack is told below these. */
static int check_baseline(const struct comparison *comparison)
{
	const char *wanted = comparison->options.baseline;
	const char *names[NAMES_MAX];
	char hint[HN_NEAREST_HINT_BYTES];
	uint32_t nr = 0;

	for (uint32_t g = 0; wanted && g < comparison->nr_groups; g++) {
		for (uint32_t c = 0; c < comparison->groups[g].nr_columns; c++) {
			const struct hn_result_column *column = &comparison->groups[g].columns[c];
			const char *label = hn_table_column_label(comparison->cli->arena, column);

			if (!strcmp(label, wanted) || !strcmp(column->policy, wanted))
				return CLI_DONE;
			add_name(names, &nr, label);
			add_name(names, &nr, column->policy);
		}
	}
	if (!wanted)
		return CLI_DONE;
	cli_complain("--baseline '%s': no column has that name%s", wanted,
		     hn_nearest_hint(hint, wanted, names, nr));
	return CLI_USAGE;
}

/* Complains about each regression of a table; returns whether there was one. */
static bool report_regressions(const struct comparison *comparison, uint32_t g,
			       const struct hn_table *table)
{
	struct hn_regression *list;
	uint32_t nr;

	if (isnan(comparison->limit_pct))
		return false;
	hn_regression_find(comparison->cli->arena, table, comparison->limit_pct, &list, &nr);
	for (uint32_t r = 0; r < nr; r++)
		cli_complain("regression: %s of %s on %s is %.2f%% worse than %s, the limit is "
			     "%g%%", list[r].metric, list[r].column,
			     comparison->groups[g].machine, list[r].loss_pct,
			     table->columns[0].label, comparison->limit_pct);
	return nr > 0;
}

static int print_tables(struct comparison *comparison)
{
	struct cli *cli = comparison->cli;
	struct hn_table *tables = HN_ARENA_ARRAY(cli->arena, struct hn_table,
						 comparison->nr_groups);
	bool has_regression = false;
	struct hn_strbuf buf;
	int status;

	hn_strbuf_init(&buf, cli->arena);
	for (uint32_t g = 0; g < comparison->nr_groups; g++) {
		hn_table_build(cli->arena, &comparison->groups[g], &comparison->options,
			       &tables[g]);
		if (g)
			hn_strbuf_add(&buf, "\n");
		hn_table_text(&tables[g], &buf);
	}
	status = cli_print(&buf);
	for (uint32_t g = 0; !status && g < comparison->nr_groups; g++) {
		if (report_regressions(comparison, g, &tables[g]))
			has_regression = true;
	}
	return !status && has_regression ? CLI_NO : status;
}

static int run(struct cli *cli, const struct cli_args *args)
{
	struct comparison comparison = { .cli = cli };
	int status = read_options(&comparison, args);

	if (!status && (!args->nr_words || args->nr_words > FILES_MAX)) {
		cli_complain("compare: expected 1 to %d files that 'homenode sim --json' wrote",
			     FILES_MAX);
		return CLI_USAGE;
	}
	if (!status)
		status = read_files(&comparison, args);
	if (status)
		return status;
	hn_result_group(cli->arena, &comparison.set, &comparison.groups, &comparison.nr_groups);
	status = check_baseline(&comparison);
	return status ? status : print_tables(&comparison);
}

const struct cli_command cli_cmd_compare = {
	.name = "compare",
	.summary = "compare results that 'homenode sim --json' wrote",
	.synopsis = synopsis,
	.nr_synopsis = HN_ARRAY_LEN(synopsis),
	.options = options,
	.nr_options = HN_ARRAY_LEN(options),
	.run = run,
};
