/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare-classic.c - one CPU, by the orders of tests up to v3.18 and up to v4.18.
 *
 * Both judge each move by itself: capacity first, then whether the loads stay balanced. An
 * idle_cpu_rule other than "classic" replaces these two tests for idle CPUs.
 *
 * Source: kernel/sched/fair.c task_numa_compare(), v3.13 and v4.9. Tests: test-compare.c. */
#include "core/compare-internal.h"

/* With one task on each CPU a swap leaves the load of both queues as it was. */
static bool run_alone(const struct hn_search *search, const struct hn_candidate *cand)
{
	return search->view->cpus[search->src_cpu].nr_running == 1 && cand->state->nr_running == 1;
}

static enum hn_compare_next take_idle(struct hn_search *search, struct hn_candidate *cand)
{
	cand->imp = cand->move_imp;
	cand->why = HN_WHY_MOVE_TO_IDLE;
	if (!hn_compare_accepts_idle(search, cand))
		return HN_COMPARE_GO_ON;
	return hn_compare_assign(search, cand);
}

/* QUIRK: for an idle CPU the group's gain counts only while it is positive, else the task's;
 * and a candidate as good as the best one replaces it. */
enum hn_compare_next hn_compare_cpu_v3_13(struct hn_search *search, struct hn_candidate *cand)
{
	if (cand->is_idle) {
		cand->move_imp = search->group_imp > 0 ? search->group_imp : search->task_imp;
		return take_idle(search, cand);
	}
	cand->imp = hn_compare_swap_imp(search, cand);
	cand->why = HN_WHY_MOVE_SWAP;
	if (cand->imp < search->best_imp) {
		hn_compare_refuse(search, HN_WHY_SWAP_NO_GAIN);
		return HN_COMPARE_GO_ON;
	}
	if (!run_alone(search, cand) &&
	    hn_compare_is_imbalanced(search, hn_compare_moved_load(search, cand))) {
		hn_compare_refuse(search, HN_WHY_LOAD_IMBALANCED);
		return HN_COMPARE_GO_ON;
	}
	return hn_compare_assign(search, cand);
}

/* Whether to take the running task's place without a swap. */
static bool is_move_better(const struct hn_search *search, const struct hn_candidate *cand)
{
	return cand->move_imp > cand->imp && cand->move_imp > search->best_imp &&
	       !hn_compare_is_imbalanced(search, (int64_t)search->view->task_h_load);
}

enum hn_compare_next hn_compare_cpu_v3_19(struct hn_search *search, struct hn_candidate *cand)
{
	if (cand->is_idle)
		return take_idle(search, cand);
	cand->imp = hn_compare_swap_imp(search, cand);
	cand->why = HN_WHY_MOVE_SWAP;
	if (cand->imp > search->best_imp && run_alone(search, cand))
		return hn_compare_assign(search, cand);
	if (is_move_better(search, cand)) {
		hn_compare_turn_into_move(search, cand);
		return hn_compare_assign(search, cand);
	}
	if (hn_compare_is_small(search, cand->imp)) {
		hn_compare_refuse(search, HN_WHY_SWAP_NO_GAIN);
		return HN_COMPARE_GO_ON;
	}
	if (hn_compare_is_imbalanced(search, hn_compare_moved_load(search, cand))) {
		hn_compare_refuse(search, HN_WHY_LOAD_IMBALANCED);
		return HN_COMPARE_GO_ON;
	}
	return hn_compare_assign(search, cand);
}
