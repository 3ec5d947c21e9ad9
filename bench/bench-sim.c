/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fast the simulator is: simulated CPU-seconds per second of one host core, time per event, and
 * memory per simulated base page. One line a case; compare cases of one run with one another.
 * usage: bench-sim DATA-DIR [REPEATS] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/worlds.h"
#include "sim/scenario.h"
#include "topo/topo.h"

#define REPEATS_MAX 99

struct bench_case {
	const char *name;
	const char *machine;
	const char *scenario;
};

/* 320 CPUs with 512 GiB in use: two JVMs of 160 warehouses with 252 GiB of young objects each. */
#define MACHINE_320 "pack:2 [numa(memory=300GB)] l3:1 core:80 pu:2"

static const struct bench_case cases[] = {
	{ "numa01, 2 nodes x 24 CPUs", "2s-haswell", "numa01" },
	{ "numa02, 2 nodes x 24 CPUs", "2s-haswell", "numa02" },
	{ "numa02 in base pages", "2s-haswell", "numa02:huge=off" },
	{ "specjbb, 320 CPUs", MACHINE_320, "specjbb:jvms=2,warehouses=160" },
	{ "specjbb, 320 CPUs, 512 GiB huge", MACHINE_320,
	  "specjbb:jvms=2,warehouses=160,young=252 GiB" },
	{ "specjbb, 320 CPUs, 512 GiB base", MACHINE_320,
	  "specjbb:jvms=2,warehouses=160,young=252 GiB,huge=off" },
};

static double now_s(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static int compare_spans(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static int prepare(struct hn_arena *arena, const char *data_dir, const struct bench_case *c,
		   struct hn_job *ret_job, struct hn_diag *diag)
{
	struct hn_machine *machine;
	const struct hn_scenario *scenario;
	int err;

	err = hn_topo_read(arena, data_dir, c->machine, NULL, &machine, diag);
	if (err)
		return err;
	err = hn_scenario_read(arena, data_dir, c->scenario, machine, &scenario, diag);
	if (err)
		return err;
	*ret_job = (struct hn_job){ .machine = machine, .scenario = scenario->name, .seed = 1,
				    .create_world = cli_create_sim_world, .world_arg = scenario };
	return hn_policy_parse(arena, "v6.12", &ret_job->policy, diag);
}

static int run_case(const char *data_dir, const struct bench_case *c, uint32_t nr_repeats)
{
	struct hn_diag diag = { 0 };
	struct hn_run_record record;
	struct hn_arena arena;
	struct hn_job job;
	double spans_s[REPEATS_MAX];
	double cpu_s;
	int err;

	hn_arena_init(&arena);
	err = prepare(&arena, data_dir, c, &job, &diag);
	for (uint32_t r = 0; !err && r < nr_repeats; r++) {
		double start_s = now_s();

		err = hn_job_run(&job, &arena, NULL, &record, &diag);
		spans_s[r] = now_s() - start_s;
	}
	if (err) {
		printf("%-34s %s\n", c->name, diag.text);
	} else {
		qsort(spans_s, nr_repeats, sizeof(*spans_s), compare_spans);
		cpu_s = record.elapsed_s * job.machine->nr_cpus;
		printf("%-34s %10.0f %10.3f %10.0f %12llu %8.2f\n", c->name,
		       cpu_s / spans_s[nr_repeats / 2], spans_s[nr_repeats / 2],
		       spans_s[nr_repeats / 2] * 1e9 / (double)record.nr_events,
		       (unsigned long long)record.nr_events,
		       (double)record.peak_bytes / (double)record.nr_base_pages);
		fflush(stdout);
	}
	hn_arena_fini(&arena);
	return err;
}

int main(int argc, char **argv)
{
	uint32_t nr_repeats = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 3;
	int status = 0;

	if (argc < 2 || nr_repeats < 1 || nr_repeats > REPEATS_MAX) {
		fprintf(stderr, "usage: bench-sim DATA-DIR [REPEATS, 1 to %d]\n", REPEATS_MAX);
		return 2;
	}
	printf("policy v6.12, median of %u runs, one host core\n", nr_repeats);
	printf("%-34s %10s %10s %10s %12s %8s\n", "", "CPU-s/s", "host s", "ns/event", "events",
	       "B/page");
	for (size_t c = 0; c < HN_ARRAY_LEN(cases); c++) {
		if (run_case(argv[1], &cases[c], nr_repeats))
			status = 1;
	}
	return status;
}
