/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/engine.h"

#include <errno.h>

#include "base/assert.h"
#include "base/digest.h"
#include "core/core.h"

/* Windows of a record grow by doubling; a run has one per second at most. */
#define FIRST_WINDOWS 64

/* One run while it goes on: the sink's context. */
struct job_state {
	struct hn_core *core;
	struct hn_world *world;
	struct hn_arena *keep;         /* borrowed; windows of the record */
	struct hn_run_record *record;
	uint32_t nr_windows_max;
	uint64_t digest;               /* chained over the windows */
	uint64_t counters[HN_NR_COUNTERS]; /* of decisions; the core and the world have theirs */
	uint64_t nr_move_failed;
};

static void task_forked(void *ctx, const struct hn_fork_event *event)
{
	struct job_state *state = ctx;

	hn_core_note_fork(state->core, event);
}

static void task_execed(void *ctx, hn_task_id task)
{
	struct job_state *state = ctx;

	hn_core_note_exec(state->core, task);
}

static void task_exited(void *ctx, hn_task_id task)
{
	struct job_state *state = ctx;

	hn_core_note_exit(state->core, task);
}

static void vma_mapped(void *ctx, const struct hn_vma *vma)
{
	struct job_state *state = ctx;

	hn_core_note_vma(state->core, vma);
}

static void vma_unmapped(void *ctx, hn_vma_id vma)
{
	struct job_state *state = ctx;

	hn_core_note_vma_gone(state->core, vma);
}

static void rss_changed(void *ctx, hn_mm_id mm, uint64_t rss_pages)
{
	struct job_state *state = ctx;

	hn_core_note_rss(state->core, mm, rss_pages);
}

static hn_time_ns scan_due_exec_ns(void *ctx, hn_task_id task)
{
	struct job_state *state = ctx;

	return hn_core_scan_due_exec_ns(state->core, task);
}

static bool task_tick(void *ctx, hn_time_ns now_ns, hn_task_id task, hn_time_ns sum_exec_ns)
{
	struct job_state *state = ctx;

	return hn_core_note_tick(state->core, now_ns, task, sum_exec_ns);
}

static void scan(void *ctx, const struct hn_scan_event *event)
{
	struct job_state *state = ctx;
	struct hn_scan_range range;
	uint64_t nr_updates = 0;

	if (!hn_core_scan_begin(state->core, event))
		return;
	while (hn_core_scan_next(state->core, nr_updates, &range))
		nr_updates = state->world->ops->mark_range(state->world, &range);
}

static void scan_charged(void *ctx, hn_task_id task, hn_time_ns sum_exec_ns)
{
	struct job_state *state = ctx;

	hn_core_scan_charged(state->core, task, sum_exec_ns);
}

static void fault(void *ctx, const struct hn_fault_event *event, struct hn_fault_verdict *ret)
{
	struct job_state *state = ctx;

	hn_core_decide_page(state->core, event, ret);
}

/* Source: v6.12 kernel/sched/fair.c task_numa_migrate(): the trace of a move or swap comes before
 * the attempt, that of a failure after it. */
static void carry_out(struct job_state *state, const struct hn_decision *decision)
{
	int err;

	if (decision->kind == HN_DECIDE_NOTHING)
		return;
	if (decision->kind == HN_DECIDE_MOVE)
		state->counters[HN_COUNT_SCHED_MOVE_NUMA]++;
	if (decision->kind == HN_DECIDE_SWAP)
		state->counters[HN_COUNT_SCHED_SWAP_NUMA]++;
	err = state->world->ops->apply(state->world, decision);
	if (err) {
		state->nr_move_failed++;
		state->counters[HN_COUNT_SCHED_STICK_NUMA]++;
	} else if (decision->kind == HN_DECIDE_STICK && decision->traces_stick) {
		state->counters[HN_COUNT_SCHED_STICK_NUMA]++;
	}
}

static struct hn_account_answer fault_account(void *ctx, const struct hn_account_event *event)
{
	struct job_state *state = ctx;
	struct hn_account_answer answer = { 0 };
	struct hn_account_result result;
	struct hn_decision decision;
	hn_nid before = hn_core_preferred_nid(state->core, event->task);
	hn_nid after;

	result = hn_core_account_begin(state->core, event);
	answer.is_placed = result.is_placed;
	if (result.is_search_due) {
		struct hn_view *view = state->world->ops->view(state->world, event->task);

		hn_core_pick_cpu(state->core, event->now_ns, view, &decision);
		answer.is_placed = true;
	}
	after = hn_core_preferred_nid(state->core, event->task);
	if (after != before)
		state->world->ops->set_preferred(state->world, event->task, after);
	if (result.is_search_due)
		carry_out(state, &decision);
	hn_core_account_end(state->core, event);
	return answer;
}

