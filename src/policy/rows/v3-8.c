/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linux v3.8, the first row of the history. Parts that came later (statistics, groups,
 * placement, search) hold the values of v3.13, or off; they have no effect here. */
#include "policy/rows/rows.h"

const struct hn_policy hn_policy_row_v3_8 = {
	.name = "v3.8",
	.summary = "the first automatic balancing in Linux: pages follow faults, tasks are "
		   "left alone",
	.source = "Linux v3.8 (read: v3.8.13) kernel/sched/fair.c, kernel/sched/core.c, "
		  "mm/mempolicy.c, mm/mprotect.c, mm/huge_memory.c, mm/migrate.c",

	/* what runs at all */
	.numa_mode = HN_NUMA_MODE_NORMAL,
	.static_placement = HN_STATIC_PLACEMENT_NONE,

	/* scan timing */
	.scan_delay_ms = 1000,
	.scan_period_ms_min = 100,
	.scan_period_ms_max = 5000, /* 100 ms * 50 */
	.scan_period_ms_reset = 60000, /* 100 ms * 600 */
	.scan_size_mb = 256,
	.scan_model = HN_SCAN_MODEL_FIRST_NID,
	.scan_group_period = false,
	.scan_virt_budget = false,
	.scan_repay = false,
	.scan_trylock = false,
	.scan_charge = HN_SCAN_CHARGE_UPDATES,
	.thread_scan_stagger = false,
	.stamp_is_reset = true,
	.period_starts_at_start = false,
	.stamp_wraps = true,
	.fork_inherits_retry = true, /* no effect: there is nothing to retry */

	/* the walk */
	.vma_skip_small = true,
	.vma_skip_shared_ro = false,
	.vma_skip_hugetlb = false,
	.vma_scan_rule = HN_VMA_SCAN_RULE_ALL,
	.cpuset_skip = false,

	/* marking */
	.mark_cow_rule = HN_MARK_COW_RULE_MAPCOUNT_ONE_ALL,
	.mark_skip_dirty_file = false,
	.mark_skip_ksm = false,
	.mark_skip_local_private = false,
	.mark_tests_huge = false,

	/* page decision */
	.fault_filter = HN_FAULT_FILTER_LAST_NID,
	.migrate_deferred = 0,
	.early_migrate = false,
	.memoryless_target_check = false,
	.counts_compound_pte = true,
	.refuse_dirty_file = false,
	.page_rate_limit = true,
	.thp_migration = HN_THP_MIGRATION_NATIVE,
	.thp_refuse_shared = true, /* any extra reference refuses */
	.tiering_decision = false,
	.hot_threshold_ms = 1000, /* no effect without tiering_decision */
	.promote_rate_limit_mbps = 65536, /* no effect without tiering_decision */
	.untracked_slow_skip = false,

	/* statistics and groups */
	.groups = false,
	.active_nodes = HN_ACTIVE_NODES_NONE,
	.active_nodes_cpu_only = false,
	.active_group_local = false,
	.faults_cpu_weight = HN_FAULTS_CPU_WEIGHT_NONE,
	.first_runtime = HN_FIRST_RUNTIME_RUNNABLE_AVG,
	.decay_rounds_up = false,
	.exec_resets = false,
	.counts_failed_pages = false,

	/* placement */
	.placement_at_retry = false,
	.best_node = HN_BEST_NODE_TASK_GROUP_SUM,
	.placement_migrate = HN_PLACEMENT_MIGRATE_ON_CHANGE,
	.retry_by_period = false,
	.weight_near = false,
	.weight_near_at_limit = false,
	.topology_rule = HN_TOPOLOGY_RULE_NONE,

	/* scan period adaptation */
	.period_rule = HN_PERIOD_RULE_FAULTS,
	.period_threshold = 3,
	.private_ratio_plus_one = false,
	.clear_locality_on_stall = false,
	.scan_reset = HN_SCAN_RESET_NONE,

	/* searching a CPU */
	.node_gate = HN_NODE_GATE_FREE_CAPACITY,
	.node_stats = HN_NODE_STATS_SCALED_POWER,
	.search_others_for_group = false,
	.compare_order = HN_COMPARE_ORDER_V3_13,
	.idle_cpu_rule = HN_IDLE_CPU_RULE_CLASSIC,
	.stop_at_idle = false,
	.idle_sibling_per_cpu = false,
	.idle_target = HN_IDLE_TARGET_PLAIN,
	.idle_core_rule = HN_IDLE_CORE_RULE_NONE,
	.idle_shortcut = false,
	.small_imp = 0,
	.move_imp_minus_one = false,
	.swap_gain = HN_SWAP_GAIN_CURR_GROUP,
	.swap_prefers = false,
	.swap_skip_group_spare = false,
	.kthread_is_idle = false,
	.too_imbalanced = HN_TOO_IMBALANCED_PCT_SIMPLE,
	.numa_migrate_on = false,
	.preferred_update = HN_PREFERRED_UPDATE_ALWAYS_LAST_DST,
	.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_NONE,
	.imb_numa_nr_div = 8, /* no effect without imbalance_allowance=imb_numa_nr */
	.imb_numa_nr_min_one = false,
	.stick_trace_when_none = false,

	/* the scheduler under it */
	/* ASSUMES: the scheduler is that of v3.13, the oldest that was read for this part. */
	.order = HN_SCHED_ORDER_CFS,
	.base_slice_us = 750,
	.nr_latency = 8,
	.load_signal = HN_LOAD_SIGNAL_RUNNABLE_LOAD,
	.balance = HN_BALANCE_RULE_LOAD,
	.children = HN_CHILDREN_SPREAD,
	.degrades = HN_DEGRADES_RULE_NEUTRAL,
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
