/* SPDX-License-Identifier: GPL-2.0-or-later */
/* balance-load.c - the busiest group by average load, up to v5.4.
 *
 * ASSUMES: loads are those of this moment; kernels up to v5.1 mix them with decayed ones by the
 * level's index.
 *
 * Source: v4.19, v5.4 kernel/sched/fair.c find_busiest_group(), calculate_imbalance(),
 * fix_small_imbalance(), update_sd_lb_stats(). */
#include "sched/sched-internal.h"

struct load_stats {
	struct hn_group_stats stats;
	uint64_t avg_load;          /* load * 1024 / capacity */
	uint64_t load_per_task;
	bool has_no_capacity;
	enum hn_group_type type;    /* HAS_SPARE stands for "other" */
};

struct domain_loads {
	struct load_stats local;
	struct load_stats busiest;  /* stats.group NULL: none */
	uint64_t total_load;
	uint64_t total_capacity;
};

/* ---- statistics ---- */

static void collect_group(const struct hn_pass *pass, const struct hn_group *group,
			  struct load_stats *ret)
{
	struct hn_group_stats *stats = &ret->stats;

	hn_group_stats_collect(pass->sched, group, HN_TASK_NONE, pass->now_ns, stats);
	ret->avg_load = stats->load * HN_CAPACITY / stats->capacity;
	ret->load_per_task = stats->nr_running ? stats->load / stats->nr_running : 0;
	ret->has_no_capacity = hn_group_is_overloaded(stats, pass->domain->imbalance_pct,
						      /* by_runnable */ false);
	ret->type = HN_GROUP_HAS_SPARE;
	if (ret->has_no_capacity)
		ret->type = HN_GROUP_OVERLOADED;
	else if (group->is_imbalanced)
		ret->type = HN_GROUP_IMBALANCED;
}

static bool has_capacity(const struct hn_pass *pass, const struct load_stats *load)
{
	return hn_group_has_capacity(&load->stats, pass->domain->imbalance_pct,
				     /* by_runnable */ false);
}

/* Where the level below wants tasks spread, two tasks are too many while the local group has
 * room and fewer. */
static void mark_crowded(const struct hn_pass *pass, const struct load_stats *local,
			 struct load_stats *load)
{
	if (pass->prefers_sibling && has_capacity(pass, local) &&
	    load->stats.nr_running > local->stats.nr_running + 1) {
		load->has_no_capacity = true;
		load->type = HN_GROUP_OVERLOADED;
	}
}

static void consider(struct domain_loads *loads, const struct load_stats *load)
{
	const struct load_stats *busiest = &loads->busiest;

	if (!busiest->stats.group || load->type > busiest->type ||
	    (load->type == busiest->type && load->avg_load > busiest->avg_load))
		loads->busiest = *load;
}

/* The local group comes first in the ring, so that the others can be compared with it. */
static void collect(const struct hn_pass *pass, struct domain_loads *loads)
{
	const struct hn_domain *domain = pass->domain;

	for (uint32_t i = 0; i < domain->nr_groups; i++) {
		uint32_t g = (pass->local_group + i) % domain->nr_groups;
		struct load_stats load;

		collect_group(pass, &domain->groups[g], &load);
		loads->total_load += load.stats.load;
		loads->total_capacity += load.stats.capacity;
		if (hn_pass_is_local(pass, g)) {
			loads->local = load;
			continue;
		}
		mark_crowded(pass, &loads->local, &load);
		consider(loads, &load);
	}
}

static uint64_t mean_load(const struct domain_loads *loads)
{
	return loads->total_load * HN_CAPACITY / loads->total_capacity;
}

/* ---- imbalance ---- */

/* Throughput of both groups with and without one task moved, in load that gets its CPU. */
static bool is_gain(const struct domain_loads *loads, uint64_t one_task)
{
	const struct load_stats *local = &loads->local;
	const struct load_stats *busiest = &loads->busiest;
	uint64_t cap_busiest = busiest->stats.capacity;
	uint64_t cap_local = local->stats.capacity;
	uint64_t local_task = local->stats.nr_running ? local->load_per_task : local->avg_load;
	uint64_t now, moved = 0, arriving;

	now = cap_busiest * hn_min_u64(busiest->load_per_task, busiest->avg_load) +
	      cap_local * hn_min_u64(local_task, local->avg_load);
	if (busiest->avg_load > one_task)
		moved = cap_busiest * hn_min_u64(busiest->load_per_task,
						 busiest->avg_load - one_task);
	arriving = hn_min_u64(busiest->avg_load * cap_busiest,
			      busiest->load_per_task * HN_CAPACITY) / cap_local;
	moved += cap_local * hn_min_u64(local_task, local->avg_load + arriving);
	return moved / HN_CAPACITY > now / HN_CAPACITY;
}

