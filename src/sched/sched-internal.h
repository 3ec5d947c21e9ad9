/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched-internal.h - the scheduler's state, and what its modules offer one another.
 *
 *   pelt.c           load tracking: sums that decay
 *   domain.c         scheduling domains and groups; domain-numa.c: those above the node
 *   rq.c             one run queue: order, accounting, counts; rq-order.c: CFS and EEVDF rules
 *   tick.c           which tick of a CPU can have an effect; who kicks idle balancing
 *   fork.c           the slow path: idlest group, idlest CPU
 *   wake.c           this or the previous CPU; idle-search.c: an idle CPU sharing the cache
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
#include "sched/domain.h"
#include "sched/pelt.h"
#include "sched/sched.h"

#define HN_WEIGHT_NICE_0 1024
#define HN_CAPACITY 1024               /* of a full CPU */
#define HN_MIGRATION_COST_NS 500000    /* v3.8 .. v7.2 sysctl_sched_migration_cost */

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
	uint32_t weight;             /* by nice: 15 .. 88761 */
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
	uint64_t weight;             /* sum over nr_running */
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
	bool has_idle_core;          /* a hint: set when a core empties, cleared by a failed search */
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

/* EEVDF, after an accounting: a deadline that has passed is renewed; true: others get their turn. */
bool hn_order_renew_deadline(struct hn_sched *sched, struct hn_rq *rq);

/* Who should run; HN_TASK_NONE when nobody can. curr takes part. */
hn_task_id hn_order_pick(const struct hn_sched *sched, const struct hn_rq *rq);

/* Whether a task just queued takes the CPU from curr; curr is accounted. */
bool hn_order_preempts(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id);

/* The first moment at which a tick takes the CPU from curr, the queue staying as it is. */
hn_time_ns hn_order_expiry_ns(const struct hn_sched *sched, const struct hn_rq *rq);

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

/* ---- group-stats.c ---- */

/* In ascending order of business. */
enum hn_group_type {
	HN_GROUP_HAS_SPARE,
	HN_GROUP_FULLY_BUSY,
	HN_GROUP_SMT_BALANCE,  /* since v6.5: a core with two tasks while another CPU is idle */
	HN_GROUP_IMBALANCED,   /* pinned tasks stood in the way one level below */
	HN_GROUP_OVERLOADED,
};

/* Kernel counterpart: struct sg_lb_stats. */
struct hn_group_stats {
	const struct hn_group *group;
	uint64_t load;          /* by the policy's load signal */
	uint64_t load_avg;      /* blocked tasks included */
	uint64_t runnable;
	uint64_t util;
	uint64_t capacity;
	uint64_t spare_max;     /* largest capacity minus utilisation of one CPU */
	uint64_t avg_load;      /* load * 1024 / capacity; by whom it is needed */
	uint32_t nr_running;
	uint32_t nr_idle;
	uint32_t nr_numa;
	uint32_t nr_preferred;
	enum hn_group_type type;
};

/* Sums over the group's CPUs; `without` (or HN_TASK_NONE) does not count where it is. */
void hn_group_stats_collect(const struct hn_sched *sched, const struct hn_group *group,
			    hn_task_id without, hn_time_ns now_ns, struct hn_group_stats *ret_stats);

/* More tasks than CPUs, and busier than pct allows. */
bool hn_group_is_overloaded(const struct hn_group_stats *stats, uint32_t pct, bool by_runnable);
bool hn_group_has_capacity(const struct hn_group_stats *stats, uint32_t pct, bool by_runnable);

/* Since v5.5, without SMT_BALANCE. */
enum hn_group_type hn_group_classify(const struct hn_group_stats *stats, uint32_t pct);

/* Imbalance between nodes that is let be counts as 0 (v5.18); nr_dst: running there with the task. */
int64_t hn_group_adjust_numa(int64_t imbalance, uint32_t nr_dst, uint32_t imb_numa_nr);

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

/* ---- balance.c ---- */

void hn_balance_periodic(struct hn_sched *sched, struct hn_rq *rq, enum hn_cpu_idle_kind idle,
			 hn_time_ns now_ns);
void hn_balance_nohz(struct hn_sched *sched, hn_time_ns now_ns);

/* The CPU has nothing to run: tries to pull a task. */
void hn_balance_newidle(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns);

/* ---- balance-pass.c ---- */

enum hn_migrate_kind {
	HN_MIGRATE_LOAD,  /* imbalance is load */
	HN_MIGRATE_UTIL,  /* utilisation */
	HN_MIGRATE_TASK,  /* a number of tasks */
};

/* Kernel counterpart: enum fbq_type. Queues of a higher class than the pass's are passed over. */
enum hn_fbq {
	HN_FBQ_REGULAR,   /* has tasks without a preferred node */
	HN_FBQ_REMOTE,    /* has tasks off their preferred node */
	HN_FBQ_ALL,
};

/* Kernel counterpart: struct lb_env. */
struct hn_pass {
	struct hn_sched *sched;
	struct hn_domain *domain;
	struct hn_domain_state *state;   /* of the CPU that balances */
	struct hn_group *parent_group;   /* its group one level up; NULL: top */
	uint32_t local_group;
	hn_cpu dst;
	hn_cpu other_dst;                /* another CPU of the group that a pinned task may use */
	bool prefers_sibling;            /* the level below wants tasks spread over its spans */
	enum hn_cpu_idle_kind idle;
	enum hn_fbq fbq;
	enum hn_migrate_kind kind;
	int64_t imbalance;
	bool is_all_pinned;
	bool is_some_pinned;
	hn_time_ns now_ns;
};

/* One pass over one domain of the CPU; returns the number of tasks moved. *ret_is_ours is cleared
 * when another CPU of the group is the one to balance from here on upwards. */
uint32_t hn_balance_pass(struct hn_sched *sched, hn_cpu cpu, uint32_t level,
			 enum hn_cpu_idle_kind idle, hn_time_ns now_ns, bool *ret_is_ours);

/* ---- balance-load.c, balance-types.c ---- */

/* The group to pull from, with pass->imbalance, kind and fbq set; NULL: balanced. */
const struct hn_group *hn_balance_by_load(struct hn_pass *pass);
const struct hn_group *hn_balance_by_types(struct hn_pass *pass);
enum hn_fbq hn_balance_fbq(uint32_t nr_running, uint32_t nr_numa, uint32_t nr_preferred);

/* Whether the group is the one that the balancing CPU belongs to. */
static inline bool hn_pass_is_local(const struct hn_pass *pass, uint32_t group)
{
	if (pass->domain->flags & HN_DOMAIN_NUMA)
		return hn_cpu_set_has(&pass->domain->groups[group].span, pass->dst);
	return group == pass->local_group;
}

/* ---- sched.c ---- */

/* Moves a task that is queued or running; the caller has checked that it may run there. */
void hn_sched_migrate(struct hn_sched *sched, hn_task_id id, hn_cpu dst, hn_time_ns now_ns);

/* ---- view.c ---- */

void hn_view_init(struct hn_sched *sched, struct hn_arena *arena);

#endif
