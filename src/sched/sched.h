/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched.h - run queues of all CPUs and the scheduler's rules, for simulation.
 *
 * Decides who runs next on a CPU, where new and waking tasks go, and what the load balancer
 * moves. Knows nothing of memory, work or workloads: the caller (a world) says when tasks are
 * born, block, wake and end, lets time pass, and asks for the next task.
 *
 * Integers only. Time comes with each call and never goes back. The caller must not poll every
 * tick: hn_sched_next_tick_ns() names the next tick at which anything can happen on a CPU.
 *
 * A task is absent, blocked, queued or running. One CPU's life:
 *     pick -> runs ... (tick | resched hook | block | exit) -> pick -> ...
 * After a resched hook for a CPU, the caller calls hn_sched_pick() for it at the same instant.
 *
 * Source: Linux v3.8 .. v7.2 kernel/sched/fair.c, pelt.c, topology.c. Storage comes from the
 * arena at create; nothing is allocated afterwards. */
#ifndef HN_SCHED_SCHED_H
#define HN_SCHED_SCHED_H

#include "base/arena.h"
#include "base/rng.h"
#include "model/event.h"
#include "model/locality.h"
#include "model/machine.h"
#include "model/view.h"
#include "policy/policy.h"

struct hn_sched;

struct hn_sched_hooks {
	void *ctx;
	/* The balancer asks about NUMA locality. */
	enum hn_locality_answer (*locality)(void *ctx, const struct hn_locality_query *query);
	/* A task changed its CPU (after the change). */
	void (*moved)(void *ctx, hn_time_ns now_ns, hn_task_id task, hn_cpu src, hn_cpu dst);
	/* The CPU must pick anew: call hn_sched_pick() once the current call has returned. */
	void (*resched)(void *ctx, hn_cpu cpu);
	/* The answer of hn_sched_next_tick_ns() for the CPU may have become another since it was
	 * asked. Optional: without it the caller compares generations. */
	void (*retick)(void *ctx, hn_cpu cpu);
};

/* ---- life cycle ---- */

struct hn_sched *hn_sched_create(struct hn_arena *arena, const struct hn_machine *machine,
				 const struct hn_policy *policy, uint32_t nr_tasks,
				 const struct hn_sched_hooks *hooks, const struct hn_rng *rng);

/* ---- tasks ---- */

struct hn_sched_task_desc {
	hn_task_id task;
	hn_task_id parent;          /* HN_TASK_NONE: load starts as that of a new task anyway */
	hn_cpu cpu;                 /* of the parent, from which placement starts */
	int32_t nice;               /* -20 .. 19 */
	const uint64_t *allowed;    /* CPU bitmap, borrowed for the task's life; NULL: all */
	bool is_kthread;
};

/* Places and queues a new task (fork balancing); returns its CPU. */
hn_cpu hn_sched_fork(struct hn_sched *sched, hn_time_ns now_ns,
		     const struct hn_sched_task_desc *desc);

/* The running task execs: it may move (exec balancing). Returns its CPU afterwards. */
hn_cpu hn_sched_exec(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task);

/* Wakes a blocked task; `waker_cpu` is where the waking happens (HN_CPU_NONE: a timer on the task's
 * CPU). Returns the CPU. */
hn_cpu hn_sched_wake(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task, hn_cpu waker_cpu,
		     bool is_sync);

/* The running task blocks, or ends. The caller picks next. */
void hn_sched_block(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task);
void hn_sched_exit(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task);

/* Changes the allowed CPUs; moves the task when it is on none of them. */
void hn_sched_set_allowed(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task,
			  const uint64_t *allowed);
void hn_sched_set_preferred(struct hn_sched *sched, hn_task_id task, hn_nid nid);

/* NUMA balancing moves a task, queued, running or blocked; and exchanges two. 0, or -EAGAIN
 * when a task is not on the CPU it should be on, or may not run there. */
int hn_sched_move(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task, hn_cpu src,
		  hn_cpu dst);
int hn_sched_swap(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id a, hn_cpu a_cpu,
		  hn_task_id b, hn_cpu b_cpu);
void hn_sched_set_migrate_on(struct hn_sched *sched, hn_cpu cpu, bool is_on);

/* ---- CPUs ---- */

/* Chooses who runs on the CPU from now on; may pull a task (newly-idle balancing).
 * HN_TASK_NONE: idle. */
hn_task_id hn_sched_pick(struct hn_sched *sched, hn_time_ns now_ns, hn_cpu cpu);
hn_task_id hn_sched_curr(const struct hn_sched *sched, hn_cpu cpu);

/* A tick at now_ns (a multiple of HN_TICK_NS): preemption, periodic and nohz balancing. */
void hn_sched_tick(struct hn_sched *sched, hn_time_ns now_ns, hn_cpu cpu);

/* The earliest tick, not yet delivered, at which hn_sched_tick() can have an effect;
 * HN_TIME_NEVER: none. It is later than now_ns, or now_ns itself where that tick was announced
 * before and is still to come: an announced tick is not taken back by what happens at its own
 * instant. May become earlier through any call that touches the CPU's queue, or the set of idle
 * CPUs: the generation and the retick hook tell. Delivering exactly these ticks, CPUs of one
 * instant in ascending order, gives the same results as delivering all. */
hn_time_ns hn_sched_next_tick_ns(struct hn_sched *sched, hn_time_ns now_ns, hn_cpu cpu);

/* Bumped whenever the answer of hn_sched_next_tick_ns() for this CPU may have changed. */
uint32_t hn_sched_tick_generation(const struct hn_sched *sched, hn_cpu cpu);

/* ---- questions ---- */

hn_cpu hn_sched_task_cpu(const struct hn_sched *sched, hn_task_id task);
bool hn_sched_is_queued(const struct hn_sched *sched, hn_task_id task);  /* or running */
/* Brings the running task's clocks up to now and returns them. */
struct hn_task_clock hn_sched_clock(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task);
uint32_t hn_sched_nr_running(const struct hn_sched *sched, hn_cpu cpu);

/* The view for a NUMA search by `task`; valid until the next call. */
struct hn_view *hn_sched_view(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task);

struct hn_sched_counts {
	uint64_t nr_migrations;        /* changes of CPU, any reason */
	uint64_t nr_switches;
	uint64_t nr_balances;          /* runs of the load balancer over one domain */
	uint64_t nr_balance_pulls;     /* tasks moved by it */
	uint64_t nr_active_balances;
	uint64_t nr_wakeups;
	uint64_t nr_searched_cpus;     /* looked at by wake-up searches */
};
const struct hn_sched_counts *hn_sched_counts(const struct hn_sched *sched);

uint64_t hn_sched_digest(const struct hn_sched *sched);

/* Asserts: every task in exactly one place, sums of the queues, vruntime order. */
void hn_sched_check(const struct hn_sched *sched);

#endif
