/* SPDX-License-Identifier: GPL-2.0-or-later */
/* balance-types.c - the busiest group by types of groups, since v5.5.
 *
 * 2 groups of 4 CPUs, all tasks of nice 0 and always running, an idle CPU balances:
 *   local 1 task, busiest 3 tasks    has_spare both; idle 3 and 1: (3 - 1) / 2 = 1 task moves;
 *                                    between nodes with imb_numa_nr 2 and more: none
 *   local 2 tasks, busiest 6 tasks   has_spare, overloaded: utilisation 2 * 1024 is free here
 *
 * Source: v5.10, v5.12, v6.1, v6.6 kernel/sched/fair.c find_busiest_group(),
 * calculate_imbalance(), update_sd_pick_busiest(), sibling_imbalance(), update_idle_cpu_scan(). */
#include "sched/sched-internal.h"

struct domain_stats {
	struct hn_group_stats local;
	struct hn_group_stats busiest;   /* group NULL: none */
	uint64_t total_load;
	uint64_t total_capacity;
	uint64_t total_util;
};

static uint64_t mean_load(const struct domain_stats *stats)
{
	return stats->total_load * HN_CAPACITY / stats->total_capacity;
}

static void set_avg_load(struct hn_group_stats *stats)
{
	stats->avg_load = stats->load * HN_CAPACITY / stats->capacity;
}

/* ---- statistics ---- */

static void classify(const struct hn_pass *pass, struct hn_group_stats *stats, bool is_local)
{
	stats->type = hn_group_classify(stats, pass->domain->imbalance_pct);
	if (stats->type < HN_GROUP_SMT_BALANCE && !is_local &&
	    pass->sched->policy->sibling_imbalance && pass->idle != HN_CPU_NOT_IDLE &&
	    (stats->group->child_flags & HN_DOMAIN_SHARE_CAPACITY) && stats->nr_running > 1)
		stats->type = HN_GROUP_SMT_BALANCE;
	if (stats->type == HN_GROUP_OVERLOADED)
		set_avg_load(stats);
}

static bool is_busier(const struct hn_group_stats *stats, const struct hn_group_stats *busiest)
{
	if (!stats->nr_running)
		return false;
	if (!busiest->group)
		return true;
	if (stats->type != busiest->type)
		return stats->type > busiest->type;
	switch (stats->type) {
	case HN_GROUP_OVERLOADED:
	case HN_GROUP_FULLY_BUSY:
		return stats->avg_load > busiest->avg_load;
	case HN_GROUP_HAS_SPARE:
		if (stats->nr_idle != busiest->nr_idle)
			return stats->nr_idle < busiest->nr_idle;
		return stats->nr_running > busiest->nr_running;
	case HN_GROUP_IMBALANCED:
	case HN_GROUP_SMT_BALANCE:
		break;
	}
	return false;
}

static void collect(const struct hn_pass *pass, struct domain_stats *stats)
{
	const struct hn_domain *domain = pass->domain;

	for (uint32_t i = 0; i < domain->nr_groups; i++) {
		uint32_t g = (pass->local_group + i) % domain->nr_groups;
		bool is_local = hn_pass_is_local(pass, g);
		struct hn_group_stats group;

		hn_group_stats_collect(pass->sched, &domain->groups[g], HN_TASK_NONE, pass->now_ns,
				       &group);
		classify(pass, &group, is_local);
		if (is_local)
			stats->local = group;
		else if (is_busier(&group, &stats->busiest))
			stats->busiest = group;
		stats->total_load += group.load;
		stats->total_capacity += group.capacity;
		stats->total_util += group.util;
	}
}

