/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim-internal.h"

/* ASSUMES: one flush per marked range, and remote CPUs answer together. */
static hn_time_ns mark_cost_ns(const struct hn_sim *sim, const struct sim_process *process,
			       const struct sim_mapping *mapping,
			       const struct hn_mark_result *result)
{
	const struct hn_kernel_costs *costs = &sim->machine->costs;
	hn_time_ns entry_ns = mapping->entry_pages > 1 ? costs->scan_pmd_ns : costs->scan_pte_ns;
	hn_time_ns cost_ns = entry_ns * result->nr_walked;

	if (result->nr_updates) {
		cost_ns += costs->tlb_flush_ns;
		if (process->nr_running > 1)
			cost_ns += costs->ipi_ns;
	}
	return cost_ns;
}

uint64_t sim_scan_mark_range(struct hn_world *world, const struct hn_scan_range *range)
{
	struct hn_sim *sim = sim_of(world);
	struct sim_mapping *mapping = &sim->mappings[range->vma];
	uint64_t entry_bytes = mapping->entry_pages * HN_PAGE_BYTES;
	uint32_t first = (uint32_t)((range->start - mapping->start) / entry_bytes);
	uint32_t end = (uint32_t)hn_div_up_u64(range->end - mapping->start, entry_bytes);
	uint32_t nr_entries = hn_pages_nr_entries(sim->pages, mapping->region);
	struct hn_mark_result result;

	hn_assert(mapping->is_mapped);
	if (end > nr_entries)
		end = nr_entries;
	hn_pages_mark(sim->pages, mapping->region, first, end, &range->rules,
		      (uint32_t)(sim->now_ns / HN_NS_PER_MS), &result);
	sim->counters[HN_COUNT_NUMA_PTE_UPDATES] += result.nr_updates;
	sim->counters[HN_COUNT_NUMA_HUGE_PTE_UPDATES] += result.nr_huge_updates;
	if (result.nr_updates)
		sim->region_generation[mapping->region]++;
	sim->scan_cost_ns += mark_cost_ns(sim, sim->tasks[range->task].process, mapping, &result);
	return result.nr_updates;
}

/* Running tasks that work on a newly marked region meet its hints sooner than planned. */
static void replan_all(struct hn_sim *sim)
{
	for (uint32_t c = 0; c < sim->machine->nr_cpus; c++) {
		struct sim_task *task;

		if (sim->cpus[c].curr == HN_TASK_NONE)
			continue;
		task = &sim->tasks[sim->cpus[c].curr];
		if (task->activity != SIM_WORKS)
			continue;
		sim_progress_update(sim, task);
		sim_fault_plan(sim, task, false);
		sim_cpu_touch(sim, (hn_cpu)c);
	}
}

void sim_scan_run(struct hn_sim *sim, struct sim_task *task)
{
	uint64_t nr_before = sim->counters[HN_COUNT_NUMA_PTE_UPDATES];
	struct hn_scan_event event = {
		.now_ns = sim->now_ns,
		.task = task->id,
		.cpu = task->cpu,
		.sum_exec_ns = task->exec_ns,
		.nr_threads = task->process->nr_threads,
	};

	sim->scan_cost_ns = 0;
	sim->sink.ops->scan(sim->sink.ctx, &event);
	task->debt_ns += sim->scan_cost_ns;
	/* The kernel compares CPU time as the last tick left it: a scan shorter than a tick,
	 * begun right after one, shows no time. */
	sim->sink.ops->scan_charged(sim->sink.ctx, task->id,
				    task->exec_ns + sim->scan_cost_ns / HN_TICK_NS * HN_TICK_NS);
	sim_cpu_refresh_scan_due(sim, task);
	if (sim->counters[HN_COUNT_NUMA_PTE_UPDATES] != nr_before)
		replan_all(sim);
}
