/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim-internal.h"

/* ASSUMES: creating a thread costs the parent four faults' worth of kernel time (stack and task
 * set-up) on average, and varies as an exponential: without variation, processes that start
 * together would create their threads in lockstep, which no machine does. */
#define FORK_COST_FAULTS 4

/* Where mappings start; each is aligned to a huge page with a hole of one after it. */
#define FIRST_ADDRESS UINT64_C(0x7f0000000000)

static uint32_t count_threads(const struct hn_scn_process *process)
{
	uint32_t nr = 0;

	for (uint32_t r = 0; r < process->nr_roles; r++)
		nr += process->roles[r].nr_threads;
	return nr;
}

/* ---- which mappings a kind of process has ---- */

static void note_program(struct sim_kind *kind, const struct hn_scn_program *program,
			 uint32_t nr_threads)
{
	for (uint32_t s = 0; s < program->nr_steps; s++) {
		const struct hn_scn_step *step = &program->steps[s];

		for (uint32_t a = 0; a < step->nr_accesses; a++) {
			const struct hn_scn_access *access = &step->accesses[a];
			uint32_t *nr_slices = &kind->nr_slices[access->region];

			if (*nr_slices == 0)
				*nr_slices = 1;
			if (access->slice != HN_SCN_ALL && nr_threads > *nr_slices)
				*nr_slices = nr_threads;
		}
	}
}

static void init_kind(struct hn_sim *sim, struct hn_arena *arena, uint32_t k)
{
	const struct hn_scenario *scn = sim->scenario;
	const struct hn_scn_process *process = &scn->processes[k];
	struct sim_kind *kind = &sim->kinds[k];

	kind->nr_threads = count_threads(process);
	kind->first_mapping = HN_ARENA_ARRAY(arena, int32_t, scn->nr_regions);
	kind->nr_slices = HN_ARENA_ARRAY(arena, uint32_t, scn->nr_regions);
	note_program(kind, &process->setup, 1);
	for (uint32_t r = 0; r < process->nr_roles; r++)
		note_program(kind, &process->roles[r].program, process->roles[r].nr_threads);
	for (uint32_t r = 0; r < scn->nr_regions; r++) {
		bool is_per_thread = scn->regions[r].scope == HN_SCN_PER_THREAD;

		kind->first_mapping[r] = -1;
		if (!kind->nr_slices[r])
			continue;
		kind->first_mapping[r] = (int32_t)kind->nr_mappings;
		kind->nr_mappings += is_per_thread ? kind->nr_threads : 1;
		if (is_per_thread)
			kind->nr_slices[r] = 1;
	}
}

void sim_process_init_kinds(struct hn_sim *sim, struct hn_arena *arena)
{
	sim->kinds = HN_ARENA_ARRAY(arena, struct sim_kind, sim->scenario->nr_processes);
	for (uint32_t k = 0; k < sim->scenario->nr_processes; k++)
		init_kind(sim, arena, k);
}

struct sim_mapping *sim_process_mapping(const struct hn_sim *sim, const struct sim_task *task,
					uint32_t region)
{
	const struct sim_kind *kind = &sim->kinds[task->process->kind];
	uint32_t m = (uint32_t)kind->first_mapping[region];

	if (sim->scenario->regions[region].scope == HN_SCN_PER_THREAD)
		m += task->thread_idx;
	return &task->process->mappings[m];
}

/* ASSUMES: roles with fewer threads than a region has slices use every nth slice only. */
uint32_t sim_process_slice(const struct hn_sim *sim, const struct sim_task *task,
			   const struct hn_scn_access *access)
{
	const struct hn_scn_process *process = &sim->scenario->processes[task->process->kind];
	uint32_t nr_slices = sim->kinds[task->process->kind].nr_slices[access->region];
	uint32_t nr_threads = process->roles[task->role].nr_threads;
	uint32_t thread = task->thread;

	if (access->slice == HN_SCN_ALL || nr_slices == 1)
		return nr_slices == 1 ? 0 : HN_PAGES_ALL;
	if (access->slice == HN_SCN_NEXT)
		thread = (thread + 1) % nr_threads;
	return (uint32_t)((uint64_t)thread * nr_slices / nr_threads);
}

hn_nid sim_process_touch_nid(const struct hn_sim *sim, const struct sim_task *task)
{
	if (task->static_nid != HN_NID_NONE)
		return sim_place_memory_nid(sim, task->static_nid);
	return hn_machine_nid(sim->machine, task->cpu);
}

/* ---- memory ---- */