static void set_small_imbalance(struct hn_pass *pass, const struct domain_loads *loads)
{
	const struct load_stats *local = &loads->local;
	const struct load_stats *busiest = &loads->busiest;
	uint64_t one_task = busiest->load_per_task * HN_CAPACITY / busiest->stats.capacity;
	uint64_t margin = 2;

	if (local->stats.nr_running && busiest->load_per_task > local->load_per_task)
		margin = 1;
	if (busiest->avg_load + one_task >= local->avg_load + one_task * margin ||
	    is_gain(loads, one_task))
		pass->imbalance = (int64_t)busiest->load_per_task;
}

/* Load above what the busiest group's CPUs can run one task each; UINT64_MAX where all fit. */
static uint64_t load_above_capacity(const struct load_stats *busiest)
{
	uint64_t wanted = (uint64_t)busiest->stats.nr_running * HN_CAPACITY;

	if (wanted <= busiest->stats.capacity)
		return UINT64_MAX;
	return (wanted - busiest->stats.capacity) * HN_WEIGHT_NICE_0 / busiest->stats.capacity;
}

static void set_imbalance(struct hn_pass *pass, struct domain_loads *loads)
{
	const struct load_stats *local = &loads->local;
	struct load_stats *busiest = &loads->busiest;
	uint64_t mean = mean_load(loads);
	uint64_t above = UINT64_MAX;
	uint64_t amount;

	if (busiest->type == HN_GROUP_IMBALANCED)
		busiest->load_per_task = hn_min_u64(busiest->load_per_task, mean);
	pass->imbalance = 0;
	if (busiest->avg_load <= mean || local->avg_load >= mean) {
		set_small_imbalance(pass, loads);
		return;
	}
	if (busiest->type == HN_GROUP_OVERLOADED && local->type == HN_GROUP_OVERLOADED)
		above = load_above_capacity(busiest);
	amount = hn_min_u64(busiest->avg_load - mean, above) * busiest->stats.capacity;
	amount = hn_min_u64(amount, (mean - local->avg_load) * local->stats.capacity) / HN_CAPACITY;
	pass->imbalance = (int64_t)amount;
	if (amount < busiest->load_per_task)
		set_small_imbalance(pass, loads);
}

/* ---- decision ---- */

static bool is_balanced(const struct hn_pass *pass, const struct domain_loads *loads)
{
	const struct load_stats *local = &loads->local;
	const struct load_stats *busiest = &loads->busiest;

	if (busiest->type == HN_GROUP_IMBALANCED)
		return false;
	if (pass->idle != HN_CPU_NOT_IDLE && has_capacity(pass, local) && busiest->has_no_capacity)
		return false;
	if (local->avg_load >= busiest->avg_load || local->avg_load >= mean_load(loads))
		return true;
	if (pass->idle == HN_CPU_IDLE)
		return busiest->type != HN_GROUP_OVERLOADED &&
		       local->stats.nr_idle <= busiest->stats.nr_idle + 1;
	return 100 * busiest->avg_load <= pass->domain->imbalance_pct * local->avg_load;
}

const struct hn_group *hn_balance_by_load(struct hn_pass *pass)
{
	struct domain_loads loads = { .total_load = 0 };

	collect(pass, &loads);
	if (!loads.busiest.stats.group || !loads.busiest.stats.nr_running ||
	    is_balanced(pass, &loads))
		return NULL;
	pass->kind = HN_MIGRATE_LOAD;
	set_imbalance(pass, &loads);
	if (pass->imbalance <= 0)
		return NULL;
	if (pass->domain->flags & HN_DOMAIN_NUMA)
		pass->fbq = hn_balance_fbq(loads.busiest.stats.nr_running,
					   loads.busiest.stats.nr_numa,
					   loads.busiest.stats.nr_preferred);
	return loads.busiest.stats.group;
}
