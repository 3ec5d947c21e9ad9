/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim-internal.h"

#include <string.h>

void sim_progress_note_dirty(struct hn_sim *sim)
{
	hn_time_ns next_ns;

	if (sim->is_memory_dirty)
		return;
	sim->is_memory_dirty = true;
	next_ns = (sim->now_ns / SIM_MEMORY_INTERVAL_NS + 1) * SIM_MEMORY_INTERVAL_NS;
	hn_heap_set(&sim->heap, sim->slot_memory,
		    (struct hn_heap_key){ next_ns, (uint64_t)SIM_CLASS_MEMORY << 56 });
}

/* Moves a sweep on and wraps it at the end of its slice. */
static void advance_sweep(struct sim_access *access, double units)
{
	double nr = access->nr;

	access->pos += units * access->entries_per_unit;
	if (access->pos >= nr)
		access->pos -= nr * (double)(uint64_t)(access->pos / nr);
}

static void advance_work(struct hn_sim *sim, struct sim_task *task, hn_time_ns span_ns)
{
	double units = (double)span_ns / task->unit_ns;

	if (units > task->units_left)
		units = task->units_left;
	task->units_left -= units;
	for (uint32_t a = 0; a < task->nr_accesses; a++) {
		struct sim_access *access = &task->accesses[a];

		if (access->scn->pattern == HN_SCN_SWEEP)
			advance_sweep(access, units);
		access->units_to_fault -= units;
	}
	sim->window_lines += units * task->lines_per_unit;
	sim->window_local_lines += units * task->local_lines_per_unit;
}

/* Spends up to `span_ns` on a debt; returns what was spent. */
static hn_time_ns pay(hn_time_ns *debt_ns, hn_time_ns span_ns)
{
	hn_time_ns paid_ns = hn_min_i64(*debt_ns, span_ns);

	*debt_ns -= paid_ns;
	return paid_ns;
}

void sim_progress_update(struct hn_sim *sim, struct sim_task *task)
{
	hn_time_ns span_ns = sim->now_ns - task->updated_ns;
	hn_time_ns kernel_ns;

	if (span_ns == 0)
		return;
	hn_assert(task->is_on_cpu);
	hn_assert(span_ns > 0);
	task->updated_ns = sim->now_ns;
	task->exec_ns += span_ns;
	kernel_ns = pay(&task->debt_ns, span_ns);
	task->system_ns += kernel_ns;
	span_ns -= kernel_ns;
	task->user_ns += span_ns;
	span_ns -= pay(&task->stall_ns, span_ns);
	if (span_ns > 0 && task->activity == SIM_WORKS)
		advance_work(sim, task, span_ns);
}

/* Throughput of a core with k busy siblings, in percent of one thread alone.
 * ASSUMES: each further doubling of siblings adds half of what the previous one added; machines
 * with more than two threads per core publish figures of that shape (POWER8 and ThunderX2). */
static double core_total_pct(const struct hn_machine *machine, uint32_t k)
{
	double gain_pct = (double)machine->smt_total_pct - 100.0;
	double total_pct = 100.0;
	uint32_t siblings = 1;

	while (siblings * 2 <= k) {
		total_pct += gain_pct;
		gain_pct /= 2;
		siblings *= 2;
	}
	return total_pct + gain_pct * (double)(k - siblings) / (double)siblings;
}

static double core_speed(const struct hn_sim *sim, hn_cpu cpu)
{
	uint32_t k = sim->core_running[sim->machine->cpus[cpu].core];

	if (k <= 1)
		return 1.0;
	return core_total_pct(sim->machine, k) / (100.0 * (double)k);
}

/* The part of the LLC that one of its running tasks can count on. */
static double llc_share_bytes(const struct hn_sim *sim, hn_cpu cpu)
{
	uint32_t k = sim->llc_running[sim->machine->cpus[cpu].llc];

	return (double)sim->machine->llc_bytes / (double)(k ? k : 1);
}

/* ASSUMES: a set that is used again hits in proportion to the part of it that fits. */
static double miss_ratio(const struct hn_scn_access *scn, double share_bytes)
{
	if (!scn->reuse_bytes)
		return 1.0;
	if (share_bytes >= (double)scn->reuse_bytes)
		return 0.0;
	return 1.0 - share_bytes / (double)scn->reuse_bytes;
}

static void add_access_lines(struct hn_sim *sim, struct sim_task *task,
			     const struct sim_access *access, double share_bytes)
{
	uint32_t region = access->mapping->region;
	const uint32_t *by_node = hn_pages_by_node(sim->pages, region, access->slice);
	uint32_t nr_present = hn_pages_nr_present(sim->pages, region, access->slice);
	double misses = access->scn->lines * miss_ratio(access->scn, share_bytes);
	double traffic = access->scn->is_write ? 2.0 : 1.0; /* a written line also goes back */
	hn_nid nid = hn_machine_nid(sim->machine, task->cpu);

	if (!nr_present)
		return;
	for (uint32_t n = 0; n < sim->machine->nr_nodes; n++) {
		double lines;

		if (!by_node[n])
			continue;
		lines = misses * (double)by_node[n] / (double)nr_present;
		task->lines[n] += lines * traffic;
		task->stall_weight[n] += lines / access->scn->mlp;
		task->lines_per_unit += lines;
		if ((hn_nid)n == nid)
			task->local_lines_per_unit += lines;
	}
}

