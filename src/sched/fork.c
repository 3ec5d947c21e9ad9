/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fork.c - where a new task, or one that execs, starts: the idlest group, then its idlest CPU.
 *
 * From the highest domain that takes part downwards: the idlest group other than the own one
 * is compared with the own one; the own one wins narrow cases, and between nodes by the policy's
 * rule (V20). A parent and 8 threads on 2 nodes of 16 CPUs each, all born on node 0:
 *
 *   spread 5 + 4   local_load 7 + 2   local_idle 9 + 0   local_quarter 8 + 1   local_imb 5 + 4
 *
 * Source: v4.17 and v6.1 kernel/sched/fair.c find_idlest_cpu(), find_idlest_group(),
 * find_idlest_group_cpu(), update_pick_idlest(). Tests: test-fork.c. */
#include "sched/sched-internal.h"

struct placement {
	struct hn_sched *sched;
	const struct hn_domain *domain;
	hn_task_id task;
	hn_cpu cpu;           /* where the search starts */
	uint32_t flag;        /* HN_DOMAIN_FORK or HN_DOMAIN_EXEC */
	hn_time_ns now_ns;
};

static bool has_allowed(const struct placement *placement, const struct hn_group *group)
{
	const uint64_t *allowed = placement->sched->tasks[placement->task].allowed;

	if (allowed == placement->sched->all_cpus)
		return true;
	for (uint32_t i = 0; i < group->span.nr; i++) {
		if (hn_bitmap_has(allowed, (uint32_t)group->span.cpus[i]))
			return true;
	}
	return false;
}

static uint32_t count_allowed(const struct placement *placement, const struct hn_group *group)
{
	const uint64_t *allowed = placement->sched->tasks[placement->task].allowed;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < group->span.nr; i++)
		nr += hn_bitmap_has(allowed, (uint32_t)group->span.cpus[i]);
	return nr;
}

static bool is_on_node(const struct placement *placement, const struct hn_group *group, hn_nid nid)
{
	return hn_machine_nid(placement->sched->machine, group->span.cpus[0]) == nid;
}

/* Load that counts as no difference: a share of one nice-0 task. */
static uint64_t negligible_load(const struct placement *placement)
{
	return (uint64_t)HN_WEIGHT_NICE_0 * (placement->domain->imbalance_pct - 100) / 100;
}

static uint64_t scale_load(uint64_t load, const struct hn_group_stats *stats)
{
	return load * HN_CAPACITY / stats->capacity;
}

/* V20: between nodes, whether the task stays although another node looks emptier. */
static bool stays_on_node(const struct placement *placement, const struct hn_group_stats *local,
			  const struct hn_group_stats *idlest)
{
	const struct hn_domain *domain = placement->domain;
	int64_t imbalance = (int64_t)local->nr_idle - (int64_t)idlest->nr_idle;
	uint32_t imb_nr;

	switch ((enum hn_children)placement->sched->policy->children) {
	case HN_CHILDREN_SPREAD:
		return false;
	case HN_CHILDREN_LOCAL_LOAD:
		return scale_load(idlest->load, idlest) + negligible_load(placement) >=
		       scale_load(local->load, local);
	case HN_CHILDREN_LOCAL_IDLE:
		return local->nr_idle > 0;
	case HN_CHILDREN_LOCAL_QUARTER:
		return local->nr_running < domain->span.nr / 4;
	case HN_CHILDREN_LOCAL_IMB:
		imb_nr = (uint32_t)hn_min_u64(domain->imb_numa_nr,
					      count_allowed(placement, local->group));
		return hn_group_adjust_numa(imbalance < 0 ? -imbalance : imbalance,
					    local->nr_running + 1, imb_nr) == 0;
	}
	return false;
}

/* ---- since v5.5: by types ---- */

static bool is_idler_by_type(const struct hn_group_stats *stats, const struct hn_group_stats *best)
{
	if (stats->type != best->type)
		return stats->type < best->type;
	if (stats->type != HN_GROUP_HAS_SPARE)
		return stats->avg_load < best->avg_load;
	if (stats->nr_idle != best->nr_idle)
		return stats->nr_idle > best->nr_idle;
	return stats->util < best->util;
}

static bool stays_by_load(const struct placement *placement, const struct hn_group_stats *local,
			  const struct hn_group_stats *idlest)
{
	uint64_t imb = negligible_load(placement);

	if ((placement->domain->flags & HN_DOMAIN_NUMA) &&
	    idlest->avg_load + imb >= local->avg_load)
		return true;
	if (idlest->avg_load >= local->avg_load + imb)
		return true;
	return 100 * local->avg_load <= placement->domain->imbalance_pct * idlest->avg_load;
}

