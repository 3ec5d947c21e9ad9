/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare-assign.c - which CPU of the node a plain move goes to, and whether it can be had.
 *
 * A kernel that knows numa_migrate_on reserves a CPU for one move at a time. The core writes no
 * flag: a CPU counts as reserved when the view says so or when it is this search's best so far;
 * the world reserves the CPU of the final decision (hn_decision.sets_migrate_on).
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_assign() and the end of task_numa_compare();
 * v3.19, v4.19.
 * Tests: test-compare.c. */
#include "core/compare-internal.h"

static bool is_idle(const struct hn_search *search, hn_cpu cpu)
{
	return search->view->cpus[cpu].is_idle;
}

static bool is_allowed(const struct hn_search *search, hn_cpu cpu)
{
	return hn_bitmap_has(search->view->task_allowed, (uint32_t)cpu);
}

bool hn_compare_is_reserved(const struct hn_search *search, hn_cpu cpu)
{
	if (!search->core->policy->numa_migrate_on)
		return false;
	return cpu == search->best_cpu || search->view->cpus[cpu].is_numa_migrate_on;
}

/* ---- V4: the target of a plain move ---- */

/* The next idle CPU in ring order from `start` that shares its cache; HN_CPU_NONE: none. */
static hn_cpu find_idle_in_llc(const struct hn_search *search, hn_cpu start, bool wants_core)
{
	const struct hn_machine *machine = search->core->machine;
	const hn_cpu *cpus = hn_machine_node_cpus(machine, search->dst_nid);
	uint32_t nr_cpus = machine->nodes[search->dst_nid].nr_cpus;
	uint32_t first = 0;

	while (first < nr_cpus && cpus[first] != start)
		first++;
	for (uint32_t step = 1; step < nr_cpus; step++) {
		hn_cpu cpu = cpus[(first + step) % nr_cpus];

		if (machine->cpus[cpu].llc == machine->cpus[start].llc &&
		    is_idle(search, cpu) && is_allowed(search, cpu) &&
		    (!wants_core || search->view->cpus[cpu].is_core_idle))
			return cpu;
	}
	return HN_CPU_NONE;
}

/* What select_idle_sibling() makes of the examined CPU. An idle one it returns at once, for
 * that is its first test.
 * ASSUMES: for a busy one, that it finds an idle core or CPU of the same cache whenever there
 * is one; the kernel's search may give up earlier, and the target then stays the busy CPU. */
static hn_cpu find_sibling(struct hn_search *search, hn_cpu cpu)
{
	hn_cpu found = HN_CPU_NONE;

	if (search->core->policy->idle_sibling_per_cpu)
		search->nr_idle_searches++;
	if (is_idle(search, cpu))
		return cpu;
	if (search->view->has_smt && search->view->cpus[cpu].is_llc_with_idle_core)
		found = find_idle_in_llc(search, cpu, true);
	if (found == HN_CPU_NONE)
		found = find_idle_in_llc(search, cpu, false);
	return found == HN_CPU_NONE ? cpu : found;
}

/* The CPU found while summing up the node, or else the examined one; a best CPU that is idle is
 * kept when that one is not. */
static hn_cpu find_cached(const struct hn_search *search, hn_cpu cpu)
{
	if (search->dst.idle_cpu != HN_CPU_NONE)
		cpu = search->dst.idle_cpu;
	if (!is_idle(search, cpu) && search->best_cpu != HN_CPU_NONE &&
	    is_idle(search, search->best_cpu))
		return search->best_cpu;
	return cpu;
}

static hn_cpu find_target(struct hn_search *search, const struct hn_candidate *cand)
{
	if (cand->curr != HN_TASK_NONE)
		return cand->cpu;
	switch ((enum hn_idle_target)search->core->policy->idle_target) {
	case HN_IDLE_TARGET_PLAIN:
		return cand->cpu;
	case HN_IDLE_TARGET_SIBLING_LATE:
		return cand->is_idle ? find_sibling(search, cand->cpu) : cand->cpu;
	case HN_IDLE_TARGET_SIBLING:
		return find_sibling(search, cand->cpu);
	case HN_IDLE_TARGET_NODE_CACHED:
		return find_cached(search, cand->cpu);
	}
	return cand->cpu;
}

