/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.c - one node, CPU by CPU: an idle CPU to move to, a task to change places with, or
 * why not.
 *
 * Whether the node may take the task at all (may_move) is found once per node, from the loads,
 * or since v5.7 from the number of running tasks while the node has room. Then each CPU that
 * the task may use is looked at in ascending order:
 *
 *     reserved by another NUMA move            -> next                          (V9)
 *     idle                                     -> take it by idle_cpu_rule      (V1, V2, V4)
 *     a task that may run on our CPU           -> gain of the swap              (V7, V17)
 *         moving gains more and is allowed     -> move there, over the task     (V6)
 *         partner that prefers our node        -> take it over one that doesn't
 *         gain too small                       -> next                          (V5)
 *         loads too unequal after the swap     -> next                          (V8)
 *
 * The orders v4_19_rc1 and v4_19 are one skeleton: what differs between them are the fields
 * named above.
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_find_cpu(), task_numa_compare(),
 * adjust_numa_imbalance(); v4.19-rc1, v4.19, v5.7 and v5.12 for what the fields switch. Tests:
 * test-compare.c. */
#include "core/compare-internal.h"

/* Most tasks that one node may run more than the other, while either allowance holds.
 * Source: v5.12 kernel/sched/fair.c NUMA_IMBALANCE_MIN. */
#define IMBALANCE_TASKS_MAX 2

/* ---- may the node take the task ---- */

/* V16: the imbalance that remains to be minded. */
static int64_t adjust_imbalance(const struct hn_search *search, int64_t imbalance, int64_t nr_dst)
{
	bool is_small = imbalance <= IMBALANCE_TASKS_MAX;

	switch ((enum hn_imbalance_allowance)search->core->policy->imbalance_allowance) {
	case HN_IMBALANCE_ALLOWANCE_NONE:
		return imbalance;
	case HN_IMBALANCE_ALLOWANCE_TWO_RUNNING:
		return nr_dst <= IMBALANCE_TASKS_MAX ? 0 : imbalance;
	case HN_IMBALANCE_ALLOWANCE_QUARTER:
		return nr_dst < search->dst.nr_cpus / 4 && is_small ? 0 : imbalance;
	case HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR:
		return nr_dst <= search->view->imb_numa_nr && is_small ? 0 : imbalance;
	}
	return imbalance;
}

static bool has_spare(const struct hn_search *search)
{
	return search->core->policy->node_stats == HN_NODE_STATS_TYPED &&
	       search->dst.type == HN_NODE_HAS_SPARE;
}

static bool compute_may_move(const struct hn_search *search)
{
	int64_t nr_dst = (int64_t)search->dst.nr_running + 1;
	int64_t nr_src = (int64_t)search->src.nr_running - 1;

	if (has_spare(search))
		return adjust_imbalance(search, hn_max_i64(0, nr_dst - nr_src), nr_dst) == 0;
	return !hn_compare_is_imbalanced(search, (int64_t)search->view->task_h_load);
}

/* ---- one CPU, since v4.19-rc1 ---- */

static bool prefers_source(const struct hn_search *search, hn_task_id task)
{
	return hn_core_get_task(search->core, task)->preferred_nid == search->src_nid;
}

static bool has_best_partner(const struct hn_search *search, bool wants_source)
{
	return search->core->policy->swap_prefers && search->best_task != HN_TASK_NONE &&
	       prefers_source(search, search->best_task) == wants_source;
}

/* Why the running task is no partner, before any gain is computed. */
static enum hn_why find_partner_obstacle(const struct hn_search *search,
					 const struct hn_candidate *cand)
{
	const struct hn_core *core = search->core;

	if (has_best_partner(search, true) && !prefers_source(search, cand->curr))
		return HN_WHY_SWAP_KEEPS_PREFERRED;
	if (core->policy->swap_skip_group_spare && has_spare(search) &&
	    hn_core_get_task(core, search->task)->group ==
		    hn_core_get_task(core, cand->curr)->group)
		return HN_WHY_SWAP_GROUP_SPARE;
	return HN_WHY_NONE;
}

/* The last two tests of a swap. */
static enum hn_why find_swap_obstacle(const struct hn_search *search,
				      const struct hn_candidate *cand)
{
	int64_t load;

	if (hn_compare_is_small(search, cand->imp))
		return cand->imp < (int64_t)search->core->policy->small_imp ?
			       HN_WHY_SWAP_SMALL_GAIN :
			       HN_WHY_SWAP_NO_GAIN;
	load = hn_compare_moved_load(search, cand);
	if (load && hn_compare_is_imbalanced(search, load))
		return HN_WHY_LOAD_IMBALANCED;
	return HN_WHY_NONE;
}