static bool stays_by_spare(const struct placement *placement, const struct hn_group_stats *local,
			   const struct hn_group_stats *idlest)
{
	if (placement->domain->flags & HN_DOMAIN_NUMA) {
		hn_nid preferred = placement->sched->tasks[placement->task].preferred_nid;

		if (preferred != HN_NID_NONE) {
			if (hn_machine_nid(placement->sched->machine, placement->cpu) == preferred)
				return true;
			if (is_on_node(placement, idlest->group, preferred))
				return false;
		}
		if (stays_on_node(placement, local, idlest))
			return true;
	}
	return local->nr_idle >= idlest->nr_idle;
}

static bool stays_by_type(const struct placement *placement, const struct hn_group_stats *local,
			  const struct hn_group_stats *idlest)
{
	if (local->type != idlest->type)
		return local->type < idlest->type;
	switch (local->type) {
	case HN_GROUP_OVERLOADED:
	case HN_GROUP_FULLY_BUSY:
		return stays_by_load(placement, local, idlest);
	case HN_GROUP_HAS_SPARE:
		return stays_by_spare(placement, local, idlest);
	case HN_GROUP_IMBALANCED:
	case HN_GROUP_SMT_BALANCE:
		break;
	}
	return true;
}

/* ---- until v5.4: by load ---- */

/* Runnable load decides; where it is alike, the average with blocked tasks. */
static bool is_idler_by_load(const struct placement *placement, const struct hn_group_stats *stats,
			     const struct hn_group_stats *best)
{
	uint64_t imb = negligible_load(placement);
	uint64_t scale_pct = 100 + (placement->domain->imbalance_pct - 100) / 2;
	uint64_t runnable = scale_load(stats->load, stats);
	uint64_t best_runnable = scale_load(best->load, best);

	if (best_runnable > runnable + imb)
		return true;
	return runnable < best_runnable + imb &&
	       100 * scale_load(best->load_avg, best) >
	       scale_pct * scale_load(stats->load_avg, stats);
}

/* -1: the own group by its spare capacity, 1: the other one, 0: spare capacity does not tell. */
static int compare_spare(const struct placement *placement, uint64_t local_spare,
			 uint64_t best_spare)
{
	uint64_t scale_pct = 100 + (placement->domain->imbalance_pct - 100) / 2;
	struct hn_pelt pelt;
	uint64_t half;

	if (placement->flag == HN_DOMAIN_FORK)
		return 0;
	pelt = hn_rq_read_task(placement->sched, placement->task, placement->now_ns);
	half = hn_pelt_avg(&pelt, HN_PELT_UTIL) / 2;
	if (local_spare > half && scale_pct * local_spare > 100 * best_spare)
		return -1;
	return best_spare > half;
}

static bool stays_by_runnable(const struct placement *placement, const struct hn_group_stats *local,
			      const struct hn_group_stats *idlest)
{
	uint64_t imb = negligible_load(placement);
	uint64_t scale_pct = 100 + (placement->domain->imbalance_pct - 100) / 2;
	uint64_t this_runnable = scale_load(local->load, local);
	uint64_t min_runnable = scale_load(idlest->load, idlest);

	if ((placement->domain->flags & HN_DOMAIN_NUMA) && stays_on_node(placement, local, idlest))
		return true;
	if (min_runnable > this_runnable + imb)
		return true;
	return this_runnable < min_runnable + imb &&
	       100 * scale_load(local->load_avg, local) <
	       scale_pct * scale_load(idlest->load_avg, idlest);
}

/* ---- groups ---- */

struct candidates {
	struct hn_group_stats local;
	struct hn_group_stats idlest;
	struct hn_group_stats spare;  /* the group with the largest spare capacity of one CPU */
	bool has_local;
	bool has_idlest;
};

static void classify(const struct placement *placement, struct hn_group_stats *stats)
{
	stats->type = hn_group_classify(stats, placement->domain->imbalance_pct);
	if (stats->type != HN_GROUP_HAS_SPARE)
		stats->avg_load = scale_load(stats->load, stats);
}

static void consider(const struct placement *placement, const struct hn_group_stats *stats,
		     struct candidates *candidates)
{
	bool is_idler;

	if (!candidates->has_idlest)
		is_idler = true;
	else if (placement->sched->policy->balance == HN_BALANCE_RULE_GROUP_TYPES)
		is_idler = is_idler_by_type(stats, &candidates->idlest);
	else
		is_idler = is_idler_by_load(placement, stats, &candidates->idlest);
	if (!candidates->has_idlest || stats->spare_max > candidates->spare.spare_max)
		candidates->spare = *stats;
	if (is_idler)
		candidates->idlest = *stats;
	candidates->has_idlest = true;
}

static void collect(const struct placement *placement, struct candidates *candidates)
{
	const struct hn_domain *domain = placement->domain;
	bool is_exec = placement->flag == HN_DOMAIN_EXEC;

	for (uint32_t i = 0; i < domain->nr_groups; i++) {
		const struct hn_group *group = &domain->groups[i];
		struct hn_group_stats stats;

		if (!has_allowed(placement, group))
			continue;
		hn_group_stats_collect(placement->sched, group,
				       is_exec ? placement->task : HN_TASK_NONE,
				       placement->now_ns, &stats);
		classify(placement, &stats);
		if (hn_cpu_set_has(&group->span, placement->cpu)) {
			candidates->local = stats;
			candidates->has_local = true;
		} else {
			consider(placement, &stats, candidates);
		}
	}
}

