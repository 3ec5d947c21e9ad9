/* SPDX-License-Identifier: GPL-2.0-or-later */
/* homenode sim: scenarios on simulated machines, policies side by side. */
#include "cli/commands.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "cli/plan.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "report/json-write.h"
#include "report/published.h"
#include "report/table.h"

#define WORKERS_MAX 256

static const char *const synopsis[] = {
	"SCENARIO... --machine MACHINE[,...] [--policy POLICY[,...]] [options]",
	"battery:NAME [options]",
};

static const struct cli_option options[] = {
	{ "machine", 'm', "LIST", "machines: names, files, folders, synthetic descriptions, live" },
	{ "model", 0, "MODEL", "machine model whose latencies and costs are used instead" },
	{ "policy", 'p', "LIST", "policies to compare; the first is the baseline" },
	{ "sweep", 0, "KEY=LIST", "run over these values of a parameter; a row for each" },
	{ "runs", 'r', "N", "runs of each policy, 1 to 1000 (default: the battery's, else 3)" },
	{ "seed", 's', "N", "seed of the first run (default 1); run r has seed + r" },
	{ "jobs", 'j', "N", "runs made at the same time (default: the CPUs of this host)" },
	{ "json", 0, "FILE", "write all results as JSON; - is standard output, without a table" },
	{ "report", 0, "KIND", "table (default), json or none" },
	{ "counters", 'c', NULL, "show all counters, not only the usual ones" },
	{ "reasons", 0, NULL, "show how often each reason decided" },
	{ "quiet", 'q', NULL, "no progress line" },
	{ "help", 'h', NULL, "this text" },
};

/* What the command line wants done with the results. */
struct sim_output {
	const char *json_path; /* NULL: none; "-": standard output */
	bool has_table;
	struct hn_table_options table;
};

/* CPUs that this process may use; the set grows until the kernel accepts its size. */
static uint32_t count_cpus(struct hn_arena *arena)
{
	for (size_t nr_bytes = 128; nr_bytes <= 1 << 16; nr_bytes *= 2) {
		cpu_set_t *set = hn_arena_alloc(arena, nr_bytes);

		if (!sched_getaffinity(0, nr_bytes, set))
			return (uint32_t)CPU_COUNT_S(nr_bytes, set);
		if (errno != EINVAL)
			break;
	}
	return 1;
}

static int read_workers(struct cli *cli, const struct cli_args *args, uint32_t *ret_nr)
{
	uint64_t nr = hn_min_u64(count_cpus(cli->arena), WORKERS_MAX);
	int status = cli_number(args, "jobs", 1, WORKERS_MAX, &nr);

	*ret_nr = (uint32_t)nr;
	return status;
}

static int read_output(struct cli *cli, const struct cli_args *args, struct sim_output *output)
{
	const char *report = cli_value(args, "report");

	output->json_path = cli_value(args, "json");
	output->table.shows_all_counters = cli_has(args, "counters");
	output->table.shows_reasons = cli_has(args, "reasons");
	if (report && strcmp(report, "table") && strcmp(report, "json") &&
	    strcmp(report, "none")) {
		cli_complain("--report '%s': expected table, json or none", report);
		return CLI_USAGE;
	}
	if (report && !strcmp(report, "json")) {
		if (output->json_path && strcmp(output->json_path, "-")) {
			cli_complain("--report json writes to standard output: leave out --json");
			return CLI_USAGE;
		}
		output->json_path = "-";
	}
	output->has_table = !(report && !strcmp(report, "none")) &&
			    !(output->json_path && !strcmp(output->json_path, "-"));
	if (output->json_path && strcmp(output->json_path, "-"))
		return cli_check_output(cli, output->json_path);
	return CLI_DONE;
}