static uint32_t vma_flags(const struct hn_scn_region *scn)
{
	uint32_t flags = HN_VMA_READ | HN_VMA_WRITE;

	switch (scn->memory) {
	case HN_SCN_ANON:
		break;
	case HN_SCN_SHM:
		flags |= HN_VMA_SHARED;
		break;
	case HN_SCN_FILE:
		flags |= HN_VMA_FILE;
		break;
	case HN_SCN_FILE_DIRTY:
		flags |= HN_VMA_FILE | HN_VMA_SHARED;
		break;
	case HN_SCN_TEXT:
		flags = HN_VMA_READ | HN_VMA_EXEC | HN_VMA_FILE;
		break;
	}
	if (scn->bind_nid != HN_NID_NONE || scn->is_interleaved)
		flags |= HN_VMA_BOUND;
	return flags;
}

static bool is_bound(const struct hn_sim *sim)
{
	return sim->policy->static_placement == HN_STATIC_PLACEMENT_HARD_BIND ||
	       sim->policy->static_placement == HN_STATIC_PLACEMENT_INVERSE_BIND;
}

/* Bound threads on several nodes that all use the whole of a region find it interleaved. */
static bool is_spread(const struct hn_sim *sim, const struct sim_process *process,
		      const struct hn_scn_region *scn, uint32_t nr_slices)
{
	uint32_t last = sim->kinds[process->kind].nr_threads - 1;

	if (sim->policy->static_placement == HN_STATIC_PLACEMENT_INTERLEAVE)
		return true;
	if (!is_bound(sim) || nr_slices > 1 || scn->scope == HN_SCN_PER_THREAD)
		return false;
	return sim_place_static_nid(sim, process->first_thread) !=
	       sim_place_static_nid(sim, process->first_thread + last);
}

static uint32_t add_pages(struct hn_sim *sim, const struct sim_process *process,
			  const struct hn_scn_region *scn, uint32_t nr_slices)
{
	bool is_private = scn->memory == HN_SCN_ANON || scn->memory == HN_SCN_FILE;
	struct hn_region_desc desc = {
		.nr_base_pages = hn_div_up_u64(scn->bytes, HN_PAGE_BYTES),
		.is_huge = scn->is_huge,
		.nr_slices = nr_slices,
		.bind_nid = scn->bind_nid,
		.is_interleaved = scn->is_interleaved || is_spread(sim, process, scn, nr_slices),
		.is_cow_vma = is_private,
		.is_mapped_once = scn->scope != HN_SCN_GLOBAL,
		.has_one_reference = scn->scope != HN_SCN_GLOBAL,
		.is_dirty_file = scn->memory == HN_SCN_FILE_DIRTY,
	};

	return hn_pages_add(sim->pages, &desc);
}

/* Pages of a global region are made by the first process that maps it. */
static uint32_t get_pages(struct hn_sim *sim, const struct sim_process *process, uint32_t region,
			  uint32_t nr_slices)
{
	const struct hn_scn_region *scn = &sim->scenario->regions[region];

	if (scn->scope != HN_SCN_GLOBAL)
		return add_pages(sim, process, scn, nr_slices);
	if (sim->global_regions[region] == UINT32_MAX)
		sim->global_regions[region] = add_pages(sim, process, scn, nr_slices);
	return sim->global_regions[region];
}

static void map_one(struct hn_sim *sim, struct sim_process *process, uint32_t region,
		    struct sim_mapping *mapping)
{
	const struct hn_scn_region *scn = &sim->scenario->regions[region];
	uint32_t nr_slices = sim->kinds[process->kind].nr_slices[region];
	struct hn_vma vma;

	mapping->region = get_pages(sim, process, region, nr_slices);
	mapping->vma = (hn_vma_id)(mapping - sim->mappings);
	mapping->start = process->next_address;
	mapping->entry_pages = scn->is_huge ? HN_HUGE_PAGES : 1;
	mapping->scn = scn;
	mapping->is_mapped = true;
	vma = (struct hn_vma){
		.id = mapping->vma,
		.mm = process->mm,
		.start = mapping->start,
		.end = mapping->start + hn_round_up_pow2(scn->bytes, scn->is_huge ? HN_HUGE_BYTES
										  : HN_PAGE_BYTES),
		.flags = vma_flags(scn),
	};
	process->next_address = hn_round_up_pow2(vma.end, HN_HUGE_BYTES) + HN_HUGE_BYTES;
	sim->sink.ops->vma_mapped(sim->sink.ctx, &vma);
}

