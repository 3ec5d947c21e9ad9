/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim-internal.h"

#include <errno.h>

static bool may_run(const struct sim_task *task, hn_cpu cpu)
{
	return !task->allowed || hn_bitmap_has(task->allowed, (uint32_t)cpu);
}

static bool is_possible(const struct hn_sim *sim, const struct hn_decision *decision)
{
	if (!may_run(&sim->tasks[decision->task], decision->dst_cpu))
		return false;
	return decision->kind != HN_DECIDE_SWAP ||
	       may_run(&sim->tasks[decision->other], decision->src_cpu);
}

/* The task waits for the stopper: the move is done once its latency has passed, so that two moves
 * to one CPU can cross, as they do in kernels without numa_migrate_on.
 * ASSUMES: the sibling search of an idle target ends at its first test, the target itself. */
int sim_place_apply(struct hn_world *world, const struct hn_decision *decision)
{
	struct hn_sim *sim = sim_of(world);
	struct sim_task *task = &sim->tasks[decision->task];
	const struct hn_kernel_costs *costs = &sim->machine->costs;
	uint32_t nr_looks = decision->nr_cpus_examined + decision->nr_idle_searches;
	hn_time_ns done_ns;

	task->debt_ns += (hn_time_ns)costs->search_cpu_ns * nr_looks;
	sim_cpu_touch(sim, task->cpu);
	if (decision->kind == HN_DECIDE_STICK)
		return 0;
	if (!is_possible(sim, decision) || task->timer != SIM_TIMER_NONE)
		return -EAGAIN;
	if (decision->sets_migrate_on)
		hn_sched_set_migrate_on(sim->sched, decision->dst_cpu, true);
	done_ns = sim->now_ns + task->debt_ns + costs->move_task_ns;
	task->debt_ns += costs->move_task_ns;
	task->move = *decision;
	task->timer = SIM_TIMER_MOVE;
	hn_heap_set(&sim->heap, sim->slot_timers + (uint32_t)task->id,
		    (struct hn_heap_key){ done_ns, (uint64_t)SIM_CLASS_TIMER << 56 |
						   (uint64_t)task->id });
	return 0;
}

void sim_place_move_ended(struct hn_sim *sim, struct sim_task *task)
{
	const struct hn_decision *move = &task->move;
	int err;

	if (move->kind == HN_DECIDE_SWAP)
		err = hn_sched_swap(sim->sched, sim->now_ns, move->task, move->src_cpu,
				    move->other, move->dst_cpu);
	else
		err = hn_sched_move(sim->sched, sim->now_ns, move->task, move->src_cpu,
				    move->dst_cpu);
	if (move->sets_migrate_on)
		hn_sched_set_migrate_on(sim->sched, move->dst_cpu, false);
	if (err) {
		sim->counters[HN_COUNT_SCHED_STICK_NUMA]++;
		sim->reasons[HN_WHY_MOVE_FAILED]++;
	}
}

/* Nodes with CPUs get equal blocks of threads, in the order of their creation. */
hn_nid sim_place_static_nid(const struct hn_sim *sim, uint32_t thread_number)
{
	const struct hn_machine *machine = sim->machine;
	uint32_t nr_with_cpus = 0;
	uint32_t wanted;

	for (uint32_t n = 0; n < machine->nr_nodes; n++)
		nr_with_cpus += machine->nodes[n].nr_cpus > 0;
	wanted = (uint32_t)((uint64_t)(thread_number % sim->nr_initial_threads) * nr_with_cpus /
			    sim->nr_initial_threads);
	for (uint32_t n = 0; n < machine->nr_nodes; n++) {
		if (machine->nodes[n].nr_cpus > 0 && wanted-- == 0)
			return (hn_nid)n;
	}
	return 0;
}

/* The farthest node that has memory; of equally far ones, the one that comes round first after
 * nid, so that the load stays spread. */
static hn_nid farthest_nid(const struct hn_machine *machine, hn_nid nid)
{
	hn_nid far = nid;

	for (uint32_t step = 1; step < machine->nr_nodes; step++) {
		hn_nid n = (hn_nid)(((uint32_t)nid + step) % machine->nr_nodes);

		if (machine->nodes[n].mem_bytes &&
		    (far == nid || hn_machine_distance(machine, nid, n) >
				   hn_machine_distance(machine, nid, far)))
			far = n;
	}
	return far;
}

hn_nid sim_place_memory_nid(const struct hn_sim *sim, hn_nid static_nid)
{
	if (sim->policy->static_placement == HN_STATIC_PLACEMENT_INVERSE_BIND)
		return farthest_nid(sim->machine, static_nid);
	return static_nid;
}
