/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core-internal.h - the core's state, and what its modules offer one another.
 *
 *   core.c        the block, life cycle, questions, digest, checks
 *   scan.c        scan timing: periods, ticks, begin and end of an attempt
 *   walk.c        the walk over mappings
 *   page.c        the page decision: filters, refusals, rate limit
 *   tier.c        promotion from slow memory
 *   faults.c      counts per node, decay, CPU-use weighing
 *   group.c       groups: forming, joining, leaving, active nodes
 *   weight.c      task and group weights, distances, topology type
 *   place.c       accounting, placement, scan-period adaptation
 *   search.c      task_numa_migrate: which nodes, node statistics, what follows
 *   compare*.c    one node, CPU by CPU: idle move, swap, or a reason why not
 *   locality.c    what the load balancer is told
 *
 * Ticks are kernel ticks (model/tick.h). Counts of faults are base pages, unsigned 64-bit, as the
 * kernel's unsigned long; sums of differences wrap as there. */
#ifndef HN_CORE_CORE_INTERNAL_H
#define HN_CORE_CORE_INTERNAL_H

#include "base/assert.h"
#include "core/core.h"

enum hn_fault_stat {
	HN_STAT_MEM,    /* decayed, by the page's node */
	HN_STAT_CPU,    /* decayed, by the faulting CPU's node */
	HN_STAT_MEMBUF, /* open window */
	HN_STAT_CPUBUF,
	HN_NR_STATS,
};

#define HN_GROUP_NONE ((int32_t)-1)

/* Kernel counterpart: the numa_* members of struct task_struct. */
struct hn_core_task {
	bool is_alive;
	bool is_kthread;
	bool has_faults;            /* the arrays are in use */
	bool is_scan_queued;
	hn_mm_id mm;
	uint32_t pid;
	uint32_t tgid;
	uint32_t scan_period_ms;
	uint32_t scan_period_ms_max;
	int32_t scan_seq;           /* pass that placement consumed last */
	uint64_t node_stamp_ns;     /* of the task's CPU time */
	uint64_t seen_exec_ns;      /* CPU time at the latest tick or scan */
	int64_t migrate_retry_ticks;
	hn_nid preferred_nid;
	int32_t group;              /* index; HN_GROUP_NONE */
	uint32_t migrate_deferred;
	uint64_t total_faults;
	uint64_t locality[3];       /* remote, local, failed */
	uint64_t nr_pages_migrated;
	hn_time_ns last_placement_ns;
	hn_time_ns last_sum_exec_ns;
};

/* Kernel counterpart: the numa_* members of struct mm_struct. */
struct hn_core_mm {
	bool is_in_use;
	int64_t next_scan_ticks;    /* 0: not set */
	int64_t next_reset_ticks;   /* v3.8 */
	uint64_t scan_offset;
	int32_t scan_seq;
	hn_nid first_nid;           /* v3.8; HN_NID_NONE: unset */
	bool is_first_nid_active;   /* v3.8: the process ran on a second node */
	uint32_t nr_users;
	uint64_t rss_pages;
	hn_vma_id first_vma;        /* list in address order */
};

/* Kernel counterpart: struct vm_area_struct with struct vma_numab_state. */
struct hn_core_vma {
	bool is_mapped;
	bool has_state;
	struct hn_vma map;
	hn_vma_id next;             /* in address order; HN_VMA_NONE */
	int64_t next_scan_ticks;
	int64_t pid_reset_ticks;
	uint64_t pids[2];
	int32_t start_scan_seq;
	int32_t prev_scan_seq;
};

/* Kernel counterpart: struct numa_group. Index order is creation order while in use. */
struct hn_core_group {
	bool is_in_use;
	uint32_t nr_tasks;
	uint32_t gid;               /* pid of the creator */
	uint64_t created;           /* serial number: stands for the address in comparisons */
	uint64_t total_faults;
	uint64_t max_faults_cpu;
	uint32_t nr_active_nodes;
	uint64_t active_mask[HN_BITMAP_WORDS(HN_NODES_MAX)];
};

/* Rate limits of one target node. */
struct hn_core_node {
	int64_t migrate_next_window_ticks;
	uint64_t migrate_nr_pages;
	/* tiering */
	uint64_t promo_candidates;       /* since the start */
	uint64_t promo_rate_base;        /* candidates when the second began */
	uint32_t promo_rate_start_ms;
	uint64_t promo_adjust_base;      /* candidates when the threshold was adjusted */
	uint32_t promo_adjust_ms;
	uint32_t promo_threshold_ms;     /* 0: the default */
};