static void map_all(struct hn_sim *sim, struct sim_process *process)
{
	const struct sim_kind *kind = &sim->kinds[process->kind];

	process->next_address = FIRST_ADDRESS;
	for (uint32_t r = 0; r < sim->scenario->nr_regions; r++) {
		uint32_t nr = 1;

		if (kind->first_mapping[r] < 0)
			continue;
		if (sim->scenario->regions[r].scope == HN_SCN_PER_THREAD)
			nr = kind->nr_threads;
		for (uint32_t i = 0; i < nr; i++)
			map_one(sim, process, r,
				&process->mappings[(uint32_t)kind->first_mapping[r] + i]);
	}
}

static void unmap_all(struct hn_sim *sim, struct sim_process *process)
{
	uint32_t nr_mappings = sim->kinds[process->kind].nr_mappings;

	for (uint32_t m = 0; m < nr_mappings; m++) {
		struct sim_mapping *mapping = &process->mappings[m];

		mapping->is_mapped = false;
		sim->sink.ops->vma_unmapped(sim->sink.ctx, mapping->vma);
		if (mapping->scn->scope != HN_SCN_GLOBAL)
			hn_pages_remove(sim->pages, mapping->region);
	}
}

/* ---- birth ---- */

static struct sim_task *take_task(struct hn_sim *sim)
{
	struct sim_task *task;
	double *lines, *stall_weight, *sweep_pos;
	hn_task_id id;

	hn_assert(sim->nr_free_tasks > 0);
	id = sim->free_tasks[--sim->nr_free_tasks];
	task = &sim->tasks[id];
	lines = task->lines;
	stall_weight = task->stall_weight;
	sweep_pos = task->sweep_pos;
	*task = (struct sim_task){ .id = id, .is_alive = true, .lines = lines,
				   .stall_weight = stall_weight, .sweep_pos = sweep_pos };
	for (uint32_t r = 0; r < sim->scenario->nr_regions; r++)
		task->sweep_pos[r] = 0;
	task->last_llc = -1;
	task->static_nid = HN_NID_NONE;
	task->cpu = HN_CPU_NONE;
	task->scan_due_ns = HN_TIME_NEVER;
	sim->nr_alive++;
	return task;
}

static void init_thread(struct hn_sim *sim, struct sim_process *process, struct sim_task *task,
			uint32_t thread_idx)
{
	const struct hn_scn_process *scn = &sim->scenario->processes[process->kind];
	uint64_t stream = (uint64_t)process->serial << 32 | thread_idx;
	uint32_t first = 0;

	task->process = process;
	task->thread_idx = thread_idx;
	task->pid = sim->next_pid++;
	while (thread_idx - first >= scn->roles[task->role].nr_threads)
		first += scn->roles[task->role++].nr_threads;
	task->thread = thread_idx - first;
	task->program = &scn->roles[task->role].program;
	hn_rng_init(&task->work_rng, sim->seed, "task-work", stream);
	hn_rng_init(&task->fault_rng, sim->seed, "task-faults", stream);
}

struct sim_process *sim_process_create(struct hn_sim *sim, uint32_t kind, hn_time_ns start_ns)
{
	struct sim_process *process;
	struct sim_task *task;
	uint32_t p;

	hn_assert(sim->nr_free_processes > 0);
	p = sim->free_processes[--sim->nr_free_processes];
	process = &sim->processes[p];
	*process = (struct sim_process){
		.is_alive = true, .kind = kind, .serial = sim->nr_processes_created++,
		.mm = (hn_mm_id)p, .parent = HN_TASK_NONE, .start_cpu = HN_CPU_NONE,
		.mappings = process->mappings, .nr_forked = 1, .nr_threads = 1,
	};
	task = take_task(sim);
	init_thread(sim, process, task, 0);
	process->main_task = task->id;
	process->tgid = task->pid;
	task->activity = SIM_NOT_STARTED;
	task->timer = SIM_TIMER_START;
	hn_heap_set(&sim->heap, sim->slot_timers + (uint32_t)task->id,
		    (struct hn_heap_key){ start_ns, (uint64_t)SIM_CLASS_TIMER << 56 |
						    (uint64_t)task->id });
	return process;
}

