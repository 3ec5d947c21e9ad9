/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy-enums.h - the named rules among which a policy field chooses.
 *
 * One list per field type: V(TYPE, ID, "name", "what the rule does"). From each list follow the
 * enum (HN_<TYPE>_<ID>), its names for the command line, and the text of `policy show`.
 * docs/policies/rules.md says in which release each rule came and where it was argued. */
#ifndef HN_POLICY_POLICY_ENUMS_H
#define HN_POLICY_POLICY_ENUMS_H

#define HN_LIST_NUMA_MODE(V) \
	V(NUMA_MODE, OFF, "off", "no automatic balancing") \
	V(NUMA_MODE, NORMAL, "normal", "pages and tasks move towards each other") \
	V(NUMA_MODE, TIERING, "tiering", "only promotion from slow memory") \
	V(NUMA_MODE, BOTH, "both", "normal balancing and promotion")

#define HN_LIST_STATIC_PLACEMENT(V) \
	V(STATIC_PLACEMENT, NONE, "none", "the kernel's defaults: tasks free, memory by first touch") \
	V(STATIC_PLACEMENT, HARD_BIND, "hard_bind", "threads spread over nodes in blocks and bound there with their memory") \
	V(STATIC_PLACEMENT, INVERSE_BIND, "inverse_bind", "as hard_bind, but memory bound to the farthest node") \
	V(STATIC_PLACEMENT, INTERLEAVE, "interleave", "tasks free, all memory interleaved page by page")

#define HN_LIST_SCAN_MODEL(V) \
	V(SCAN_MODEL, FIRST_NID, "first_nid", "v3.8: nothing until the process ran on a second node; faults stretch the period") \
	V(SCAN_MODEL, PER_TASK, "per_task", "v3.13: each task has a period that its faults adapt")

#define HN_LIST_SCAN_CHARGE(V) \
	V(SCAN_CHARGE, UPDATES, "updates", "the budget shrinks by entries changed") \
	V(SCAN_CHARGE, CUMULATIVE, "cumulative", "after the first hit of a work item every chunk is charged") \
	V(SCAN_CHARGE, CHUNK, "chunk", "a chunk is charged as a whole when it changed an entry")

#define HN_LIST_VMA_SCAN_RULE(V) \
	V(VMA_SCAN_RULE, ALL, "all", "every mapping") \
	V(VMA_SCAN_RULE, RECENT_PIDS, "recent_pids", "after two passes, only mappings that the scanning task touched lately") \
	V(VMA_SCAN_RULE, PARTIAL, "partial", "and partly scanned mappings are finished, one mapping is forced when all are skipped") \
	V(VMA_SCAN_RULE, SEQ_THRESHOLD, "seq_threshold", "and mappings unscanned for more passes than there are threads")

#define HN_LIST_MARK_COW_RULE(V) \
	V(MARK_COW_RULE, MAPCOUNT_ONE_ALL, "mapcount_one_all", "only pages mapped once become hints, in any mapping") \
	V(MARK_COW_RULE, NONE, "none", "no test of sharing") \
	V(MARK_COW_RULE, MAPCOUNT, "mapcount", "in copy-on-write mappings, pages mapped once") \
	V(MARK_COW_RULE, REFCOUNT, "refcount", "in copy-on-write mappings, pages with one reference") \
	V(MARK_COW_RULE, MAYBE_SHARED, "maybe_shared", "in copy-on-write mappings, pages neither pinned nor likely shared")

#define HN_LIST_FAULT_FILTER(V) \
	V(FAULT_FILTER, LAST_NID, "last_nid", "v3.8: two faults in a row from one node") \
	V(FAULT_FILTER, DEFERRED, "deferred", "v3.13: and shared pages wait for a count of faults") \
	V(FAULT_FILTER, ACTIVE_MASK, "active_mask", "v3.15: and groups move pages among their active nodes only") \
	V(FAULT_FILTER, CPU_PRESSURE, "cpu_pressure", "v4.6: and groups move pages where use per page is higher")

#define HN_LIST_THP_MIGRATION(V) \
	V(THP_MIGRATION, SPLIT_COLLAPSE, "split_collapse", "split, move base pages, collapse later") \
	V(THP_MIGRATION, NATIVE, "native", "moved whole by code of its own") \
	V(THP_MIGRATION, GENERIC, "generic", "moved whole through migration entries")

#define HN_LIST_ACTIVE_NODES(V) \
	V(ACTIVE_NODES, NONE, "none", "groups do not know active nodes") \
	V(ACTIVE_NODES, MASK, "mask", "a mask with hysteresis: joins above 6/16 of the maximum, leaves below 3/16") \
	V(ACTIVE_NODES, COUNT, "count", "nodes with more than a third of the maximum")

