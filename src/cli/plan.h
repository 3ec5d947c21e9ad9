/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - what a command line of `homenode sim` asks to run, as jobs for the engine.
 *
 *	words and options --> entries --> (scenario, machine) pairs --> jobs
 *
 * An entry is one scenario with its machines, policies and number of runs: those of the command
 * line, else those of the battery that it came from, else the defaults. Each pair is read once;
 * its jobs come policy by policy, run by run. Run r has seed + r under every policy, so that
 * policies are compared on common random numbers. */
#ifndef HN_CLI_PLAN_H
#define HN_CLI_PLAN_H

#include "cli/cli.h"
#include "cli/sweep.h"
#include "engine/engine.h"
#include "report/result.h"
#include "sim/scenario.h"

#define CLI_RUNS_MAX 1000
#define CLI_SEED_MAX UINT64_C(1000000000000000) /* exact in every JSON reader */
#define CLI_PAIRS_MAX 10000

/* Jobs, and beside each what its run will be called. */
struct cli_plan {
	struct hn_job *jobs;
	struct hn_result_run *runs; /* without their records */
	uint32_t nr_jobs;
	const struct hn_battery **batteries; /* by word of the command line; NULL: a scenario */
	uint32_t nr_batteries;
	struct cli_sweep sweep;
};

/* Reads everything that the command line names. Complaints are printed; returns a status. */
int cli_plan_make(struct cli *cli, const struct cli_args *args, struct cli_plan *ret_plan);

#endif
