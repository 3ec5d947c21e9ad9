/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim-internal.h"

/* Work that takes less than this is done: times are whole nanoseconds. */
#define DONE_NS 0.5

void sim_cpu_touch(struct hn_sim *sim, hn_cpu cpu)
{
	if (sim->cpus[cpu].is_touched)
		return;
	sim->cpus[cpu].is_touched = true;
	sim->touched[sim->nr_touched++] = cpu;
}

void sim_cpu_request_pick(struct hn_sim *sim, hn_cpu cpu)
{
	sim_cpu_touch(sim, cpu);
	if (sim->cpus[cpu].is_pick_pending)
		return;
	sim->cpus[cpu].is_pick_pending = true;
	sim->picks[(sim->first_pick + sim->nr_picks++) % sim->machine->nr_cpus] = cpu;
}

void sim_cpu_refresh_scan_due(struct hn_sim *sim, struct sim_task *task)
{
	task->scan_due_ns = sim->sink.ops->scan_due_exec_ns(sim->sink.ctx, task->id);
}

void sim_cpu_leave(struct hn_sim *sim, struct sim_task *task)
{
	const struct hn_cpu_place *place = &sim->machine->cpus[task->cpu];

	sim_progress_update(sim, task);
	sim->cpus[task->cpu].curr = HN_TASK_NONE;
	sim->cpus[task->cpu].last_task = task->id;
	sim->core_running[place->core]--;
	sim->llc_running[place->llc]--;
	task->process->nr_running--;
	task->is_on_cpu = false;
	if (task->activity == SIM_WORKS)
		sim_progress_note_dirty(sim);
}

static void enter_cpu(struct hn_sim *sim, struct sim_task *task, hn_cpu cpu)
{
	const struct hn_cpu_place *place = &sim->machine->cpus[cpu];
	bool was_idle;

	task->is_on_cpu = true;
	task->cpu = cpu;
	task->updated_ns = sim->now_ns;
	was_idle = sim->cpus[cpu].is_idle;
	sim->cpus[cpu].curr = task->id;
	sim->cpus[cpu].is_idle = false;
	sim->core_running[place->core]++;
	sim->llc_running[place->llc]++;
	task->process->nr_running++;
	if (sim->cpus[cpu].last_task != task->id)
		task->debt_ns += sim->machine->costs.context_switch_ns;
	sim_progress_note_arrival(sim, task, was_idle);
	if (task->activity == SIM_WORKS) {
		sim_progress_compute_rate(sim, task);
		sim_fault_plan(sim, task, false);
		sim_progress_note_dirty(sim);
	} else if (task->activity == SIM_DOES_NOTHING) {
		sim_program_advance(sim, task);
	}
}

/* Asks the scheduler who runs now, and makes the change. */
static void pick(struct hn_sim *sim, hn_cpu cpu)
{
	hn_task_id before = sim->cpus[cpu].curr;
	hn_task_id next;
	struct sim_task *task;

	sim->cpus[cpu].is_pick_pending = false;
	if (before != HN_TASK_NONE)
		sim_progress_update(sim, &sim->tasks[before]);
	next = hn_sched_pick(sim->sched, sim->now_ns, cpu);
	if (next == before && next != HN_TASK_NONE) {
		/* It may have blocked and been woken again before the CPU got here. */
		if (sim->tasks[next].activity == SIM_DOES_NOTHING)
			sim_program_advance(sim, &sim->tasks[next]);
		return;
	}
	if (before != HN_TASK_NONE)
		sim_cpu_leave(sim, &sim->tasks[before]);
	if (next == HN_TASK_NONE) {
		sim->cpus[cpu].is_idle = true;
		return;
	}
	task = &sim->tasks[next];
	if (task->is_on_cpu) { /* moved while running; its old CPU picks next */
		sim_cpu_touch(sim, task->cpu);
		sim_cpu_leave(sim, task);
	}
	enter_cpu(sim, task, cpu);
}

/* The next tick at which the task's CPU time will have passed its scan stamp. */
static hn_time_ns scan_tick_ns(const struct hn_sim *sim, const struct sim_task *task)
{
	hn_time_ns after_ns;

	if (task->scan_due_ns == HN_TIME_NEVER)
		return HN_TIME_NEVER;
	after_ns = task->updated_ns + task->scan_due_ns - task->exec_ns;
	if (after_ns < sim->now_ns)
		after_ns = sim->now_ns;
	return (after_ns / HN_TICK_NS + 1) * HN_TICK_NS;
}

/* A span of work as whole nanoseconds, rounded up; never beyond what a run can reach. */
static hn_time_ns work_span_ns(double units, double unit_ns)
{
	double span_ns = units * unit_ns;

	if (span_ns >= 1e18)
		return HN_TIME_NEVER / 4;
	return (hn_time_ns)span_ns + 1;
}