#define HN_LIST_FAULTS_CPU_WEIGHT(V) \
	V(FAULTS_CPU_WEIGHT, NONE, "none", "no statistics of where the faulting CPUs are") \
	V(FAULTS_CPU_WEIGHT, RAW, "raw", "counts of faults") \
	V(FAULTS_CPU_WEIGHT, SEED, "seed", "share of faults x share of CPU time, in 1/16384, as posted in 2013") \
	V(FAULTS_CPU_WEIGHT, CPU_SHARE, "cpu_share", "share of faults x share of CPU time, in 1/65536, as merged")

#define HN_LIST_FIRST_RUNTIME(V) \
	V(FIRST_RUNTIME, RUNNABLE_AVG, "runnable_avg", "before the first window: runnable time over tracked time") \
	V(FIRST_RUNTIME, LOAD_SUM, "load_sum", "before the first window: load sum over its maximum")

#define HN_LIST_BEST_NODE(V) \
	V(BEST_NODE, TASK_GROUP_SUM, "task_group_sum", "v3.13: most task faults; where task and group differ, the largest sum of weights") \
	V(BEST_NODE, GROUP_TASK_MAX, "group_task_max", "v3.19: the group's node by topology; gain judged by the task's maximum") \
	V(BEST_NODE, GROUP, "group", "v4.19: the group's node by topology and by the group's maximum")

#define HN_LIST_PLACEMENT_MIGRATE(V) \
	V(PLACEMENT_MIGRATE, ON_CHANGE, "on_change", "placement tries to move at once when the preferred node changed") \
	V(PLACEMENT_MIGRATE, OFF_NODE, "off_node", "placement tries to move at once when off the preferred node") \
	V(PLACEMENT_MIGRATE, NEVER, "never", "moves are tried at retry time only")

#define HN_LIST_PERIOD_RULE(V) \
	V(PERIOD_RULE, FAULTS, "faults", "v3.8: each fault that moved nothing adds ten ticks") \
	V(PERIOD_RULE, LOCAL, "local", "v3.13: by the share of local faults, private ones speeding up") \
	V(PERIOD_RULE, LOCAL_OR_PRIVATE, "local_or_private", "v4.15: slower when faults are mostly private or mostly local")

#define HN_LIST_TOPOLOGY_RULE(V) \
	V(TOPOLOGY_RULE, NONE, "none", "distances are not looked at") \
	V(TOPOLOGY_RULE, BROKEN_DIRECT, "broken_direct", "v3.19: machines with two nodes count as backplane") \
	V(TOPOLOGY_RULE, DIRECT_MESH_BACKPLANE, "direct_mesh_backplane", "direct, glueless mesh or backplane")

#define HN_LIST_NODE_GATE(V) \
	V(NODE_GATE, FREE_CAPACITY, "free_capacity", "a node is searched only when it has free capacity") \
	V(NODE_GATE, NONE, "none", "every candidate node is searched") \
	V(NODE_GATE, HAS_CAPACITY, "has_capacity", "a node is searched when it is less loaded than the source")

#define HN_LIST_NODE_STATS(V) \
	V(NODE_STATS, SCALED_POWER, "scaled_power", "v3.13: load scaled by power, capacity by rounding") \
	V(NODE_STATS, SCALED_TASKS, "scaled_tasks", "v3.15: the same with task capacity") \
	V(NODE_STATS, SMT_TASKS, "smt_tasks", "v3.19: load as is, task capacity by threads per core") \
	V(NODE_STATS, LOAD, "load", "v4.20: load and capacity") \
	V(NODE_STATS, TYPED, "typed", "v5.7: load, runnable, utilisation, count: spare, busy or overloaded")

#define HN_LIST_IDLE_CPU_RULE(V) \
	V(IDLE_CPU_RULE, CLASSIC, "classic", "by capacity and balance of the move, as up to v4.18") \
	V(IDLE_CPU_RULE, BEST_IMP, "best_imp", "accept when the node may take the task or the gain is the best so far") \
	V(IDLE_CPU_RULE, MAYMOVE, "maymove", "accept when the node may take the task (Gorman)") \
	V(IDLE_CPU_RULE, MAYMOVE_BEST, "maymove_best", "and the gain is not below the best so far (Dronamraju)")

