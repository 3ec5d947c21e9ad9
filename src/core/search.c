/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.c - one attempt to bring a task to its preferred node: which nodes are searched, what
 * is known about them, and what follows from the result.
 *
 * The preferred node comes first. Without success there, and for groups that run on several
 * nodes, all other nodes follow on which task or group would not both lose. compare.c looks at
 * the CPUs of one node; the best found is carried from node to node.
 *
 *     before  node0 [A A . .]  node1 [. . . .]   A's faults: node0 200, node1 800 permille
 *     gain of a plain move to node1: 800 - 200 = 600
 *     node1 has no task too many with A: may_move -> MOVE to an idle CPU there
 *
 * nr_cpus_examined counts each CPU once when its node is summed up (its run queue is read) and
 * once when it is compared (its running task is read): both are other cache lines.
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_migrate(), update_numa_stats(), numa_classify(),
 * numa_idle_core(); v3.13, v3.19, v4.6 and v4.19 for the older forms. Tests: test-search.c. */
#include "core/core-internal.h"

#include <string.h>

#define CAPACITY_SCALE 1024 /* of a full CPU */

/* ---- node statistics ---- */

static void sum_cpus(struct hn_search *search, struct hn_node_sums *sums)
{
	const struct hn_machine *machine = search->core->machine;
	const hn_cpu *cpus = hn_machine_node_cpus(machine, sums->nid);
	bool is_typed = search->core->policy->node_stats == HN_NODE_STATS_TYPED;

	sums->nr_cpus = machine->nodes[sums->nid].nr_cpus;
	search->nr_cpus_examined += sums->nr_cpus;
	for (uint32_t i = 0; i < sums->nr_cpus; i++) {
		const struct hn_view_cpu *state = &search->view->cpus[cpus[i]];

		sums->load += state->load;
		sums->runnable += state->runnable;
		sums->util += state->util;
		sums->capacity += state->capacity;
		sums->nr_running += is_typed ? state->nr_fair : state->nr_running;
	}
}

/* Whole CPUs' worth of capacity, to the nearest. */
static uint32_t compute_full_cpus(const struct hn_node_sums *sums)
{
	return (uint32_t)((sums->capacity + CAPACITY_SCALE / 2) / CAPACITY_SCALE);
}

/* Cores rather than CPUs, where siblings share one core's capacity. */
static uint32_t compute_smt_capacity(const struct hn_node_sums *sums)
{
	uint64_t smt = hn_div_up_u64((uint64_t)CAPACITY_SCALE * sums->nr_cpus, sums->capacity);

	return (uint32_t)hn_min_u64(sums->nr_cpus / smt, compute_full_cpus(sums));
}

/* Source: v5.7 6499b1b2dd1b ("sched/numa: Replace runnable_load_avg by load_avg"). */
static void classify_node(const struct hn_search *search, struct hn_node_sums *sums)
{
	uint64_t pct = search->imbalance_pct;

	if (sums->nr_running > sums->nr_cpus &&
	    (sums->capacity * 100 < sums->util * pct ||
	     sums->capacity * pct < sums->runnable * 100))
		sums->type = HN_NODE_OVERLOADED;
	else if (sums->nr_running < sums->nr_cpus ||
		 (sums->capacity * 100 > sums->util * pct &&
		  sums->capacity * pct > sums->runnable * 100))
		sums->type = HN_NODE_HAS_SPARE;
	else
		sums->type = HN_NODE_FULLY_BUSY;
}

static void count_task_capacity(struct hn_node_sums *sums, uint32_t task_capacity)
{
	sums->task_capacity = task_capacity;
	sums->has_free_capacity = sums->nr_running < task_capacity;
}

/* V3 */
static void apply_stats_rule(const struct hn_search *search, struct hn_node_sums *sums)
{
	if (!sums->capacity)
		return;
	switch ((enum hn_node_stats)search->core->policy->node_stats) {
	case HN_NODE_STATS_SCALED_POWER:
	case HN_NODE_STATS_SCALED_TASKS:
		sums->load = sums->load * CAPACITY_SCALE / sums->capacity;
		count_task_capacity(sums, compute_full_cpus(sums));
		break;
	case HN_NODE_STATS_SMT_TASKS:
		count_task_capacity(sums, compute_smt_capacity(sums));
		break;
	case HN_NODE_STATS_LOAD:
		break;
	case HN_NODE_STATS_TYPED:
		classify_node(search, sums);
		break;
	}
}