static int run_plan(struct cli *cli, const struct cli_plan *plan, uint32_t nr_workers,
		    bool is_quiet)
{
	struct hn_run_record *records = HN_ARENA_ARRAY(cli->arena, struct hn_run_record,
						       plan->nr_jobs);
	struct hn_diag diag = { 0 };
	struct cli_progress progress;
	struct hn_batch batch = {
		.jobs = plan->jobs,
		.nr_jobs = plan->nr_jobs,
		.nr_workers = (uint32_t)hn_min_u64(nr_workers, plan->nr_jobs),
		.stop = cli_stop_flag(),
		.progress = cli_progress_note,
		.progress_ctx = &progress,
	};
	int err;

	cli_stop_init();
	cli_progress_begin(&progress, plan->nr_jobs, is_quiet);
	err = hn_batch_run(&batch, cli->arena, records, &diag);
	cli_progress_end(&progress);
	if (*cli_stop_flag())
		return cli_stop_report();
	if (err)
		return cli_complain_diag(err, &diag);
	for (uint32_t j = 0; j < plan->nr_jobs; j++)
		plan->runs[j].record = records[j];
	return CLI_DONE;
}

static void add_tables(struct cli *cli, const struct hn_result_group *groups, uint32_t nr_groups,
		       const struct hn_table_options *table_options, struct hn_strbuf *buf)
{
	for (uint32_t g = 0; g < nr_groups; g++) {
		struct hn_table table;

		hn_table_build(cli->arena, &groups[g], table_options, &table);
		if (g)
			hn_strbuf_add(buf, "\n");
		hn_table_text(&table, buf);
	}
}

static int print_tables(struct cli *cli, const struct hn_result_set *set,
			const struct cli_plan *plan, const struct hn_table_options *table_options)
{
	struct hn_result_group *groups;
	uint32_t nr_groups;
	struct hn_strbuf buf;

	hn_strbuf_init(&buf, cli->arena);
	hn_result_group(cli->arena, set, &groups, &nr_groups);
	if (plan->sweep.key)
		cli_sweep_print(cli, &plan->sweep, groups, nr_groups, table_options, &buf);
	else
		add_tables(cli, groups, nr_groups, table_options, &buf);
	for (uint32_t b = 0; b < plan->nr_batteries; b++) {
		if (plan->batteries[b])
			hn_published_text(plan->batteries[b]->published,
					  plan->batteries[b]->nr_published, groups, nr_groups,
					  &buf);
	}
	return cli_print(&buf);
}

static int write_json(struct cli *cli, const struct hn_result_set *set, const char *path)
{
	struct hn_strbuf buf;

	hn_strbuf_init(&buf, cli->arena);
	hn_result_write_json(set, &buf);
	return strcmp(path, "-") ? cli_write_file(cli, path, &buf) : cli_print(&buf);
}

static int run(struct cli *cli, const struct cli_args *args)
{
	struct hn_result_set set = { .program_version = HN_VERSION };
	struct sim_output output = { 0 };
	struct cli_plan plan = { 0 };
	uint32_t nr_workers = 0;
	int status = read_output(cli, args, &output);
	int json_status = CLI_DONE;

	if (!status)
		status = read_workers(cli, args, &nr_workers);
	if (!status)
		status = cli_plan_make(cli, args, &plan);
	if (!status)
		status = run_plan(cli, &plan, nr_workers, cli_has(args, "quiet"));
	if (status)
		return status;
	set.runs = plan.runs;
	set.nr_runs = plan.nr_jobs;
	/* A table is still worth having where the file could not be written. */
	if (output.json_path)
		json_status = write_json(cli, &set, output.json_path);
	if (output.has_table)
		status = print_tables(cli, &set, &plan, &output.table);
	return json_status ? json_status : status;
}

const struct cli_command cli_cmd_sim = {
	.name = "sim",
	.summary = "simulate scenarios on a machine and compare policies",
	.synopsis = synopsis,
	.nr_synopsis = HN_ARRAY_LEN(synopsis),
	.options = options,
	.nr_options = HN_ARRAY_LEN(options),
	.run = run,
};