/* How many CPUs of the cache a wake-up may look at: fewer the more it is used (SIS_UTIL). */
static void set_idle_scan(const struct hn_pass *pass, const struct domain_stats *stats)
{
	uint32_t llc = pass->sched->domains.llc_of[pass->dst];
	uint64_t nr = pass->sched->domains.llc_cpus[llc].nr;
	uint64_t pct = pass->domain->imbalance_pct;
	uint64_t mean, used;

	if (pass->sched->policy->sis != HN_SIS_RULE_UTIL || pass->idle == HN_CPU_NEWLY_IDLE ||
	    pass->domain->span.nr != nr)
		return;
	mean = stats->total_util / nr;
	used = hn_min_u64(mean * mean * pct * pct / (10000 * HN_CAPACITY), HN_CAPACITY);
	pass->sched->llcs[llc].nr_idle_scan = (uint32_t)((HN_CAPACITY - used) * nr / HN_CAPACITY);
}

/* ---- imbalance ---- */

/* How many more tasks the siblings of the busiest group have, by its number of cores (v6.6). */
static int64_t sibling_imbalance(const struct hn_pass *pass, const struct domain_stats *stats)
{
	int64_t nr_busiest = stats->busiest.nr_running;
	int64_t nr_local = stats->local.nr_running;
	int64_t cores_busiest, cores_local, imbalance;

	if (!pass->sched->policy->sibling_imbalance)
		return hn_max_i64(nr_busiest - nr_local, 0);
	if (pass->idle == HN_CPU_NOT_IDLE || !nr_busiest)
		return 0;
	cores_busiest = stats->busiest.group->nr_cores;
	cores_local = stats->local.group->nr_cores;
	if (cores_busiest == cores_local)
		return hn_max_i64(nr_busiest - nr_local, 0);
	imbalance = hn_max_i64(cores_local * nr_busiest - cores_busiest * nr_local, 0);
	imbalance = (2 * imbalance + cores_local + cores_busiest) / (cores_local + cores_busiest);
	if (imbalance <= 1 && !nr_local && nr_busiest > 1)
		return 2;
	return imbalance;
}

/* Half of the difference, less what may stay between nodes.
 * QUIRK: the older rules compare after halving, v5.18 before. */
static int64_t halve_imbalance(const struct hn_pass *pass, const struct domain_stats *stats,
			       int64_t imbalance)
{
	const struct hn_group_stats *busiest = &stats->busiest;

	if (!(pass->domain->flags & HN_DOMAIN_NUMA) || !pass->sched->policy->balance_allows_numa)
		return imbalance / 2;
	switch ((enum hn_imbalance_allowance)pass->sched->policy->imbalance_allowance) {
	case HN_IMBALANCE_ALLOWANCE_NONE:
		break;
	case HN_IMBALANCE_ALLOWANCE_TWO_RUNNING:
		if (busiest->nr_running <= 2)
			return 0;
		break;
	case HN_IMBALANCE_ALLOWANCE_QUARTER:
		if (busiest->nr_running < busiest->group->span.nr / 4 && imbalance / 2 <= 2)
			return 0;
		break;
	case HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR:
		return hn_group_adjust_numa(imbalance, stats->local.nr_running + 1,
					    pass->domain->imb_numa_nr) / 2;
	}
	return imbalance / 2;
}

static void set_task_imbalance(struct hn_pass *pass, const struct domain_stats *stats)
{
	int64_t imbalance;

	pass->kind = HN_MIGRATE_TASK;
	if (stats->busiest.group->span.nr == 1 || pass->prefers_sibling)
		imbalance = sibling_imbalance(pass, stats);
	else
		imbalance = hn_max_i64((int64_t)stats->local.nr_idle -
				       (int64_t)stats->busiest.nr_idle, 0);
	pass->imbalance = halve_imbalance(pass, stats, imbalance);
}

/* The local group has room for utilisation of a busy one. */
static void set_util_imbalance(struct hn_pass *pass, const struct domain_stats *stats)
{
	const struct hn_group_stats *local = &stats->local;

	pass->kind = HN_MIGRATE_UTIL;
	pass->imbalance = (int64_t)(hn_max_u64(local->capacity, local->util) - local->util);
	if (pass->idle != HN_CPU_NOT_IDLE && pass->imbalance == 0) {
		pass->kind = HN_MIGRATE_TASK;
		pass->imbalance = 1;
	}
}

