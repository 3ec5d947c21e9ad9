/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: a scenario file becomes the program that it describes, resolved for the machine at hand.
 * Method: files written by the test, read for a machine of 2 nodes with 4 CPUs and 4 GiB each.
 * The scenarios of the repository are read too; HN_DATA_DIR is the folder that holds scenarios/. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenario-fixture.h"

#define HEAD "summary: a test\nsource: none\n"

static void read_or_fail(struct scenario_fixture *f, const char *text, const char *params)
{
	if (scenario_read(f, text, params))
		fail_msg("%u:%u: %s", f->diag.line, f->diag.column, f->diag.text);
}

/* ---- the top of a file ---- */

static void test_read__defaults_of_the_smallest_file(void **state)
{
	struct scenario_fixture *f = *state;

	read_or_fail(f, HEAD "processes: {p: {roles: {r: {steps: [exec]}}}}\n", "");
	assert_string_equal(f->scn->name, "s");
	assert_string_equal(f->scn->row, "s");
	assert_string_equal(f->scn->summary, "a test");
	assert_string_equal(f->scn->source, "none");
	assert_int_equal(f->scn->duration_ns, 0);
	assert_int_equal(f->scn->measure_from_ns, 0);
	assert_int_equal(f->scn->limit_ns, 3600 * HN_NS_PER_S);
	assert_int_equal(f->scn->nr_regions, 0);
	assert_int_equal(f->scn->nr_processes, 1);
	assert_int_equal(f->scn->processes[0].nr_instances, 1);
	assert_int_equal(f->scn->processes[0].setup.nr_steps, 0);
	assert_int_equal(f->scn->processes[0].roles[0].nr_threads, 1);
	assert_int_equal(f->scn->nr_tasks_max, 1);
	assert_int_equal(f->scn->bytes_max, 0);
}

static void test_read__times_counters_and_row(void **state)
{
	struct scenario_fixture *f = *state;

	read_or_fail(f, HEAD "row: JBB\nduration: 2 * 10 s\nmeasure_from: 500 ms\nlimit: 60 s\n"
		     "counters: [done, tried]\n"
		     "processes: {p: {roles: {r: {steps: [loop: {times: forever, steps: [\n"
		     "  {work: {units: 1, unit: 1 ms}}, {count: done},\n"
		     "  {count: {counter: tried, add: 2.5}}]}]}}}}\n", "");
	assert_string_equal(f->scn->row, "JBB");
	assert_int_equal(f->scn->duration_ns, 20 * HN_NS_PER_S);
	assert_int_equal(f->scn->measure_from_ns, 500 * HN_NS_PER_MS);
	assert_int_equal(f->scn->limit_ns, 60 * HN_NS_PER_S);
	assert_int_equal(f->scn->nr_counters, 2);
	assert_string_equal(f->scn->counters[1], "tried");
	assert_int_equal(f->scn->processes[0].roles[0].program.steps[2].counter, 0);
	assert_true(f->scn->processes[0].roles[0].program.steps[2].units == 1);
	assert_int_equal(f->scn->processes[0].roles[0].program.steps[3].counter, 1);
	assert_true(f->scn->processes[0].roles[0].program.steps[3].units == 2.5);
}

/* ---- parameters ---- */

#define PARAMS_FILE HEAD "row: \"n{n}-{huge}\"\n" \
	"params:\n  n: {default: cpus / 2, about: threads}\n  size: 64 MiB\n  huge: on\n" \
	"regions: {heap: {size: size, huge: huge}}\n" \
	"processes: {p: {roles: {r: {threads: n, steps: [touch: {region: heap}]}}}}\n"

static void test_params__defaults_follow_the_machine(void **state)
{
	struct scenario_fixture *f = *state;

	read_or_fail(f, PARAMS_FILE, "");
	assert_string_equal(f->scn->name, "s");
	assert_string_equal(f->scn->row, "n4-on"); /* 8 CPUs / 2 */
	assert_int_equal(f->scn->processes[0].roles[0].nr_threads, 4);
	assert_true(f->scn->regions[0].bytes == UINT64_C(64) << 20);
	assert_true(f->scn->regions[0].is_huge);
}