/* ---- the idle CPU remembered for a node ---- */

static bool is_idle_candidate(const struct hn_search *search, hn_cpu cpu)
{
	const struct hn_view_cpu *state = &search->view->cpus[cpu];

	if (state->nr_running || !state->is_idle)
		return false;
	if (search->core->policy->numa_migrate_on &&
	    (state->is_numa_migrate_on || cpu == search->best_cpu))
		return false;
	return hn_bitmap_has(search->view->task_allowed, (uint32_t)cpu);
}

static bool is_idle_core(const struct hn_search *search, hn_cpu cpu)
{
	const struct hn_view_cpu *state = &search->view->cpus[cpu];

	if (!search->view->has_smt || !state->is_llc_with_idle_core)
		return false;
	switch ((enum hn_idle_core_rule)search->core->policy->idle_core_rule) {
	case HN_IDLE_CORE_RULE_NONE:
		return false;
	case HN_IDLE_CORE_RULE_SELF_TEST:
		/* QUIRK: v5.7 .. v5.14 ask whether the CPU itself is idle, not its siblings, so
		 * any candidate passes. Source of the repair: v5.15 1c6829cfd3d5 ("sched/numa:
		 * Fix is_core_idle()"). */
		return true;
	case HN_IDLE_CORE_RULE_SIBLINGS:
	case HN_IDLE_CORE_RULE_SIBLINGS_STOP:
		return state->is_core_idle;
	}
	return false;
}

/* The first idle core, or else the first idle CPU. That the kernel looked on after an idle core
 * until v6.3 cost time and changed nothing. */
static hn_cpu find_idle_cpu(const struct hn_search *search, hn_nid nid)
{
	const struct hn_machine *machine = search->core->machine;
	const hn_cpu *cpus = hn_machine_node_cpus(machine, nid);
	hn_cpu found = HN_CPU_NONE;

	if (search->core->policy->idle_core_rule == HN_IDLE_CORE_RULE_NONE)
		return HN_CPU_NONE;
	for (uint32_t i = 0; i < machine->nodes[nid].nr_cpus; i++) {
		if (!is_idle_candidate(search, cpus[i]))
			continue;
		if (is_idle_core(search, cpus[i]))
			return cpus[i];
		if (found == HN_CPU_NONE)
			found = cpus[i];
	}
	return found;
}

static void read_node(struct hn_search *search, hn_nid nid, struct hn_node_sums *ret_sums)
{
	memset(ret_sums, 0, sizeof(*ret_sums));
	ret_sums->nid = nid;
	ret_sums->idle_cpu = HN_CPU_NONE;
	ret_sums->type = HN_NODE_FULLY_BUSY;
	hn_view_need(search->view, nid);
	sum_cpus(search, ret_sums);
	apply_stats_rule(search, ret_sums);
}

/* ---- which nodes ---- */

static void weigh_source(struct hn_search *search)
{
	search->task_weight_src = hn_weight_task(search->core, search->task, search->src_nid,
						 search->dist);
	search->group_weight_src = hn_weight_group(search->core, search->task, search->src_nid,
						   search->dist);
}

static void weigh_move(struct hn_search *search, hn_nid nid, uint16_t dist)
{
	search->task_imp = hn_weight_task(search->core, search->task, nid, dist) -
			   search->task_weight_src;
	search->group_imp = hn_weight_group(search->core, search->task, nid, dist) -
			    search->group_weight_src;
}

/* Whether the node is searched at all. The free-capacity gate of v3.13 .. v3.18 guards the
 * preferred node only; the others are searched just because there was no way to be had there. */
static bool passes_gate(const struct hn_search *search, bool is_preferred)
{
	const struct hn_node_sums *src = &search->src;
	const struct hn_node_sums *dst = &search->dst;

	switch ((enum hn_node_gate)search->core->policy->node_gate) {
	case HN_NODE_GATE_FREE_CAPACITY:
		return !is_preferred || dst->has_free_capacity;
	case HN_NODE_GATE_NONE:
		return true;
	case HN_NODE_GATE_HAS_CAPACITY:
		if (src->has_free_capacity && !dst->has_free_capacity)
			return false;
		return src->load * dst->capacity * search->imbalance_pct >
		       dst->load * src->capacity * 100;
	}
	return true;
}