#define HN_LIST_TOO_IMBALANCED(V) \
	V(TOO_IMBALANCED, PCT_SIMPLE, "pct_simple", "v3.13: the smaller load with its margin stays below the larger") \
	V(TOO_IMBALANCED, PCT_SCALED, "pct_scaled", "v3.16: and worse than before, loads scaled beforehand") \
	V(TOO_IMBALANCED, PCT_CAPACITY, "pct_capacity", "v3.19: and worse than before, with capacities") \
	V(TOO_IMBALANCED, ABSOLUTE, "absolute", "v4.19: the difference of loads grows")

#define HN_LIST_SWAP_GAIN(V) \
	V(SWAP_GAIN, CURR_GROUP, "curr_group", "the partner counts by its group's weight when it has one") \
	V(SWAP_GAIN, BOTH_GROUPS, "both_groups", "by group weights only when both have one")

#define HN_LIST_COMPARE_ORDER(V) \
	V(COMPARE_ORDER, V3_13, "v3_13", "up to v3.18: equal gain replaces, idle by capacity") \
	V(COMPARE_ORDER, V3_19, "v3_19", "v3.19 .. v4.18: early exits by gain, then capacity, then balance") \
	V(COMPARE_ORDER, V4_19_RC1, "v4_19_rc1", "maymove per node, then gain, then balance") \
	V(COMPARE_ORDER, V4_19, "v4_19", "the same with idle CPUs by rule and hysteresis for swaps")

#define HN_LIST_IDLE_TARGET(V) \
	V(IDLE_TARGET, PLAIN, "plain", "the examined CPU itself") \
	V(IDLE_TARGET, SIBLING_LATE, "sibling_late", "search for an idle sibling, for plainly idle targets only") \
	V(IDLE_TARGET, SIBLING, "sibling", "search for an idle sibling for every idle target") \
	V(IDLE_TARGET, NODE_CACHED, "node_cached", "the idle CPU remembered while summing up the node")

#define HN_LIST_IMBALANCE_ALLOWANCE(V) \
	V(IMBALANCE_ALLOWANCE, NONE, "none", "no allowance between nodes") \
	V(IMBALANCE_ALLOWANCE, TWO_RUNNING, "two_running", "v5.7: while at most two tasks run there") \
	V(IMBALANCE_ALLOWANCE, QUARTER, "quarter", "v5.12: while under a quarter of the CPUs run and the difference is at most two") \
	V(IMBALANCE_ALLOWANCE, IMB_NUMA_NR, "imb_numa_nr", "v5.18: by last-level caches per node, difference at most two")

#define HN_LIST_PREFERRED_UPDATE(V) \
	V(PREFERRED_UPDATE, ALWAYS_LAST_DST, "always_last_dst", "v3.13: to the node examined last") \
	V(PREFERRED_UPDATE, SUCCESS_ACTIVE, "success_active", "v3.15: after success, if that node is active for the group") \
	V(PREFERRED_UPDATE, NID_ACTIVE, "nid_active", "v3.19: if the node found (or our own) is active, to the node examined last") \
	V(PREFERRED_UPDATE, LAST_DST_ACTIVE, "last_dst_active", "v4.6: if that node is active, to the node examined last") \
	V(PREFERRED_UPDATE, BEST_NODE, "best_node", "v4.19: to the node of the CPU found, or our own")

#define HN_LIST_SCAN_RESET(V) \
	V(SCAN_RESET, NONE, "none", "moves leave the scan period alone") \
	V(SCAN_RESET, AT_NUMA_MOVE, "at_numa_move", "a NUMA move starts the period anew") \
	V(SCAN_RESET, AT_NODE_CHANGE, "at_node_change", "leaving the preferred node starts the period anew")

#define HN_LIST_IDLE_CORE_RULE(V) \
	V(IDLE_CORE_RULE, NONE, "none", "no idle CPU is remembered") \
	V(IDLE_CORE_RULE, SELF_TEST, "self_test", "v5.7: any candidate counts as idle core when the hint is set") \
	V(IDLE_CORE_RULE, SIBLINGS, "siblings", "v5.15: the first whole idle core wins") \
	V(IDLE_CORE_RULE, SIBLINGS_STOP, "siblings_stop", "v6.4: and the search stops there")

/* The scheduler under it. */

#define HN_LIST_SCHED_ORDER(V) \
	V(SCHED_ORDER, CFS, "cfs", "least virtual runtime first, slices by latency and count") \
	V(SCHED_ORDER, EEVDF, "eevdf", "earliest deadline among the eligible")

#define HN_LIST_LOAD_SIGNAL(V) \
	V(LOAD_SIGNAL, RUNNABLE_LOAD, "runnable_load", "load averages of runnable tasks") \
	V(LOAD_SIGNAL, LOAD_AVG, "load_avg", "load average of the queue, blocked tasks decaying")