/* The name lists what was given, in the order of the file. */
static void test_params__given_ones_replace_defaults(void **state)
{
	struct scenario_fixture *f = *state;

	read_or_fail(f, PARAMS_FILE, ":huge=off,n=cpus-1");
	assert_string_equal(f->scn->name, "s:n=7,huge=off");
	assert_string_equal(f->scn->row, "n7-off");
	assert_int_equal(f->scn->processes[0].roles[0].nr_threads, 7);
	assert_false(f->scn->regions[0].is_huge);
	read_or_fail(f, PARAMS_FILE, ":size=1 GiB");
	assert_string_equal(f->scn->name, "s:size=1 GiB");
	assert_true(f->scn->regions[0].bytes == UINT64_C(1) << 30);
}

static void check_params_refused(struct scenario_fixture *f, const char *params, const char *words)
{
	assert_true(scenario_read(f, PARAMS_FILE, params) < 0);
	if (!strstr(f->diag.text, words) && !strstr(f->diag.file, words))
		fail_msg("%s: message '%s', expected '%s'", params, f->diag.text, words);
}

static void test_params__refuses_wrong_ones(void **state)
{
	struct scenario_fixture *f = *state;

	check_params_refused(f, ":m=1", "scenario 's' has no parameter 'm'");
	check_params_refused(f, ":siz=1", "did you mean 'size'?");
	check_params_refused(f, ":n=two", "unknown name 'two'");
	check_params_refused(f, ":n=1+", "parameter 'n'");
	check_params_refused(f, ":n=on", "parameter 'n' is 'on', expected a number");
	check_params_refused(f, ":huge=3", "parameter 'huge' is '3', expected on or off");
	check_params_refused(f, ":n=1 GiB", "parameter 'n' is a size ('1 GiB'), expected a number");
	check_params_refused(f, ":n=1,n=2", "has parameter 'n' twice");
	check_params_refused(f, ":n", "expected NAME:KEY=VALUE");
	check_params_refused(f, ":n=", "expected NAME:KEY=VALUE");
	check_params_refused(f, ":n=0", "'threads' is 0 ('n'), expected 1 to 65536");
}

/* ---- regions ---- */

static void test_regions__all_keys(void **state)
{
	struct scenario_fixture *f = *state;
	const struct hn_scn_region *r;

	read_or_fail(f, HEAD "regions:\n"
		     "  a: {size: memory / 8, source: counted}\n"
		     "  b: {size: a / 2, scope: thread, memory: shm, bind: 1}\n"
		     "  c: {size: 10000.7 B, scope: global, memory: text, interleave: on}\n"
		     "processes: {p: {roles: {r: {threads: 2, steps: [touch: {region: a},\n"
		     "  touch: {region: b}, touch: {region: c}]}}}}\n", "");
	r = f->scn->regions;
	assert_int_equal(f->scn->nr_regions, 3);
	assert_true(r[0].bytes == UINT64_C(1) << 30); /* (2 * 4 GiB) / 8 */
	assert_int_equal(r[0].scope, HN_SCN_PER_PROCESS);
	assert_int_equal(r[0].memory, HN_SCN_ANON);
	assert_int_equal(r[0].bind_nid, HN_NID_NONE);
	assert_false(r[0].is_huge);
	assert_true(r[1].bytes == UINT64_C(1) << 29);
	assert_int_equal(r[1].scope, HN_SCN_PER_THREAD);
	assert_int_equal(r[1].memory, HN_SCN_SHM);
	assert_int_equal(r[1].bind_nid, 1);
	assert_true(r[2].bytes == 10000);
	assert_int_equal(r[2].scope, HN_SCN_GLOBAL);
	assert_int_equal(r[2].memory, HN_SCN_TEXT);
	assert_true(r[2].is_interleaved);
}

