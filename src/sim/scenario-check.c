/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the whole scenario shows. */
#include "sim/scenario-internal.h"

#include <errno.h>
#include <string.h>

#include "base/assert.h"

/* What one instance of a kind of process can have at once, its children included. Counted as
 * floating point, so that products of loop counts cannot wrap. */
struct demand {
	double tasks;
	double bytes;
};

enum visit { UNSEEN, OPEN, DONE };

struct checker {
	struct scn_reader *rd;
	const struct hn_yaml_node *processes;  /* of the file */
	struct demand demands[HN_SCN_PROCESSES_MAX];
	enum visit visits[HN_SCN_PROCESSES_MAX];
	bool is_spawned[HN_SCN_PROCESSES_MAX];
	bool is_global_used[HN_SCN_REGIONS_MAX];
};

static const struct hn_yaml_node *process_node(const struct checker *c, uint32_t process)
{
	const struct hn_yaml_node *node =
		hn_yaml_find(c->processes, c->rd->process_names[process]);

	hn_assert(node);
	return node;
}

static void add(struct demand *sum, const struct demand *more, double times)
{
	sum->tasks += more->tasks * times;
	sum->bytes += more->bytes * times;
}

static void widen(struct demand *largest, const struct demand *other)
{
	if (other->tasks > largest->tasks)
		largest->tasks = other->tasks;
	if (other->bytes > largest->bytes)
		largest->bytes = other->bytes;
}

/* ---- processes that spawn others ---- */

static int visit_process(struct checker *c, uint32_t p, const struct hn_scn_step *spawn);

static int refuse_cycle(const struct checker *c, const struct hn_scn_step *step)
{
	const struct scn_spawn *spawn = c->rd->spawns;

	while (spawn->step != step)
		spawn = spawn->next;
	return hn_yaml_complain(spawn->node, -EINVAL, c->rd->diag,
				"process '%s' spawns itself, directly or through its children",
				c->rd->process_names[step->process]);
}

/* Children alive at once for each thread that runs the program: all that nobody waits for, and
 * the largest of those that are waited for. */
static int sum_children(struct checker *c, const struct hn_scn_program *program,
			struct demand *ret_sum)
{
	struct demand largest = { 0 }, sum = { 0 };
	double times[HN_SCN_LOOP_DEPTH_MAX + 1] = { 1 };
	uint32_t depth = 0;
	int err;

	for (uint32_t s = 0; s < program->nr_steps; s++) {
		const struct hn_scn_step *step = &program->steps[s];
		const struct demand *child;

		if (step->kind == HN_SCN_LOOP) {
			times[depth + 1] = times[depth] * (step->count ? step->count : 1);
			depth++;
		} else if (step->kind == HN_SCN_END) {
			depth--;
		}
		if (step->kind != HN_SCN_SPAWN)
			continue;
		err = visit_process(c, step->process, step);
		if (err)
			return err;
		c->is_spawned[step->process] = true;
		child = &c->demands[step->process];
		if (step->waits)
			widen(&largest, child);
		else
			add(&sum, child, times[depth]);
	}
	add(&sum, &largest, 1);
	*ret_sum = sum;
	return 0;
}

static void note_regions(const struct hn_scn_program *program, bool *is_used)
{
	for (uint32_t s = 0; s < program->nr_steps; s++) {
		const struct hn_scn_step *step = &program->steps[s];

		for (uint32_t a = 0; a < step->nr_accesses; a++)
			is_used[step->accesses[a].region] = true;
	}
}

/* Memory of one instance alone; global regions are noted, they count once. */
static double sum_regions(struct checker *c, const struct hn_scn_process *process,
			  double nr_threads)
{
	const struct hn_scenario *scn = c->rd->scn;
	bool is_used[HN_SCN_REGIONS_MAX] = { false };
	double bytes = 0;

	note_regions(&process->setup, is_used);
	for (uint32_t r = 0; r < process->nr_roles; r++)
		note_regions(&process->roles[r].program, is_used);
	for (uint32_t r = 0; r < scn->nr_regions; r++) {
		const struct hn_scn_region *region = &scn->regions[r];

		if (!is_used[r])
			continue;
		if (region->scope == HN_SCN_GLOBAL)
			c->is_global_used[r] = true;
		else
			bytes += (double)region->bytes *
				 (region->scope == HN_SCN_PER_THREAD ? nr_threads : 1);
	}
	return bytes;
}

/* `spawn` is the step that led here; NULL from outside. */
static int visit_process(struct checker *c, uint32_t p, const struct hn_scn_step *spawn)
{
	const struct hn_scn_process *process = &c->rd->scn->processes[p];
	struct demand own = { 0 }, children;
	double nr_threads = 0;
	int err;

	if (c->visits[p] == DONE)
		return 0;
	if (c->visits[p] == OPEN)
		return refuse_cycle(c, spawn);
	c->visits[p] = OPEN;
	err = sum_children(c, &process->setup, &children);
	if (err)
		return err;
	add(&own, &children, 1);
	for (uint32_t r = 0; r < process->nr_roles; r++) {
		const struct hn_scn_role *role = &process->roles[r];

		err = sum_children(c, &role->program, &children);
		if (err)
			return err;
		add(&own, &children, role->nr_threads);
		nr_threads += role->nr_threads;
	}
	own.tasks += nr_threads;
	own.bytes += sum_regions(c, process, nr_threads);
	c->demands[p] = own;
	c->visits[p] = DONE;
	return 0;
}