static void compute_lines(struct hn_sim *sim, struct sim_task *task)
{
	double share_bytes = llc_share_bytes(sim, task->cpu);
	size_t row_bytes = sim->machine->nr_nodes * sizeof(*task->lines);

	memset(task->lines, 0, row_bytes);
	memset(task->stall_weight, 0, row_bytes);
	task->lines_per_unit = 0;
	task->local_lines_per_unit = 0;
	for (uint32_t a = 0; a < task->nr_accesses; a++)
		add_access_lines(sim, task, &task->accesses[a], share_bytes);
}

static double core_ns(const struct hn_sim *sim, const struct sim_task *task)
{
	const struct hn_scn_step *step = &task->program->steps[task->pc];

	return step->unit_ns / core_speed(sim, task->cpu);
}

void sim_progress_compute_rate(struct hn_sim *sim, struct sim_task *task)
{
	hn_nid nid = hn_machine_nid(sim->machine, task->cpu);
	double unit_ns;

	compute_lines(sim, task);
	unit_ns = core_ns(sim, task);
	for (uint32_t n = 0; n < sim->machine->nr_nodes; n++) {
		if (task->stall_weight[n] > 0)
			unit_ns += task->stall_weight[n] *
				   hn_memory_latency_ns(sim->memory, nid, (hn_nid)n);
	}
	task->unit_ns = unit_ns;
}

/* Collects the flows of all running tasks that work; returns how many. */
static uint32_t gather_flows(struct hn_sim *sim)
{
	uint32_t nr_flows = 0;

	for (uint32_t c = 0; c < sim->machine->nr_cpus; c++) {
		struct sim_task *task;

		if (sim->cpus[c].curr == HN_TASK_NONE)
			continue;
		task = &sim->tasks[sim->cpus[c].curr];
		if (task->activity != SIM_WORKS)
			continue;
		sim_progress_update(sim, task);
		compute_lines(sim, task);
		sim->flow_cpus[nr_flows] = (hn_cpu)c;
		sim->flows[nr_flows++] = (struct hn_flow){
			.src_nid = hn_machine_nid(sim->machine, (hn_cpu)c),
			.core_ns = core_ns(sim, task),
			.lines = task->lines,
			.stall_weight = task->stall_weight,
			.unit_ns = task->unit_ns,
		};
	}
	return nr_flows;
}

/* Relative change of a rate below which another solution is not asked for. */
#define RATE_SETTLED 1e-3

void sim_progress_solve(struct hn_sim *sim)
{
	uint32_t nr_flows = gather_flows(sim);
	bool is_settled = true;

	sim->is_memory_dirty = false;
	hn_memory_solve(sim->memory, sim->flows, nr_flows);
	for (uint32_t f = 0; f < nr_flows; f++) {
		struct sim_task *task = &sim->tasks[sim->cpus[sim->flow_cpus[f]].curr];
		double change = sim->flows[f].unit_ns - task->unit_ns;

		if (change > RATE_SETTLED * task->unit_ns || change < -RATE_SETTLED * task->unit_ns)
			is_settled = false;
		task->unit_ns = sim->flows[f].unit_ns;
		sim_cpu_touch(sim, sim->flow_cpus[f]);
	}
	if (!is_settled)
		sim_progress_note_dirty(sim);
}

/* Time to fetch the part of one access's set that fits the cache, from where it lies. */
static double refill_ns(const struct hn_sim *sim, const struct sim_task *task,
			const struct sim_access *access)
{
	uint32_t region = access->mapping->region;
	const uint32_t *by_node = hn_pages_by_node(sim->pages, region, access->slice);
	uint32_t nr_present = hn_pages_nr_present(sim->pages, region, access->slice);
	hn_nid nid = hn_machine_nid(sim->machine, task->cpu);
	double set_bytes = llc_share_bytes(sim, task->cpu);
	double latency_ns = 0;

	if (!nr_present)
		return 0;
	if (set_bytes > (double)access->scn->reuse_bytes)
		set_bytes = (double)access->scn->reuse_bytes;
	for (uint32_t n = 0; n < sim->machine->nr_nodes; n++)
		latency_ns += hn_memory_latency_ns(sim->memory, nid, (hn_nid)n) *
			      (double)by_node[n] / (double)nr_present;
	return set_bytes / (double)sim->machine->line_bytes * latency_ns / access->scn->mlp;
}

void sim_progress_note_arrival(struct hn_sim *sim, struct sim_task *task, bool was_idle)
{
	int32_t llc = sim->machine->cpus[task->cpu].llc;

	if (was_idle)
		task->stall_ns += sim->machine->costs.idle_exit_ns;
	if (task->last_llc == llc)
		return;
	task->last_llc = llc;
	for (uint32_t a = 0; a < task->nr_accesses; a++)
		task->stall_ns += (hn_time_ns)refill_ns(sim, task, &task->accesses[a]);
}
