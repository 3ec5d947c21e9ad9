/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim.h"

#include <errno.h>

#include "sim/sim-internal.h"

/* The stop flag is looked at this often. */
#define EVENTS_PER_STOP_CHECK 4096
#define FIRST_PID 1000

/* ---- what the scheduler tells ---- */

static enum hn_locality_answer on_locality(void *ctx, const struct hn_locality_query *query)
{
	struct hn_sim *sim = ctx;

	return sim->sink.ops->locality(sim->sink.ctx, query);
}

static void on_moved(void *ctx, hn_time_ns now_ns, hn_task_id task, hn_cpu src, hn_cpu dst)
{
	struct hn_sim *sim = ctx;

	sim->sink.ops->task_moved(sim->sink.ctx, now_ns, task, src, dst);
	sim_cpu_refresh_scan_due(sim, &sim->tasks[task]);
	sim_cpu_touch(sim, src);
	sim_cpu_touch(sim, dst);
}

static void on_resched(void *ctx, hn_cpu cpu)
{
	sim_cpu_request_pick(ctx, cpu);
}

static void on_retick(void *ctx, hn_cpu cpu)
{
	sim_cpu_touch(ctx, cpu);
}

/* ---- the loop ---- */

static void handle_timer(struct hn_sim *sim, struct sim_task *task)
{
	enum sim_timer timer = task->timer;

	hn_heap_remove(&sim->heap, sim->slot_timers + (uint32_t)task->id);
	task->timer = SIM_TIMER_NONE;
	switch (timer) {
	case SIM_TIMER_NONE:
		break;
	case SIM_TIMER_START:
		sim_process_start(sim, task);
		break;
	case SIM_TIMER_MOVE:
		sim_place_move_ended(sim, task);
		break;
	case SIM_TIMER_WAKE:
		if (task->activity == SIM_SPINS) {
			sim_program_spin_ended(sim, task);
			break;
		}
		task->activity = SIM_DOES_NOTHING;
		sim_cpu_touch(sim, hn_sched_wake(sim->sched, sim->now_ns, task->id, HN_CPU_NONE,
						 false));
		break;
	}
}

static void handle_window(struct hn_sim *sim)
{
	sim_record_close_window(sim);
	hn_heap_set(&sim->heap, sim->slot_window,
		    (struct hn_heap_key){ sim->now_ns + SIM_WINDOW_NS,
					  (uint64_t)SIM_CLASS_WINDOW << 56 });
}

static void dispatch(struct hn_sim *sim, uint32_t slot)
{
	if (slot < sim->machine->nr_cpus) {
		sim_cpu_event(sim, (hn_cpu)slot);
	} else if (slot == sim->slot_memory) {
		hn_heap_remove(&sim->heap, slot);
		sim_progress_solve(sim);
	} else if (slot == sim->slot_window) {
		handle_window(sim);
	} else {
		handle_timer(sim, &sim->tasks[slot - sim->slot_timers]);
	}
	sim_cpu_settle(sim);
}

static void start(struct hn_sim *sim)
{
	const struct hn_scenario *scn = sim->scenario;
	uint32_t first_thread = 0;

	for (uint32_t k = 0; k < scn->nr_processes; k++) {
		const struct hn_scn_process *process = &scn->processes[k];

		for (uint32_t i = 0; i < process->nr_instances; i++) {
			hn_time_ns start_ns = process->start_ns + i * process->stagger_ns;

			sim_process_create(sim, k, start_ns)->first_thread = first_thread;
			first_thread += sim->kinds[k].nr_threads;
		}
	}
	hn_heap_set(&sim->heap, sim->slot_window,
		    (struct hn_heap_key){ SIM_WINDOW_NS, (uint64_t)SIM_CLASS_WINDOW << 56 });
}

/* Whether the run ends before the event at at_ns. */
static bool is_past_end(const struct hn_sim *sim, hn_time_ns at_ns)
{
	return sim->scenario->duration_ns && at_ns >= sim->scenario->duration_ns;
}

static int check_health(const struct hn_sim *sim, struct hn_diag *diag)
{
	const struct hn_scenario *scn = sim->scenario;

	if (sim->is_out_of_memory)
		return hn_diag_set(diag, -ENOMEM, "scenario '%s' needs more memory than '%s' has",
				   scn->name, sim->machine->name);
	if (sim->now_ns > scn->limit_ns)
		return hn_diag_set(diag, -ETIME,
				   "scenario '%s' did not end within its limit of %lld s",
				   scn->name, (long long)(scn->limit_ns / HN_NS_PER_S));
	return 0;
}