/* The group to go to; NULL: the own one. */
static const struct hn_group *find_idlest_group(const struct placement *placement)
{
	struct candidates candidates = { .has_local = false };
	int spare;

	collect(placement, &candidates);
	if (!candidates.has_idlest)
		return NULL;
	if (!candidates.has_local)
		return candidates.idlest.group;
	if (placement->sched->policy->balance == HN_BALANCE_RULE_GROUP_TYPES)
		return stays_by_type(placement, &candidates.local, &candidates.idlest) ?
		       NULL : candidates.idlest.group;
	spare = compare_spare(placement, candidates.local.spare_max, candidates.spare.spare_max);
	if (spare)
		return spare < 0 ? NULL : candidates.spare.group;
	return stays_by_runnable(placement, &candidates.local, &candidates.idlest) ?
	       NULL : candidates.idlest.group;
}

/* ---- CPUs ---- */

/* The CPU that became idle last, of equal ones the first; else the least loaded one. */
static hn_cpu find_idlest_cpu(const struct placement *placement, const struct hn_group *group)
{
	struct hn_sched *sched = placement->sched;
	hn_time_ns latest_ns = INT64_MIN;
	uint64_t least = UINT64_MAX;
	hn_cpu idle = HN_CPU_NONE, loaded = placement->cpu;

	if (group->span.nr == 1)
		return group->span.cpus[0];
	for (uint32_t i = 0; i < group->span.nr; i++) {
		hn_cpu cpu = group->span.cpus[i];
		const struct hn_rq *rq = hn_sched_rq(sched, cpu);
		uint64_t load;

		if (!hn_sched_may_run(sched, placement->task, cpu))
			continue;
		if (rq->is_idle) {
			hn_time_ns stamp_ns = rq->idle_stamp_ns == HN_TIME_NEVER ?
					      -1 : rq->idle_stamp_ns;

			if (stamp_ns > latest_ns) {
				latest_ns = stamp_ns;
				idle = cpu;
			}
		} else if (idle == HN_CPU_NONE) {
			load = hn_rq_read_load(sched, rq, placement->now_ns).load;
			if (load < least) {
				least = load;
				loaded = cpu;
			}
		}
	}
	return idle == HN_CPU_NONE ? loaded : idle;
}

/* The highest level of the CPU up to which all have the flag and are smaller than nr_cpus_max. */
static int32_t highest_level(const struct hn_domains *domains, hn_cpu cpu, uint32_t flag,
			     uint32_t nr_cpus_max)
{
	int32_t found = -1;

	for (uint32_t level = 0; level < domains->nr_levels[cpu]; level++) {
		const struct hn_domain *domain = hn_domain_of(domains, cpu, level);

		if (domain->span.nr >= nr_cpus_max)
			break;
		if (domain->flags & flag)
			found = (int32_t)level;
	}
	return found;
}

hn_cpu hn_fork_pick_cpu(struct hn_sched *sched, hn_task_id id, hn_cpu cpu, uint32_t flag,
			hn_time_ns now_ns)
{
	struct placement placement = { .sched = sched, .task = id, .cpu = cpu, .flag = flag,
				       .now_ns = now_ns };
	int32_t level = highest_level(&sched->domains, cpu, flag, UINT32_MAX);

	while (level >= 0) {
		const struct hn_group *group;
		hn_cpu idlest = placement.cpu;

		placement.domain = hn_domain_of(&sched->domains, placement.cpu, (uint32_t)level);
		group = find_idlest_group(&placement);
		if (group)
			idlest = find_idlest_cpu(&placement, group);
		if (idlest == placement.cpu) {
			level--;
			continue;
		}
		placement.cpu = idlest;
		level = highest_level(&sched->domains, idlest, flag, placement.domain->span.nr);
	}
	if (hn_sched_may_run(sched, id, placement.cpu))
		return placement.cpu;
	return hn_fork_fallback_cpu(sched, id, cpu);
}

hn_cpu hn_fork_fallback_cpu(const struct hn_sched *sched, hn_task_id id, hn_cpu cpu)
{
	hn_nid nid = hn_machine_nid(sched->machine, cpu);
	const hn_cpu *cpus = hn_machine_node_cpus(sched->machine, nid);
	uint32_t first;

	for (uint32_t i = 0; i < sched->machine->nodes[nid].nr_cpus; i++) {
		if (hn_sched_may_run(sched, id, cpus[i]))
			return cpus[i];
	}
	first = hn_bitmap_next(sched->tasks[id].allowed, sched->nr_cpus, 0);
	hn_assert(first < sched->nr_cpus);
	return (hn_cpu)first;
}
