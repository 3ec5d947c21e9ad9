/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The patch of the 2013/14 thread as posted, on v3.13 and the parts of its own series on
 * which it rests. A comment at a value says what differs from v3.13. The one field under
 * argument alone: v3.19+faults_cpu_weight=seed. */
#include "policy/rows/rows.h"

const struct hn_policy hn_policy_row_list_riel_2013 = {
	.name = "list:riel-2013",
	.summary = "CPU faults weighed by share of CPU time, in 1/16384, as first posted",
	.source = "LKML, Rik van Riel, \"[PATCH 6/9] numa,sched: normalize faults_cpu "
		  "stats and weigh by CPU use\" (series of January 2014); merged in "
		  "another form as 7e2703e60996 for v3.15",

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
	.mark_skip_ksm = false,
	.mark_skip_local_private = false,
	.mark_tests_huge = false,

	/* page decision */
	/* ASSUMES: the same series, as read in v3.16. */
	.fault_filter = HN_FAULT_FILTER_ACTIVE_MASK,
	/* ASSUMES: the same series, as read in v3.16. */
	.migrate_deferred = 0,
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
	/* the same series: the patch shows the mask in struct numa_group */
	.active_nodes = HN_ACTIVE_NODES_MASK,
	.active_nodes_cpu_only = false,
	/* ASSUMES: the same series, as read in v3.16. */
	.active_group_local = true,
	/* the patch itself: one division by total * period + 1 */
	.faults_cpu_weight = HN_FAULTS_CPU_WEIGHT_SEED,
	/* the patch itself: runnable_avg_sum over runnable_avg_period */
	.first_runtime = HN_FIRST_RUNTIME_RUNNABLE_AVG,
	.decay_rounds_up = false, /* the patch halves by a shift, which rounds down */
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
	.period_rule = HN_PERIOD_RULE_LOCAL,
	.period_threshold = 3,
	.private_ratio_plus_one = false,
	.clear_locality_on_stall = false,
	.scan_reset = HN_SCAN_RESET_AT_NUMA_MOVE,

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
	.degrades = HN_DEGRADES_RULE_V3_13,
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
