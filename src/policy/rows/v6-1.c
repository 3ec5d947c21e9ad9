/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linux v6.1. A comment at a value says what changed since v5.19. */
#include "policy/rows/rows.h"

const struct hn_policy hn_policy_row_v6_1 = {
	.name = "v6.1",
	.summary = "memory tiering, searches limited by utilisation, no swaps in a group "
		   "while there is room",
	.source = "Linux v6.1 (read: v6.1.192, without what it backports) "
		  "kernel/sched/fair.c, kernel/sched/topology.c, mm/mempolicy.c, "
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
	.scan_group_period = true,
	.scan_virt_budget = true,
	.scan_repay = true,
	.scan_trylock = true,
	.scan_charge = HN_SCAN_CHARGE_CHUNK,
	.thread_scan_stagger = true,
	.stamp_is_reset = false,
	.period_starts_at_start = true,
	.stamp_wraps = false,
	.fork_inherits_retry = false, /* v6.1 */

	/* the walk */
	.vma_skip_small = false,
	.vma_skip_shared_ro = true,
	.vma_skip_hugetlb = true,
	.vma_scan_rule = HN_VMA_SCAN_RULE_ALL,
	.cpuset_skip = false,

	/* marking */
	.mark_cow_rule = HN_MARK_COW_RULE_REFCOUNT,
	.mark_skip_dirty_file = true,
	.mark_skip_ksm = true,
	.mark_skip_local_private = true,
	.mark_tests_huge = false,

	/* page decision */
	.fault_filter = HN_FAULT_FILTER_CPU_PRESSURE,
	.migrate_deferred = 0,
	.early_migrate = true,
	.memoryless_target_check = false,
	.counts_compound_pte = false,
	.refuse_dirty_file = true,
	.page_rate_limit = false,
	.thp_migration = HN_THP_MIGRATION_GENERIC,
	.thp_refuse_shared = true,
	.tiering_decision = true, /* v6.1 */
	.hot_threshold_ms = 1000, /* takes effect in v6.1 */
	.promote_rate_limit_mbps = 65536, /* takes effect in v6.1 */
	.untracked_slow_skip = true, /* v6.1 */

	/* statistics and groups */
	.groups = true,
	.active_nodes = HN_ACTIVE_NODES_COUNT,
	.active_nodes_cpu_only = true,
	.active_group_local = true,
	.faults_cpu_weight = HN_FAULTS_CPU_WEIGHT_CPU_SHARE,
	.first_runtime = HN_FIRST_RUNTIME_LOAD_SUM,
	.decay_rounds_up = true,
	.exec_resets = true,
	.counts_failed_pages = true,

	/* placement */
	.placement_at_retry = true,
	.best_node = HN_BEST_NODE_GROUP,
	.placement_migrate = HN_PLACEMENT_MIGRATE_NEVER,
	.retry_by_period = true,
	.weight_near = true,
	.weight_near_at_limit = false,
	.topology_rule = HN_TOPOLOGY_RULE_DIRECT_MESH_BACKPLANE,

	/* scan period adaptation */
	.period_rule = HN_PERIOD_RULE_LOCAL_OR_PRIVATE,
	.period_threshold = 7,
	.private_ratio_plus_one = false,
	.clear_locality_on_stall = false,
	.scan_reset = HN_SCAN_RESET_AT_NODE_CHANGE,

	/* searching a CPU */
	.node_gate = HN_NODE_GATE_NONE,
	.node_stats = HN_NODE_STATS_TYPED,
	.search_others_for_group = true,
	.compare_order = HN_COMPARE_ORDER_V4_19,
	.idle_cpu_rule = HN_IDLE_CPU_RULE_MAYMOVE_BEST,
	.stop_at_idle = true,
	.idle_sibling_per_cpu = false,
	.idle_target = HN_IDLE_TARGET_NODE_CACHED,
	.idle_core_rule = HN_IDLE_CORE_RULE_SIBLINGS,
	.idle_shortcut = true,
	.small_imp = 30,
	.move_imp_minus_one = false,
	.swap_gain = HN_SWAP_GAIN_BOTH_GROUPS,
	.swap_prefers = true,
	.swap_skip_group_spare = true, /* v6.1, or v6.0: V17 */
	.kthread_is_idle = false,
	.too_imbalanced = HN_TOO_IMBALANCED_ABSOLUTE,
	.numa_migrate_on = true,
	.preferred_update = HN_PREFERRED_UPDATE_BEST_NODE,
	.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR,
	.imb_numa_nr_div = 8, /* v6.1, or v6.0 */
	.imb_numa_nr_min_one = true, /* v6.1, or v6.0 */
	.stick_trace_when_none = true,

	/* the scheduler under it */
	.order = HN_SCHED_ORDER_CFS,
	.base_slice_us = 750,
	.nr_latency = 8,
	.load_signal = HN_LOAD_SIGNAL_LOAD_AVG,
	.balance = HN_BALANCE_RULE_GROUP_TYPES,
	.children = HN_CHILDREN_LOCAL_IMB,
	.degrades = HN_DEGRADES_RULE_V4_19,
	.busy_factor = 16,
	.numa_imbalance_pct = 117,
	.balance_allows_numa = true,
	.newidle_by_cost = true,
	.balance_prefers_core = false,
	.sibling_imbalance = false,
	.wake = HN_WAKE_RULE_IDLE_THEN_WEIGHT,
	.idle_search = HN_IDLE_SEARCH_ONE_PASS,
	.idle_estimate = HN_IDLE_ESTIMATE_AGED, /* computed, and used only with sis=prop */
	/* 70fb5ccf2ebb ("sched/fair: Introduce SIS_UTIL to search idle CPU based on sum of
	 * util_avg"), v6.0 */
	.sis = HN_SIS_RULE_UTIL,
};
