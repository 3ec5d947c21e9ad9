/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs: a list of steps, where loops hold lists of their own, as one flat array. */
#include "sim/scenario-internal.h"

#include <errno.h>
#include <string.h>

#include "base/nearest.h"

#define UNITS_MAX 1e15
#define UNIT_NS_MAX 1e12

/* A program as it is put together. */
struct builder {
	struct scn_reader *rd;
	struct hn_scn_program *program;  /* steps have room for all */
	bool is_setup;
	uint32_t depth;          /* of loops */
	uint32_t nr_endless;     /* loops around the step that never end */
};

static const char *const step_names[] = {
	"work", "touch", "barrier", "sleep", "loop", "count", "exec", "spawn",
};

static struct hn_scn_step *add_step(struct builder *b, enum hn_scn_step_kind kind,
				    const struct hn_yaml_node *node)
{
	struct hn_scn_step *step = &b->program->steps[b->program->nr_steps++];

	step->kind = kind;
	step->line = node->line;
	return step;
}

/* ---- work ---- */

struct work_nodes {
	const struct hn_yaml_node *units, *unit, *cycles, *cv, *access;
	const char *source;
};

#define WORK(member) offsetof(struct work_nodes, member)

static const struct hn_yaml_field work_fields[] = {
	{ .key = "units", .type = HN_YAML_NODE, .is_required = true, .offset = WORK(units) },
	{ .key = "unit", .type = HN_YAML_NODE, .offset = WORK(unit) },
	{ .key = "cycles", .type = HN_YAML_NODE, .offset = WORK(cycles) },
	{ .key = "cv", .type = HN_YAML_NODE, .offset = WORK(cv) },
	{ .key = "access", .type = HN_YAML_NODE, .offset = WORK(access) },
	{ .key = "source", .type = HN_YAML_STRING, .offset = WORK(source) },
};

/* Time of a unit, directly or as cycles at the machine's clock. */
static int read_unit(struct scn_reader *rd, const struct work_nodes *nodes,
		     struct hn_scn_step *step)
{
	double cycles;
	int err;

	if (nodes->unit && nodes->cycles)
		return hn_yaml_complain_key(nodes->cycles, -EINVAL, rd->diag,
					    "both 'unit' and 'cycles', expected one of them");
	if (nodes->unit)
		return scn_read_ns(rd, nodes->unit, 0, UNIT_NS_MAX, &step->unit_ns);
	if (!nodes->cycles)
		return 0;
	err = scn_read_real(rd, nodes->cycles, 0, UNIT_NS_MAX, &cycles);
	if (!err)
		step->unit_ns = cycles / rd->machine->freq_ghz;
	return err;
}

static int read_accesses(struct scn_reader *rd, const struct hn_yaml_node *seq,
			 struct hn_scn_step *step)
{
	int err = hn_yaml_check_kind(seq, HN_YAML_SEQ, rd->diag);

	if (err)
		return err;
	if (seq->nr_children > HN_SCN_ACCESSES_MAX)
		return hn_yaml_complain(seq, -E2BIG, rd->diag, "%u accesses, at most %d",
					seq->nr_children, HN_SCN_ACCESSES_MAX);
	hn_yaml_for_each(node, seq) {
		err = scn_access_read(rd, node, &step->accesses[step->nr_accesses]);
		if (err)
			return err;
		step->nr_accesses++;
	}
	return 0;
}

static bool takes_time(const struct hn_scn_step *step)
{
	if (step->unit_ns > 0)
		return true;
	for (uint32_t a = 0; a < step->nr_accesses; a++) {
		if (step->accesses[a].lines > 0)
			return true;
	}
	return false;
}

static int read_work(struct builder *b, const struct hn_yaml_node *node)
{
	struct hn_scn_step *step = add_step(b, HN_SCN_WORK, node);
	struct scn_reader *rd = b->rd;
	struct work_nodes nodes = { 0 };
	int err = hn_yaml_read_fields(node, work_fields, HN_ARRAY_LEN(work_fields), &nodes,
				      rd->diag);

	if (!err)
		err = scn_read_real(rd, nodes.units, 1e-9, UNITS_MAX, &step->units);
	if (!err)
		err = read_unit(rd, &nodes, step);
	if (!err && nodes.cv)
		err = scn_read_real(rd, nodes.cv, 0, 1, &step->cv);
	if (!err && nodes.access)
		err = read_accesses(rd, nodes.access, step);
	if (!err && !takes_time(step))
		err = hn_yaml_complain_key(node, -EINVAL, rd->diag,
					   "work that takes no time, expected 'unit', 'cycles' or "
					   "an access with lines");
	return err;
}

