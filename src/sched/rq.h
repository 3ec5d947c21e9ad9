/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rq.h - run queues and their tasks: what each holds, and the ways to change one.
 *
 * A queue knows who runs and who waits, in virtual time; how much load that is, now and on
 * average; and how many tasks prefer which node. It knows nothing of other CPUs.
 * Units: virtual time in ns of a nice-0 task; loads 1024 for one nice-0 task that is always
 * runnable. Queues and tasks belong to struct hn_sched.
 * Source: see rq.c, rq-order.c.
 * Tests: test-rq.c. */
#ifndef HN_SCHED_RQ_H
#define HN_SCHED_RQ_H

#include "base/assert.h"
#include "sched/pelt.h"
#include "sched/sched.h"

enum hn_task_state {
	HN_TASK_ABSENT,
	HN_TASK_BLOCKED,
	HN_TASK_QUEUED,
	HN_TASK_RUNNING,
};

/* Neighbours in a list of tasks; HN_TASK_NONE at the ends. */
struct hn_link {
	hn_task_id prev;
	hn_task_id next;
};

struct hn_list {
	hn_task_id first;
	hn_task_id last;
};

/* Kernel counterpart: struct sched_entity and the wake-up members of struct task_struct. */
struct hn_sched_task {
	enum hn_task_state state;
	hn_cpu cpu;                  /* where it is, or was last; its averages count there */
	uint32_t load_weight;        /* by nice: 15 .. 88761 */
	hn_nid preferred_nid;
	bool is_kthread;
	int64_t vruntime;            /* ns of a nice-0 task; of the queue of `cpu` */
	int64_t deadline;            /* EEVDF, virtual */
	int64_t vlag;                /* EEVDF: V - vruntime when it left the queue */
	int64_t parity_deadline;     /* EEVDF: the deadline until which it may run on */
	hn_time_ns sum_exec_ns;      /* CPU time up to exec_start_ns */
	hn_time_ns exec_start_ns;    /* last accounting */
	hn_time_ns slice_start_exec_ns; /* sum_exec_ns when it was picked */
	struct hn_pelt pelt;
	struct hn_link order;        /* queued: by vruntime, first come first served among equals */
	struct hn_link recent;       /* queued or running: newest on the CPU first */
	const uint64_t *allowed;     /* CPU bitmap; never NULL; borrowed for the task's life */
	/* wake.c */
	hn_task_id last_wakee;
	uint32_t wakee_flips;
	int64_t flips_decay_ticks;
	hn_cpu recent_used_cpu;
};

/* Which tick of a CPU matters next; see tick.c. */
struct hn_tick_state {
	uint32_t generation;
	bool is_known;               /* due_ns holds */
	bool is_told;                /* the caller knows due_ns: tell it when that changes */
	hn_time_ns due_ns;
	hn_time_ns changed_ns;       /* last change or delivered tick: due is later than that */
};

/* Kernel counterpart: struct rq and its struct cfs_rq. */
struct hn_rq {
	hn_cpu cpu;
	hn_nid nid;
	hn_task_id curr;             /* HN_TASK_NONE: idle, or a pick is due */
	bool is_idle;                /* the last pick found nothing and nothing came since */
	bool needs_pick;             /* the caller was asked to pick, or knows by itself */
	bool is_migrate_on;          /* a NUMA move to this CPU is under way */
	uint32_t nr_running;         /* queued and running */
	uint32_t nr_numa;            /* of these, with a preferred node */
	uint32_t nr_preferred;       /* of these, on it */
	uint64_t load_weight;        /* sum over nr_running */
	uint32_t capacity;           /* 1024, less for SMT siblings of old kernels */
	struct hn_pelt pelt;
	int64_t min_vruntime;        /* never goes back */
	struct hn_list order;        /* queued tasks by vruntime */
	struct hn_list recent;       /* queued and running, newest on the CPU first */
	hn_task_id next_buddy;       /* CFS: preferred over the first where that is fair */
	hn_task_id last_buddy;
	hn_task_id prev_task;        /* ran last: going back to it is no switch */
	struct hn_tick_state tick;
	/* balance.c */
	int64_t next_balance_ticks;
	hn_time_ns idle_stamp_ns;    /* HN_TIME_NEVER: not set */
	int64_t avg_idle_ns;
	int64_t max_idle_cost_ns;    /* bounds avg_idle_ns: twice this */
	int64_t wake_stamp_ticks;    /* 2021 ageing */
	int64_t wake_avg_idle_ns;
};