static hn_time_ns activity_end_ns(const struct sim_task *task)
{
	hn_time_ns from_ns = task->updated_ns + task->debt_ns + task->stall_ns;
	double units;

	switch (task->activity) {
	case SIM_WORKS:
		units = sim_fault_units(task);
		if (task->units_left < units)
			units = task->units_left;
		return from_ns + work_span_ns(units, task->unit_ns);
	case SIM_TOUCHES:
	case SIM_FORKS:
	case SIM_PAUSES:
		return from_ns;
	default:
		return HN_TIME_NEVER; /* a timer or another task ends it */
	}
}

static void refresh_sched_tick(struct hn_sim *sim, hn_cpu cpu)
{
	struct sim_cpu *c = &sim->cpus[cpu];
	uint32_t generation = hn_sched_tick_generation(sim->sched, cpu);

	if (c->tick_generation == generation && c->sched_tick_ns > sim->now_ns)
		return;
	c->tick_generation = generation;
	c->sched_tick_ns = hn_sched_next_tick_ns(sim->sched, sim->now_ns, cpu);
}

static void set_next_event(struct hn_sim *sim, hn_cpu cpu)
{
	struct sim_cpu *c = &sim->cpus[cpu];
	hn_time_ns at_ns;

	c->is_touched = false;
	refresh_sched_tick(sim, cpu);
	at_ns = c->sched_tick_ns;
	if (c->curr != HN_TASK_NONE) {
		const struct sim_task *task = &sim->tasks[c->curr];

		at_ns = hn_min_i64(at_ns, scan_tick_ns(sim, task));
		at_ns = hn_min_i64(at_ns, activity_end_ns(task));
	}
	if (at_ns == HN_TIME_NEVER)
		hn_heap_remove(&sim->heap, (uint32_t)cpu);
	else
		hn_heap_set(&sim->heap, (uint32_t)cpu,
			    (struct hn_heap_key){ at_ns, (uint64_t)SIM_CLASS_CPU << 56 |
							 (uint64_t)cpu });
}

void sim_cpu_settle(struct hn_sim *sim)
{
	while (sim->nr_picks) {
		hn_cpu cpu = sim->picks[sim->first_pick];

		sim->first_pick = (sim->first_pick + 1) % sim->machine->nr_cpus;
		sim->nr_picks--;
		pick(sim, cpu);
	}
	for (uint32_t t = 0; t < sim->nr_touched; t++)
		set_next_event(sim, sim->touched[t]);
	sim->nr_touched = 0;
}

/* What a tick finds on this CPU: scan stamps first, then the scheduler, as in the kernel's
 * task_tick_fair() before trigger_load_balance(). */
static void handle_tick(struct hn_sim *sim, hn_cpu cpu)
{
	struct sim_cpu *c = &sim->cpus[cpu];
	struct sim_task *task = c->curr == HN_TASK_NONE ? NULL : &sim->tasks[c->curr];

	if (task && task->exec_ns > task->scan_due_ns) {
		if (sim->sink.ops->task_tick(sim->sink.ctx, sim->now_ns, task->id, task->exec_ns))
			task->is_scan_pending = true;
		sim_cpu_refresh_scan_due(sim, task);
	}
	if (c->sched_tick_ns <= sim->now_ns)
		hn_sched_tick(sim->sched, sim->now_ns, cpu);
}

/* The task goes on: the scan that a tick queued, the end of its step, or a fault. */
static void act(struct hn_sim *sim, struct sim_task *task)
{
	if (task->is_scan_pending && task->debt_ns == 0) {
		task->is_scan_pending = false;
		sim_scan_run(sim, task);
	}
	if (task->debt_ns + task->stall_ns > 0)
		return;
	switch (task->activity) {
	case SIM_WORKS:
		if (task->units_left * task->unit_ns < DONE_NS)
			sim_program_finish_step(sim, task);
		else
			sim_fault_handle(sim, task);
		break;
	case SIM_TOUCHES:
		sim_program_touch_chunk(sim, task);
		break;
	case SIM_FORKS:
		if (!sim_process_fork_next(sim, task))
			sim_program_finish_step(sim, task);
		break;
	case SIM_PAUSES:
		sim_program_finish_step(sim, task);
		break;
	default:
		break;
	}
}

void sim_cpu_event(struct hn_sim *sim, hn_cpu cpu)
{
	struct sim_cpu *c = &sim->cpus[cpu];

	sim_cpu_touch(sim, cpu);
	if (c->curr != HN_TASK_NONE)
		sim_progress_update(sim, &sim->tasks[c->curr]);
	if (sim->now_ns % HN_TICK_NS == 0)
		handle_tick(sim, cpu);
	if (c->curr != HN_TASK_NONE && !c->is_pick_pending)
		act(sim, &sim->tasks[c->curr]);
}
