/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy-fields.h - every place where kernels, patches and designs differ, as one named field.
 *
 * B(name, text)              a switch
 * U(name, lo, hi, text)      a number with its range; the unit is in the name
 * E(name, TYPE, text)        a choice from the list HN_LIST_<TYPE>
 *
 * From this list follow struct hn_policy, `policy show`, `policy diff`, `NAME+field=value` and
 * the "fields" object of the JSON. The order is that of the output; append inside a part.
 * What each value means is stated in policy-enums.h, with the kernel that had it in the rows
 * (rows/). Vnn is the number of the switch in docs/policies/rules.md. */
#ifndef HN_POLICY_POLICY_FIELDS_H
#define HN_POLICY_POLICY_FIELDS_H

#define HN_POLICY_FIELDS(B, U, E) \
	/* what runs at all */ \
	E(numa_mode, NUMA_MODE, "kernel.numa_balancing") \
	E(static_placement, STATIC_PLACEMENT, "placement fixed at the start, in place of the kernel's") \
	/* scan timing */ \
	U(scan_delay_ms, 0, 3600000, "age of an address space, or mapping, before it is scanned") \
	U(scan_period_ms_min, 1, 3600000, "shortest scan period of a task") \
	U(scan_period_ms_max, 1, 3600000, "longest scan period of a task") \
	U(scan_period_ms_reset, 0, 3600000, "v3.8: the period starts anew this often; 0: never") \
	U(scan_size_mb, 0, 65536, "address range marked by one scan attempt") \
	E(scan_model, SCAN_MODEL, "who decides that a scan is due") \
	B(scan_group_period, "periods are stretched for groups that share their faults (v4.15)") \
	B(scan_virt_budget, "an attempt also ends after 8 times its size in address range (v4.9)") \
	B(scan_repay, "the task is spared 32 times the CPU time of its scan (v4.9)") \
	B(scan_trylock, "a contended address space is not waited for (v4.15)") \
	E(scan_charge, SCAN_CHARGE, "what uses up the budget of an attempt") \
	B(thread_scan_stagger, "new threads wait two ticks before their first scan (v4.18)") \
	B(stamp_is_reset, "node_stamp is set to now, not advanced by the period (v3.8)") \
	B(period_starts_at_start, "the first period is scan_start, not scan_min (v4.15)") \
	B(stamp_wraps, "a node_stamp ahead of the task's CPU time is due at each tick (up to v4.4)") \
	B(fork_inherits_retry, "a new task has its parent's time of the next move attempt (up to v6.0)") \
	/* the walk */ \
	B(vma_skip_small, "mappings smaller than a huge page are skipped (v3.8)") \
	B(vma_skip_shared_ro, "read-only file mappings and inaccessible ones are skipped (v3.13)") \
	B(vma_skip_hugetlb, "hugetlb and mixed mappings are skipped (v4.9)") \
	E(vma_scan_rule, VMA_SCAN_RULE, "V18: which mappings a scan visits") \
	B(cpuset_skip, "tasks that may allocate on one node only are not scanned (v7.2)") \
	/* marking */ \
	E(mark_cow_rule, MARK_COW_RULE, "pages shared by copy-on-write") \
	B(mark_skip_dirty_file, "dirty file pages are not marked (v4.17)") \
	B(mark_skip_ksm, "merged pages are not marked (v3.15)") \
	B(mark_skip_local_private, "a single-threaded process gets no hints on local base pages (v4.9)") \
	B(mark_tests_huge, "the tests of base entries hold for huge ones (v7.2)") \
	/* page decision */ \
	E(fault_filter, FAULT_FILTER, "when a page follows a fault") \
	U(migrate_deferred, 0, 1000000, "v3.13: shared faults without migration after one that failed the filter") \
	B(early_migrate, "V14: young tasks pull unshared pages at once (v4.19)") \
	B(memoryless_target_check, "nodes without memory are no targets (v6.12)") \
	B(counts_compound_pte, "base entries of huge pages are handled, not just restored (v6.10, and v3.13)") \
	B(refuse_dirty_file, "dirty file pages are refused before the copy (v4.17)") \
	B(page_rate_limit, "V13: 128 MiB per target node and 100 ms (up to v4.18)") \
	E(thp_migration, THP_MIGRATION, "how a huge page moves") \
	B(thp_refuse_shared, "huge pages mapped more than once stay (up to v6.8)") \
	B(tiering_decision, "promotion by hotness and rate (v6.1)") \
	U(hot_threshold_ms, 1, 3600000, "tiering: marking to touch, at most") \
	U(promote_rate_limit_mbps, 0, 1048576, "tiering: MB per second promoted, at most") \
	B(untracked_slow_skip, "pages on slow memory without a record are left out (v6.1)") \
	/* statistics and groups */ \
	B(groups, "tasks that share pages form groups (v3.13)") \
	E(active_nodes, ACTIVE_NODES, "on which nodes a group counts as running") \
	B(active_nodes_cpu_only, "and elsewhere: only nodes with CPUs take part (v5.19)") \
	B(active_group_local, "shared faults between active nodes count as local (v3.15)") \
	E(faults_cpu_weight, FAULTS_CPU_WEIGHT, "how faults are weighed by CPU use") \
	E(first_runtime, FIRST_RUNTIME, "CPU use in the first window") \
	B(decay_rounds_up, "the old half of the counts rounds up (v3.15)") \
	B(exec_resets, "exec drops the statistics (v5.4)") \
	B(counts_failed_pages, "failed page migrations are remembered (v4.9)") \
	/* placement */ \
	B(placement_at_retry, "V10: placement only at retry time (v4.19)") \
	E(best_node, BEST_NODE, "which node becomes the preferred one") \
	E(placement_migrate, PLACEMENT_MIGRATE, "whether placement moves the task at once") \
	B(retry_by_period, "retry after a sixteenth of the scan period, not a second (v3.15)") \
	B(weight_near, "weights include nodes nearby (v3.19)") \
	B(weight_near_at_limit, "backplane: nodes exactly as far as the two compared count as near (v3.19 .. v4.18)") \
	E(topology_rule, TOPOLOGY_RULE, "how distances shape the weights") \
	/* scan period adaptation */ \
	E(period_rule, PERIOD_RULE, "how the scan period adapts") \
	U(period_threshold, 1, 10, "slots of ten above which scanning slows down") \
	B(private_ratio_plus_one, "period_rule local: one more in the divisor of the share of private faults (v3.19)") \
	B(clear_locality_on_stall, "V19: the counts are cleared when nothing was learnt") \
	E(scan_reset, SCAN_RESET, "V12: when a move starts the period anew") \
	/* searching a CPU */ \
	E(node_gate, NODE_GATE, "which nodes are searched at all") \
	E(node_stats, NODE_STATS, "V3: what is summed up about a node") \
	B(search_others_for_group, "other nodes are also searched for groups active on several (v3.19)") \
	E(compare_order, COMPARE_ORDER, "the order of tests for one CPU") \
	E(idle_cpu_rule, IDLE_CPU_RULE, "V1: when an idle CPU is taken") \
	B(stop_at_idle, "V2: the search of a node ends at the first idle CPU taken (2018, patch 3)") \
	B(idle_sibling_per_cpu, "a sibling search for every idle CPU considered, not for the chosen one (2018, patch 3)") \
	E(idle_target, IDLE_TARGET, "V4: which CPU of the node an idle move goes to") \
	E(idle_core_rule, IDLE_CORE_RULE, "the idle CPU remembered for a node") \
	B(idle_shortcut, "V15: a node with room takes the task without a search (v5.7)") \
	U(small_imp, 0, 1000, "V5: least gain of a swap, in permille; half of it over the best; 0: none") \
	B(move_imp_minus_one, "V6: a move that beats a swap is remembered with one less (up to v4.19-rc1)") \
	E(swap_gain, SWAP_GAIN, "V7: how the partner's gain is counted") \
	B(swap_prefers, "partners that prefer our node win, and the other way round (v5.7)") \
	B(swap_skip_group_spare, "V17: no swap inside a group while the node has room (v6.1)") \
	B(kthread_is_idle, "a kernel thread counts as idle (v7.2)") \
	E(too_imbalanced, TOO_IMBALANCED, "V8: when a move would unbalance the nodes") \
	B(numa_migrate_on, "V9: one NUMA move at a time to a CPU (v4.19)") \
	E(preferred_update, PREFERRED_UPDATE, "V11: the preferred node after a search") \
	E(imbalance_allowance, IMBALANCE_ALLOWANCE, "V16: imbalance between nodes that is let be") \
	U(imb_numa_nr_div, 1, 64, "imb_numa_nr of a node with one LLC: CPUs divided by this") \
	B(imb_numa_nr_min_one, "imb_numa_nr is at least one (v6.1)") \
	B(stick_trace_when_none, "sched_stick_numa also when no CPU was found (v5.7)") \
	/* the scheduler under it */ \
	E(order, SCHED_ORDER, "order of the run queue") \
	U(base_slice_us, 50, 100000, "slice or minimum granularity, before scaling by the number of CPUs") \
	U(nr_latency, 1, 64, "CFS: tasks that share one latency period") \
	E(load_signal, LOAD_SIGNAL, "load of a queue as balancers read it") \
	E(balance, BALANCE_RULE, "how the busiest group is found") \
	E(children, CHILDREN, "V20: where a new task starts") \
	E(degrades, DEGRADES_RULE, "what the load balancer sees of locality") \
	U(busy_factor, 1, 128, "how much rarer a busy CPU balances") \
	U(numa_imbalance_pct, 100, 200, "tolerated imbalance between nodes and packages") \
	B(balance_allows_numa, "the load balancer leaves a small imbalance between nodes (v5.7)") \
	B(newidle_by_cost, "a CPU about to idle compares the cost of each domain (v5.14)") \
	B(balance_prefers_core, "an idle core balances before an idle sibling (v6.6)") \
	B(sibling_imbalance, "groups of cores are compared by their number of cores (v6.6)") \
	E(wake, WAKE_RULE, "waking CPU or previous CPU") \
	E(idle_search, IDLE_SEARCH, "how a waking task looks for an idle CPU") \
	E(idle_estimate, IDLE_ESTIMATE, "idle time that a search is weighed against") \
	E(sis, SIS_RULE, "how deep the search goes")

#endif
