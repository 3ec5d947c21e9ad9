/* SPDX-License-Identifier: GPL-2.0-or-later */
/* world.h - where tasks and pages are: a simulation, a recording, or a running Linux.
 *
 * A world runs and tells a sink what happens (struct hn_sink_ops); the engine is that sink and
 * asks a core. What the core decides comes back through the world's operations (struct
 * hn_world_ops), some as the direct answer to an event, since a kernel decides at that point
 * too. Neither side knows more of the other than this file.
 *
 * Calls nest only one level: while a sink call runs, it may call world operations that are
 * marked "any time"; these never call the sink again, except task_moved.
 *
 * Everything is single-threaded. The world owns tasks, pages and run queues. */
#ifndef HN_WORLD_WORLD_H
#define HN_WORLD_WORLD_H

#include "base/diag.h"
#include "model/decision.h"
#include "model/event.h"
#include "model/locality.h"
#include "model/record.h"
#include "model/view.h"
#include "model/vma.h"

/* What the sink answers to a fault's accounting. */
struct hn_account_answer {
	bool is_placed;      /* statistics were folded: scan period or preferred node may differ */
};

/* Events. Every member must be set; `ctx` is the sink's. */
struct hn_sink_ops {
	void (*task_forked)(void *ctx, const struct hn_fork_event *event);
	void (*task_execed)(void *ctx, hn_task_id task);
	void (*task_exited)(void *ctx, hn_task_id task);
	void (*vma_mapped)(void *ctx, const struct hn_vma *vma);
	void (*vma_unmapped)(void *ctx, hn_vma_id vma);

	/* Resident base pages of the address space changed. */
	void (*rss_changed)(void *ctx, hn_mm_id mm, uint64_t rss_pages);

	/* The task's CPU time from which on a tick has something to do for it; HN_TIME_NEVER: none.
	 * Changes with task_tick, scan, fault_account and task_moved, not otherwise. */
	hn_time_ns (*scan_due_exec_ns)(void *ctx, hn_task_id task);

	/* A tick found the task running, with this CPU time. True: a scan is queued; the world
	 * calls scan() when the task next returns to user mode. */
	bool (*task_tick)(void *ctx, hn_time_ns now_ns, hn_task_id task, hn_time_ns sum_exec_ns);

	/* The task scans now. The sink calls mark_range() as often as its rules want. After it
	 * the world charges the CPU time; then it calls scan_charged with the task's new CPU time,
	 * as far as the kernel would see it. */
	void (*scan)(void *ctx, const struct hn_scan_event *event);
	void (*scan_charged)(void *ctx, hn_task_id task, hn_time_ns sum_exec_ns);

	/* A hinting fault: should the page move? */
	void (*fault)(void *ctx, const struct hn_fault_event *event, struct hn_fault_verdict *ret);

	/* The page did or did not move. The sink may call set_preferred and apply inside. */
	struct hn_account_answer (*fault_account)(void *ctx, const struct hn_account_event *event);

	/* A task changed its CPU, whatever the cause. Called after the change. */
	void (*task_moved)(void *ctx, hn_time_ns now_ns, hn_task_id task, hn_cpu src, hn_cpu dst);

	/* The load balancer asks. */
	enum hn_locality_answer (*locality)(void *ctx, const struct hn_locality_query *query);

	/* A statistics window ends. `digest` covers the world's state. */
	void (*window_closed)(void *ctx, hn_time_ns now_ns, double local_share, uint64_t digest);
};

struct hn_sink {
	const struct hn_sink_ops *ops;
	void *ctx;
};

struct hn_world;

/* Operations. `world` is the first member of the world's own struct. */
struct hn_world_ops {
	/* Runs to the end of the scenario, or until *stop becomes non-zero (-EINTR). */
	int (*run)(struct hn_world *world, struct hn_sink sink, const volatile int *stop,
		   struct hn_diag *diag);

	/* Any time: marks the entries of the range that the rules allow; returns how many were
	 * updated, in base pages. */
	uint64_t (*mark_range)(struct hn_world *world, const struct hn_scan_range *range);

	/* Any time: the view for a search by `task`; valid until the next call. */
	struct hn_view *(*view)(struct hn_world *world, hn_task_id task);

	/* Any time: the task's preferred node changed. */
	void (*set_preferred)(struct hn_world *world, hn_task_id task, hn_nid nid);

	/* Any time: charges the search to the task and carries out a move or swap, now or after
	 * the latency of the machine. 0, or -EAGAIN where a task had left its CPU or may not run
	 * there (counted by the caller as a failed move). */
	int (*apply)(struct hn_world *world, const struct hn_decision *decision);

	/* After run: metrics, counters of memory and scheduler, durations. The record's strings
	 * and arrays come from `arena`. */
	void (*collect)(struct hn_world *world, struct hn_arena *arena,
			struct hn_run_record *record);

	void (*destroy)(struct hn_world *world);
};

struct hn_world {
	const struct hn_world_ops *ops;
};

/* Upper bounds that the engine needs to size a core; filled by whoever creates the world. */
struct hn_world_limits {
	uint32_t nr_tasks;
	uint32_t nr_mms;
	uint32_t nr_vmas;
};

#endif
