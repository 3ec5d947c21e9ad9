/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: the simulated world does what a scenario says, in the time that follows from the
 * machine's figures, and keeps its books. Method: small scenarios written to a file, run
 * through the engine on the 2-socket Haswell model (2 nodes, 12 cores x 2 threads,
 * 92.1/127.1/129.4/90 ns), expected times by hand from unit costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/worlds.h"
#include "sim/scenario.h"
#include "topo/topo.h"

struct fixture {
	struct hn_arena arena;
	struct hn_machine *machine;
	const struct hn_policy *policy;
	struct hn_run_record record;
	struct hn_diag diag;
	char path[64];
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));
	const char *data_dir = getenv("HN_DATA_DIR");

	hn_arena_init(&f->arena);
	if (!data_dir || hn_topo_read(&f->arena, data_dir, "2s-haswell", NULL, &f->machine, NULL))
		return -1;
	snprintf(f->path, sizeof(f->path), "/tmp/hn-test-sim-%d.yaml", (int)getpid());
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	hn_arena_fini(&f->arena);
	test_free(f);
	return 0;
}

static int run_seed(struct fixture *f, const char *yaml, const char *policy, uint64_t seed,
		    const volatile int *stop)
{
	const struct hn_scenario *scenario;
	struct hn_job job = { .machine = f->machine, .seed = seed,
			      .create_world = cli_create_sim_world };
	FILE *file = fopen(f->path, "w");
	int err;

	assert_non_null(file);
	fputs(yaml, file);
	fclose(file);
	err = hn_scenario_read(&f->arena, "/nowhere", f->path, f->machine, &scenario, &f->diag);
	if (err)
		print_message("%u:%u: %s\n", f->diag.line, f->diag.column, f->diag.text);
	assert_int_equal(err, 0);
	assert_int_equal(hn_policy_parse(&f->arena, policy, &job.policy, &f->diag), 0);
	job.scenario = scenario->name;
	job.world_arg = scenario;
	return hn_job_run(&job, &f->arena, stop, &f->record, &f->diag);
}

static void run(struct fixture *f, const char *yaml, const char *policy)
{
	assert_int_equal(run_seed(f, yaml, policy, 1, NULL), 0);
}

static void assert_near(double value, double expected, double permille)
{
	if (value < expected * (1 - permille / 1000) || value > expected * (1 + permille / 1000))
		fail_msg("%.9f is not within %.1f permille of %.9f", value, permille, expected);
}

#define HEAD "summary: test\nrow: T\nsource: test\n"

/* 1000 units of 1 ms: one second, plus kernel time of birth that is far below a permille. */
static void test_work__takes_units_times_unit_time(void **state)
{
	struct fixture *f = *state;

	run(f, HEAD "processes:\n  p:\n    roles:\n      w:\n        threads: 1\n        steps:\n"
	    "          - work: {units: 1000, unit: 1 ms}\n", "none");
	assert_near(f->record.elapsed_s, 1.0, 1);
	assert_near(f->record.user_s, 1.0, 1);
	assert_string_equal(f->record.metrics[0].name, "elsp-T");
}

/* Two threads on two different cores do not slow each other: two CPU seconds in one second. */
static void test_threads__spread_over_cores(void **state)
{
	struct fixture *f = *state;

	run(f, HEAD "processes:\n  p:\n    roles:\n      w:\n        threads: 2\n        steps:\n"
	    "          - work: {units: 1000, unit: 1 ms}\n", "v6.12");
	assert_near(f->record.elapsed_s, 1.0, 2);
	assert_near(f->record.user_s, 2.0, 2);
}

/* The fast thread works 1 s, the slow one 3 s, then both 1 s more: 4 s, and the fast one slept
 * 2 s, so CPU time is 6 s. */
static void test_barrier__waits_for_the_last(void **state)
{
	struct fixture *f = *state;

	run(f, HEAD "processes:\n  p:\n    roles:\n"
	    "      fast:\n        threads: 1\n        steps:\n"
	    "          - work: {units: 1000, unit: 1 ms}\n"
	    "          - barrier: {over: process}\n"
	    "          - work: {units: 1000, unit: 1 ms}\n"
	    "      slow:\n        threads: 1\n        steps:\n"
	    "          - work: {units: 3000, unit: 1 ms}\n"
	    "          - barrier: {over: process}\n"
	    "          - work: {units: 1000, unit: 1 ms}\n", "v6.12");
	assert_near(f->record.elapsed_s, 4.0, 2);
	assert_near(f->record.user_s, 6.0, 2);
}

/* Ten times 10 ms of work and 90 ms of sleep: one second, a tenth of it on the CPU. */
static void test_sleep__costs_no_cpu(void **state)
{
	struct fixture *f = *state;

	run(f, HEAD "processes:\n  p:\n    roles:\n      w:\n        threads: 1\n        steps:\n"
	    "          - loop:\n              times: 10\n              steps:\n"
	    "                - work: {units: 10, unit: 1 ms}\n"
	    "                - sleep: {for: 90 ms}\n", "v6.12");
	assert_near(f->record.elapsed_s, 1.0, 2);
	assert_near(f->record.user_s, 0.1, 20);
}