static enum hn_compare_next compare_swap_v4_19(struct hn_search *search, struct hn_candidate *cand)
{
	enum hn_why obstacle = find_partner_obstacle(search, cand);

	if (obstacle != HN_WHY_NONE) {
		hn_compare_refuse(search, obstacle);
		return HN_COMPARE_GO_ON;
	}
	cand->imp = hn_compare_swap_imp(search, cand);
	cand->why = HN_WHY_MOVE_SWAP;
	if (search->may_move && cand->move_imp > cand->imp &&
	    cand->move_imp > search->best_imp) {
		hn_compare_turn_into_move(search, cand);
		return hn_compare_assign(search, cand);
	}
	if (has_best_partner(search, false) && prefers_source(search, cand->curr)) {
		cand->why = HN_WHY_MOVE_SWAP_PREFERS;
		return hn_compare_assign(search, cand);
	}
	obstacle = find_swap_obstacle(search, cand);
	if (obstacle != HN_WHY_NONE) {
		hn_compare_refuse(search, obstacle);
		return HN_COMPARE_GO_ON;
	}
	return hn_compare_assign(search, cand);
}

static enum hn_compare_next compare_cpu_v4_19(struct hn_search *search, struct hn_candidate *cand)
{
	if (!cand->is_idle)
		return compare_swap_v4_19(search, cand);
	cand->why = HN_WHY_MOVE_TO_IDLE;
	if (!hn_compare_accepts_idle(search, cand))
		return HN_COMPARE_GO_ON;
	return hn_compare_assign(search, cand);
}

/* ---- the node ---- */

static hn_task_id find_running(const struct hn_search *search, const struct hn_view_cpu *state)
{
	if (state->curr == HN_TASK_NONE || state->is_curr_exiting)
		return HN_TASK_NONE;
	if (search->core->policy->kthread_is_idle && state->is_curr_kthread)
		return HN_TASK_NONE;
	return state->curr;
}

static enum hn_compare_next compare_by_order(struct hn_search *search, struct hn_candidate *cand)
{
	switch ((enum hn_compare_order)search->core->policy->compare_order) {
	case HN_COMPARE_ORDER_V3_13:
		return hn_compare_cpu_v3_13(search, cand);
	case HN_COMPARE_ORDER_V3_19:
		return hn_compare_cpu_v3_19(search, cand);
	case HN_COMPARE_ORDER_V4_19_RC1:
	case HN_COMPARE_ORDER_V4_19:
		return compare_cpu_v4_19(search, cand);
	}
	return HN_COMPARE_GO_ON;
}

static enum hn_compare_next compare_cpu(struct hn_search *search, hn_cpu cpu)
{
	const struct hn_view_cpu *state = &search->view->cpus[cpu];
	struct hn_candidate cand = {
		.cpu = cpu,
		.state = state,
		.curr = find_running(search, state),
		.imp = hn_compare_base_imp(search),
		.move_imp = hn_compare_base_imp(search),
	};

	search->nr_cpus_examined++;
	if (hn_compare_is_reserved(search, cpu)) {
		hn_compare_refuse(search, HN_WHY_CPU_MIGRATE_ON);
		return HN_COMPARE_GO_ON;
	}
	if (cand.curr == search->task) {
		hn_compare_refuse(search, HN_WHY_CPU_SELF);
		return HN_COMPARE_GO_ON;
	}
	cand.is_idle = cand.curr == HN_TASK_NONE;
	if (!cand.is_idle && !hn_bitmap_has(state->curr_allowed, (uint32_t)search->src_cpu)) {
		hn_compare_refuse(search, HN_WHY_SWAP_NOT_ALLOWED);
		return HN_COMPARE_GO_ON;
	}
	return compare_by_order(search, &cand);
}

void hn_compare_node(struct hn_search *search)
{
	const struct hn_machine *machine = search->core->machine;
	const hn_cpu *cpus = hn_machine_node_cpus(machine, search->dst_nid);

	search->may_move = compute_may_move(search);
	if (search->core->policy->idle_shortcut && has_spare(search) && search->may_move &&
	    search->dst.idle_cpu != HN_CPU_NONE) {
		hn_compare_assign_shortcut(search);
		return;
	}
	for (uint32_t i = 0; i < machine->nodes[search->dst_nid].nr_cpus; i++) {
		if (!hn_bitmap_has(search->view->task_allowed, (uint32_t)cpus[i])) {
			hn_compare_refuse(search, HN_WHY_CPU_NOT_ALLOWED);
			continue;
		}
		if (compare_cpu(search, cpus[i]) == HN_COMPARE_STOP)
			return;
	}
}