/* Hands the new task to the core and to the scheduler. */
static void fork_task(struct hn_sim *sim, struct sim_task *task, const struct sim_task *parent,
		      hn_cpu cpu)
{
	struct hn_fork_event event = {
		.now_ns = sim->now_ns,
		.task = task->id,
		.parent = parent ? parent->id : HN_TASK_NONE,
		.mm = task->process->mm,
		.pid = task->pid,
		.tgid = task->process->tgid,
		.nr_mm_users = task->process->nr_threads,
	};
	struct hn_sched_task_desc desc = {
		.task = task->id,
		.parent = event.parent,
		.cpu = cpu,
	};

	if (is_bound(sim)) {
		task->static_nid = sim_place_static_nid(sim, task->process->first_thread +
							     task->thread_idx);
		task->allowed = sim->node_masks[task->static_nid];
		desc.allowed = task->allowed;
	}
	sim->sink.ops->task_forked(sim->sink.ctx, &event);
	sim_cpu_refresh_scan_due(sim, task);
	task->activity = SIM_DOES_NOTHING;
	task->cpu = hn_sched_fork(sim->sched, sim->now_ns, &desc);
	sim_cpu_touch(sim, task->cpu);
}

/* A process without a parent is started by a shell that happens to run anywhere. */
static hn_cpu start_cpu(struct hn_sim *sim, const struct sim_process *process)
{
	struct hn_rng rng;
	hn_cpu cpu;

	if (process->start_cpu != HN_CPU_NONE)
		return process->start_cpu;
	hn_rng_init(&rng, sim->seed, "process-start", process->serial);
	cpu = (hn_cpu)hn_rng_below(&rng, sim->machine->nr_cpus);
	return cpu;
}

void sim_process_start(struct hn_sim *sim, struct sim_task *task)
{
	struct sim_process *process = task->process;
	const struct hn_scn_process *scn = &sim->scenario->processes[process->kind];

	if (scn->setup.nr_steps) {
		task->program = &scn->setup;
		task->is_in_setup = true;
	}
	fork_task(sim, task, NULL, start_cpu(sim, process));
	map_all(sim, process);
}

bool sim_process_fork_next(struct hn_sim *sim, struct sim_task *main)
{
	struct sim_process *process = main->process;
	struct sim_task *task;

	if (process->nr_forked == sim->kinds[process->kind].nr_threads)
		return false;
	task = take_task(sim);
	init_thread(sim, process, task, process->nr_forked++);
	process->nr_threads++;
	fork_task(sim, task, main, main->cpu);
	main->debt_ns += (hn_time_ns)((double)sim->machine->costs.fault_ns * FORK_COST_FAULTS *
				      hn_rng_exponential(&main->work_rng));
	sim_cpu_touch(sim, main->cpu);
	return true;
}

/* ---- death ---- */

static void wake_parent(struct hn_sim *sim, const struct sim_process *process, hn_cpu cpu)
{
	struct sim_task *parent;

	if (process->parent == HN_TASK_NONE)
		return;
	parent = &sim->tasks[process->parent];
	if (!parent->is_alive || parent->activity != SIM_WAITS_CHILD)
		return;
	parent->activity = SIM_DOES_NOTHING;
	sim_cpu_touch(sim, hn_sched_wake(sim->sched, sim->now_ns, parent->id, cpu, false));
}

static void end_process(struct hn_sim *sim, struct sim_process *process, hn_cpu cpu)
{
	unmap_all(sim, process);
	process->is_alive = false;
	sim->free_processes[sim->nr_free_processes++] = (uint32_t)(process - sim->processes);
	wake_parent(sim, process, cpu);
}

static void wake_joiner(struct hn_sim *sim, struct sim_process *process, hn_cpu cpu)
{
	struct sim_task *main = &sim->tasks[process->main_task];

	if (process->nr_threads != 1 || main->activity != SIM_WAITS_THREADS)
		return;
	main->activity = SIM_DOES_NOTHING;
	sim_cpu_touch(sim, hn_sched_wake(sim->sched, sim->now_ns, main->id, cpu, false));
}

void sim_task_exit(struct hn_sim *sim, struct sim_task *task)
{
	struct sim_process *process = task->process;
	hn_cpu cpu = task->cpu;

	hn_sched_exit(sim->sched, sim->now_ns, task->id);
	sim_cpu_leave(sim, task);
	sim_cpu_request_pick(sim, cpu);
	sim->sink.ops->task_exited(sim->sink.ctx, task->id);
	task->activity = SIM_EXITED;
	task->is_alive = false;
	sim->user_ns += task->user_ns;
	sim->system_ns += task->system_ns;
	sim->nr_alive--;
	sim->free_tasks[sim->nr_free_tasks++] = task->id;
	process->nr_threads--;
	wake_joiner(sim, process, cpu);
	if (process->nr_threads == 0)
		end_process(sim, process, cpu);
}