#define ONE_READER HEAD \
	"regions:\n  m: {scope: process, size: 64 MiB, huge: off}\n" \
	"processes:\n  p:\n    roles:\n      w:\n        threads: 1\n        steps:\n" \
	"          - work:\n              units: 1000000\n              unit: 0\n" \
	"              access:\n" \
	"                - {region: m, pattern: random, lines: 10, mlp: 1}\n"

/* Ten dependent lines a unit: local 10 * 90..92.1 ns, nearly unloaded. A million units: 0.90 ..
 * 0.93 s and at most a percent of queueing. The binding to the farthest node makes it 127.1 ..
 * 129.4. */
static void test_memory__costs_the_latency_of_its_node(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_READER, "hard-bind");
	assert_true(f->record.user_s > 0.90);
	assert_true(f->record.user_s < 0.95);
	run(f, ONE_READER, "inverse-bind");
	assert_true(f->record.user_s > 1.27);
	assert_true(f->record.user_s < 1.33);
}

#define REMOTE_START HEAD \
	"regions:\n  m: {scope: process, size: 256 MiB, huge: off}\n" \
	"processes:\n  p:\n    roles:\n      w:\n        threads: 8\n        steps:\n" \
	"          - touch: {region: m, node: 1}\n" \
	"          - work:\n              units: 60000000\n              unit: 0\n" \
	"              access:\n" \
	"                - {region: m, slice: own, pattern: random, lines: 2, mlp: 1}\n"

/* Memory of all threads starts on node 1. Balancing makes accesses local; the books agree:
 * local faults are faults, each fault consumed an updated entry, migrations are counted twice. */
static void test_balancing__makes_accesses_local(void **state)
{
	struct fixture *f = *state;
	const uint64_t *c = f->record.counters;
	const struct hn_window *last;

	run(f, REMOTE_START, "v6.12");
	last = &f->record.windows[f->record.nr_windows - 2]; /* the final one is short */
	assert_true(last->local_share > 0.9);
	assert_true(c[HN_COUNT_NUMA_HINT_FAULTS] > 0);
	assert_true(c[HN_COUNT_NUMA_HINT_FAULTS_LOCAL] <= c[HN_COUNT_NUMA_HINT_FAULTS]);
	assert_true(c[HN_COUNT_NUMA_HINT_FAULTS] <= c[HN_COUNT_NUMA_PTE_UPDATES]);
	assert_int_equal(c[HN_COUNT_NUMA_PAGES_MIGRATED], c[HN_COUNT_PGMIGRATE_SUCCESS]);
	assert_int_equal(c[HN_COUNT_NUMA_HIT] + c[HN_COUNT_NUMA_MISS], 65536);
}

static void test_off__no_hints(void **state)
{
	struct fixture *f = *state;

	run(f, REMOTE_START, "none");
	assert_int_equal(f->record.counters[HN_COUNT_NUMA_PTE_UPDATES], 0);
	assert_int_equal(f->record.counters[HN_COUNT_NUMA_HINT_FAULTS], 0);
}

static void test_seed__same_seed_same_digest(void **state)
{
	struct fixture *f = *state;
	uint64_t first;

	assert_int_equal(run_seed(f, REMOTE_START, "v6.12", 5, NULL), 0);
	first = f->record.digest;
	assert_int_equal(run_seed(f, REMOTE_START, "v6.12", 5, NULL), 0);
	assert_int_equal(f->record.digest, first);
	assert_int_equal(run_seed(f, REMOTE_START, "v6.12", 6, NULL), 0);
	assert_int_not_equal(f->record.digest, first);
}

static void test_stop__ends_early(void **state)
{
	struct fixture *f = *state;
	int stop = 1;

	assert_int_equal(run_seed(f, REMOTE_START, "v6.12", 1, &stop), -EINTR);
}

/* A counter over two seconds after one second of warm-up: one transaction per ms of work. */
static void test_rate__is_counted_after_warm_up(void **state)
{
	struct fixture *f = *state;

	run(f, HEAD "duration: 3 s\nmeasure_from: 1 s\ncounters: [ops]\n"
	    "processes:\n  p:\n    roles:\n      w:\n        threads: 1\n        steps:\n"
	    "          - loop:\n              times: forever\n              steps:\n"
	    "                - work: {units: 1, unit: 1 ms}\n"
	    "                - count: {counter: ops}\n", "none");
	assert_string_equal(f->record.metrics[0].name, "tput-T");
	assert_near(f->record.metrics[0].value, 1000, 5);
	assert_near(f->record.elapsed_s, 3.0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_work__takes_units_times_unit_time,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_threads__spread_over_cores,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_barrier__waits_for_the_last,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_sleep__costs_no_cpu,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_memory__costs_the_latency_of_its_node,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_balancing__makes_accesses_local,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_off__no_hints,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_seed__same_seed_same_digest,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop__ends_early,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_rate__is_counted_after_warm_up,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
