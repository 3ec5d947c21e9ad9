/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linux v3.13. A comment at a value says what changed since v3.8. */
#include "policy/rows/rows.h"

const struct hn_policy hn_policy_row_v3_13 = {
	.name = "v3.13",
	.summary = "fault statistics per task, groups, a preferred node, task moves and swaps",
	.source = "Linux v3.13 (read: v3.13.10) kernel/sched/fair.c, kernel/sched/core.c, "
		  "mm/mempolicy.c, mm/mprotect.c, mm/huge_memory.c, mm/migrate.c",

	/* what runs at all */
	.numa_mode = HN_NUMA_MODE_NORMAL,
	.static_placement = HN_STATIC_PLACEMENT_NONE,

	/* scan timing */
	.scan_delay_ms = 1000,
	.scan_period_ms_min = 1000, /* after v3.9 */
	.scan_period_ms_max = 60000, /* after v3.9 */
	.scan_period_ms_reset = 0, /* gone after v3.9 */
	.scan_size_mb = 256,
	.scan_model = HN_SCAN_MODEL_PER_TASK, /* v3.13: the period is the task's own */
	.scan_group_period = false,
	.scan_virt_budget = false,
	.scan_repay = false,
	.scan_trylock = false,
	.scan_charge = HN_SCAN_CHARGE_CUMULATIVE, /* after v3.9 */
	.thread_scan_stagger = false,
	.stamp_is_reset = false, /* after v3.9: advanced by the period */
	.period_starts_at_start = false,
	.stamp_wraps = true,
	.fork_inherits_retry = true,

	/* the walk */
	.vma_skip_small = false, /* after v3.9 */
	.vma_skip_shared_ro = true, /* after v3.9 */
	.vma_skip_hugetlb = false,
	.vma_scan_rule = HN_VMA_SCAN_RULE_ALL,
	.cpuset_skip = false,

	/* marking */
	.mark_cow_rule = HN_MARK_COW_RULE_NONE, /* v3.13 .. v4.15 do not test */
	.mark_skip_dirty_file = false,
	.mark_skip_ksm = false,
	.mark_skip_local_private = false,
	.mark_tests_huge = false,

	/* page decision */
	.fault_filter = HN_FAULT_FILTER_DEFERRED, /* v3.13 */
	/* de1c9ce6f07f ("sched/numa: Skip some page migrations after a shared fault");
	 * v3.13 and v3.14 */
	.migrate_deferred = 16,
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
	.groups = true, /* v3.13 */
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
	.period_rule = HN_PERIOD_RULE_LOCAL, /* v3.13 */
	.period_threshold = 3,
	.private_ratio_plus_one = false,
	.clear_locality_on_stall = false,
	.scan_reset = HN_SCAN_RESET_AT_NUMA_MOVE, /* v3.13: V12 */

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
	/* v3.13: NUMA_FAVOUR_HIGHER on, NUMA_RESIST_LOWER off */
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