/* ---- barriers that all roles of a process must pass equally often ---- */

/* Process-wide barriers that a thread passes; *ret_is_endless where they never stop. */
static double count_barriers(const struct hn_scn_program *program, bool *ret_is_endless)
{
	double times[HN_SCN_LOOP_DEPTH_MAX + 1] = { 1 };
	uint32_t depth = 0, nr_endless = 0;
	double nr = 0;

	*ret_is_endless = false;
	for (uint32_t s = 0; s < program->nr_steps; s++) {
		const struct hn_scn_step *step = &program->steps[s];

		if (step->kind == HN_SCN_LOOP) {
			times[depth + 1] = times[depth] * (step->count ? step->count : 1);
			depth++;
			nr_endless += step->count == 0;
		} else if (step->kind == HN_SCN_END) {
			depth--;
			nr_endless -= program->steps[step->match].count == 0;
		} else if (step->kind == HN_SCN_BARRIER && step->is_process_wide) {
			nr += nr_endless ? 0 : times[depth];
			*ret_is_endless |= nr_endless > 0;
		}
	}
	return nr;
}

static int check_barriers(const struct checker *c, uint32_t p)
{
	const struct hn_scn_process *process = &c->rd->scn->processes[p];
	bool is_endless, is_endless_first;
	double nr_first = count_barriers(&process->roles[0].program, &is_endless_first);

	for (uint32_t r = 1; r < process->nr_roles; r++) {
		double nr = count_barriers(&process->roles[r].program, &is_endless);

		if (is_endless == is_endless_first && (is_endless || nr == nr_first))
			continue;
		return hn_yaml_complain_key(process_node(c, p), -EINVAL, c->rd->diag,
					    "roles '%s' and '%s' do not pass barriers over the "
					    "process equally often and would wait for ever",
					    process->roles[0].name, process->roles[r].name);
	}
	return 0;
}

/* ---- totals ---- */

static int check_start(const struct checker *c)
{
	const struct hn_scenario *scn = c->rd->scn;
	uint32_t nr_started = 0;

	for (uint32_t p = 0; p < scn->nr_processes; p++) {
		nr_started += scn->processes[p].nr_instances > 0;
		if (!scn->processes[p].nr_instances && !c->is_spawned[p])
			return hn_yaml_complain_key(process_node(c, p), -EINVAL, c->rd->diag,
						    "process '%s' is never started: no instances, "
						    "and nobody spawns it", scn->processes[p].name);
	}
	if (nr_started)
		return 0;
	return hn_yaml_complain(c->processes, -EINVAL, c->rd->diag,
				"no process is started with the scenario");
}

static double memory_bytes(const struct hn_machine *machine)
{
	double total = 0;

	for (uint32_t n = 0; n < machine->nr_nodes; n++)
		total += (double)machine->nodes[n].mem_bytes;
	return total;
}

static int check_totals(struct checker *c, const struct demand *total)
{
	const struct hn_machine *machine = c->rd->machine;

	if (total->tasks > HN_SCN_TASKS_MAX)
		return hn_yaml_complain(c->processes, -E2BIG, c->rd->diag,
					"up to %.0f threads at once, at most %d", total->tasks,
					HN_SCN_TASKS_MAX);
	if (total->bytes > memory_bytes(machine))
		return hn_yaml_complain(c->processes, -ENOMEM, c->rd->diag,
					"up to %.0f MiB of memory at once, machine '%s' has %.0f "
					"MiB",
					total->bytes / 1048576, machine->name,
					memory_bytes(machine) / 1048576);
	c->rd->scn->nr_tasks_max = (uint32_t)total->tasks;
	c->rd->scn->bytes_max = (uint64_t)total->bytes;
	return 0;
}

int scn_check(struct scn_reader *rd)
{
	struct checker *c = HN_ARENA_NEW(rd->arena, struct checker);
	const struct hn_scenario *scn = rd->scn;
	struct demand total = { 0 };
	int err = 0;

	c->rd = rd;
	c->processes = hn_yaml_find(rd->root, "processes");
	for (uint32_t p = 0; p < scn->nr_processes && !err; p++) {
		err = visit_process(c, p, NULL);
		if (!err)
			err = check_barriers(c, p);
		if (!err)
			add(&total, &c->demands[p], scn->processes[p].nr_instances);
	}
	if (!err)
		err = check_start(c);
	if (err)
		return err;
	for (uint32_t r = 0; r < scn->nr_regions; r++) {
		if (c->is_global_used[r])
			total.bytes += (double)scn->regions[r].bytes;
	}
	return check_totals(c, &total);
}