#define HN_LIST_BALANCE_RULE(V) \
	V(BALANCE_RULE, LOAD, "load", "up to v5.4: average load decides") \
	V(BALANCE_RULE, GROUP_TYPES, "group_types", "v5.5: types of groups decide, by load, utilisation or tasks")

#define HN_LIST_CHILDREN(V) \
	V(CHILDREN, SPREAD, "spread", "a new task goes to the idlest group, other nodes included") \
	V(CHILDREN, LOCAL_LOAD, "local_load", "v4.17: stays on the node while its load is not clearly larger") \
	V(CHILDREN, LOCAL_IDLE, "local_idle", "v5.5: stays on the node while a CPU there is idle") \
	V(CHILDREN, LOCAL_QUARTER, "local_quarter", "v5.12: stays while a quarter of the node's CPUs is enough") \
	V(CHILDREN, LOCAL_IMB, "local_imb", "v5.18: stays while imb_numa_nr allows the imbalance")

#define HN_LIST_DEGRADES_RULE(V) \
	V(DEGRADES_RULE, NEUTRAL, "neutral", "the balancer does not look at locality") \
	V(DEGRADES_RULE, V3_13, "v3_13", "moves to a better node are favoured, to a worse one not resisted") \
	V(DEGRADES_RULE, V3_16, "v3_16", "the same with the group's active nodes") \
	V(DEGRADES_RULE, V4_9, "v4_9", "faults of group or task decide; the preferred node holds") \
	V(DEGRADES_RULE, V4_15, "v4_15", "and an idle destination may take anything") \
	V(DEGRADES_RULE, V4_19, "v4_19", "weights with distance; only plainly idle destinations take anything") \
	V(DEGRADES_RULE, V7_2, "v7_2", "signed difference of weights, improvements pass at once")

#define HN_LIST_WAKE_RULE(V) \
	V(WAKE_RULE, LOAD_ONLY, "load_only", "affine when the waking CPU's load is not larger") \
	V(WAKE_RULE, IDLE_THEN_WEIGHT, "idle_then_weight", "v4.14: affine when idle, else by effective load")

#define HN_LIST_IDLE_SEARCH(V) \
	V(IDLE_SEARCH, GROUP_SCAN, "group_scan", "idle groups below the LLC, in ring order") \
	V(IDLE_SEARCH, CORE_CPU_SMT, "core_cpu_smt", "v4.9: an idle core, then a CPU, then a sibling") \
	V(IDLE_SEARCH, ONE_PASS, "one_pass", "v5.12: core and CPU in one pass")

#define HN_LIST_IDLE_ESTIMATE(V) \
	V(IDLE_ESTIMATE, LOCAL, "local", "this CPU's average idle time") \
	V(IDLE_ESTIMATE, AGED, "aged", "this CPU's, aged while it is busy (2021)")

#define HN_LIST_SIS_RULE(V) \
	V(SIS_RULE, NONE, "none", "the whole LLC is searched") \
	V(SIS_RULE, AVG_CPU, "avg_cpu", "no search when it costs more than the idle time expected") \
	V(SIS_RULE, PROP, "prop", "depth in proportion to the idle time expected") \
	V(SIS_RULE, UTIL, "util", "depth by the LLC's utilisation")

/* A(TYPE): every list above, in the order of the fields that use them. */
#define HN_POLICY_ENUM_TYPES(A) \
	A(NUMA_MODE) A(STATIC_PLACEMENT) A(SCAN_MODEL) A(SCAN_CHARGE) A(VMA_SCAN_RULE) \
	A(MARK_COW_RULE) A(FAULT_FILTER) A(THP_MIGRATION) A(ACTIVE_NODES) A(FAULTS_CPU_WEIGHT) \
	A(FIRST_RUNTIME) A(BEST_NODE) A(PLACEMENT_MIGRATE) A(PERIOD_RULE) A(TOPOLOGY_RULE) \
	A(NODE_GATE) A(NODE_STATS) A(IDLE_CPU_RULE) A(TOO_IMBALANCED) A(SWAP_GAIN) \
	A(COMPARE_ORDER) A(IDLE_TARGET) A(IMBALANCE_ALLOWANCE) A(PREFERRED_UPDATE) A(SCAN_RESET) \
	A(IDLE_CORE_RULE) A(SCHED_ORDER) A(LOAD_SIGNAL) A(BALANCE_RULE) A(CHILDREN) \
	A(DEGRADES_RULE) A(WAKE_RULE) A(IDLE_SEARCH) A(IDLE_ESTIMATE) A(SIS_RULE)

