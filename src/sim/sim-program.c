/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim-internal.h"

/* First touches are made in pieces, so that a task that moves meanwhile touches from its new
 * node. */
#define TOUCH_CHUNK_BYTES (UINT64_C(16) << 20)
/* Steps without duration that a program may take before time must pass. */
#define INSTANT_STEPS_MAX 256
#define PAUSE_NS 1000

void sim_program_block(struct hn_sim *sim, struct sim_task *task, enum sim_activity activity)
{
	task->activity = activity;
	hn_sched_block(sim->sched, sim->now_ns, task->id);
	sim_cpu_request_pick(sim, task->cpu);
}

static void set_timer(struct hn_sim *sim, struct sim_task *task, hn_time_ns span_ns)
{
	task->timer = SIM_TIMER_WAKE;
	hn_heap_set(&sim->heap, sim->slot_timers + (uint32_t)task->id,
		    (struct hn_heap_key){ sim->now_ns + span_ns,
					  (uint64_t)SIM_CLASS_TIMER << 56 | (uint64_t)task->id });
}

static void cancel_timer(struct hn_sim *sim, struct sim_task *task)
{
	task->timer = SIM_TIMER_NONE;
	hn_heap_remove(&sim->heap, sim->slot_timers + (uint32_t)task->id);
}

/* An amount with the given coefficient of variation: a constant part and an exponential part. */
static double draw(struct sim_task *task, double mean, double cv)
{
	if (cv <= 0)
		return mean;
	return mean * (1.0 - cv) + mean * cv * hn_rng_exponential(&task->work_rng);
}

/* ---- work and first touch ---- */

static void init_access(struct hn_sim *sim, struct sim_task *task,
			const struct hn_scn_access *scn, struct sim_access *access)
{
	uint32_t nr_entries;
	double nr;

	*access = (struct sim_access){ .scn = scn, .units_to_fault = SIM_UNITS_NEVER };
	access->mapping = sim_process_mapping(sim, task, scn->region);
	access->slice = sim_process_slice(sim, task, scn);
	if (access->slice == HN_PAGES_ALL) {
		nr_entries = hn_pages_nr_entries(sim->pages, access->mapping->region);
	} else {
		access->first = hn_pages_slice_start(sim->pages, access->mapping->region,
						     access->slice);
		nr_entries = hn_pages_slice_start(sim->pages, access->mapping->region,
						  access->slice + 1) - access->first;
	}
	access->nr = nr_entries;
	access->entries_per_unit = scn->pages / (double)access->mapping->entry_pages;
	nr = nr_entries;
	access->pos = task->sweep_pos[scn->region];
	if (access->pos >= nr)
		access->pos = 0;
}

/* The first access whose slice is not wholly present; nr_accesses when all are. */
static uint32_t find_absent(const struct hn_sim *sim, const struct sim_task *task)
{
	for (uint32_t a = 0; a < task->nr_accesses; a++) {
		const struct sim_access *access = &task->accesses[a];

		if (hn_pages_nr_present(sim->pages, access->mapping->region, access->slice) <
		    access->nr)
			return a;
	}
	return task->nr_accesses;
}

static void start_work(struct hn_sim *sim, struct sim_task *task)
{
	task->activity = SIM_WORKS;
	sim_progress_compute_rate(sim, task);
	sim_fault_plan(sim, task, true);
	sim_progress_note_dirty(sim);
}

/* Pages are touched first where a step needs absent ones, be it WORK or TOUCH. */
static void start_accesses(struct hn_sim *sim, struct sim_task *task,
			   const struct hn_scn_step *step)
{
	task->nr_accesses = step->nr_accesses;
	for (uint32_t a = 0; a < step->nr_accesses; a++)
		init_access(sim, task, &step->accesses[a], &task->accesses[a]);
	task->units_left = step->kind == HN_SCN_WORK ? draw(task, step->units, step->cv) : 0;
	task->touch_access = find_absent(sim, task);
	if (task->touch_access < task->nr_accesses) {
		task->touch_entry = task->accesses[task->touch_access].first;
		task->activity = SIM_TOUCHES;
	} else if (step->kind == HN_SCN_WORK) {
		start_work(sim, task);
	}
}

