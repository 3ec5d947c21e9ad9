/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a scenario: one that keeps the limits, or a refusal. */
#include "base/assert.h"
#include "sim/scenario-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes);

static const struct hn_machine *build_machine(struct hn_arena *arena)
{
	struct hn_machine *m = HN_ARENA_NEW(arena, struct hn_machine);

	m->name = "fuzz";
	m->nr_nodes = 2;
	m->nr_cpus = 4;
	m->nr_cores = 4;
	m->nr_llcs = 2;
	m->nr_pkgs = 2;
	m->nodes = HN_ARENA_ARRAY(arena, struct hn_node, 2);
	m->nodes[0] = (struct hn_node){ .mem_bytes = UINT64_C(1) << 32, .nr_cpus = 4 };
	m->llc_bytes = 1 << 20;
	m->freq_ghz = 2;
	m->line_bytes = 64;
	return m;
}

static void check_program(const struct hn_scenario *scn, const struct hn_scn_program *program)
{
	hn_assert(program->nr_steps <= HN_SCN_STEPS_MAX);
	for (uint32_t s = 0; s < program->nr_steps; s++) {
		const struct hn_scn_step *step = &program->steps[s];

		hn_assert(step->nr_accesses <= HN_SCN_ACCESSES_MAX);
		for (uint32_t a = 0; a < step->nr_accesses; a++)
			hn_assert(step->accesses[a].region < scn->nr_regions);
		if (step->kind == HN_SCN_LOOP)
			hn_assert(program->steps[step->match].match == s);
		if (step->kind == HN_SCN_SPAWN)
			hn_assert(step->process < scn->nr_processes);
		if (step->kind == HN_SCN_COUNT)
			hn_assert(step->counter < scn->nr_counters);
	}
}

static void check_scenario(const struct hn_scenario *scn)
{
	hn_assert(scn->limit_ns > 0);
	hn_assert(scn->nr_tasks_max > 0);
	hn_assert(scn->nr_tasks_max <= HN_SCN_TASKS_MAX);
	for (uint32_t p = 0; p < scn->nr_processes; p++) {
		const struct hn_scn_process *process = &scn->processes[p];

		check_program(scn, &process->setup);
		for (uint32_t r = 0; r < process->nr_roles; r++) {
			hn_assert(process->roles[r].nr_threads > 0);
			check_program(scn, &process->roles[r].program);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes)
{
	struct scn_spec spec = { .name = "fuzz", .path = "fuzz" };
	const struct hn_yaml_node *root;
	const struct hn_scenario *scn;
	struct hn_diag diag = { 0 };
	struct hn_arena arena;

	hn_arena_init(&arena);
	if (!hn_yaml_parse(&arena, "fuzz", (const char *)bytes, nr_bytes, &root, &diag) &&
	    !scn_read_tree(&arena, &spec, root, build_machine(&arena), &scn, &diag))
		check_scenario(scn);
	hn_arena_fini(&arena);
	return 0;
}
