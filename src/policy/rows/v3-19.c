/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linux v3.19. A comment at a value says what changed since v3.13. */
#include "policy/rows/rows.h"

const struct hn_policy hn_policy_row_v3_19 = {
	.name = "v3.19",
	.summary = "faults weighed by CPU use, active nodes of groups, distances in the weights",
	.source = "Linux v3.19 kernel/sched/fair.c, kernel/sched/core.c, mm/mempolicy.c, "
		  "mm/mprotect.c, mm/huge_memory.c, mm/migrate.c",

	/* what runs at all */
	.numa_mode = HN_NUMA_MODE_NORMAL,
	.static_placement = HN_STATIC_PLACEMENT_NONE,

	/* scan timing */
	.scan_delay_ms = 1000,
	.scan_period_ms_min = 1000,
	.scan_period_ms_max = 60000,
	.scan_period_ms_reset = 0,
	.scan_size_mb = 256,
	.scan_model = HN_SCAN_MODEL_PER_TASK,
	.scan_group_period = false,
	.scan_virt_budget = false,
	.scan_repay = false,
	.scan_trylock = false,
	.scan_charge = HN_SCAN_CHARGE_CUMULATIVE,
	.thread_scan_stagger = false,
	.stamp_is_reset = false,
	.period_starts_at_start = false,
	.stamp_wraps = true,
	.fork_inherits_retry = true,

	/* the walk */
	.vma_skip_small = false,
	.vma_skip_shared_ro = true,
	.vma_skip_hugetlb = false,
	.vma_scan_rule = HN_VMA_SCAN_RULE_ALL,
	.cpuset_skip = false,

	/* marking */
	.mark_cow_rule = HN_MARK_COW_RULE_NONE,
	.mark_skip_dirty_file = false,
	.mark_skip_ksm = true, /* v3.14 .. v3.16 */
	.mark_skip_local_private = false,
	.mark_tests_huge = false,

	/* page decision */
	/* v3.15: pages of a group move among its active nodes */
	.fault_filter = HN_FAULT_FILTER_ACTIVE_MASK,
	.migrate_deferred = 0, /* gone in v3.15 or v3.16 */
	.early_migrate = false,
	.memoryless_target_check = false,
	.counts_compound_pte = true,
	.refuse_dirty_file = false,
	.page_rate_limit = true,
	.thp_migration = HN_THP_MIGRATION_NATIVE,
	.thp_refuse_shared = true,
	.tiering_decision = false,
	.hot_threshold_ms = 1000,
	.promote_rate_limit_mbps = 65536,
	.untracked_slow_skip = false,

	/* statistics and groups */
	.groups = true,
	/* 20e07dea286a ("sched/numa: Build per numa_group active node mask from
	 * numa_faults_cpu statistics"), v3.15 */
	.active_nodes = HN_ACTIVE_NODES_MASK,
	.active_nodes_cpu_only = false,
	.active_group_local = true, /* v3.15 */
	/* 7e2703e60996 ("sched/numa: Normalize faults_cpu stats and weigh by CPU use"), v3.15 */
	.faults_cpu_weight = HN_FAULTS_CPU_WEIGHT_CPU_SHARE,
	.first_runtime = HN_FIRST_RUNTIME_RUNNABLE_AVG,
	.decay_rounds_up = true, /* v3.15 */
	.exec_resets = false,
	.counts_failed_pages = false,

	/* placement */
	.placement_at_retry = false,
	.best_node = HN_BEST_NODE_GROUP_TASK_MAX, /* v3.19 */
	.placement_migrate = HN_PLACEMENT_MIGRATE_OFF_NODE, /* v3.19 */
	.retry_by_period = true, /* v3.15 */
	.weight_near = true, /* v3.19 */
	.weight_near_at_limit = true, /* v3.19 */
	/* v3.19, with its mistake about two-node machines */
	.topology_rule = HN_TOPOLOGY_RULE_BROKEN_DIRECT,

	/* scan period adaptation */
	.period_rule = HN_PERIOD_RULE_LOCAL,
	.period_threshold = 7, /* v3.19 */
	.private_ratio_plus_one = true, /* v3.19 */
	.clear_locality_on_stall = false,
	.scan_reset = HN_SCAN_RESET_AT_NUMA_MOVE,

	/* searching a CPU */
	.node_gate = HN_NODE_GATE_NONE, /* v3.19 */
	.node_stats = HN_NODE_STATS_SMT_TASKS, /* v3.19: V3 */
	.search_others_for_group = true, /* v3.19 */
	.compare_order = HN_COMPARE_ORDER_V3_19, /* v3.19 */
	.idle_cpu_rule = HN_IDLE_CPU_RULE_CLASSIC,
	.stop_at_idle = false,
	.idle_sibling_per_cpu = true, /* v3.19 */
	.idle_target = HN_IDLE_TARGET_SIBLING_LATE, /* v3.19: V4 */
	.idle_core_rule = HN_IDLE_CORE_RULE_NONE,
	.idle_shortcut = false,
	.small_imp = 0,
	.move_imp_minus_one = true, /* v3.19: V6 */
	.swap_gain = HN_SWAP_GAIN_CURR_GROUP,
	.swap_prefers = false,
	.swap_skip_group_spare = false,
	.kthread_is_idle = false,
	.too_imbalanced = HN_TOO_IMBALANCED_PCT_CAPACITY, /* v3.19: V8 */
	.numa_migrate_on = false,
	.preferred_update = HN_PREFERRED_UPDATE_NID_ACTIVE, /* v3.19: V11 */
	.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_NONE,
	.imb_numa_nr_div = 8,
	.imb_numa_nr_min_one = false,
	.stick_trace_when_none = false,

	/* the scheduler under it */
	.order = HN_SCHED_ORDER_CFS,
	.base_slice_us = 750,
	.nr_latency = 8,
	.load_signal = HN_LOAD_SIGNAL_RUNNABLE_LOAD,
	.balance = HN_BALANCE_RULE_LOAD,
	.children = HN_CHILDREN_SPREAD,
	.degrades = HN_DEGRADES_RULE_V3_16, /* v3.15 or v3.16: by active nodes */
	.busy_factor = 32,
	.numa_imbalance_pct = 125,
	.balance_allows_numa = false,
	.newidle_by_cost = false,
	.balance_prefers_core = false,
	.sibling_imbalance = false,
	.wake = HN_WAKE_RULE_LOAD_ONLY,
	.idle_search = HN_IDLE_SEARCH_GROUP_SCAN,
	.idle_estimate = HN_IDLE_ESTIMATE_LOCAL,
	.sis = HN_SIS_RULE_NONE,
};