/* Nobody has room: towards the mean, from both sides. */
static void set_load_imbalance(struct hn_pass *pass, struct domain_stats *stats)
{
	struct hn_group_stats *local = &stats->local;
	const struct hn_group_stats *busiest = &stats->busiest;
	uint64_t mean = mean_load(stats);

	if (local->type != HN_GROUP_OVERLOADED)
		set_avg_load(local);
	if (local->avg_load >= busiest->avg_load || local->avg_load >= mean ||
	    busiest->avg_load <= mean)
		return;
	pass->kind = HN_MIGRATE_LOAD;
	pass->imbalance = (int64_t)(hn_min_u64((busiest->avg_load - mean) * busiest->capacity,
					       (mean - local->avg_load) * local->capacity) /
				    HN_CAPACITY);
}

static void set_imbalance(struct hn_pass *pass, struct domain_stats *stats)
{
	enum hn_group_type type = stats->busiest.type;

	pass->imbalance = 0;
	if (type == HN_GROUP_IMBALANCED || type == HN_GROUP_SMT_BALANCE) {
		pass->kind = HN_MIGRATE_TASK;
		pass->imbalance = 1;
	} else if (stats->local.type != HN_GROUP_HAS_SPARE) {
		set_load_imbalance(pass, stats);
	} else if (type > HN_GROUP_FULLY_BUSY && !(pass->domain->flags & HN_DOMAIN_SHARE_LLC)) {
		set_util_imbalance(pass, stats);
	} else {
		set_task_imbalance(pass, stats);
	}
}

/* ---- decision ---- */

/* The local group is overloaded itself: a task more must still leave it below the other. */
static bool is_load_balanced(const struct hn_pass *pass, const struct domain_stats *stats)
{
	const struct hn_group_stats *local = &stats->local;
	const struct hn_group_stats *busiest = &stats->busiest;

	return local->avg_load >= busiest->avg_load || local->avg_load >= mean_load(stats) ||
	       100 * busiest->avg_load <= pass->domain->imbalance_pct * local->avg_load;
}

static bool is_balanced(const struct hn_pass *pass, const struct domain_stats *stats)
{
	const struct hn_group_stats *local = &stats->local;
	const struct hn_group_stats *busiest = &stats->busiest;

	if (busiest->type == HN_GROUP_IMBALANCED)
		return false;
	if (local->type > busiest->type)
		return true;
	if (local->type == HN_GROUP_OVERLOADED && is_load_balanced(pass, stats))
		return true;
	if (pass->prefers_sibling && local->type == HN_GROUP_HAS_SPARE &&
	    sibling_imbalance(pass, stats) > 1)
		return false;
	if (busiest->type == HN_GROUP_OVERLOADED)
		return false;
	if (pass->idle == HN_CPU_NOT_IDLE)
		return true;
	if (busiest->group->span.nr > 1 && local->nr_idle <= busiest->nr_idle + 1)
		return true;
	return busiest->nr_running == 1;
}

const struct hn_group *hn_balance_by_types(struct hn_pass *pass)
{
	struct domain_stats stats = { .total_load = 0 };

	collect(pass, &stats);
	set_idle_scan(pass, &stats);
	if (!stats.busiest.group || is_balanced(pass, &stats))
		return NULL;
	set_imbalance(pass, &stats);
	if (pass->imbalance <= 0)
		return NULL;
	if (pass->domain->flags & HN_DOMAIN_NUMA)
		pass->fbq = hn_balance_fbq(stats.busiest.nr_running, stats.busiest.nr_numa,
					   stats.busiest.nr_preferred);
	return stats.busiest.group;
}
