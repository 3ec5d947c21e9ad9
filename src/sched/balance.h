/* SPDX-License-Identifier: GPL-2.0-or-later */
/* balance.h - the load balancer: statistics of groups, when it runs, one pass over one domain.
 *
 * Knows the queues and the domains; asks the locality hook about moves between nodes. Loads and
 * utilisation in 1024ths of a CPU; see the worked example in balance-types.c.
 * Source: see the files named below. Tests: test-balance.c, prop-sched.c. */
#ifndef HN_SCHED_BALANCE_H
#define HN_SCHED_BALANCE_H

#include "sched/domain.h"
#include "sched/rq.h"

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
			    hn_task_id without, hn_time_ns now_ns,
			    struct hn_group_stats *ret_stats);

/* More tasks than CPUs, and busier than pct allows. */
bool hn_group_is_overloaded(const struct hn_group_stats *stats, uint32_t pct, bool by_runnable);
bool hn_group_has_capacity(const struct hn_group_stats *stats, uint32_t pct, bool by_runnable);

/* Since v5.5, without SMT_BALANCE. */
enum hn_group_type hn_group_classify(const struct hn_group_stats *stats, uint32_t pct);

/* Imbalance between nodes that is let be counts as 0 (v5.18); nr_dst: running on the
 * destination with the task. */
int64_t hn_group_adjust_numa(int64_t imbalance, uint32_t nr_dst, uint32_t imb_numa_nr);

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

#endif