/* ---- steps ---- */

static const struct hn_scn_program *program_of(const struct scenario_fixture *f)
{
	return &f->scn->processes[0].roles[0].program;
}

static void test_steps__work_with_accesses(void **state)
{
	struct scenario_fixture *f = *state;
	const struct hn_scn_access *a;

	read_or_fail(f, HEAD "regions: {heap: {size: 1 GiB}}\n"
		     "processes: {p: {roles: {r: {threads: 4, steps: [work: {\n"
		     "  units: heap / threads / 1 MiB, cycles: 100, cv: 0.5, access: [\n"
		     "  {region: heap, slice: own, bytes: 1 MiB, write: on,\n"
		     "   reuse: heap / threads},\n"
		     "  {region: heap, pattern: random, lines: 3, mlp: 2},\n"
		     "  {region: heap, slice: next, lines: 128, pages: 5}]}]}}}}\n", "");
	assert_int_equal(program_of(f)->nr_steps, 1);
	assert_true(program_of(f)->steps[0].units == 256);  /* 1024 MiB / 4 */
	assert_true(program_of(f)->steps[0].unit_ns == 50); /* 100 cycles at 2 GHz */
	assert_true(program_of(f)->steps[0].cv == 0.5);
	assert_int_equal(program_of(f)->steps[0].nr_accesses, 3);
	a = program_of(f)->steps[0].accesses;
	assert_int_equal(a[0].slice, HN_SCN_OWN);
	assert_int_equal(a[0].pattern, HN_SCN_SWEEP);
	assert_true(a[0].lines == 16384);  /* 1 MiB / 64 B */
	assert_true(a[0].pages == 256);    /* a sweep: lines / 64 */
	assert_true(a[0].mlp == 16);
	assert_true(a[0].is_write);
	assert_true(a[0].reuse_bytes == UINT64_C(1) << 28);
	assert_int_equal(a[1].slice, HN_SCN_ALL);
	assert_int_equal(a[1].pattern, HN_SCN_RANDOM);
	assert_true(a[1].pages == 3);      /* random: one page a line */
	assert_true(a[1].mlp == 2);
	assert_false(a[1].is_write);
	assert_int_equal(a[2].slice, HN_SCN_NEXT);
	assert_true(a[2].pages == 5);
}

static void test_steps__loops_become_pairs(void **state)
{
	/* 0 loop  1 loop  2 sleep  3 end of 1  4 barrier  5 end of 0 */
	static const enum hn_scn_step_kind kinds[] = {
		HN_SCN_LOOP, HN_SCN_LOOP, HN_SCN_SLEEP, HN_SCN_END, HN_SCN_BARRIER, HN_SCN_END,
	};
	struct scenario_fixture *f = *state;
	const struct hn_scn_program *program;

	read_or_fail(f, HEAD "processes: {p: {roles: {r: {threads: 3, steps: [loop: {times: 2,\n"
		     "  steps: [loop: {times: threads * 2.5, steps: [sleep: {for: 3 ms, cv: 1}]},\n"
		     "  barrier: {over: process, spin: 20 us}]}]}}}}\n", "");
	program = program_of(f);
	assert_int_equal(program->nr_steps, 6);
	for (uint32_t s = 0; s < 6; s++)
		assert_int_equal(program->steps[s].kind, kinds[s]);
	assert_int_equal(program->steps[0].count, 2);
	assert_int_equal(program->steps[0].match, 5);
	assert_int_equal(program->steps[1].count, 7); /* 7.5 rounded down */
	assert_int_equal(program->steps[1].match, 3);
	assert_int_equal(program->steps[3].match, 1);
	assert_int_equal(program->steps[5].match, 0);
	assert_int_equal(program->steps[2].span_ns, 3 * HN_NS_PER_MS);
	assert_true(program->steps[2].cv == 1);
	assert_int_equal(program->steps[2].line, 4);
	assert_true(program->steps[4].is_process_wide);
	assert_int_equal(program->steps[4].span_ns, 20 * HN_NS_PER_US);
}