/* The attempt that is being walked. */
struct hn_core_scan {
	bool is_active;
	bool is_forced;             /* one mapping is completed whoever touched it */
	bool has_skipped_by_pid;
	bool has_range;             /* a range is out, its updates are still to come */
	bool is_inside;             /* the mapping has passed its filters */
	bool is_at_end;             /* nothing more to mark in this attempt */
	struct hn_scan_event event;
	int64_t now_ticks;
	hn_mm_id mm;
	hn_vma_id vma;              /* where the walk is */
	uint64_t start;             /* address reached */
	uint64_t range_end;
	int64_t pages_left;         /* budget */
	int64_t virt_left;
	uint64_t nr_updates_total;  /* of the attempt (v3.13: charges the rest once non-zero) */
	hn_time_ns sum_exec_ns;     /* at the start */
};

/* A fault between account_begin and account_end: what begin found out, for end to add. */
struct hn_core_account {
	bool is_open;               /* false: the fault is not for the statistics */
	bool is_private;
	bool is_local;
	hn_task_id task;
};

enum hn_numa_topology { HN_TOPOLOGY_DIRECT, HN_TOPOLOGY_MESH, HN_TOPOLOGY_BACKPLANE };

struct hn_core {
	const struct hn_machine *machine;  /* borrowed */
	const struct hn_policy *policy;    /* borrowed */
	struct hn_limits limits;
	uint32_t nr_nodes;
	uint32_t nr_groups_max;            /* = limits.nr_tasks: a group has a member */
	uint64_t nr_groups_created;
	enum hn_numa_topology topology;
	uint16_t max_distance;
	bool are_all_top_tier;
	struct hn_core_task *tasks;
	struct hn_core_mm *mms;
	struct hn_core_vma *vmas;
	struct hn_core_group *groups;
	struct hn_core_node *nodes;
	uint64_t *task_faults;             /* [task][stat][node][priv] */
	uint64_t *group_faults;            /* [group][MEM,CPU][node][priv] */
	struct hn_core_scan scan;
	struct hn_core_account account;
	uint64_t counters[HN_NR_COUNTERS];
	uint64_t reasons[HN_NR_WHY];
};

static inline struct hn_core_task *hn_core_get_task(const struct hn_core *core, hn_task_id task)
{
	hn_assert(task >= 0 && (uint32_t)task < core->limits.nr_tasks);
	return &core->tasks[task];
}

/* Row of one task's array: two counts (shared, private) per node. */
static inline uint64_t *hn_core_faults(const struct hn_core *core, hn_task_id task,
				       enum hn_fault_stat stat)
{
	size_t row = (size_t)task * HN_NR_STATS + stat;

	return core->task_faults + row * core->nr_nodes * 2;
}

/* The same for a group; stat is HN_STAT_MEM or HN_STAT_CPU. */
static inline uint64_t *hn_core_gfaults(const struct hn_core *core, int32_t group,
					enum hn_fault_stat stat)
{
	size_t row = (size_t)group * 2 + stat;

	return core->group_faults + row * core->nr_nodes * 2;
}

/* Whether a node counts among those that tasks run on.
 * Source: v5.19 0fb3978b0aac ("sched/numa: Fix NUMA topology for systems with CPU-less nodes"). */
static inline bool hn_core_node_takes_part(const struct hn_core *core, uint32_t nid)
{
	return !core->policy->active_nodes_cpu_only || core->machine->nodes[nid].nr_cpus > 0;
}

static inline void hn_core_count_why(struct hn_core *core, enum hn_why why)
{
	core->reasons[why]++;
}

/* ---- scan.c ---- */

uint32_t hn_scan_period_ms_min(const struct hn_core *core, const struct hn_core_task *task);
uint32_t hn_scan_period_ms_max(const struct hn_core *core, const struct hn_core_task *task);
uint32_t hn_scan_period_ms_start(const struct hn_core *core, const struct hn_core_task *task);

/* v3.8: a fault that moved nothing stretches the period. */
void hn_scan_note_unmoved_fault(struct hn_core *core, struct hn_core_task *task);

/* ---- page.c ---- */

/* Whether the node's page budget of this window is used up; reads only (v3.8 scan test). */
bool hn_page_is_rate_limited(const struct hn_core *core, hn_nid nid, int64_t now_ticks);

/* ---- tier.c ---- */

