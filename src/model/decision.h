/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision.h - what the core wants done with a task, and why; or why nothing is done. */
#ifndef HN_MODEL_DECISION_H
#define HN_MODEL_DECISION_H

#include "base/types.h"
#include "model/reason.h"

enum hn_decision_kind {
	HN_DECIDE_NOTHING, /* no attempt was due or possible */
	HN_DECIDE_STICK,   /* an attempt was made and found no better CPU */
	HN_DECIDE_MOVE,    /* move task to dst_cpu */
	HN_DECIDE_SWAP,    /* exchange task with other */
};

struct hn_decision {
	enum hn_decision_kind kind;
	enum hn_why why;           /* the rule that fired, or the first that stood in the way */
	hn_task_id task;
	hn_task_id other;          /* HN_TASK_NONE unless a swap */
	hn_cpu src_cpu;
	hn_cpu dst_cpu;            /* HN_CPU_NONE unless a move or swap */
	int64_t imp;               /* improvement in permille of the task's or group's faults */
	bool traces_stick;         /* this kernel emits sched_stick_numa for it */
	bool sets_migrate_on;      /* dst_cpu is reserved until the move is done */
	uint32_t nr_cpus_examined; /* run queues looked at: what the search costs */
	uint32_t nr_idle_searches; /* searches for an idle CPU that this kernel makes on the way */
};

#endif