static void test_steps__bare_words(void **state)
{
	struct scenario_fixture *f = *state;
	const struct hn_scn_process *p;

	read_or_fail(f, HEAD "processes: {p: {setup: [exec], roles: {r: {steps: [barrier,\n"
		     "  barrier: process]}}}}\n", "");
	p = &f->scn->processes[0];
	assert_int_equal(p->setup.nr_steps, 1);
	assert_int_equal(p->setup.steps[0].kind, HN_SCN_EXEC);
	assert_false(p->roles[0].program.steps[0].is_process_wide);
	assert_true(p->roles[0].program.steps[1].is_process_wide);
}

static void test_steps__touch_may_name_a_node(void **state)
{
	struct scenario_fixture *f = *state;
	const struct hn_scn_step *steps;

	read_or_fail(f, HEAD "regions: {heap: {size: 1 MiB}}\n"
		     "processes: {p: {roles: {r: {steps: [touch: {region: heap, node: 1},\n"
		     "  touch: {region: heap, node: -1},\n"
		     "  touch: {region: heap, slice: own}]}}}}\n", "");
	steps = program_of(f)->steps;
	assert_true(steps[0].has_touch_nid);
	assert_int_equal(steps[0].touch_nid, 1);
	assert_false(steps[1].has_touch_nid);
	assert_false(steps[2].has_touch_nid);
	assert_int_equal(steps[2].nr_accesses, 1);
	assert_int_equal(steps[2].accesses[0].slice, HN_SCN_OWN);
}

/* ---- threads and memory at once ---- */

/* 3 instances of 2 + 1 threads. Memory of one: 16 MiB of its own, 3 threads of 4 MiB; the shared
 * 32 MiB count once: 3 * 28 + 32 = 116 MiB. The region that nobody uses does not count. */
static void test_totals__threads_and_memory(void **state)
{
	struct scenario_fixture *f = *state;

	read_or_fail(f, HEAD "regions:\n  own: {size: 16 MiB}\n"
		     "  stack: {size: 4 MiB, scope: thread}\n"
		     "  shared: {size: 32 MiB, scope: global}\n  unused: {size: 1 GiB}\n"
		     "processes: {p: {instances: 3, start: 1 s, stagger: 2 ms, roles: {\n"
		     "  a: {threads: 2, steps: [touch: {region: own}, touch: {region: stack}]},\n"
		     "  b: {steps: [touch: {region: shared}]}}}}\n", "");
	assert_int_equal(f->scn->nr_tasks_max, 9);
	assert_true(f->scn->bytes_max == UINT64_C(116) << 20);
	assert_int_equal(f->scn->processes[0].start_ns, HN_NS_PER_S);
	assert_int_equal(f->scn->processes[0].stagger_ns, 2 * HN_NS_PER_MS);
}

/* Each of 4 threads has one child of 1 thread that it waits for, and 2 * 3 that it does not wait
 * for: 4 * (1 + 1 + 6) = 32 threads. */
static void test_totals__children(void **state)
{
	struct scenario_fixture *f = *state;

	read_or_fail(f, HEAD "processes:\n"
		     "  parent: {roles: {r: {threads: 4, steps: [\n"
		     "    loop: {times: 5, steps: [spawn: {process: child}]},\n"
		     "    loop: {times: 2, steps: [loop: {times: 3, steps: [\n"
		     "      spawn: {process: child, wait: off}]}]}]}}}\n"
		     "  child: {instances: 0, roles: {m: {steps: [exec]}}}\n", "");
	assert_int_equal(f->scn->nr_tasks_max, 32);
	assert_true(program_of(f)->steps[1].waits);
	assert_int_equal(program_of(f)->steps[1].process, 1);
	assert_false(program_of(f)->steps[5].waits);
}

/* ---- finding files ---- */