/* ---- the small steps ---- */

static int read_touch(struct builder *b, const struct hn_yaml_node *node)
{
	return scn_touch_read(b->rd, node, add_step(b, HN_SCN_TOUCH, node));
}

struct barrier_nodes {
	uint32_t over;
	const struct hn_yaml_node *spin;
};

static int read_barrier(struct builder *b, const struct hn_yaml_node *node)
{
	static const char *const over_names[] = { "role", "process" };
	static const struct hn_yaml_field fields[] = {
		{ .key = "over", .type = HN_YAML_CHOICE, .names = over_names, .nr_names = 2,
		  .offset = offsetof(struct barrier_nodes, over) },
		{ .key = "spin", .type = HN_YAML_NODE,
		  .offset = offsetof(struct barrier_nodes, spin) },
	};
	struct hn_scn_step *step = add_step(b, HN_SCN_BARRIER, node);
	struct barrier_nodes nodes = { 0 };
	int err = 0;

	if (b->is_setup)
		return hn_yaml_complain(node, -EINVAL, b->rd->diag,
					"barrier in 'setup', where the main thread is alone");
	if (node->kind != HN_YAML_SCALAR)
		err = hn_yaml_read_fields(node, fields, HN_ARRAY_LEN(fields), &nodes,
					  b->rd->diag);
	else if (node->key && node->text[0])
		err = hn_yaml_as_choice(node, over_names, HN_ARRAY_LEN(over_names), &nodes.over,
					b->rd->diag);
	if (!err && nodes.spin)
		err = scn_read_span(b->rd, nodes.spin, 0, SCN_SPAN_NS_MAX, &step->span_ns);
	step->is_process_wide = nodes.over == 1;
	return err;
}

struct sleep_nodes {
	const struct hn_yaml_node *span, *cv;
	const char *source;
};

static int read_sleep(struct builder *b, const struct hn_yaml_node *node)
{
	static const struct hn_yaml_field fields[] = {
		{ .key = "for", .type = HN_YAML_NODE, .is_required = true,
		  .offset = offsetof(struct sleep_nodes, span) },
		{ .key = "cv", .type = HN_YAML_NODE, .offset = offsetof(struct sleep_nodes, cv) },
		{ .key = "source", .type = HN_YAML_STRING,
		  .offset = offsetof(struct sleep_nodes, source) },
	};
	struct hn_scn_step *step = add_step(b, HN_SCN_SLEEP, node);
	struct sleep_nodes nodes = { 0 };
	int err = hn_yaml_read_fields(node, fields, HN_ARRAY_LEN(fields), &nodes, b->rd->diag);

	if (!err)
		err = scn_read_span(b->rd, nodes.span, 1, SCN_SPAN_NS_MAX, &step->span_ns);
	if (!err && nodes.cv)
		err = scn_read_real(b->rd, nodes.cv, 0, 1, &step->cv);
	return err;
}

struct count_nodes {
	const struct hn_yaml_node *counter, *add;
};

static int read_count(struct builder *b, const struct hn_yaml_node *node)
{
	static const struct hn_yaml_field fields[] = {
		{ .key = "counter", .type = HN_YAML_NODE, .is_required = true,
		  .offset = offsetof(struct count_nodes, counter) },
		{ .key = "add", .type = HN_YAML_NODE,
		  .offset = offsetof(struct count_nodes, add) },
	};
	struct hn_scn_step *step = add_step(b, HN_SCN_COUNT, node);
	const struct hn_scenario *scn = b->rd->scn;
	struct count_nodes nodes = { .counter = node };
	int err = 0;

	step->units = 1;
	if (node->kind != HN_YAML_SCALAR)
		err = hn_yaml_read_fields(node, fields, HN_ARRAY_LEN(fields), &nodes,
					  b->rd->diag);
	if (!err)
		err = scn_find_name(b->rd, nodes.counter, "counter", scn->counters,
				    scn->nr_counters, &step->counter);
	if (!err && nodes.add)
		err = scn_read_real(b->rd, nodes.add, 0, UNITS_MAX, &step->units);
	return err;
}

static int read_exec(struct builder *b, const struct hn_yaml_node *node)
{
	add_step(b, HN_SCN_EXEC, node);
	if (node->kind == HN_YAML_SCALAR && (!node->key || !node->text[0]))
		return 0;
	return hn_yaml_complain(node, -EINVAL, b->rd->diag, "'exec' takes no value");
}

