/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched-internal.h - the scheduler's state, and what its modules offer one another.
 *
 *   pelt.c           load tracking: sums that decay
 *   domain.c         scheduling domains and groups; domain-numa.c: those above the node
 *   rq.c             one run queue: accounting, counts (rq.h); rq-order.c: CFS and EEVDF rules
 *   tick.c           which tick of a CPU can have an effect; who kicks idle balancing
 *   fork.c           the slow path: idlest group, idlest CPU
 *   wake.c           this or the previous CPU; idle-search.c: an idle CPU sharing the cache
 *   group-stats.c    load and use of a group of CPUs (balance.h, as the next four)
 *   balance.c        when the balancer runs: periodic, on behalf of idle CPUs, newly idle
 *   balance-pass.c   one pass over one domain: who balances, busiest queue, moving tasks
 *   balance-load.c   busiest group by average load (up to v5.4)
 *   balance-types.c  busiest group by group types (since v5.5)
 *   view.c           what a NUMA search sees
 *   sched.c          life cycle, tasks, moves and swaps, questions, digest
 *   check.c          invariants
 *
 * Ticks are kernel ticks (model/tick.h). Every change of a queue goes through rq.c, and every
 * change that can alter a CPU's next tick is announced to tick.c before it is made.
 *
 * ASSUMES: a call takes no simulated time, so that passes which race in the kernel happen one
 * after another; costs.search_cpu_ns only enters the estimates that rules compare. */
#ifndef HN_SCHED_SCHED_INTERNAL_H
#define HN_SCHED_SCHED_INTERNAL_H

#include "base/assert.h"
#include "base/bitmap.h"
#include "model/tick.h"
#include "sched/balance.h"
#include "sched/domain.h"
#include "sched/rq.h"
#include "sched/sched.h"

#define HN_WEIGHT_NICE_0 1024
#define HN_CAPACITY 1024               /* of a full CPU */
#define HN_MIGRATION_COST_NS 500000    /* v3.8 .. v7.2 sysctl_sched_migration_cost */

/* Idle CPUs as the tickless kernel knows them. Kernel counterpart: struct nohz. */
struct hn_nohz {
	uint64_t *idle;              /* CPU bitmap */
	uint32_t nr_idle;
	int64_t next_balance_ticks;
	hn_cpu kicker;               /* whose tick starts balancing for idle CPUs; NONE */
};

/* Of one last-level cache within one node. */
struct hn_llc_state {
	uint32_t nr_busy;
	bool has_idle_core;          /* hint: set when a core empties, cleared by a failed search */
	uint32_t nr_idle_scan;       /* SIS_UTIL's depth; 0 until the first balancing */
};

struct hn_sched {
	const struct hn_machine *machine;  /* borrowed, as policy */
	const struct hn_policy *policy;
	struct hn_sched_hooks hooks;
	struct hn_rng rng;
	uint32_t nr_cpus;
	uint32_t nr_tasks;
	struct hn_sched_task *tasks;
	struct hn_rq *rqs;
	struct hn_domains domains;
	struct hn_llc_state *llcs;         /* by domains.llc_of */
	struct hn_nohz nohz;
	uint64_t *all_cpus;                /* bitmap */
	uint64_t *scratch;                 /* bitmap for searches: what is left to look at */
	uint32_t nr_overloaded;            /* CPUs with two tasks or more */
	int64_t serialized_ns;             /* last instant with a pass over a NUMA domain */
	/* tunables, scaled by the number of CPUs */
	int64_t base_slice_ns;             /* CFS: minimum granularity */
	int64_t latency_ns;                /* CFS */
	int64_t wakeup_granularity_ns;     /* CFS */
	struct hn_view view;
	hn_time_ns view_now_ns;
	hn_time_ns now_ns;
	struct hn_sched_counts counts;
};

static inline struct hn_sched_task *hn_sched_get_task(const struct hn_sched *sched, hn_task_id id)
{
	hn_assert((uint32_t)id < sched->nr_tasks);
	return &sched->tasks[id];
}