static void test_spec__unknown_name_suggests(void **state)
{
	struct scenario_fixture *f = *state;

	scenario_write(f, "stream.yaml", "x: 1\n");
	assert_int_equal(hn_scenario_read(&f->arena, f->dir, "straem", f->machine, &f->scn,
					  &f->diag), -ENOENT);
	assert_string_equal(f->diag.text,
			    "unknown scenario 'straem' (did you mean 'stream'?)");
}

static void test_spec__a_path_is_read_as_it_is(void **state)
{
	struct scenario_fixture *f = *state;
	char spec[128];

	read_or_fail(f, PARAMS_FILE, "");
	snprintf(spec, sizeof(spec), "%s/scenarios/s.yaml:n=2", f->dir);
	assert_int_equal(hn_scenario_read(&f->arena, "/nowhere", spec, f->machine, &f->scn,
					  &f->diag), 0);
	assert_string_equal(f->scn->name, "s:n=2");
}

static void test_list__names_ascending_with_defaults(void **state)
{
	struct scenario_fixture *f = *state;
	struct hn_scenario_entry *entries;
	uint32_t nr;

	scenario_write(f, "zeta.yaml", "summary: last\nsource: none\nprocesses: {}\n");
	scenario_write(f, "alpha.yaml", PARAMS_FILE);
	scenario_write(f, "notes.txt", "no scenario");
	scenario_write(f, "batteries/all.yaml", "summary: b\nscenarios: [alpha]\n");
	assert_int_equal(hn_scenario_list(&f->arena, f->dir, &entries, &nr, &f->diag), 0);
	assert_int_equal(nr, 2);
	assert_string_equal(entries[0].name, "alpha");
	assert_string_equal(entries[0].params, "n=cpus / 2,size=64 MiB,huge=on");
	assert_string_equal(entries[1].name, "zeta");
	assert_string_equal(entries[1].summary, "last");
	assert_string_equal(entries[1].params, "");
}

/* ---- batteries ---- */

static void test_battery__all_keys(void **state)
{
	struct scenario_fixture *f = *state;
	const struct hn_battery *battery;

	scenario_write(f, "one.yaml", PARAMS_FILE);
	scenario_write(f, "batteries/b.yaml", "summary: two\nruns: 7\nmachines: [2s-x]\n"
		       "policies: [none, v6.12]\nscenarios: [one, \"one:n=2\"]\n");
	assert_int_equal(hn_battery_read(&f->arena, f->dir, "battery:b", &battery, &f->diag), 0);
	assert_string_equal(battery->name, "b");
	assert_string_equal(battery->summary, "two");
	assert_int_equal(battery->nr_runs, 7);
	assert_int_equal(battery->nr_machines, 1);
	assert_int_equal(battery->nr_policies, 2);
	assert_string_equal(battery->policies[1], "v6.12");
	assert_int_equal(battery->nr_scenarios, 2);
	assert_string_equal(battery->scenarios[1], "one:n=2");
}

static void test_battery__defaults(void **state)
{
	struct scenario_fixture *f = *state;
	const struct hn_battery *battery;

	scenario_write(f, "one.yaml", PARAMS_FILE);
	scenario_write(f, "batteries/b.yaml", "summary: one\nscenarios: [one]\n");
	assert_int_equal(hn_battery_read(&f->arena, f->dir, "b", &battery, &f->diag), 0);
	assert_null(battery->machines);
	assert_null(battery->policies);
	assert_int_equal(battery->nr_runs, 0);
}

static void test_battery__refuses_what_is_not_there(void **state)
{
	struct scenario_fixture *f = *state;
	const struct hn_battery *battery = NULL;

	scenario_write(f, "one.yaml", PARAMS_FILE);
	scenario_write(f, "batteries/bad.yaml", "summary: one\nscenarios:\n  - one\n  - oen\n");
	assert_int_equal(hn_battery_read(&f->arena, f->dir, "battery:bda", &battery, &f->diag),
			 -ENOENT);
	assert_string_equal(f->diag.text, "unknown battery 'bda' (did you mean 'bad'?)");
	hn_diag_reset(&f->diag);
	assert_int_equal(hn_battery_read(&f->arena, f->dir, "bad", &battery, &f->diag), -ENOENT);
	assert_string_equal(f->diag.text, "unknown scenario 'oen' (did you mean 'one'?)");
	assert_int_equal(f->diag.line, 4);
	assert_int_equal(f->diag.column, 5);
	assert_null(battery);
}