struct spawn_nodes {
	const struct hn_yaml_node *process, *wait;
};

static void note_spawn(struct scn_reader *rd, const struct hn_scn_step *step,
		       const struct hn_yaml_node *node)
{
	struct scn_spawn *spawn = HN_ARENA_NEW(rd->arena, struct scn_spawn);

	*spawn = (struct scn_spawn){ step, node, rd->spawns };
	rd->spawns = spawn;
}

static int read_spawn(struct builder *b, const struct hn_yaml_node *node)
{
	static const struct hn_yaml_field fields[] = {
		{ .key = "process", .type = HN_YAML_NODE, .is_required = true,
		  .offset = offsetof(struct spawn_nodes, process) },
		{ .key = "wait", .type = HN_YAML_NODE,
		  .offset = offsetof(struct spawn_nodes, wait) },
	};
	struct hn_scn_step *step = add_step(b, HN_SCN_SPAWN, node);
	struct spawn_nodes nodes = { 0 };
	int err = hn_yaml_read_fields(node, fields, HN_ARRAY_LEN(fields), &nodes, b->rd->diag);

	step->waits = true;
	if (!err)
		err = scn_find_name(b->rd, nodes.process, "process", b->rd->process_names,
				    b->rd->scn->nr_processes, &step->process);
	if (!err && nodes.wait)
		err = scn_read_switch(b->rd, nodes.wait, &step->waits);
	note_spawn(b->rd, step, node);
	if (!err && !step->waits && b->nr_endless)
		err = hn_yaml_complain(node, -EINVAL, b->rd->diag,
				       "spawn without wait in a loop without end: processes would "
				       "pile up");
	return err;
}

/* ---- loops ---- */

struct loop_nodes {
	const struct hn_yaml_node *times, *steps;
};

static int read_list(struct builder *b, const struct hn_yaml_node *seq);

static int read_times(struct builder *b, const struct hn_yaml_node *node, uint32_t *ret_count)
{
	struct hn_diag *diag = b->rd->diag;

	if (node->kind != HN_YAML_SCALAR || strcmp(node->text, "forever"))
		return scn_read_count(b->rd, node, 1, UINT32_MAX, ret_count);
	if (b->is_setup)
		return hn_yaml_complain(node, -EINVAL, diag,
					"loop without end in 'setup': no thread would start");
	if (!b->rd->scn->duration_ns)
		return hn_yaml_complain(node, -EINVAL, diag,
					"loop without end in a scenario without 'duration'");
	*ret_count = 0;
	return 0;
}

static bool has_duration(const struct hn_scn_step *step)
{
	return step->kind == HN_SCN_WORK || step->kind == HN_SCN_SLEEP ||
	       (step->kind == HN_SCN_SPAWN && step->waits);
}

static int check_progress(struct builder *b, uint32_t first, const struct hn_yaml_node *node)
{
	for (uint32_t s = first; s < b->program->nr_steps; s++) {
		if (has_duration(&b->program->steps[s]))
			return 0;
	}
	return hn_yaml_complain_key(node, -EINVAL, b->rd->diag,
				    "loop without end in which no time passes, expected work or "
				    "sleep in it");
}

static int read_loop(struct builder *b, const struct hn_yaml_node *node)
{
	static const struct hn_yaml_field fields[] = {
		{ .key = "times", .type = HN_YAML_NODE, .is_required = true,
		  .offset = offsetof(struct loop_nodes, times) },
		{ .key = "steps", .type = HN_YAML_NODE, .is_required = true,
		  .offset = offsetof(struct loop_nodes, steps) },
	};
	uint32_t first = b->program->nr_steps;
	struct hn_scn_step *step = add_step(b, HN_SCN_LOOP, node), *end;
	struct loop_nodes nodes = { 0 };
	int err = hn_yaml_read_fields(node, fields, HN_ARRAY_LEN(fields), &nodes, b->rd->diag);

	if (!err && b->depth == HN_SCN_LOOP_DEPTH_MAX)
		err = hn_yaml_complain_key(node, -E2BIG, b->rd->diag,
					   "loops nested more than %d deep",
					   HN_SCN_LOOP_DEPTH_MAX);
	if (!err)
		err = read_times(b, nodes.times, &step->count);
	if (err)
		return err;
	b->depth++;
	b->nr_endless += step->count == 0;
	err = read_list(b, nodes.steps);
	b->nr_endless -= step->count == 0;
	b->depth--;
	if (!err && step->count == 0)
		err = check_progress(b, first, node);
	if (err)
		return err;
	step->match = b->program->nr_steps;
	end = add_step(b, HN_SCN_END, node);
	end->match = first;
	return 0;
}

