/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view.h - the CPUs and run queues of a machine, as placement sees them at one moment.
 *
 * The world owns the storage and fills it; the core only reads. Because a search usually looks
 * at two nodes of many, a node's CPUs are filled on demand: the core calls hn_view_need(nid)
 * before it reads them. Within one search a node is filled once. */
#ifndef HN_MODEL_VIEW_H
#define HN_MODEL_VIEW_H

#include "base/bitmap.h"
#include "base/types.h"

struct hn_view_cpu {
	hn_task_id curr;           /* running task; HN_TASK_NONE when idle */
	uint32_t nr_running;       /* runnable tasks of all classes on the queue */
	uint32_t nr_fair;          /* runnable fair tasks */
	uint64_t load;             /* weighted load, by the policy's load signal */
	uint64_t runnable;         /* runnable_avg, 1024 per always-runnable task */
	uint64_t util;             /* utilisation, 0 .. capacity */
	uint32_t capacity;         /* 1024 = a full CPU */
	bool is_idle;              /* nothing runs and nothing is about to */
	bool is_core_idle;         /* all SMT siblings idle */
	bool is_llc_with_idle_core; /* the LLC's hint that an idle core exists */
	bool is_numa_migrate_on;   /* a NUMA move to this CPU is on its way */
	/* Of curr; undefined when idle. */
	uint64_t curr_h_load;
	const uint64_t *curr_allowed; /* CPU bitmap; borrowed for the search */
	bool is_curr_exiting;
	bool is_curr_kthread;      /* kernel thread, or no mm */
};

struct hn_view {
	struct hn_view_cpu *cpus;  /* by dense CPU index */
	/* Of the task that is being placed. */
	hn_task_id task;
	hn_cpu task_cpu;
	uint64_t task_h_load;
	const uint64_t *task_allowed;
	/* Of the lowest NUMA scheduling domain of task_cpu. */
	bool has_numa_domain;
	uint32_t imbalance_pct;
	uint32_t imb_numa_nr;
	bool has_smt;
	/* private: */
	uint64_t filled[HN_BITMAP_WORDS(64)];  /* nodes filled since the search began */
	void (*fill)(void *ctx, struct hn_view *view, hn_nid nid);
	void *ctx;
};

static inline void hn_view_need(struct hn_view *view, hn_nid nid)
{
	if (hn_bitmap_has(view->filled, (uint32_t)nid))
		return;
	hn_bitmap_add(view->filled, (uint32_t)nid);
	view->fill(view->ctx, view, nid);
}

#endif
