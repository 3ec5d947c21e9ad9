/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: everything that is wrong with a scenario file is refused at its exact place, in one line.
 * Method: one small file for each fault; line and column are counted by hand. The machine has 2
 * nodes of 4 CPUs and 4 GiB. Lines 1 and 2 are the same everywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/strbuf.h"
#include "scenario-fixture.h"

#define HEAD "summary: a test\nsource: none\n"
/* One thread that works once; no more than a file needs. */
#define ANY "processes: {p: {roles: {r: {steps: [work: {units: 1, unit: 1 ms}]}}}}\n"
/* Steps of the only role, from line 7 on. */
#define STEPS HEAD "processes:\n  p:\n    roles:\n      r: {steps: [\n"
#define END "]}\n"

struct error_case {
	const char *text;
	uint32_t line, column;
	const char *words;
};

static void check(struct scenario_fixture *f, const struct error_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		scenario_refused(f, cases[i].text, cases[i].line, cases[i].column,
				 cases[i].words);
}

static void test_top__keys(void **state)
{
	static const struct error_case cases[] = {
		{ "source: none\n" ANY, 1, 1, "key 'summary' is missing" },
		{ "summary: x\n" ANY, 1, 1, "key 'source' is missing" },
		{ HEAD, 1, 1, "key 'processes' is missing" },
		{ HEAD "durtion: 1 s\n" ANY, 3, 1,
		  "unknown key 'durtion' (did you mean 'duration'?)" },
		{ HEAD "row: \"{n}\"\n" ANY, 3, 6, "'{n}' is not a parameter in braces" },
		{ HEAD "row: \"{n\"\nparams: {n: 1}\n" ANY, 3, 6, "is not a parameter in braces" },
		{ "- a\n", 1, 1, "must be a mapping" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_top__times(void **state)
{
	static const struct error_case cases[] = {
		{ HEAD "duration: 5\n" ANY, 3, 11,
		  "'duration' is a number ('5'), expected a time" },
		{ HEAD "duration: 2 GiB\n" ANY, 3, 11, "'duration' is a size ('2 GiB')" },
		{ HEAD "duration: 0 s\n" ANY, 3, 11, "'duration' is 0 ns ('0 s'), expected 1 to" },
		{ HEAD "duration: 1 s - 2 s\n" ANY, 3, 11, "'duration' is -1000000000 ns" },
		{ HEAD "duration: 1 s\nmeasure_from: 1 s\n" ANY, 4, 15,
		  "'measure_from' is not before" },
		{ HEAD "duration: 9 s\nlimit: 8 s\n" ANY, 4, 8,
		  "'duration' is longer than 'limit'" },
		{ HEAD "limit: 0\n" ANY, 3, 8, "'limit' is 0 ns ('0'), expected 1 to" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_params__names(void **state)
{
	static const struct error_case cases[] = {
		{ HEAD "params: {cpus: 3}\n" ANY, 3, 10,
		  "name 'cpus' means something else already" },
		{ HEAD "params: {2n: 3}\n" ANY, 3, 10, "name '2n' must be 1 to 48 letters" },
		{ HEAD "params:\n  n: {about: x}\n" ANY, 4, 6, "key 'default' is missing" },
		{ HEAD "params:\n  n: cpus + nods\n" ANY, 4, 13,
		  "unknown name 'nods' (did you mean" },
		{ HEAD "params:\n  n: \"1 + (2\"\n" ANY, 4, 13, "expected ')', found the end" },
		{ HEAD "params: {a: b, b: 1}\n" ANY, 3, 13, "unknown name 'b'" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_regions__sizes(void **state)
{
	static const struct error_case cases[] = {
		{ HEAD "regions: {h: {huge: on}}\n" ANY, 3, 14, "key 'size' is missing" },
		{ HEAD "regions: {h: {size: 0}}\n" ANY, 3, 21,
		  "'size' is 0 bytes ('0'), expected 1 to" },
		{ HEAD "regions: {h: {size: 1 - 2}}\n" ANY, 3, 21, "'size' is -1 bytes ('1 - 2')" },
		{ HEAD "regions: {h: {size: 3 s}}\n" ANY, 3, 21,
		  "'size' is a time ('3 s'), expected a size" },
		{ HEAD "regions: {h: {size: 9 GiB}}\n" ANY, 3, 21,
		  "region 'h' of 9216 MiB is larger than the memory of machine 'test', 8192 MiB" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_regions__placement_and_kind(void **state)
{
	static const struct error_case cases[] = {
		{ HEAD "regions: {h: {size: 1 MiB, bind: 2}}\n" ANY, 3, 34,
		  "'bind' is node 2 ('2'), machine 'test' has nodes 0 to 1" },
		{ HEAD "regions: {h: {size: 1 MiB, bind: -2}}\n" ANY, 3, 34, "'bind' is node -2" },
		{ HEAD "regions: {h: {size: 5 GiB, bind: 1}}\n" ANY, 3, 34,
		  "region 'h' of 5120 MiB does not fit node 1" },
		{ HEAD "regions: {h: {size: 1 MiB, bind: 1, interleave: on}}\n" ANY, 3, 37,
		  "region 'h' is both bound and interleaved" },
		{ HEAD "regions: {h: {size: 1 MiB, scope: proces}}\n" ANY, 3, 35,
		  "'scope' has no value 'proces' (did you mean 'process'?)" },
		{ HEAD "regions: {cpus: {size: 1 MiB}}\n" ANY, 3, 11,
		  "means something else already" },
		{ HEAD "regions: {a-b: {size: 1 MiB}}\n" ANY, 3, 11, "name 'a-b' must be" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

/* A node without memory is there, but nothing can be bound to it. */
static void test_regions__bind_needs_memory(void **state)
{
	struct scenario_fixture *f = *state;
	struct hn_machine *m = scenario_machine(&f->arena, 2, 4, UINT64_C(4) << 30);

	m->nodes[1].mem_bytes = 0;
	f->machine = m;
	scenario_refused(f, HEAD "regions: {h: {size: 1 MiB, bind: 1}}\n" ANY, 3, 34,
			 "'bind' is node 1 ('1'), which has no memory");
}

static void test_processes__counts(void **state)
{
	static const struct error_case cases[] = {
		{ HEAD "processes: {}\n", 3, 12, "0 processes, expected 1 to 64" },
		{ HEAD "processes: {p: {roles: {}}}\n", 3, 24, "0 roles, expected 1 to 16" },
		{ HEAD "processes: {p: {instances: 1}}\n", 3, 16, "key 'roles' is missing" },
		{ HEAD "processes: {p: {roles: {r: {threads: 0, steps: [exec]}}}}\n", 3, 38,
		  "'threads' is 0 ('0'), expected 1 to 65536" },
		{ HEAD "processes: {p: {roles: {r: {threads: cpus / 9, steps: [exec]}}}}\n", 3, 38,
		  "'threads' is 0 ('cpus / 9'), expected 1 to 65536" },
		{ HEAD "processes: {p: {roles: {r: {threads: 1 - 2, steps: [exec]}}}}\n", 3, 38,
		  "'threads' is -1" },
		{ HEAD "processes: {p: {roles: {r: {threads: 65537, steps: [exec]}}}}\n", 3, 38,
		  "'threads' is 65537" },
		{ HEAD "processes: {p: {instances: -1, roles: {r: {steps: [exec]}}}}\n", 3, 28,
		  "'instances' is -1" },
		{ HEAD "processes: {p: {start: -1 s, roles: {r: {steps: [exec]}}}}\n", 3, 24,
		  "'start' is -1000000000 ns" },
		{ HEAD "processes: {p: {roles: {r: {steps: []}}}}\n", 3, 36,
		  "empty list of steps" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_steps__words(void **state)
{
	static const struct error_case cases[] = {
		{ STEPS "wrok: {units: 1}" END, 7, 1,
		  "unknown step 'wrok' (did you mean 'work'?)" },
		{ STEPS "sleeep" END, 7, 1, "unknown step 'sleeep' (did you mean 'sleep'?)" },
		{ STEPS "{exec: , barrier: }" END, 7, 1, "expected a step: one key" },
		{ STEPS "[exec]" END, 7, 1, "expected a step: one key" },
		{ STEPS "exec: now" END, 7, 7, "'exec' takes no value" },
		{ STEPS "barrier: proces" END, 7, 10, "(did you mean 'process'?)" },
		{ STEPS "barrier: {spin: 1}" END, 7, 17, "'spin' is a number ('1')" },
		{ STEPS "sleep: {for: 0 ms}" END, 7, 14, "'for' is 0 ns ('0 ms')" },
		{ STEPS "sleep: {cv: 1}" END, 7, 8, "key 'for' is missing" },
		{ STEPS "sleep: {for: 1 s, cv: 1.5}" END, 7, 23,
		  "'cv' is 1.5 ('1.5'), expected 0 to 1" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_steps__work(void **state)
{
	static const struct error_case cases[] = {
		{ STEPS "work: {unit: 1 ms}" END, 7, 7, "key 'units' is missing" },
		{ STEPS "work: {units: 0, unit: 1 ms}" END, 7, 15, "'units' is 0 ('0'), expected" },
		{ STEPS "work: {units: -1, unit: 1 ms}" END, 7, 15, "'units' is -1" },
		{ STEPS "work: {units: 1 GiB, unit: 1 ms}" END, 7, 15, "'units' is a size" },
		{ STEPS "work: {units: 1, unit: 3}" END, 7, 24, "'unit' is a number ('3')" },
		{ STEPS "work: {units: 1, unit: 1 ms, cycles: 5}" END, 7, 30,
		  "both 'unit' and 'cycles'" },
		{ STEPS "work: {units: 1}" END, 7, 1, "work that takes no time" },
		{ STEPS "work: {units: 1, unit: 0}" END, 7, 1, "work that takes no time" },
		{ STEPS "work: {units: 1, cycles: x}" END, 7, 26, "unknown name 'x'" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

/* Line 3 has the regions, the access is line 8. */
#define ACCESS HEAD "regions: {heap: {size: 1 MiB}, own: {size: 4 KiB, scope: thread}," \
	" code: {size: 1 MiB, memory: text}}\n" \
	"processes:\n  p:\n    roles:\n      r: {steps: [work: {units: 1, access: [\n"

static void test_accesses__regions_and_amounts(void **state)
{
	static const struct error_case cases[] = {
		{ ACCESS "{region: heep, lines: 1}]}]}\n", 8, 10,
		  "unknown region 'heep' (did you mean 'heap'?)" },
		{ ACCESS "{lines: 1}]}]}\n", 8, 1, "key 'region' is missing" },
		{ ACCESS "{region: heap}]}]}\n", 8, 10, "access without 'lines' or 'bytes'" },
		{ ACCESS "{region: heap, lines: 1, bytes: 1}]}]}\n", 8, 26,
		  "both 'lines' and 'bytes'" },
		{ ACCESS "{region: heap, lines: -1}]}]}\n", 8, 23, "'lines' is -1" },
		{ ACCESS "{region: heap, bytes: 1 s}]}]}\n", 8, 23, "'bytes' is a time" },
		{ ACCESS "{region: heap, lines: 1, pages: -1}]}]}\n", 8, 33, "'pages' is -1" },
		{ ACCESS "{region: heap, lines: 1, mlp: 0.5}]}]}\n", 8, 31,
		  "'mlp' is 0.5 ('0.5'), expected 1 to 256" },
		{ ACCESS "{region: heap, lines: 1, pattern: random}]}]}\n", 8, 10,
		  "random access without 'mlp'" },
		{ ACCESS "{region: heap, lines: 1, reuse: 2 MiB}]}]}\n", 8, 33,
		  "2097152 bytes are used again of region 'heap', which has 1048576" },
		{ ACCESS "{region: heap, lines: 1, slice: owm}]}]}\n", 8, 33,
		  "'slice' has no value 'owm' (did you mean 'own'?)" },
		{ ACCESS "{region: own, lines: 1, slice: own}]}]}\n", 8, 32,
		  "region 'own' is the thread's own already" },
		{ ACCESS "{region: code, lines: 1, write: on}]}]}\n", 8, 33,
		  "region 'code' is not written (memory: text)" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_steps__touch_and_count(void **state)
{
	static const struct error_case cases[] = {
		{ STEPS "touch: {slice: own}" END, 7, 8, "key 'region' is missing" },
		{ STEPS "touch: {region: heap}" END, 7, 17, "unknown region 'heap'" },
		{ HEAD "regions: {h: {size: 1}}\n"
		  "processes: {p: {roles: {r: {steps: [touch: {region: h, node: 7}]}}}}\n", 4, 62,
		  "'node' is node 7 ('7'), machine 'test' has nodes 0 to 1" },
		{ STEPS "count: done" END, 7, 8, "unknown counter 'done'" },
		{ HEAD "counters: [done]\n"
		  "processes: {p: {roles: {r: {steps: [count: dome]}}}}\n", 4, 44,
		  "unknown counter 'dome' (did you mean 'done'?)" },
		{ HEAD "counters: [a, a]\n" ANY, 3, 15, "counter 'a' is there twice" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_loops__without_end(void **state)
{
	static const struct error_case cases[] = {
		{ STEPS "loop: {times: forever, steps: [sleep: {for: 1 s}]}" END, 7, 15,
		  "loop without end in a scenario without 'duration'" },
		{ HEAD "duration: 1 s\nprocesses: {p: {setup: [loop: {times: forever, steps: ["
		  "sleep: {for: 1 s}]}], roles: {r: {steps: [exec]}}}}\n", 4, 39,
		  "loop without end in 'setup'" },
		{ HEAD "duration: 1 s\nprocesses: {p: {roles: {r: {steps: [\n"
		  "loop: {times: forever, steps: [barrier]}]}}}}\n", 5, 1,
		  "loop without end in which no time passes" },
		{ HEAD "duration: 1 s\nprocesses: {p: {roles: {r: {steps: [\n"
		  "loop: {times: forever, steps: [sleep: {for: 1 s}]},\nexec]}}}}\n", 6, 1,
		  "step after a loop without end, never reached" },
		{ HEAD "duration: 1 s\nprocesses: {p: {roles: {r: {steps: [\n"
		  "loop: {times: forever, steps: [sleep: {for: 1 s},\n"
		  "spawn: {process: p, wait: off}]}]}}}}\n", 6, 8,
		  "spawn without wait in a loop without end" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_loops__shape(void **state)
{
	static const struct error_case cases[] = {
		{ STEPS "loop: {steps: [exec]}" END, 7, 7, "key 'times' is missing" },
		{ STEPS "loop: {times: 0, steps: [exec]}" END, 7, 15,
		  "'times' is 0 ('0'), expected 1" },
		{ STEPS "loop: {times: foreva, steps: [exec]}" END, 7, 15,
		  "unknown name 'foreva'" },
		{ STEPS "loop: {times: 2, steps: []}" END, 7, 25, "empty list of steps" },
		{ STEPS "loop: {times: 1, steps: [\nloop: {times: 1, steps: [\n"
		  "loop: {times: 1, steps: [\nloop: {times: 1, steps: [\n"
		  "loop: {times: 1, steps: [exec]}]}]}]}]}" END, 11, 1,
		  "loops nested more than 4 deep" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

static void test_setup__barriers_would_wait_alone(void **state)
{
	scenario_refused(*state,
			 HEAD "processes: {p: {setup: [barrier], roles: {r: {steps: [exec]}}}}\n",
			 3, 25, "barrier in 'setup'");
}

static void test_spawn__processes(void **state)
{
	static const struct error_case cases[] = {
		{ STEPS "spawn: {process: q}" END, 7, 18, "unknown process 'q'" },
		{ HEAD "processes:\n  parent: {roles: {r: {steps: [spawn: {process: chidl}]}}}\n"
		  "  child: {instances: 0, roles: {r: {steps: [exec]}}}\n", 4, 49,
		  "unknown process 'chidl' (did you mean 'child'?)" },
		{ STEPS "spawn: {process: p}" END, 7, 8, "process 'p' spawns itself" },
		{ HEAD "processes:\n  a: {roles: {r: {steps: [spawn: {process: b}]}}}\n"
		  "  b: {instances: 0, roles: {r: {steps: [spawn: {process: a}]}}}\n", 5, 48,
		  "process 'a' spawns itself" },
		{ HEAD "processes:\n  a: {roles: {r: {steps: [exec]}}}\n"
		  "  b: {instances: 0, roles: {r: {steps: [exec]}}}\n", 5, 3,
		  "process 'b' is never started" },
	};

	check(*state, cases, HN_ARRAY_LEN(cases));
}

/* Two roles that meet at barriers of the process must meet equally often. */
static void test_barriers__of_a_process_match(void **state)
{
	static const struct error_case cases[] = {
		{ HEAD "processes:\n  p: {roles: {\n    a: {steps: [barrier: process]},\n"
		  "    b: {steps: [loop: {times: 2, steps: [barrier: process]}]}}}\n", 4, 3,
		  "roles 'a' and 'b' do not pass barriers over the process equally often" },
		{ HEAD "duration: 1 s\nprocesses:\n  p: {roles: {\n"
		  "    a: {steps: [barrier: process]},\n"
		  "    b: {steps: [loop: {times: forever, steps: [barrier: process,\n"
		  "      sleep: {for: 1 ms}]}]}}}\n", 5, 3, "would wait for ever" },
	};
	struct scenario_fixture *f = *state;

	check(f, cases, HN_ARRAY_LEN(cases));
	assert_int_equal(scenario_read(f, HEAD "processes:\n  p: {roles: {\n"
		"    a: {steps: [barrier: process, barrier: process, barrier]},\n"
		"    b: {steps: [loop: {times: 2, steps: [barrier: process]}]}}}\n", ""), 0);
}

static void test_totals__limits(void **state)
{
	static const struct error_case cases[] = {
		/* 2 * 32768 + 1 threads */
		{ HEAD "processes:\n"
		  "  p: {instances: 2, roles: {r: {threads: 32768, steps: [exec]}}}\n"
		  "  q: {roles: {r: {steps: [exec]}}}\n", 4, 3,
		  "up to 65537 threads at once, at most 65536" },
		/* 3 * 3 GiB */
		{ HEAD "regions: {h: {size: 3 GiB}}\nprocesses:\n"
		  "  p: {instances: 3, roles: {r: {steps: [touch: {region: h}]}}}\n", 5, 3,
		  "up to 9216 MiB of memory at once, machine 'test' has 8192 MiB" },
	};
	struct scenario_fixture *f = *state;

	check(f, cases, HN_ARRAY_LEN(cases));
	assert_int_equal(scenario_read(f, HEAD "processes: {p: {instances: 2, "
		"roles: {r: {threads: 32768, steps: [exec]}}}}\n", ""), 0);
	assert_int_equal(f->scn->nr_tasks_max, 65536);
}

/* 256 steps fit, 257 do not. */
static void test_limits__steps_of_a_program(void **state)
{
	struct scenario_fixture *f = *state;
	struct hn_strbuf text;

	hn_strbuf_init(&text, &f->arena);
	hn_strbuf_add(&text, HEAD "processes:\n  p:\n    roles:\n      r:\n        steps:\n");
	for (uint32_t s = 0; s < HN_SCN_STEPS_MAX; s++)
		hn_strbuf_add(&text, "        - exec\n");
	assert_int_equal(scenario_read(f, text.text, ""), 0);
	assert_int_equal(f->scn->processes[0].roles[0].program.nr_steps, HN_SCN_STEPS_MAX);
	hn_strbuf_add(&text, "        - exec\n");
	scenario_refused(f, text.text, 8 + HN_SCN_STEPS_MAX, 11,
			 "more than 256 steps in a program");
}

/* Nine accesses are one too many. */
static void test_limits__accesses_of_a_step(void **state)
{
	struct scenario_fixture *f = *state;
	struct hn_strbuf text;

	hn_strbuf_init(&text, &f->arena);
	hn_strbuf_add(&text, ACCESS);
	for (uint32_t a = 0; a <= HN_SCN_ACCESSES_MAX; a++)
		hn_strbuf_add(&text, "{region: heap, lines: 1},");
	hn_strbuf_add(&text, "]}]}\n");
	scenario_refused(f, text.text, 7, 44, "9 accesses, at most 8");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scenario_setup, scenario_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_top__keys),
		TEST(test_top__times),
		TEST(test_params__names),
		TEST(test_regions__sizes),
		TEST(test_regions__placement_and_kind),
		TEST(test_regions__bind_needs_memory),
		TEST(test_processes__counts),
		TEST(test_steps__words),
		TEST(test_steps__work),
		TEST(test_accesses__regions_and_amounts),
		TEST(test_steps__touch_and_count),
		TEST(test_loops__without_end),
		TEST(test_loops__shape),
		TEST(test_setup__barriers_would_wait_alone),
		TEST(test_spawn__processes),
		TEST(test_barriers__of_a_process_match),
		TEST(test_totals__limits),
		TEST(test_limits__steps_of_a_program),
		TEST(test_limits__accesses_of_a_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