/* ---- lists of steps ---- */

/* A step is a mapping of one key, or a bare word: "exec", "barrier". The node returned is the
 * value of the key. */
static int read_kind(struct builder *b, const struct hn_yaml_node *item,
		     const struct hn_yaml_node **ret_node, uint32_t *ret_kind)
{
	char hint[HN_NEAREST_HINT_BYTES];
	const struct hn_yaml_node *node = item->kind == HN_YAML_MAP ? item->first : item;
	const char *word = item->kind == HN_YAML_MAP && node ? node->key : item->text;

	if (item->kind == HN_YAML_SEQ || (item->kind == HN_YAML_MAP && item->nr_children != 1))
		return hn_yaml_complain(item, -EINVAL, b->rd->diag,
					"expected a step: one key such as 'work' and its value");
	for (uint32_t k = 0; k < HN_ARRAY_LEN(step_names); k++) {
		if (strcmp(word, step_names[k]))
			continue;
		*ret_node = node;
		*ret_kind = k;
		return 0;
	}
	return hn_yaml_complain(item, -EINVAL, b->rd->diag, "unknown step '%.60s'%s", word,
				hn_nearest_hint(hint, word, step_names,
						HN_ARRAY_LEN(step_names)));
}

static int read_step(struct builder *b, const struct hn_yaml_node *item)
{
	static int (*const readers[])(struct builder *b, const struct hn_yaml_node *node) = {
		read_work, read_touch, read_barrier, read_sleep,
		read_loop, read_count, read_exec, read_spawn,
	};
	const struct hn_yaml_node *node = NULL;
	uint32_t kind = 0, nr_needed;
	int err = read_kind(b, item, &node, &kind);

	if (err)
		return err;
	/* Loops that are open still need their end. */
	nr_needed = readers[kind] == read_loop ? 2 : 1;
	if (b->program->nr_steps + nr_needed + b->depth > HN_SCN_STEPS_MAX)
		return hn_yaml_complain(item, -E2BIG, b->rd->diag,
					"more than %d steps in a program", HN_SCN_STEPS_MAX);
	return readers[kind](b, node);
}

/* Nothing comes after a loop without end. */
static bool is_after_endless(const struct builder *b)
{
	const struct hn_scn_program *program = b->program;
	const struct hn_scn_step *last;

	if (!program->nr_steps)
		return false;
	last = &program->steps[program->nr_steps - 1];
	return last->kind == HN_SCN_END && program->steps[last->match].count == 0;
}

static int read_list(struct builder *b, const struct hn_yaml_node *seq)
{
	int err = hn_yaml_check_kind(seq, HN_YAML_SEQ, b->rd->diag);

	if (err)
		return err;
	if (!seq->nr_children)
		return hn_yaml_complain(seq, -EINVAL, b->rd->diag, "empty list of steps");
	hn_yaml_for_each(item, seq) {
		if (is_after_endless(b))
			return hn_yaml_complain(item, -EINVAL, b->rd->diag,
						"step after a loop without end, never reached");
		err = read_step(b, item);
		if (err)
			return err;
	}
	return 0;
}

/* The loops that are open count for their end. */
static uint32_t count_steps(const struct hn_yaml_node *seq)
{
	uint32_t nr = 0;

	hn_yaml_for_each(item, seq) {
		const struct hn_yaml_node *loop = hn_yaml_find(item, "loop");
		const struct hn_yaml_node *steps = loop ? hn_yaml_find(loop, "steps") : NULL;

		nr += loop ? 2 : 1;
		if (steps)
			nr += count_steps(steps);
	}
	return nr;
}

int scn_program_read(struct scn_reader *rd, const struct hn_yaml_node *seq, bool is_setup,
		     struct hn_scn_program *ret_program)
{
	struct hn_scn_program program = { 0 };
	struct builder b = { .rd = rd, .program = &program, .is_setup = is_setup };
	uint32_t nr = count_steps(seq);
	int err;

	program.steps = HN_ARENA_ARRAY(rd->arena, struct hn_scn_step,
				       hn_min_u64(nr, HN_SCN_STEPS_MAX));
	err = read_list(&b, seq);
	if (!err)
		*ret_program = program;
	return err;
}