static void task_moved(void *ctx, hn_time_ns now_ns HN_UNUSED, hn_task_id task, hn_cpu src,
		       hn_cpu dst)
{
	struct job_state *state = ctx;

	hn_core_note_move(state->core, task, src, dst);
}

static enum hn_locality_answer locality(void *ctx, const struct hn_locality_query *query)
{
	struct job_state *state = ctx;

	return hn_core_locality(state->core, query);
}

static void grow_windows(struct job_state *state)
{
	uint32_t nr_max = state->nr_windows_max ? state->nr_windows_max * 2 : FIRST_WINDOWS;
	struct hn_window *windows = HN_ARENA_ARRAY(state->keep, struct hn_window, nr_max);

	for (uint32_t w = 0; w < state->record->nr_windows; w++)
		windows[w] = state->record->windows[w];
	state->record->windows = windows;
	state->nr_windows_max = nr_max;
}

static void window_closed(void *ctx, hn_time_ns now_ns, double local_share, uint64_t digest)
{
	struct job_state *state = ctx;
	struct hn_window *window;

	if (state->record->nr_windows == state->nr_windows_max)
		grow_windows(state);
	state->digest = hn_digest_fold(state->digest, digest);
	state->digest = hn_digest_fold(state->digest, hn_core_digest(state->core));
	window = &state->record->windows[state->record->nr_windows++];
	window->end_ns = now_ns;
	window->local_share = local_share;
	window->digest = state->digest;
}

static const struct hn_sink_ops sink_ops = {
	.task_forked = task_forked,
	.task_execed = task_execed,
	.task_exited = task_exited,
	.vma_mapped = vma_mapped,
	.vma_unmapped = vma_unmapped,
	.rss_changed = rss_changed,
	.scan_due_exec_ns = scan_due_exec_ns,
	.task_tick = task_tick,
	.scan = scan,
	.scan_charged = scan_charged,
	.fault = fault,
	.fault_account = fault_account,
	.task_moved = task_moved,
	.locality = locality,
	.window_closed = window_closed,
};

/* Adds what core and engine counted to what the world put into the record. */
static void collect_counts(struct job_state *state)
{
	const uint64_t *counters = hn_core_counters(state->core);
	const uint64_t *reasons = hn_core_reasons(state->core);

	for (uint32_t c = 0; c < HN_NR_COUNTERS; c++)
		state->record->counters[c] += counters[c] + state->counters[c];
	for (uint32_t r = 0; r < HN_NR_WHY; r++)
		state->record->reasons[r] += reasons[r];
	state->record->reasons[HN_WHY_MOVE_FAILED] += state->nr_move_failed;
	state->record->digest = state->digest;
}

static struct hn_core *create_core(struct hn_arena *arena, const struct hn_job *job,
				   const struct hn_world_limits *world_limits)
{
	struct hn_limits limits = {
		.nr_tasks = world_limits->nr_tasks,
		.nr_mms = world_limits->nr_mms,
		.nr_vmas = world_limits->nr_vmas,
	};
	void *block = hn_arena_alloc(arena, hn_core_size(&limits, job->machine));

	return hn_core_init(block, &limits, job->machine, job->policy);
}

int hn_job_run(const struct hn_job *job, struct hn_arena *keep, const volatile int *stop,
	       struct hn_run_record *ret_record, struct hn_diag *diag)
{
	struct hn_run_record record = {
		.scenario = job->scenario,
		.machine = job->machine->name,
		.policy = job->policy->name,
		.run = job->run,
		.seed = job->seed,
	};
	struct job_state state = { .keep = keep, .record = &record };
	struct hn_world_limits limits = { 0 };
	struct hn_sink sink = { .ops = &sink_ops, .ctx = &state };
	struct hn_arena arena;
	int err;

	hn_arena_init(&arena);
	err = job->create_world(job, &arena, &state.world, &limits, diag);
	if (err)
		goto out_fini_arena;
	state.core = create_core(&arena, job, &limits);
	state.digest = HN_DIGEST_START;
	err = state.world->ops->run(state.world, sink, stop, diag);
	if (err)
		goto out_destroy_world;
	state.world->ops->collect(state.world, keep, &record);
	collect_counts(&state);
	record.peak_bytes = arena.used_bytes;
	*ret_record = record;
out_destroy_world:
	state.world->ops->destroy(state.world);
out_fini_arena:
	hn_arena_fini(&arena);
	return err;
}