static int run_events(struct hn_sim *sim, const volatile int *stop, struct hn_diag *diag)
{
	while (sim->nr_alive) {
		uint32_t slot = hn_heap_first(&sim->heap);
		hn_time_ns at_ns = sim->heap.keys[slot].at_ns;
		int err;

		if (is_past_end(sim, at_ns)) {
			sim->now_ns = sim->scenario->duration_ns;
			break;
		}
		hn_assert(at_ns >= sim->now_ns);
		sim->now_ns = at_ns;
		dispatch(sim, slot);
		err = check_health(sim, diag);
		if (err)
			return err;
		if (++sim->nr_events % EVENTS_PER_STOP_CHECK == 0 && stop && *stop)
			return hn_diag_set(diag, -EINTR, "interrupted");
	}
	return 0;
}

static int run(struct hn_world *world, struct hn_sink sink, const volatile int *stop,
	       struct hn_diag *diag)
{
	struct hn_sim *sim = sim_of(world);
	int err;

	sim->sink = sink;
	start(sim);
	err = run_events(sim, stop, diag);
	if (err)
		return err;
	sim_record_close_window(sim); /* the last one, usually shorter */
	return 0;
}

static struct hn_view *view(struct hn_world *world, hn_task_id task)
{
	struct hn_sim *sim = sim_of(world);

	return hn_sched_view(sim->sched, sim->now_ns, task);
}

static void set_preferred(struct hn_world *world, hn_task_id task, hn_nid nid)
{
	hn_sched_set_preferred(sim_of(world)->sched, task, nid);
}

/* Everything lives in the creator's arena. */
static void destroy(struct hn_world *world HN_UNUSED)
{
}

static const struct hn_world_ops sim_ops = {
	.run = run,
	.mark_range = sim_scan_mark_range,
	.view = view,
	.set_preferred = set_preferred,
	.apply = sim_place_apply,
	.collect = sim_record_collect,
	.destroy = destroy,
};

/* ---- creation ---- */

static bool has_spawn_in(const struct hn_scn_program *program)
{
	for (uint32_t s = 0; s < program->nr_steps; s++) {
		if (program->steps[s].kind == HN_SCN_SPAWN)
			return true;
	}
	return false;
}

static bool has_spawn(const struct hn_scenario *scn)
{
	for (uint32_t k = 0; k < scn->nr_processes; k++) {
		const struct hn_scn_process *process = &scn->processes[k];

		if (has_spawn_in(&process->setup))
			return true;
		for (uint32_t r = 0; r < process->nr_roles; r++) {
			if (has_spawn_in(&process->roles[r].program))
				return true;
		}
	}
	return false;
}

/* Counts processes, threads and mappings that can exist at once. */
static void count_population(struct hn_sim *sim)
{
	const struct hn_scenario *scn = sim->scenario;

	sim->nr_tasks_max = scn->nr_tasks_max;
	if (has_spawn(scn))
		sim->nr_processes_max = scn->nr_tasks_max;
	for (uint32_t k = 0; k < scn->nr_processes; k++) {
		sim->nr_processes_max += scn->processes[k].nr_instances;
		sim->nr_initial_threads += scn->processes[k].nr_instances *
					   sim->kinds[k].nr_threads;
		if (sim->kinds[k].nr_mappings > sim->mappings_per_process)
			sim->mappings_per_process = sim->kinds[k].nr_mappings;
	}
}

static void create_population(struct hn_sim *sim, struct hn_arena *arena)
{
	size_t nr_mappings = (size_t)sim->nr_processes_max * sim->mappings_per_process;
	uint32_t nr_nodes = sim->machine->nr_nodes;

	sim->tasks = HN_ARENA_ARRAY(arena, struct sim_task, sim->nr_tasks_max);
	sim->free_tasks = HN_ARENA_ARRAY(arena, hn_task_id, sim->nr_tasks_max);
	for (uint32_t t = 0; t < sim->nr_tasks_max; t++) {
		sim->tasks[t].lines = HN_ARENA_ARRAY(arena, double, nr_nodes);
		sim->tasks[t].stall_weight = HN_ARENA_ARRAY(arena, double, nr_nodes);
		sim->tasks[t].sweep_pos = HN_ARENA_ARRAY(arena, double, sim->scenario->nr_regions);
		sim->free_tasks[t] = (hn_task_id)(sim->nr_tasks_max - 1 - t);
	}
	sim->nr_free_tasks = sim->nr_tasks_max;
	sim->mappings = HN_ARENA_ARRAY(arena, struct sim_mapping, nr_mappings);
	sim->processes = HN_ARENA_ARRAY(arena, struct sim_process, sim->nr_processes_max);
	sim->free_processes = HN_ARENA_ARRAY(arena, uint32_t, sim->nr_processes_max);
	for (uint32_t p = 0; p < sim->nr_processes_max; p++) {
		sim->processes[p].mappings = sim->mappings + (size_t)p * sim->mappings_per_process;
		sim->free_processes[p] = sim->nr_processes_max - 1 - p;
	}
	sim->nr_free_processes = sim->nr_processes_max;
	sim->next_pid = FIRST_PID;
}