/* ---- V9: reserving ---- */

/* Another idle CPU of the node, in ring order from the reserved one. */
static hn_cpu find_unreserved(const struct hn_search *search, hn_cpu start)
{
	const struct hn_machine *machine = search->core->machine;
	const hn_cpu *cpus = hn_machine_node_cpus(machine, search->dst_nid);
	uint32_t nr_cpus = machine->nodes[search->dst_nid].nr_cpus;
	uint32_t first = 0;

	while (first < nr_cpus && cpus[first] < start)
		first++;
	for (uint32_t step = 0; step < nr_cpus; step++) {
		hn_cpu cpu = cpus[(first + step) % nr_cpus];

		if (is_idle(search, cpu) && is_allowed(search, cpu) &&
		    !hn_compare_is_reserved(search, cpu))
			return cpu;
	}
	return HN_CPU_NONE;
}

/* The CPU that can be had in place of `cpu`; HN_CPU_NONE: none.
 * QUIRK: v4.19 .. v5.6 find their own reservation on the best CPU so far and give up, so a
 * later and better reason for the same CPU is lost; since v5.7 (idle_target node_cached) it is
 * taken. */
static hn_cpu find_reservable(const struct hn_search *search, hn_cpu cpu)
{
	if (!hn_compare_is_reserved(search, cpu))
		return cpu;
	if (search->core->policy->idle_target != HN_IDLE_TARGET_NODE_CACHED)
		return HN_CPU_NONE;
	return cpu == search->best_cpu ? cpu : find_unreserved(search, cpu);
}

static void remember(struct hn_search *search, hn_cpu cpu, const struct hn_candidate *cand)
{
	cpu = find_reservable(search, cpu);
	if (cpu == HN_CPU_NONE) {
		hn_compare_refuse(search, HN_WHY_CPU_MIGRATE_ON);
		return;
	}
	search->best_cpu = cpu;
	search->best_task = cand->curr;
	search->best_imp = cand->imp;
	search->best_why = cand->why;
}

/* V2, and the end of task_numa_compare() since v5.7. The 2018 patch stops at any plain move;
 * v5.7 only when the CPU got is idle. When only a swap will do, a partner that wants to come
 * here is enough. */
static bool is_search_over(const struct hn_search *search, const struct hn_candidate *cand)
{
	const struct hn_policy *policy = search->core->policy;

	if (policy->stop_at_idle && cand->curr == HN_TASK_NONE) {
		if (policy->idle_target != HN_IDLE_TARGET_NODE_CACHED)
			return true;
		if (search->may_move && search->best_cpu != HN_CPU_NONE &&
		    is_idle(search, search->best_cpu))
			return true;
	}
	return policy->swap_prefers && !search->may_move && search->best_task != HN_TASK_NONE &&
	       hn_core_get_task(search->core, search->best_task)->preferred_nid == search->src_nid;
}

enum hn_compare_next hn_compare_assign(struct hn_search *search, struct hn_candidate *cand)
{
	remember(search, find_target(search, cand), cand);
	return is_search_over(search, cand) ? HN_COMPARE_STOP : HN_COMPARE_GO_ON;
}

/* QUIRK: the gain is stored as 0 without a look at the weights, so on several candidate nodes
 * the last one with room wins over a better one. */
void hn_compare_assign_shortcut(struct hn_search *search)
{
	struct hn_candidate cand = {
		.cpu = search->dst.idle_cpu,
		.curr = HN_TASK_NONE,
		.why = HN_WHY_MOVE_TO_IDLE_SHORTCUT,
	};

	remember(search, cand.cpu, &cand);
}
