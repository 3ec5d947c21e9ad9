/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare-gain.c - what a move or a swap gains in locality, and what it does to the balance of
 * loads.
 *
 * A swap gains what the task gains by going plus what the partner gains by coming:
 *     task: 100 permille at home, 700 there; partner: 200 there, 650 at home
 *     move 600; swap 600 + 650 - 200 = 1050; inside one group 1050 - 1050 / 16 = 985
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_compare(), load_too_imbalanced(); v3.13, v3.16
 * and v3.19 for the older forms of both. Tests: test-compare.c. */
#include "core/compare-internal.h"

void hn_compare_refuse(struct hn_search *search, enum hn_why why)
{
	search->last_why = why;
	hn_core_count_why(search->core, why);
}

static bool has_group(const struct hn_search *search, hn_task_id task)
{
	return hn_core_get_task(search->core, task)->group != HN_GROUP_NONE;
}

int64_t hn_compare_base_imp(const struct hn_search *search)
{
	return has_group(search, search->task) ? search->group_imp : search->task_imp;
}

/* What the partner's own statistics say for coming to the source node. */
static int64_t task_part(const struct hn_search *search, hn_task_id other)
{
	return hn_weight_task(search->core, other, search->src_nid, search->dist) -
	       hn_weight_task(search->core, other, search->dst_nid, search->dist);
}

static int64_t group_part(const struct hn_search *search, hn_task_id other)
{
	return hn_weight_group(search->core, other, search->src_nid, search->dist) -
	       hn_weight_group(search->core, other, search->dst_nid, search->dist);
}

static bool counts_by_group(const struct hn_search *search, hn_task_id other)
{
	switch ((enum hn_swap_gain)search->core->policy->swap_gain) {
	case HN_SWAP_GAIN_CURR_GROUP:
		return has_group(search, other);
	case HN_SWAP_GAIN_BOTH_GROUPS:
		return has_group(search, other) && has_group(search, search->task);
	}
	return false;
}

/* Partners that are home already are worth less, those that want to come here more. */
static int64_t weigh_by_preference(const struct hn_search *search, hn_task_id other, int64_t imp)
{
	hn_nid preferred = hn_core_get_task(search->core, other)->preferred_nid;

	if (preferred == search->dst_nid)
		imp -= imp / 16;
	if (preferred == search->src_nid)
		imp += imp / 8;
	return imp;
}

int64_t hn_compare_swap_imp(const struct hn_search *search, const struct hn_candidate *cand)
{
	const struct hn_core_task *task = hn_core_get_task(search->core, search->task);
	const struct hn_core_task *other = hn_core_get_task(search->core, cand->curr);
	int64_t imp;

	if (task->group == other->group) {
		/* Inside one group, or without groups, only the tasks differ. Small differences
		 * inside a group are not worth a swap. */
		imp = search->task_imp + task_part(search, cand->curr);
		if (task->group != HN_GROUP_NONE)
			imp -= imp / 16;
	} else if (counts_by_group(search, cand->curr)) {
		imp = hn_compare_base_imp(search) + group_part(search, cand->curr);
	} else {
		imp = hn_compare_base_imp(search) + task_part(search, cand->curr);
	}
	if (search->core->policy->swap_prefers)
		imp = weigh_by_preference(search, cand->curr, imp);
	return imp;
}

/* V5. Small gains only make tasks change places to and fro.
 * Source: v4.19 6fd98e775f24 ("sched/numa: Avoid task migration for small NUMA improvement"). */
bool hn_compare_is_small(const struct hn_search *search, int64_t imp)
{
	int64_t small_imp = search->core->policy->small_imp;

	/* Without the rule a loss is judged by the best so far only, which may be a loss
	 * itself. */
	if (small_imp && imp < small_imp)
		return true;
	return imp <= search->best_imp + small_imp / 2;
}

/* ---- balance of loads ---- */

/* How far the larger load exceeds the smaller one with its margin; > 0: too far.
 * QUIRK: the loads change sides so that the larger one is the destination's, the capacities
 * stay, so a node of other size is judged by the wrong capacity half of the time. */
static int64_t compute_excess(const struct hn_search *search, int64_t src_load, int64_t dst_load)
{
	int64_t larger = hn_max_i64(src_load, dst_load);
	int64_t smaller = hn_min_i64(src_load, dst_load);

	if (search->core->policy->too_imbalanced == HN_TOO_IMBALANCED_PCT_CAPACITY) {
		larger *= (int64_t)search->src.capacity;
		smaller *= (int64_t)search->dst.capacity;
	}
	return larger * 100 - smaller * (int64_t)search->imbalance_pct;
}

static int64_t compute_difference(const struct hn_search *search, int64_t src_load,
				  int64_t dst_load)
{
	int64_t diff = dst_load * (int64_t)search->src.capacity -
		       src_load * (int64_t)search->dst.capacity;

	return diff < 0 ? -diff : diff;
}