static void create_cpus(struct hn_sim *sim, struct hn_arena *arena)
{
	const struct hn_machine *machine = sim->machine;

	sim->cpus = HN_ARENA_ARRAY(arena, struct sim_cpu, machine->nr_cpus);
	for (uint32_t c = 0; c < machine->nr_cpus; c++) {
		sim->cpus[c].curr = HN_TASK_NONE;
		sim->cpus[c].last_task = HN_TASK_NONE;
		sim->cpus[c].sched_tick_ns = HN_TIME_NEVER;
		sim->cpus[c].is_idle = true;
	}
	sim->picks = HN_ARENA_ARRAY(arena, hn_cpu, machine->nr_cpus);
	sim->touched = HN_ARENA_ARRAY(arena, hn_cpu, machine->nr_cpus);
	sim->flows = HN_ARENA_ARRAY(arena, struct hn_flow, machine->nr_cpus);
	sim->flow_cpus = HN_ARENA_ARRAY(arena, hn_cpu, machine->nr_cpus);
	sim->llc_running = HN_ARENA_ARRAY(arena, uint32_t, machine->nr_llcs);
	sim->core_running = HN_ARENA_ARRAY(arena, uint32_t, machine->nr_cores);
	sim->node_masks = HN_ARENA_ARRAY(arena, uint64_t *, machine->nr_nodes);
	for (uint32_t n = 0; n < machine->nr_nodes; n++)
		sim->node_masks[n] = HN_ARENA_ARRAY(arena, uint64_t,
						    HN_BITMAP_WORDS(machine->nr_cpus));
	for (uint32_t c = 0; c < machine->nr_cpus; c++)
		hn_bitmap_add(sim->node_masks[machine->cpus[c].nid], c);
}

static void create_parts(struct hn_sim *sim, struct hn_arena *arena)
{
	uint32_t nr_regions = sim->nr_processes_max * sim->mappings_per_process +
			      sim->scenario->nr_regions;
	struct hn_sched_hooks hooks = { .ctx = sim, .locality = on_locality, .moved = on_moved,
					.resched = on_resched, .retick = on_retick };
	struct hn_rng rng;

	hn_rng_init(&rng, sim->seed, "sched", 0);
	sim->sched = hn_sched_create(arena, sim->machine, sim->policy, sim->nr_tasks_max, &hooks,
				     &rng);
	sim->pages = hn_pages_create(arena, sim->machine, nr_regions);
	sim->region_generation = HN_ARENA_ARRAY(arena, uint32_t, nr_regions);
	sim->memory = hn_memory_create(arena, sim->machine);
	sim->global_regions = HN_ARENA_ARRAY(arena, uint32_t, sim->scenario->nr_regions);
	for (uint32_t r = 0; r < sim->scenario->nr_regions; r++)
		sim->global_regions[r] = UINT32_MAX;
	sim->slot_timers = sim->machine->nr_cpus;
	sim->slot_memory = sim->slot_timers + sim->nr_tasks_max;
	sim->slot_window = sim->slot_memory + 1;
	hn_heap_init(&sim->heap, arena, sim->slot_window + 1);
}

static int check_memory(const struct hn_sim_config *config, struct hn_diag *diag)
{
	const struct hn_machine *machine = config->machine;
	const struct hn_scenario *scn = config->scenario;
	uint64_t machine_bytes = 0;

	for (uint32_t n = 0; n < machine->nr_nodes; n++)
		machine_bytes += machine->nodes[n].mem_bytes;
	if (scn->bytes_max <= machine_bytes)
		return 0;
	return hn_diag_set(diag, -ENOMEM, "scenario '%s' maps %llu MiB, machine '%s' has %llu MiB",
			   scn->name, (unsigned long long)(scn->bytes_max >> 20), machine->name,
			   (unsigned long long)(machine_bytes >> 20));
}

int hn_sim_create(struct hn_arena *arena, const struct hn_sim_config *config,
		  struct hn_world **ret_world, struct hn_world_limits *ret_limits,
		  struct hn_diag *diag)
{
	struct hn_sim *sim = HN_ARENA_NEW(arena, struct hn_sim);
	int err = check_memory(config, diag);

	if (err)
		return err;
	sim->world.ops = &sim_ops;
	sim->machine = config->machine;
	sim->policy = config->policy;
	sim->scenario = config->scenario;
	sim->seed = config->seed;
	sim_process_init_kinds(sim, arena);
	count_population(sim);
	create_population(sim, arena);
	create_cpus(sim, arena);
	create_parts(sim, arena);
	*ret_limits = (struct hn_world_limits){
		.nr_tasks = sim->nr_tasks_max,
		.nr_mms = sim->nr_processes_max,
		.nr_vmas = sim->nr_processes_max * sim->mappings_per_process,
	};
	*ret_world = &sim->world;
	return 0;
}
