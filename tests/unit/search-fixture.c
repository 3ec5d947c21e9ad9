/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "search-fixture.h"

#include <string.h>

/* The tests fill all CPUs beforehand. */
static void fill_nothing(void *ctx HN_UNUSED, struct hn_view *view HN_UNUSED, hn_nid nid HN_UNUSED)
{
}

static void fill_idle_cpu(struct hn_view_cpu *cpu)
{
	*cpu = (struct hn_view_cpu){
		.curr = HN_TASK_NONE,
		.capacity = 1024,
		.is_idle = true,
		.is_core_idle = true,
		.is_llc_with_idle_core = true,
	};
}

void search_fixture_init(struct search_fixture *s, uint32_t nr_nodes)
{
	memset(s, 0, sizeof(*s));
	core_fixture_init(&s->base, nr_nodes);
	s->all_cpus[0] = 255;
	s->task_allowed[0] = 255;
	for (uint32_t c = 0; c < FIXTURE_CPUS_MAX; c++)
		fill_idle_cpu(&s->cpus[c]);
	s->view = (struct hn_view){
		.cpus = s->cpus,
		.task = 0,
		.task_cpu = 0,
		.task_h_load = FIXTURE_LOAD,
		.task_allowed = s->task_allowed,
		.has_numa_domain = true,
		.imbalance_pct = 125,
		.imb_numa_nr = 1,
		.has_smt = nr_nodes == 2,
		.fill = fill_nothing,
	};
}

void search_fixture_use_v4_19(struct search_fixture *s)
{
	struct hn_policy *policy = &s->base.policy;

	policy->active_nodes_cpu_only = false;
	policy->node_stats = HN_NODE_STATS_LOAD;
	policy->stop_at_idle = false;
	policy->idle_sibling_per_cpu = true;
	policy->idle_target = HN_IDLE_TARGET_SIBLING;
	policy->idle_core_rule = HN_IDLE_CORE_RULE_NONE;
	policy->idle_shortcut = false;
	policy->swap_prefers = false;
	policy->swap_skip_group_spare = false;
	policy->imbalance_allowance = HN_IMBALANCE_ALLOWANCE_NONE;
	policy->stick_trace_when_none = false;
}

void search_fixture_use_v4_19_rc1(struct search_fixture *s)
{
	struct hn_policy *policy = &s->base.policy;

	search_fixture_use_v4_19(s);
	policy->compare_order = HN_COMPARE_ORDER_V4_19_RC1;
	policy->idle_cpu_rule = HN_IDLE_CPU_RULE_BEST_IMP;
	policy->small_imp = 0;
	policy->move_imp_minus_one = true;
	policy->swap_gain = HN_SWAP_GAIN_CURR_GROUP;
	policy->numa_migrate_on = false;
	policy->scan_reset = HN_SCAN_RESET_AT_NUMA_MOVE;
}

void search_fixture_use_v4_9(struct search_fixture *s)
{
	struct hn_policy *policy = &s->base.policy;

	search_fixture_use_v4_19_rc1(s);
	policy->compare_order = HN_COMPARE_ORDER_V3_19;
	policy->idle_cpu_rule = HN_IDLE_CPU_RULE_CLASSIC;
	policy->node_stats = HN_NODE_STATS_SMT_TASKS;
	policy->node_gate = HN_NODE_GATE_HAS_CAPACITY;
	policy->idle_target = HN_IDLE_TARGET_SIBLING_LATE;
	policy->too_imbalanced = HN_TOO_IMBALANCED_PCT_CAPACITY;
	policy->preferred_update = HN_PREFERRED_UPDATE_LAST_DST_ACTIVE;
	policy->period_starts_at_start = false;
	policy->weight_near_at_limit = true;
	policy->placement_at_retry = false;
	policy->placement_migrate = HN_PLACEMENT_MIGRATE_OFF_NODE;
	policy->best_node = HN_BEST_NODE_GROUP_TASK_MAX;
	policy->period_rule = HN_PERIOD_RULE_LOCAL;
	policy->private_ratio_plus_one = true;
}

void search_fixture_use_v3_13(struct search_fixture *s)
{
	struct hn_policy *policy = &s->base.policy;

	search_fixture_use_v4_9(s);
	policy->compare_order = HN_COMPARE_ORDER_V3_13;
	policy->node_stats = HN_NODE_STATS_SCALED_POWER;
	policy->node_gate = HN_NODE_GATE_FREE_CAPACITY;
	policy->idle_target = HN_IDLE_TARGET_PLAIN;
	policy->too_imbalanced = HN_TOO_IMBALANCED_PCT_SIMPLE;
	policy->preferred_update = HN_PREFERRED_UPDATE_ALWAYS_LAST_DST;
	policy->search_others_for_group = false;
	policy->weight_near = false;
	policy->topology_rule = HN_TOPOLOGY_RULE_NONE;
	policy->active_nodes = HN_ACTIVE_NODES_NONE;
	policy->active_group_local = false;
	policy->faults_cpu_weight = HN_FAULTS_CPU_WEIGHT_NONE;
	policy->decay_rounds_up = false;
	policy->counts_failed_pages = false;
	policy->placement_migrate = HN_PLACEMENT_MIGRATE_ON_CHANGE;
	policy->best_node = HN_BEST_NODE_TASK_GROUP_SUM;
	policy->retry_by_period = false;
	policy->period_threshold = 3;
	policy->private_ratio_plus_one = false;
}

void search_fixture_start(struct search_fixture *s)
{
	core_fixture_start(&s->base);
	for (hn_task_id task = 0; task < 8; task++)
		core_fixture_fork(&s->base, task, HN_TASK_NONE, 0);
	hn_core_get_task(s->base.core, 0)->preferred_nid = 1;
	search_fixture_run(s, 0, 0);
}

void search_fixture_run(struct search_fixture *s, hn_cpu cpu, hn_task_id task)
{
	s->cpus[cpu] = (struct hn_view_cpu){
		.curr = task,
		.nr_running = 1,
		.nr_fair = 1,
		.load = FIXTURE_LOAD,
		.runnable = 1024,
		.util = 1024,
		.capacity = 1024,
		.is_llc_with_idle_core = true,
		.curr_h_load = FIXTURE_LOAD,
		.curr_allowed = s->all_cpus,
	};
}

void search_fixture_fault(struct search_fixture *s, hn_task_id task, uint64_t on_0, uint64_t on_1)
{
	core_fixture_set_faults(&s->base, task, HN_STAT_MEM, 0, on_0);
	core_fixture_set_faults(&s->base, task, HN_STAT_MEM, 1, on_1);
}

void search_fixture_allow(struct search_fixture *s, uint64_t cpus)
{
	s->task_allowed[0] = cpus;
}

const struct hn_decision *search_fixture_pick(struct search_fixture *s)
{
	memset(s->view.filled, 0, sizeof(s->view.filled));
	hn_core_pick_cpu(s->base.core, 0, &s->view, &s->decision);
	return &s->decision;
}
