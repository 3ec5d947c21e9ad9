/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locality.c - what the load balancer is told when it wants to take a task to another node.
 *
 * The kernel's answer is a number that later versions read with other meanings; here it is one
 * of four: no opinion (cache hotness decides), allowed (no look at cache hotness), degrades (as
 * if cache-hot), improves (move even when cache-hot). Changes nothing.
 *
 * Source: kernel/sched/fair.c migrate_improves_locality(), migrate_degrades_locality() and
 * their use in can_migrate_task(), v3.13, v3.16, v4.9, v4.15, v4.19, v7.2. Tests:
 * test-locality.c. */
#include "core/core-internal.h"

/* The two sides of a comparison: faults or weights on the source and destination node. */
struct two_sides {
	int64_t src;
	int64_t dst;
};

static struct two_sides read_faults(const struct hn_core *core,
				    const struct hn_locality_query *query)
{
	int32_t group = hn_core_get_task(core, query->task)->group;
	struct two_sides sides;

	if (group != HN_GROUP_NONE) {
		sides.src = (int64_t)hn_faults_group(core, group, HN_STAT_MEM, query->src_nid);
		sides.dst = (int64_t)hn_faults_group(core, group, HN_STAT_MEM, query->dst_nid);
	} else {
		sides.src = (int64_t)hn_faults_task(core, query->task, HN_STAT_MEM,
						    query->src_nid);
		sides.dst = (int64_t)hn_faults_task(core, query->task, HN_STAT_MEM,
						    query->dst_nid);
	}
	return sides;
}

static struct two_sides read_task_weights(const struct hn_core *core,
					  const struct hn_locality_query *query)
{
	uint16_t dist = hn_machine_distance(core->machine, query->src_nid, query->dst_nid);

	return (struct two_sides){
		.src = hn_weight_task(core, query->task, query->src_nid, dist),
		.dst = hn_weight_task(core, query->task, query->dst_nid, dist),
	};
}

static struct two_sides read_group_weights(const struct hn_core *core,
					   const struct hn_locality_query *query)
{
	uint16_t dist = hn_machine_distance(core->machine, query->src_nid, query->dst_nid);

	return (struct two_sides){
		.src = hn_weight_group(core, query->task, query->src_nid, dist),
		.dst = hn_weight_group(core, query->task, query->dst_nid, dist),
	};
}

static struct two_sides read_weights(const struct hn_core *core,
				     const struct hn_locality_query *query)
{
	if (hn_core_get_task(core, query->task)->group != HN_GROUP_NONE)
		return read_group_weights(core, query);
	return read_task_weights(core, query);
}

/* QUIRK: up to v3.19 a move that loses is not resisted, because the feature NUMA_RESIST_LOWER
 * is off by default; only NUMA_FAVOUR_HIGHER is on. One would expect both. */
static enum hn_locality_answer favour(bool is_better)
{
	return is_better ? HN_LOCALITY_IMPROVES : HN_LOCALITY_NEUTRAL;
}

static enum hn_locality_answer answer_v3_13(const struct hn_core *core,
					    const struct hn_locality_query *query)
{
	struct two_sides task = read_task_weights(core, query);
	struct two_sides group = read_group_weights(core, query);

	if (query->dst_nid == hn_core_get_task(core, query->task)->preferred_nid)
		return HN_LOCALITY_IMPROVES;
	return favour(task.dst > task.src && group.dst > group.src);
}

static enum hn_locality_answer answer_v3_16(const struct hn_core *core,
					    const struct hn_locality_query *query)
{
	const struct hn_core_task *task = hn_core_get_task(core, query->task);
	struct two_sides faults = read_faults(core, query);

	if (task->group == HN_GROUP_NONE)
		return favour(query->dst_nid == task->preferred_nid || faults.dst > faults.src);
	if (hn_group_is_active(core, task->group, query->src_nid))
		return HN_LOCALITY_NEUTRAL;
	return favour(hn_group_is_active(core, task->group, query->dst_nid) ||
		      faults.dst > faults.src);
}

/* The preferred node holds its tasks as long as it is not crowded by others. */
static enum hn_locality_answer answer_leaving(const struct hn_locality_query *query)
{
	return query->src_nr_running > query->src_nr_preferred ? HN_LOCALITY_DEGRADES :
								 HN_LOCALITY_NEUTRAL;
}

/* v4.9 .. v6.x. `is_idle_enough`: an idle CPU is worse than a loss of locality. */
static enum hn_locality_answer answer_degrades(const struct hn_core *core,
					       const struct hn_locality_query *query,
					       bool is_idle_enough)
{
	hn_nid preferred = hn_core_get_task(core, query->task)->preferred_nid;
	struct two_sides sides;

	if (query->src_nid == preferred)
		return answer_leaving(query);
	if (query->dst_nid == preferred)
		return HN_LOCALITY_ALLOWS;
	if (is_idle_enough)
		return HN_LOCALITY_NEUTRAL;
	sides = core->policy->degrades == HN_DEGRADES_RULE_V4_19 ? read_weights(core, query) :
								   read_faults(core, query);
	return sides.dst < sides.src ? HN_LOCALITY_DEGRADES : HN_LOCALITY_ALLOWS;
}

static enum hn_locality_answer answer_v7_2(const struct hn_core *core,
					   const struct hn_locality_query *query)
{
	hn_nid preferred = hn_core_get_task(core, query->task)->preferred_nid;
	struct two_sides weights;

	if (query->src_nid == preferred)
		return answer_leaving(query);
	if (query->dst_nid == preferred)
		return HN_LOCALITY_IMPROVES;
	if (query->idle == HN_CPU_IDLE)
		return HN_LOCALITY_NEUTRAL;
	weights = read_weights(core, query);
	if (weights.src > weights.dst)
		return HN_LOCALITY_DEGRADES;
	return weights.src < weights.dst ? HN_LOCALITY_IMPROVES : HN_LOCALITY_NEUTRAL;
}

enum hn_locality_answer hn_core_locality(const struct hn_core *core,
					 const struct hn_locality_query *query)
{
	if (core->policy->numa_mode == HN_NUMA_MODE_OFF || query->src_nid == query->dst_nid ||
	    !hn_core_get_task(core, query->task)->has_faults)
		return HN_LOCALITY_NEUTRAL;
	switch ((enum hn_degrades_rule)core->policy->degrades) {
	case HN_DEGRADES_RULE_NEUTRAL:
		return HN_LOCALITY_NEUTRAL;
	case HN_DEGRADES_RULE_V3_13:
		return answer_v3_13(core, query);
	case HN_DEGRADES_RULE_V3_16:
		return answer_v3_16(core, query);
	case HN_DEGRADES_RULE_V4_9:
		return answer_degrades(core, query, /* is_idle_enough */ false);
	case HN_DEGRADES_RULE_V4_15:
		return answer_degrades(core, query, query->idle != HN_CPU_NOT_IDLE);
	case HN_DEGRADES_RULE_V4_19:
		return answer_degrades(core, query, query->idle == HN_CPU_IDLE);
	case HN_DEGRADES_RULE_V7_2:
		return answer_v7_2(core, query);
	}
	return HN_LOCALITY_NEUTRAL;
}