/* Averages of a queue at one moment. */
struct hn_rq_load {
	uint64_t load;               /* by the policy's load signal */
	uint64_t load_avg;           /* blocked tasks included */
	uint64_t runnable;
	uint64_t util;               /* 0 .. capacity */
};

/* ---- rq.c ---- */

enum hn_enqueue_how {
	HN_ENQUEUE_NEW,
	HN_ENQUEUE_WAKEUP,
	HN_ENQUEUE_MOVED,
};

uint32_t hn_weight_of_nice(int32_t nice);

/* The task, blocked or about to be so, gets the averages of a new one and counts on rq. */
void hn_rq_attach_new(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id, hn_time_ns now_ns);

/* A blocked task's averages and virtual time go over to another queue. */
void hn_rq_migrate_blocked(struct hn_sched *sched, hn_task_id id, hn_cpu dst, hn_time_ns now_ns);

/* A blocked task of rq becomes queued. */
void hn_rq_enqueue(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id,
		   enum hn_enqueue_how how, hn_time_ns now_ns);

/* A queued or running task of rq becomes blocked; curr is then HN_TASK_NONE where it ran. */
void hn_rq_dequeue(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id, hn_time_ns now_ns);

/* The blocked task is gone: its averages leave the queue. */
void hn_rq_detach(struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns);

/* Accounts the running task's time. */
void hn_rq_update_curr(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns);

/* The running task goes back into the order; then the first of the order runs. */
void hn_rq_put_curr(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns);
void hn_rq_set_curr(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id, hn_time_ns now_ns);

/* Averages at now_ns; changes nothing. */
struct hn_rq_load hn_rq_read_load(const struct hn_sched *sched, const struct hn_rq *rq,
				  hn_time_ns now_ns);
struct hn_pelt hn_rq_read_task(const struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns);
uint64_t hn_rq_task_load(const struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns);

/* The balancer passed over the task: it will be looked at last the next time. */
void hn_rq_note_looked_at(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id);

/* The preferred node changes: the counts of the queue follow. */
void hn_rq_set_preferred(struct hn_sched *sched, hn_task_id id, hn_nid nid);

/* Asks the caller, once, to pick anew. */
void hn_rq_resched(struct hn_sched *sched, struct hn_rq *rq);

/* ---- rq-order.c: pure rules over one queue ---- */

/* Virtual time of a task after running until now_ns; its stored value where it does not run. */
int64_t hn_order_vruntime(const struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns);

/* Sets vruntime and deadline of a task that is about to be queued. */
void hn_order_place(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id,
		    enum hn_enqueue_how how);

/* Remembers the lag of a task that is about to leave. */
void hn_order_note_leave(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id);

void hn_order_advance_min(const struct hn_sched *sched, struct hn_rq *rq);

/* EEVDF, after an accounting: a deadline that has passed is renewed, and true returned where
 * others are to get their turn. */
bool hn_order_renew_deadline(struct hn_sched *sched, struct hn_rq *rq);

/* Who should run; HN_TASK_NONE when nobody can. curr takes part. */
hn_task_id hn_order_pick(const struct hn_sched *sched, const struct hn_rq *rq);

/* Whether a task just queued takes the CPU from curr; curr is accounted. */
bool hn_order_preempts(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id);

/* The first moment at which a tick takes the CPU from curr, the queue staying as it is. */
hn_time_ns hn_order_expiry_ns(const struct hn_sched *sched, const struct hn_rq *rq);

#endif