static inline struct hn_rq *hn_sched_rq(const struct hn_sched *sched, hn_cpu cpu)
{
	return &sched->rqs[cpu];
}

static inline struct hn_rq *hn_sched_task_rq(const struct hn_sched *sched, hn_task_id id)
{
	return &sched->rqs[sched->tasks[id].cpu];
}

static inline bool hn_sched_may_run(const struct hn_sched *sched, hn_task_id id, hn_cpu cpu)
{
	return hn_bitmap_has(sched->tasks[id].allowed, (uint32_t)cpu);
}

static inline bool hn_sched_is_idle(const struct hn_sched *sched, hn_cpu cpu)
{
	return sched->rqs[cpu].is_idle;
}

static inline bool hn_sched_is_set_idle(const struct hn_sched *sched, const struct hn_cpu_set *set)
{
	for (uint32_t i = 0; i < set->nr; i++) {
		if (!hn_sched_is_idle(sched, set->cpus[i]))
			return false;
	}
	return true;
}

/* The CPU with its SMT siblings. */
static inline const struct hn_cpu_set *hn_sched_core(const struct hn_sched *sched, hn_cpu cpu)
{
	return &sched->domains.core_cpus[sched->machine->cpus[cpu].core];
}

static inline bool hn_sched_is_core_idle(const struct hn_sched *sched, hn_cpu cpu)
{
	return hn_sched_is_set_idle(sched, hn_sched_core(sched, cpu));
}

/* ---- tick.c ---- */

/* To be called before anything changes that the CPU's next tick depends on. */
void hn_tick_touch(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns);
hn_time_ns hn_tick_due_ns(struct hn_sched *sched, struct hn_rq *rq);

/* Whether the tick is due; if so it counts as delivered. */
bool hn_tick_take(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns);

/* The CPU became idle or stopped being so; counts of overloaded CPUs, kicker and hints follow. */
void hn_tick_set_idle(struct hn_sched *sched, struct hn_rq *rq, bool is_idle, hn_time_ns now_ns);
void hn_tick_note_queue_length(struct hn_sched *sched, struct hn_rq *rq, uint32_t before,
			       hn_time_ns now_ns);
void hn_tick_set_nohz_balance(struct hn_sched *sched, int64_t ticks, hn_time_ns now_ns);
void hn_tick_set_next_balance(struct hn_sched *sched, struct hn_rq *rq, int64_t ticks,
			      hn_time_ns now_ns);

/* ---- fork.c ---- */

/* The slow path from `cpu` over domains with `flag` (HN_DOMAIN_FORK or _EXEC). */
hn_cpu hn_fork_pick_cpu(struct hn_sched *sched, hn_task_id id, hn_cpu cpu, uint32_t flag,
			hn_time_ns now_ns);

/* Where a task goes that may not run on `cpu`: the first allowed CPU of its node, then of all. */
hn_cpu hn_fork_fallback_cpu(const struct hn_sched *sched, hn_task_id id, hn_cpu cpu);

/* ---- wake.c, idle-search.c ---- */

hn_cpu hn_wake_pick_cpu(struct hn_sched *sched, hn_task_id id, hn_cpu waker_cpu, bool is_sync,
			hn_time_ns now_ns);

struct hn_sibling_search {
	hn_task_id task;
	hn_cpu this_cpu;    /* where the wake-up happens */
	hn_cpu prev;
	hn_cpu target;
	hn_time_ns now_ns;
};

/* An idle CPU near target, or target. */
hn_cpu hn_idle_search_pick(struct hn_sched *sched, const struct hn_sibling_search *search);

/* ---- sched.c ---- */

/* Moves a task that is queued or running; the caller has checked that it may run there. */
void hn_sched_migrate(struct hn_sched *sched, hn_task_id id, hn_cpu dst, hn_time_ns now_ns);

/* ---- view.c ---- */

void hn_view_init(struct hn_sched *sched, struct hn_arena *arena);

#endif