static void refuse(struct hn_search *search, enum hn_why why)
{
	search->last_why = why;
	hn_core_count_why(search->core, why);
}

static void search_node(struct hn_search *search, hn_nid nid, bool is_preferred)
{
	search->dst_nid = nid;
	read_node(search, nid, &search->dst);
	search->dst.idle_cpu = find_idle_cpu(search, nid);
	if (passes_gate(search, is_preferred))
		hn_compare_node(search);
	else
		refuse(search, HN_WHY_MOVE_NODE_GATE);
}

/* QUIRK: the distance is that to the node searched *before*, not to nid, since the search's own
 * destination is set later. On backplane machines the weights therefore lag one node behind. */
static void search_other_node(struct hn_search *search, hn_nid nid)
{
	uint16_t dist = hn_machine_distance(search->core->machine, search->src_nid,
					    search->dst_nid);

	if (search->core->topology == HN_TOPOLOGY_BACKPLANE && dist != search->dist) {
		uint16_t kept = search->dist;

		search->dist = dist;
		weigh_source(search);
		search->dist = kept;
	}
	weigh_move(search, nid, dist);
	if (search->task_imp < 0 && search->group_imp < 0) {
		refuse(search, HN_WHY_MOVE_NEGATIVE);
		return;
	}
	search->dist = dist;
	search_node(search, nid, false);
}

static bool needs_other_nodes(const struct hn_search *search, const struct hn_core_task *task)
{
	if (search->best_cpu == HN_CPU_NONE)
		return true;
	return search->core->policy->search_others_for_group && task->group != HN_GROUP_NONE &&
	       search->core->groups[task->group].nr_active_nodes > 1;
}

static void search_all_nodes(struct hn_search *search)
{
	struct hn_core *core = search->core;
	const struct hn_core_task *task = hn_core_get_task(core, search->task);
	hn_nid preferred = task->preferred_nid;

	search->dist = hn_machine_distance(core->machine, search->src_nid, preferred);
	weigh_source(search);
	read_node(search, search->src_nid, &search->src);
	weigh_move(search, preferred, search->dist);
	search_node(search, preferred, true);
	if (!needs_other_nodes(search, task))
		return;
	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		if ((hn_nid)nid != search->src_nid && (hn_nid)nid != preferred &&
		    hn_core_node_takes_part(core, nid))
			search_other_node(search, (hn_nid)nid);
	}
}

/* ---- what follows ---- */

static void change_preferred(struct hn_search *search, hn_nid nid)
{
	if (hn_core_get_task(search->core, search->task)->preferred_nid != nid)
		hn_place_set_preferred(search->core, search->task, nid);
}

/* V11. The task is to settle on the node that it goes to, or stays on, within the nodes of its
 * group. */
static void update_preferred(struct hn_search *search)
{
	struct hn_core *core = search->core;
	int32_t group = hn_core_get_task(core, search->task)->group;
	bool has_found = search->best_cpu != HN_CPU_NONE;
	hn_nid last = search->dst_nid;

	switch ((enum hn_preferred_update)core->policy->preferred_update) {
	case HN_PREFERRED_UPDATE_ALWAYS_LAST_DST:
		if (has_found)
			change_preferred(search, last);
		break;
	case HN_PREFERRED_UPDATE_SUCCESS_ACTIVE:
		if (has_found && group != HN_GROUP_NONE && hn_group_is_active(core, group, last))
			change_preferred(search, last);
		break;
	case HN_PREFERRED_UPDATE_NID_ACTIVE:
		/* QUIRK: one node is tested and, without success, another is set. */
		if (group != HN_GROUP_NONE &&
		    hn_group_is_active(core, group, has_found ? last : search->src_nid))
			change_preferred(search, last);
		break;
	case HN_PREFERRED_UPDATE_LAST_DST_ACTIVE:
		/* QUIRK: the node searched last, which need not be that of the CPU found. */
		if (group != HN_GROUP_NONE && core->groups[group].nr_active_nodes > 1 &&
		    hn_group_is_active(core, group, last))
			change_preferred(search, last);
		break;
	case HN_PREFERRED_UPDATE_BEST_NODE:
		if (group != HN_GROUP_NONE)
			change_preferred(search, has_found ? hn_machine_nid(core->machine,
									    search->best_cpu) :
							     search->src_nid);
		break;
	}
}