static void charge_allocation(struct hn_sim *sim, struct sim_task *task,
			      const struct sim_mapping *mapping,
			      const struct hn_alloc_result *result)
{
	const struct hn_kernel_costs *costs = &sim->machine->costs;
	uint64_t nr_pages = result->nr_hit + result->nr_miss;

	task->debt_ns += (hn_time_ns)result->nr_entries *
			 (mapping->entry_pages > 1 ? costs->alloc_huge_ns : costs->alloc_page_ns);
	sim->counters[HN_COUNT_NUMA_HIT] += result->nr_hit;
	sim->counters[HN_COUNT_NUMA_MISS] += result->nr_miss;
	sim->counters[HN_COUNT_NUMA_FOREIGN] += result->nr_miss;
	sim->counters[HN_COUNT_NUMA_LOCAL] += result->nr_local;
	sim->counters[HN_COUNT_NUMA_OTHER] += nr_pages - result->nr_local;
	sim->counters[HN_COUNT_NUMA_INTERLEAVE] += result->nr_interleave;
	sim->counters[HN_COUNT_PGFAULT] += result->nr_entries;
	task->process->rss_pages += nr_pages;
	sim->sink.ops->rss_changed(sim->sink.ctx, task->process->mm, task->process->rss_pages);
}

/* Of which slice the entry is part: slice i starts at i * n / s. */
static uint32_t slice_of(const struct sim_access *access, uint32_t nr_slices, uint32_t entry)
{
	return (uint32_t)((((uint64_t)entry + 1) * nr_slices - 1) / access->nr);
}

/* With static placement, the slices that other threads own go to those threads' nodes. Shortens
 * the chunk to one slice then. */
static hn_nid chunk_nid(const struct hn_sim *sim, const struct sim_task *task,
			const struct sim_access *access, uint32_t *end)
{
	const struct hn_scn_step *step = &task->program->steps[task->pc];
	const struct sim_process *process = task->process;
	uint32_t nr_slices = sim->kinds[process->kind].nr_slices[access->scn->region];
	uint32_t owner, slice_end;

	if (task->static_nid == HN_NID_NONE && step->has_touch_nid)
		return step->touch_nid;
	if (task->static_nid == HN_NID_NONE || nr_slices == 1 || access->slice != HN_PAGES_ALL)
		return sim_process_touch_nid(sim, task);
	owner = slice_of(access, nr_slices, task->touch_entry);
	slice_end = hn_pages_slice_start(sim->pages, access->mapping->region, owner + 1);
	if (slice_end < *end)
		*end = slice_end;
	return sim_place_memory_nid(sim, sim_place_static_nid(sim, process->first_thread + owner));
}

/* Touches the next entries that may be absent, up to a chunk of them; returns where it got to. */
static uint32_t touch_some(struct hn_sim *sim, struct sim_task *task, struct sim_access *access,
			   uint32_t slice_end)
{
	uint64_t chunk = TOUCH_CHUNK_BYTES / (access->mapping->entry_pages * HN_PAGE_BYTES);
	uint32_t region = access->mapping->region;
	uint32_t end = slice_end;
	struct hn_alloc_result result;
	hn_nid nid;

	task->touch_entry = hn_pages_skip_present(sim->pages, region, task->touch_entry);
	if (task->touch_entry >= slice_end)
		return slice_end;
	if (end - task->touch_entry > chunk)
		end = task->touch_entry + (uint32_t)chunk;
	nid = chunk_nid(sim, task, access, &end);
	if (!hn_pages_touch(sim->pages, region, task->touch_entry, end, nid, &result))
		sim->is_out_of_memory = true;
	charge_allocation(sim, task, access->mapping, &result);
	sim_progress_note_dirty(sim);
	return end;
}

void sim_program_touch_chunk(struct hn_sim *sim, struct sim_task *task)
{
	const struct hn_scn_step *step = &task->program->steps[task->pc];
	struct sim_access *access = &task->accesses[task->touch_access];
	uint32_t slice_end = access->first + access->nr;

	task->touch_entry = touch_some(sim, task, access, slice_end);
	if (task->touch_entry < slice_end)
		return;
	task->touch_access = find_absent(sim, task);
	if (task->touch_access < task->nr_accesses)
		task->touch_entry = task->accesses[task->touch_access].first;
	else if (step->kind == HN_SCN_WORK)
		start_work(sim, task);
	else
		sim_program_finish_step(sim, task);
}