/* V8 */
bool hn_compare_is_imbalanced(const struct hn_search *search, int64_t load)
{
	int64_t src_before = (int64_t)search->src.load;
	int64_t dst_before = (int64_t)search->dst.load;
	int64_t src_load = src_before - load;
	int64_t dst_load = dst_before + load;
	int64_t excess;

	switch ((enum hn_too_imbalanced)search->core->policy->too_imbalanced) {
	case HN_TOO_IMBALANCED_PCT_SIMPLE:
		return compute_excess(search, src_load, dst_load) > 0;
	case HN_TOO_IMBALANCED_PCT_SCALED:
	case HN_TOO_IMBALANCED_PCT_CAPACITY:
		excess = compute_excess(search, src_load, dst_load);
		return excess > 0 && excess > compute_excess(search, src_before, dst_before);
	case HN_TOO_IMBALANCED_ABSOLUTE:
		return compute_difference(search, src_load, dst_load) >
		       compute_difference(search, src_before, dst_before);
	}
	return true;
}

/* QUIRK: v3.13 .. v3.18 scale the nodes' loads by their power but not that of the tasks, so one
 * task weighs as much as a whole node's average, and only light tasks move. */
int64_t hn_compare_moved_load(const struct hn_search *search, const struct hn_candidate *cand)
{
	int64_t load = (int64_t)search->view->task_h_load;

	return cand->curr == HN_TASK_NONE ? load : load - (int64_t)cand->state->curr_h_load;
}

/* ---- idle CPUs ---- */

/* Statistics without task counts (v4.20 on) have no such gate. */
static bool lacks_capacity(const struct hn_search *search)
{
	switch ((enum hn_node_stats)search->core->policy->node_stats) {
	case HN_NODE_STATS_SCALED_POWER:
	case HN_NODE_STATS_SCALED_TASKS:
		return search->src.has_free_capacity && !search->dst.has_free_capacity;
	case HN_NODE_STATS_SMT_TASKS:
		return search->src.nr_running <= search->src.task_capacity &&
		       !search->dst.has_free_capacity;
	case HN_NODE_STATS_LOAD:
	case HN_NODE_STATS_TYPED:
		return false;
	}
	return false;
}

static enum hn_why find_classic_obstacle(const struct hn_search *search,
					 const struct hn_candidate *cand)
{
	bool may_equal = search->core->policy->compare_order == HN_COMPARE_ORDER_V3_13;

	if (cand->move_imp < search->best_imp ||
	    (cand->move_imp == search->best_imp && !may_equal))
		return HN_WHY_CPU_IDLE_NO_GAIN;
	if (lacks_capacity(search))
		return HN_WHY_CPU_IDLE_NO_CAPACITY;
	if (hn_compare_is_imbalanced(search, (int64_t)search->view->task_h_load))
		return HN_WHY_LOAD_IMBALANCED;
	return HN_WHY_NONE;
}

/* V1.
 * Source: v4.19-rc1 for best_imp; "sched/numa: Do not move imbalanced load purely on the
 * basis of an idle CPU", Mel Gorman, 2018-09-07, message
 * 20180907101139.20760-5-mgorman@techsingularity.net, for maymove; 6fd98e775f24, Srikar
 * Dronamraju, message 1533276841-16341-4-git-send-email-srikar@linux.vnet.ibm.com, for
 * maymove_best. */
static enum hn_why find_idle_obstacle(const struct hn_search *search,
				      const struct hn_candidate *cand)
{
	switch ((enum hn_idle_cpu_rule)search->core->policy->idle_cpu_rule) {
	case HN_IDLE_CPU_RULE_CLASSIC:
		return find_classic_obstacle(search, cand);
	case HN_IDLE_CPU_RULE_BEST_IMP:
		if (search->may_move || cand->move_imp > search->best_imp)
			return HN_WHY_NONE;
		return HN_WHY_CPU_IDLE_NO_MAYMOVE;
	case HN_IDLE_CPU_RULE_MAYMOVE:
		return search->may_move ? HN_WHY_NONE : HN_WHY_CPU_IDLE_NO_MAYMOVE;
	case HN_IDLE_CPU_RULE_MAYMOVE_BEST:
		if (!search->may_move)
			return HN_WHY_CPU_IDLE_NO_MAYMOVE;
		return cand->move_imp >= search->best_imp ? HN_WHY_NONE : HN_WHY_CPU_IDLE_NO_GAIN;
	}
	return HN_WHY_CPU_IDLE_NO_MAYMOVE;
}

bool hn_compare_accepts_idle(struct hn_search *search, const struct hn_candidate *cand)
{
	enum hn_why obstacle = find_idle_obstacle(search, cand);

	if (obstacle == HN_WHY_NONE)
		return true;
	hn_compare_refuse(search, obstacle);
	return false;
}

/* V6. One less lets a truly idle CPU win over this busy one. */
void hn_compare_turn_into_move(const struct hn_search *search, struct hn_candidate *cand)
{
	cand->curr = HN_TASK_NONE;
	cand->imp = cand->move_imp - (search->core->policy->move_imp_minus_one ? 1 : 0);
	cand->why = HN_WHY_MOVE_OVER_SWAP;
}