/* Decides for a page on slow memory in tiering mode. free_pages etc. come with the event. */
void hn_tier_decide(struct hn_core *core, const struct hn_fault_event *event, hn_nid dst_nid,
		    struct hn_fault_verdict *ret_verdict);

/* ---- walk.c ---- */

/* To where the address space's next scan goes on; the attempt is set up. */
void hn_walk_start(struct hn_core *core);

/* Sets the bit of the faulting task in the mapping's set. */
void hn_walk_note_access(struct hn_core *core, hn_vma_id vma, uint32_t pid);

/* ---- faults.c ---- */

/* Folds the open window into the decayed counts of task and group. Fills the sums per node
 * (task and group MEM) and the window's shared and private counts. */
struct hn_faults_window {
	uint64_t task_sum[HN_NODES_MAX];
	uint64_t group_sum[HN_NODES_MAX];
	uint64_t nr_shared;
	uint64_t nr_private;
};

void hn_faults_close_window(struct hn_core *core, hn_task_id task,
			    const struct hn_task_clock *clock, struct hn_faults_window *ret_window);

/* Starts the arrays of a task: all zero, totals and locality cleared. */
void hn_faults_start(struct hn_core *core, hn_task_id task);

/* Both kinds of one statistic on a node. */
uint64_t hn_faults_task(const struct hn_core *core, hn_task_id task, enum hn_fault_stat stat,
			hn_nid nid);
uint64_t hn_faults_group(const struct hn_core *core, int32_t group, enum hn_fault_stat stat,
			 hn_nid nid);

/* ---- group.c ---- */

/* A shared fault: forms or joins a group. Returns whether the fault counts as private. */
bool hn_group_note_shared(struct hn_core *core, const struct hn_account_event *event);
/* Takes the task's contributions out and leaves. */
void hn_group_leave(struct hn_core *core, hn_task_id task);
void hn_group_update_active(struct hn_core *core, int32_t group);
bool hn_group_is_active(const struct hn_core *core, int32_t group, hn_nid nid);

/* ---- weight.c ---- */

/* Finds topology type and largest distance; called at init. */
void hn_weight_init_topology(struct hn_core *core);
/* Share of the faults on and near nid, in permille; see weight.c for dist. */
int64_t hn_weight_task(const struct hn_core *core, hn_task_id task, hn_nid nid, uint16_t dist);
int64_t hn_weight_group(const struct hn_core *core, hn_task_id task, hn_nid nid, uint16_t dist);
/* The node near which most of the group's faults are, starting from nid. */
hn_nid hn_weight_pick_group_nid(const struct hn_core *core, hn_task_id task, hn_nid nid);

/* ---- place.c ---- */

/* Sets the preferred node and counts the reason. */
void hn_place_set_preferred(struct hn_core *core, hn_task_id task, hn_nid nid);

/* ---- compare.c ---- */

/* Statistics of one node, as far as the policy's rule sums them up. */
struct hn_node_sums {
	hn_nid nid;
	uint64_t load;
	uint64_t runnable;
	uint64_t util;
	uint64_t capacity;
	uint32_t nr_running;
	uint32_t nr_cpus;
	uint32_t task_capacity;
	bool has_free_capacity;
	enum { HN_NODE_HAS_SPARE, HN_NODE_FULLY_BUSY, HN_NODE_OVERLOADED } type;
	hn_cpu idle_cpu;            /* HN_CPU_NONE */
};

/* One search, from the first node to the last. Kernel counterpart: struct task_numa_env. */
struct hn_search {
	struct hn_core *core;
	struct hn_view *view;
	hn_task_id task;
	hn_cpu src_cpu;
	hn_nid src_nid;
	hn_nid dst_nid;             /* node examined now, or last */
	uint16_t dist;
	uint32_t imbalance_pct;
	struct hn_node_sums src;
	struct hn_node_sums dst;
	int64_t task_weight_src;
	int64_t group_weight_src;
	int64_t task_imp;           /* of the plain move to dst_nid */
	int64_t group_imp;
	bool may_move;
	hn_cpu best_cpu;
	hn_task_id best_task;
	int64_t best_imp;
	enum hn_why best_why;       /* the rule that chose best_cpu */
	enum hn_why last_why;       /* the latest refusal */
	uint32_t nr_cpus_examined;
	uint32_t nr_idle_searches;
};

/* Searches dst_nid: the shortcut, or each of its CPUs. */
void hn_compare_node(struct hn_search *search);

#endif