/* Sweeps go on where they stopped when the region is used again. */
static void end_work(struct hn_sim *sim, struct sim_task *task)
{
	for (uint32_t a = 0; a < task->nr_accesses; a++)
		task->sweep_pos[task->accesses[a].scn->region] = task->accesses[a].pos;
	task->nr_accesses = 0;
	sim_progress_note_dirty(sim);
}

/* ---- barriers ---- */

static uint32_t *barrier_count(struct sim_task *task, const struct hn_scn_step *step)
{
	uint32_t b = step->is_process_wide ? HN_SCN_ROLES_MAX : task->role;

	return &task->process->barrier_arrived[b];
}

static uint32_t barrier_size(const struct hn_sim *sim, const struct sim_task *task,
			     const struct hn_scn_step *step)
{
	const struct hn_scn_process *process = &sim->scenario->processes[task->process->kind];

	if (step->is_process_wide)
		return sim->kinds[task->process->kind].nr_threads;
	return process->roles[task->role].nr_threads;
}

static bool is_at_barrier(const struct sim_task *task, const struct sim_task *last,
			  const struct hn_scn_step *step)
{
	if (!task->is_alive || task->process != last->process || task == last)
		return false;
	if (task->activity != SIM_SPINS && task->activity != SIM_WAITS_BARRIER)
		return false;
	return step->is_process_wide || task->role == last->role;
}

static void release(struct hn_sim *sim, struct sim_task *task, hn_cpu cpu)
{
	bool was_spinning = task->activity == SIM_SPINS;

	task->activity = SIM_DOES_NOTHING;
	task->pc++;
	if (!was_spinning) {
		sim_cpu_touch(sim, hn_sched_wake(sim->sched, sim->now_ns, task->id, cpu, false));
		return;
	}
	cancel_timer(sim, task);
	if (!task->is_on_cpu)
		return; /* preempted: goes on when it runs */
	sim_progress_update(sim, task);
	task->activity = SIM_PAUSES; /* an event of its own CPU, at this instant */
	sim_cpu_touch(sim, task->cpu);
}

/* The last to arrive lets the others go, in the order of their ids. */
static void arrive(struct hn_sim *sim, struct sim_task *task, const struct hn_scn_step *step)
{
	uint32_t *nr_arrived = barrier_count(task, step);

	if (++*nr_arrived < barrier_size(sim, task, step)) {
		if (!step->span_ns) {
			sim_program_block(sim, task, SIM_WAITS_BARRIER);
			return;
		}
		task->activity = SIM_SPINS;
		set_timer(sim, task, step->span_ns);
		return;
	}
	*nr_arrived = 0;
	for (uint32_t t = 0; t < sim->nr_tasks_max; t++) {
		if (is_at_barrier(&sim->tasks[t], task, step))
			release(sim, &sim->tasks[t], task->cpu);
	}
	task->pc++;
}

void sim_program_spin_ended(struct hn_sim *sim, struct sim_task *task)
{
	if (task->is_on_cpu)
		sim_program_block(sim, task, SIM_WAITS_BARRIER);
	else /* preempted while it spins: looks again when it runs */
		set_timer(sim, task, HN_TICK_NS);
}

/* ---- loops, children, the end ---- */

static void start_loop(struct sim_task *task, const struct hn_scn_step *step)
{
	hn_assert(task->nr_loops < SIM_LOOPS_MAX);
	task->loops[task->nr_loops++] = (struct sim_loop){
		.step = task->pc, .nr_left = step->count, .is_endless = step->count == 0,
	};
	task->pc++;
}

static void end_loop(struct sim_task *task)
{
	struct sim_loop *loop = &task->loops[task->nr_loops - 1];

	if (loop->is_endless || --loop->nr_left > 0) {
		task->pc = loop->step + 1;
		return;
	}
	task->nr_loops--;
	task->pc++;
}