/* ---- the files of the repository ---- */

static void read_one(struct scenario_fixture *f, const char *data_dir, const char *spec,
		     const struct hn_machine *machine)
{
	hn_diag_reset(&f->diag);
	if (hn_scenario_read(&f->arena, data_dir, spec, machine, &f->scn, &f->diag))
		fail_msg("%s on %u nodes: %s:%u:%u: %s", spec, machine->nr_nodes, f->diag.file,
			 f->diag.line, f->diag.column, f->diag.text);
	assert_string_equal(f->scn->name, spec);
}

static void test_repository__scenarios_load_on_several_machines(void **state)
{
	struct scenario_fixture *f = *state;
	const char *data_dir = getenv("HN_DATA_DIR");
	const uint64_t gib = UINT64_C(1) << 30;
	struct hn_scenario_entry *entries;
	const struct hn_machine *machines[3];
	uint32_t nr;

	if (!data_dir) {
		print_message("SKIPPED: HN_DATA_DIR is not set\n");
		skip();
	}
	machines[0] = scenario_machine(&f->arena, 2, 24, 64 * gib);
	machines[1] = scenario_machine(&f->arena, 4, 12, 64 * gib);
	machines[2] = scenario_machine(&f->arena, 2, 128, 256 * gib);
	assert_int_equal(hn_scenario_list(&f->arena, data_dir, &entries, &nr, &f->diag), 0);
	assert_true(nr >= 26);
	for (uint32_t e = 0; e < nr; e++) {
		for (uint32_t m = 0; m < HN_ARRAY_LEN(machines); m++)
			read_one(f, data_dir, entries[e].name, machines[m]);
	}
}

static void test_repository__batteries_load(void **state)
{
	static const char *const names[] = {
		"autonuma", "nas-c", "nas-d", "specjbb", "stream", "seeds-2018", "demo",
	};
	struct scenario_fixture *f = *state;
	const char *data_dir = getenv("HN_DATA_DIR");
	const struct hn_machine *machine = scenario_machine(&f->arena, 2, 24, UINT64_C(1) << 36);

	if (!data_dir) {
		print_message("SKIPPED: HN_DATA_DIR is not set\n");
		skip();
	}
	for (size_t b = 0; b < HN_ARRAY_LEN(names); b++) {
		const struct hn_battery *battery;

		if (hn_battery_read(&f->arena, data_dir, names[b], &battery, &f->diag))
			fail_msg("%s: %s", names[b], f->diag.text);
		for (uint32_t s = 0; s < battery->nr_scenarios; s++)
			read_one(f, data_dir, battery->scenarios[s], machine);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scenario_setup, scenario_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_read__defaults_of_the_smallest_file),
		TEST(test_read__times_counters_and_row),
		TEST(test_params__defaults_follow_the_machine),
		TEST(test_params__given_ones_replace_defaults),
		TEST(test_params__refuses_wrong_ones),
		TEST(test_regions__all_keys),
		TEST(test_steps__work_with_accesses),
		TEST(test_steps__loops_become_pairs),
		TEST(test_steps__bare_words),
		TEST(test_steps__touch_may_name_a_node),
		TEST(test_totals__threads_and_memory),
		TEST(test_totals__children),
		TEST(test_spec__unknown_name_suggests),
		TEST(test_spec__a_path_is_read_as_it_is),
		TEST(test_list__names_ascending_with_defaults),
		TEST(test_battery__all_keys),
		TEST(test_battery__defaults),
		TEST(test_battery__refuses_what_is_not_there),
		TEST(test_repository__scenarios_load_on_several_machines),
		TEST(test_repository__batteries_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