/* A move under way starts the scan period anew (up to v4.18), to learn soon how the new place
 * is. */
static void reset_period(struct hn_core *core, hn_task_id id)
{
	struct hn_core_task *task = hn_core_get_task(core, id);

	if (core->policy->scan_reset != HN_SCAN_RESET_AT_NUMA_MOVE)
		return;
	task->scan_period_ms = core->policy->period_starts_at_start ?
				       hn_scan_period_ms_start(core, task) :
				       hn_scan_period_ms_min(core, task);
}

/* With idle_sibling_per_cpu off, one search for an idle sibling serves the CPU finally chosen. */
static uint32_t count_idle_searches(const struct hn_search *search)
{
	const struct hn_policy *policy = search->core->policy;

	if (policy->idle_sibling_per_cpu || search->best_cpu == HN_CPU_NONE ||
	    search->best_task != HN_TASK_NONE)
		return search->nr_idle_searches;
	return policy->idle_target == HN_IDLE_TARGET_SIBLING ||
	       policy->idle_target == HN_IDLE_TARGET_SIBLING_LATE;
}

static void fill_decision(const struct hn_search *search, struct hn_decision *decision)
{
	const struct hn_policy *policy = search->core->policy;

	decision->nr_cpus_examined = search->nr_cpus_examined;
	decision->nr_idle_searches = count_idle_searches(search);
	if (search->best_cpu == HN_CPU_NONE) {
		decision->kind = HN_DECIDE_STICK;
		decision->why = search->last_why == HN_WHY_NONE ? HN_WHY_MOVE_NO_CANDIDATE :
								  search->last_why;
		decision->traces_stick = policy->stick_trace_when_none;
		return;
	}
	decision->kind = search->best_task == HN_TASK_NONE ? HN_DECIDE_MOVE : HN_DECIDE_SWAP;
	decision->why = search->best_why;
	decision->other = search->best_task;
	decision->dst_cpu = search->best_cpu;
	decision->imp = search->best_imp;
	decision->traces_stick = true;
	decision->sets_migrate_on = policy->numa_migrate_on;
}

/* Why there is nothing to search; HN_WHY_NONE: go on. */
static enum hn_why find_obstacle(struct hn_core *core, const struct hn_view *view, hn_nid src_nid)
{
	const struct hn_core_task *task = hn_core_get_task(core, view->task);

	if (task->preferred_nid == HN_NID_NONE || !task->has_faults)
		return HN_WHY_MOVE_NO_PREFERRED;
	if (!view->has_numa_domain) {
		/* Locked into one node, by a cpuset: there is no point in trying again. */
		hn_place_set_preferred(core, view->task, src_nid);
		return HN_WHY_MOVE_NO_DOMAIN;
	}
	return task->preferred_nid == src_nid ? HN_WHY_MOVE_ON_PREFERRED : HN_WHY_NONE;
}

void hn_core_pick_cpu(struct hn_core *core, hn_time_ns now_ns HN_UNUSED, struct hn_view *view,
		      struct hn_decision *ret_decision)
{
	struct hn_search search = {
		.core = core,
		.view = view,
		.task = view->task,
		.src_cpu = view->task_cpu,
		.src_nid = hn_machine_nid(core->machine, view->task_cpu),
		.best_cpu = HN_CPU_NONE,
		.best_task = HN_TASK_NONE,
	};
	struct hn_decision decision = {
		.kind = HN_DECIDE_NOTHING,
		.task = view->task,
		.other = HN_TASK_NONE,
		.src_cpu = view->task_cpu,
		.dst_cpu = HN_CPU_NONE,
	};

	decision.why = find_obstacle(core, view, search.src_nid);
	if (decision.why == HN_WHY_NONE) {
		search.imbalance_pct = 100 + (view->imbalance_pct - 100) / 2;
		search.dst_nid = hn_core_preferred_nid(core, view->task);
		search_all_nodes(&search);
		update_preferred(&search);
		fill_decision(&search, &decision);
		if (decision.kind != HN_DECIDE_STICK)
			reset_period(core, view->task);
	}
	if (decision.kind != HN_DECIDE_STICK)
		hn_core_count_why(core, decision.why);
	else
		hn_core_count_why(core, HN_WHY_MOVE_NO_CANDIDATE);
	*ret_decision = decision;
}