static void count(struct hn_sim *sim, const struct hn_scn_step *step)
{
	if (sim->now_ns >= sim->scenario->measure_from_ns)
		sim->measured_counts[step->counter] += step->units;
}

static void spawn(struct hn_sim *sim, struct sim_task *task, const struct hn_scn_step *step)
{
	struct sim_process *child = sim_process_create(sim, step->process, sim->now_ns);

	child->start_cpu = task->cpu;
	child->first_thread = task->process->first_thread + task->thread_idx;
	child->parent = step->waits ? task->id : HN_TASK_NONE;
	task->pc++;
	if (step->waits)
		sim_program_block(sim, task, SIM_WAITS_CHILD);
}

static void exec(struct hn_sim *sim, struct sim_task *task)
{
	task->pc++;
	sim->sink.ops->task_execed(sim->sink.ctx, task->id);
	hn_sched_exec(sim->sched, sim->now_ns, task->id);
	/* The rest happens where the task runs from now on. */
	task->activity = SIM_PAUSES;
}

/* The end of the setup creates the threads; that of a role ends the thread, the main one last. */
static void end_program(struct hn_sim *sim, struct sim_task *task)
{
	const struct hn_scn_process *process = &sim->scenario->processes[task->process->kind];
	bool is_main = task->id == task->process->main_task;

	if (is_main && task->process->nr_forked < sim->kinds[task->process->kind].nr_threads) {
		task->activity = SIM_FORKS;
		return;
	}
	if (task->is_in_setup) {
		task->is_in_setup = false;
		task->program = &process->roles[0].program;
		task->pc = 0;
		return;
	}
	if (is_main && task->process->nr_threads > 1)
		sim_program_block(sim, task, SIM_WAITS_THREADS);
	else
		sim_task_exit(sim, task);
}

static void run_step(struct hn_sim *sim, struct sim_task *task)
{
	const struct hn_scn_step *step = &task->program->steps[task->pc];

	switch (step->kind) {
	case HN_SCN_WORK:
	case HN_SCN_TOUCH:
		start_accesses(sim, task, step);
		if (task->activity == SIM_DOES_NOTHING)
			task->pc++; /* a TOUCH of pages that are all there */
		break;
	case HN_SCN_BARRIER:
		arrive(sim, task, step);
		break;
	case HN_SCN_SLEEP:
		set_timer(sim, task, (hn_time_ns)draw(task, (double)step->span_ns, step->cv) + 1);
		task->pc++;
		sim_program_block(sim, task, SIM_SLEEPS);
		break;
	case HN_SCN_LOOP:
		start_loop(task, step);
		break;
	case HN_SCN_END:
		end_loop(task);
		break;
	case HN_SCN_COUNT:
		count(sim, step);
		task->pc++;
		break;
	case HN_SCN_EXEC:
		exec(sim, task);
		break;
	case HN_SCN_SPAWN:
		spawn(sim, task, step);
		break;
	}
}

void sim_program_advance(struct hn_sim *sim, struct sim_task *task)
{
	/* Threads exist from the start of their process's roles on, so a process without setup
	 * forks them before its main thread does anything else. */
	if (task->pc == 0 && task->nr_loops == 0 && !task->is_in_setup &&
	    task->id == task->process->main_task &&
	    task->process->nr_forked < sim->kinds[task->process->kind].nr_threads) {
		task->activity = SIM_FORKS;
		return;
	}
	for (uint32_t s = 0; task->activity == SIM_DOES_NOTHING; s++) {
		if (s == INSTANT_STEPS_MAX) {
			task->activity = SIM_PAUSES;
			task->debt_ns += PAUSE_NS;
		} else if (task->pc == task->program->nr_steps) {
			end_program(sim, task);
		} else {
			run_step(sim, task);
		}
	}
	sim_cpu_touch(sim, task->cpu);
}

void sim_program_finish_step(struct hn_sim *sim, struct sim_task *task)
{
	enum sim_activity done = task->activity;

	if (done == SIM_WORKS)
		end_work(sim, task);
	task->activity = SIM_DOES_NOTHING;
	if (done == SIM_WORKS || done == SIM_TOUCHES)
		task->pc++;
	sim_program_advance(sim, task);
}
