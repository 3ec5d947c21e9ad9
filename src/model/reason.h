/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.h - why something was or was not done: one code and one sentence each.
 *
 * Every early return of a decision names one. Reports count them, `homenode list reasons`
 * prints them, `homenode explain` tells them. Append only: names are part of the JSON. */
#ifndef HN_MODEL_REASON_H
#define HN_MODEL_REASON_H

#include "base/types.h"

/* R(ENUM, "name", "sentence") */
#define HN_REASONS(R) \
	R(NONE, "none", "no reason recorded") \
	/* page decision */ \
	R(PAGE_LOCAL, "page_local", "the page is already on the faulting CPU's node") \
	R(PAGE_PRIVATE, "page_private", "the same task touched the page twice in a row: move it here") \
	R(PAGE_EARLY, "page_early", "the task is young and the page unshared: move it at once") \
	R(PAGE_NO_GROUP, "page_no_group", "two touches from this node and the task has no group: move it") \
	R(PAGE_CPU_SHARE, "page_cpu_share", "the group runs far more on the target node than on the page's") \
	R(PAGE_PRESSURE, "page_pressure", "the target node has more use per page of the group") \
	R(PAGE_ACTIVE_NODE, "page_active_node", "the page leaves a node where the group is not active") \
	R(PAGE_SPREAD, "page_spread", "the target node holds fewer of the group's pages") \
	R(PAGE_SAME_NODE_TWICE, "page_same_node_twice", "two touches in a row came from this node: move it") \
	R(PAGE_FIRST_STAGE, "page_first_stage", "the last touch came from another node: wait for a second one") \
	R(PAGE_DEFERRED, "page_deferred", "migration of shared pages is deferred after a shared fault") \
	R(PAGE_INACTIVE_TARGET, "page_inactive_target", "the group is not active on the target node") \
	R(PAGE_BALANCED, "page_balanced", "the group's pages and use are in proportion already") \
	R(PAGE_NO_MEMORY_NODE, "page_no_memory_node", "the faulting CPU's node has no memory") \
	R(PAGE_UNTRACKED_SLOW, "page_untracked_slow", "a page on slow memory without a record, and tiering is off") \
	R(PAGE_RATE_LIMIT, "page_rate_limit", "the target node took its share of pages in this window") \
	R(PAGE_SHARED_TEXT, "page_shared_text", "program text mapped by several processes stays") \
	R(PAGE_DIRTY_FILE, "page_dirty_file", "a dirty file page can't be migrated asynchronously") \
	R(PAGE_THP_SHARED, "page_thp_shared", "a huge page mapped more than once stays") \
	R(PAGE_NODE_FULL, "page_node_full", "the target node is nearly full") \
	R(PAGE_COMPOUND_PTE, "page_compound_pte", "a base entry inside a huge page is not counted by this kernel") \
	R(TIER_FREE, "tier_free", "the fast node has room: promote without a test") \
	R(TIER_HOT, "tier_hot", "the page was touched soon after marking: promote it") \
	R(TIER_COLD, "tier_cold", "the page was touched too long after marking") \
	R(TIER_RATE_LIMIT, "tier_rate_limit", "promotion reached its rate limit in this second") \
	/* scanning */ \
	R(SCAN_DONE, "scan_done", "a scan attempt changed or walked mappings") \
	R(SCAN_NOT_DUE, "scan_not_due", "the address space was scanned recently") \
	R(SCAN_CPUSET, "scan_cpuset", "the task may allocate on one node only") \
	R(SCAN_FIRST_NODE, "scan_first_node", "the process never ran on a second node") \
	R(SCAN_RATE_LIMIT, "scan_rate_limit", "the node's migration budget is used up") \
	R(SCAN_LOCK_BUSY, "scan_lock_busy", "the address space was locked") \
	R(VMA_UNSUITABLE, "vma_unsuitable", "the mapping can't be migrated or has a policy of its own") \
	R(VMA_SHARED_RO, "vma_shared_ro", "a read-only file mapping") \
	R(VMA_INACCESSIBLE, "vma_inaccessible", "the mapping has no access rights") \
	R(VMA_SMALL, "vma_small", "smaller than one huge page") \
	R(VMA_SCAN_DELAY, "vma_scan_delay", "the mapping is too young") \
	R(VMA_PID_INACTIVE, "vma_pid_inactive", "the scanning task did not touch the mapping lately") \
	R(VMA_IGNORE_PID, "vma_ignore_pid_inactive", "a partly scanned mapping is finished whoever runs") \
	R(VMA_SEQ_COMPLETED, "vma_seq_completed", "already scanned in this pass") \
	R(VMA_SEQ_THRESHOLD, "vma_seq_threshold", "unscanned for more passes than there are threads") \
	/* groups */ \
	R(GROUP_JOINED, "group_joined", "the task joined the group of a task that shares its pages") \
	R(GROUP_CREATED, "group_created", "a shared fault made the task start a group") \
	R(GROUP_OTHER_GONE, "group_other_gone", "the task that touched the page is not running there any more") \
	R(GROUP_OTHER_ALONE, "group_other_alone", "the other task has no group yet") \
	R(GROUP_SAME, "group_same", "both are in one group already") \
	R(GROUP_MINE_LARGER, "group_mine_larger", "the larger group keeps its members") \
	R(GROUP_NOT_SHARED, "group_not_shared", "different address spaces without a shared mapping") \
	/* placement */ \
	R(PLACE_NO_FAULTS, "place_no_faults", "no fault statistics yet") \
	R(PLACE_SAME, "place_same", "the preferred node stays") \
	R(PLACE_NEW, "place_new_preferred", "another node has more faults: new preferred node") \
	/* moving the task */ \
	R(MOVE_NOT_DUE, "move_not_due", "the next attempt is not due") \
	R(MOVE_NO_PREFERRED, "move_no_preferred", "no preferred node yet") \
	R(MOVE_ON_PREFERRED, "move_on_preferred", "the task runs on its preferred node") \
	R(MOVE_NO_DOMAIN, "move_no_numa_domain", "the CPU has no NUMA scheduling domain") \
	R(MOVE_NO_CANDIDATE, "move_no_candidate", "no CPU on any candidate node was better") \
	R(MOVE_TO_IDLE, "move_to_idle", "to an idle CPU") \
	R(MOVE_TO_IDLE_SHORTCUT, "move_to_idle_shortcut", "to the idle CPU found while summing up the node") \
	R(MOVE_OVER_SWAP, "move_over_swap", "a plain move gains more than a swap") \
	R(MOVE_SWAP, "move_swap", "both tasks gain by changing places") \
	R(MOVE_SWAP_PREFERS, "move_swap_prefers", "the other task prefers our node: change places") \
	R(MOVE_NODE_GATE, "move_node_gate", "the destination node has no capacity left") \
	R(MOVE_NEGATIVE, "move_negative", "both task and group would lose on the node") \
	R(CPU_MIGRATE_ON, "cpu_numa_migrate_on", "another NUMA move is under way to the CPU") \
	R(CPU_NOT_ALLOWED, "cpu_not_allowed", "the task may not run there") \
	R(CPU_SELF, "cpu_self", "the task itself runs there") \
	R(CPU_IDLE_NO_MAYMOVE, "cpu_idle_no_maymove", "idle, but the move would worsen the load balance") \
	R(CPU_IDLE_NO_CAPACITY, "cpu_idle_no_capacity", "idle, but the node has no free capacity") \
	R(CPU_IDLE_NO_GAIN, "cpu_idle_no_gain", "idle, but a better candidate is known") \
	R(SWAP_NOT_ALLOWED, "swap_not_allowed", "the other task may not run on our CPU") \
	R(SWAP_KEEPS_PREFERRED, "swap_keeps_preferred", "the swap partner known so far prefers our node") \
	R(SWAP_GROUP_SPARE, "swap_group_spare", "no swap inside a group while the node has room") \
	R(SWAP_SMALL_GAIN, "swap_small_gain", "the gain of the swap is too small") \
	R(SWAP_NO_GAIN, "swap_no_gain", "a better candidate is known") \
	R(LOAD_IMBALANCED, "load_imbalanced", "the move would leave the nodes too unequally loaded") \
	R(MOVE_FAILED, "move_failed", "the task had left its CPU before it could be moved")

#define HN_REASON_ENUM(id, name, text) HN_WHY_##id,
enum hn_why { HN_REASONS(HN_REASON_ENUM) HN_NR_WHY };
#undef HN_REASON_ENUM

const char *hn_why_name(enum hn_why why);
const char *hn_why_text(enum hn_why why);

#endif