#define HN_POLICY_ENUMERATOR(type, id, name, text) HN_##type##_##id,
enum hn_numa_mode { HN_LIST_NUMA_MODE(HN_POLICY_ENUMERATOR) };
enum hn_static_placement { HN_LIST_STATIC_PLACEMENT(HN_POLICY_ENUMERATOR) };
enum hn_scan_model { HN_LIST_SCAN_MODEL(HN_POLICY_ENUMERATOR) };
enum hn_scan_charge { HN_LIST_SCAN_CHARGE(HN_POLICY_ENUMERATOR) };
enum hn_vma_scan_rule { HN_LIST_VMA_SCAN_RULE(HN_POLICY_ENUMERATOR) };
enum hn_mark_cow_rule { HN_LIST_MARK_COW_RULE(HN_POLICY_ENUMERATOR) };
enum hn_fault_filter { HN_LIST_FAULT_FILTER(HN_POLICY_ENUMERATOR) };
enum hn_thp_migration { HN_LIST_THP_MIGRATION(HN_POLICY_ENUMERATOR) };
enum hn_active_nodes { HN_LIST_ACTIVE_NODES(HN_POLICY_ENUMERATOR) };
enum hn_faults_cpu_weight { HN_LIST_FAULTS_CPU_WEIGHT(HN_POLICY_ENUMERATOR) };
enum hn_first_runtime { HN_LIST_FIRST_RUNTIME(HN_POLICY_ENUMERATOR) };
enum hn_best_node { HN_LIST_BEST_NODE(HN_POLICY_ENUMERATOR) };
enum hn_placement_migrate { HN_LIST_PLACEMENT_MIGRATE(HN_POLICY_ENUMERATOR) };
enum hn_period_rule { HN_LIST_PERIOD_RULE(HN_POLICY_ENUMERATOR) };
enum hn_topology_rule { HN_LIST_TOPOLOGY_RULE(HN_POLICY_ENUMERATOR) };
enum hn_node_gate { HN_LIST_NODE_GATE(HN_POLICY_ENUMERATOR) };
enum hn_node_stats { HN_LIST_NODE_STATS(HN_POLICY_ENUMERATOR) };
enum hn_idle_cpu_rule { HN_LIST_IDLE_CPU_RULE(HN_POLICY_ENUMERATOR) };
enum hn_too_imbalanced { HN_LIST_TOO_IMBALANCED(HN_POLICY_ENUMERATOR) };
enum hn_swap_gain { HN_LIST_SWAP_GAIN(HN_POLICY_ENUMERATOR) };
enum hn_compare_order { HN_LIST_COMPARE_ORDER(HN_POLICY_ENUMERATOR) };
enum hn_idle_target { HN_LIST_IDLE_TARGET(HN_POLICY_ENUMERATOR) };
enum hn_imbalance_allowance { HN_LIST_IMBALANCE_ALLOWANCE(HN_POLICY_ENUMERATOR) };
enum hn_preferred_update { HN_LIST_PREFERRED_UPDATE(HN_POLICY_ENUMERATOR) };
enum hn_scan_reset { HN_LIST_SCAN_RESET(HN_POLICY_ENUMERATOR) };
enum hn_idle_core_rule { HN_LIST_IDLE_CORE_RULE(HN_POLICY_ENUMERATOR) };
enum hn_sched_order { HN_LIST_SCHED_ORDER(HN_POLICY_ENUMERATOR) };
enum hn_load_signal { HN_LIST_LOAD_SIGNAL(HN_POLICY_ENUMERATOR) };
enum hn_balance_rule { HN_LIST_BALANCE_RULE(HN_POLICY_ENUMERATOR) };
enum hn_children { HN_LIST_CHILDREN(HN_POLICY_ENUMERATOR) };
enum hn_degrades_rule { HN_LIST_DEGRADES_RULE(HN_POLICY_ENUMERATOR) };
enum hn_wake_rule { HN_LIST_WAKE_RULE(HN_POLICY_ENUMERATOR) };
enum hn_idle_search { HN_LIST_IDLE_SEARCH(HN_POLICY_ENUMERATOR) };
enum hn_idle_estimate { HN_LIST_IDLE_ESTIMATE(HN_POLICY_ENUMERATOR) };
enum hn_sis_rule { HN_LIST_SIS_RULE(HN_POLICY_ENUMERATOR) };
#undef HN_POLICY_ENUMERATOR
#endif
