/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - whether a page follows the fault that touched it.
 *
 * Two stages: the page remembers the CPU and the low byte of the pid that faulted last. A fault
 * from another node than the last one moves nothing, so a node that makes a share p of the
 * accesses pulls a page with probability p^2. A task that comes twice in a row is taken for the
 * page's owner. Where the task has a group, pages shared by it go where the group runs, in
 * proportion:
 *
 *     group CPU faults 80 on node 0, 20 on node 1; MEM 100 and 100 pages; page on 1, fault on 0:
 *     80 > 3 * 20 -> move at once.  With 50 and 50: 50*100*3 > 50*100*4 is false -> stay.
 *
 * Then come the refusals of the migration code that are rules: shared text, dirty file pages, the
 * rate limit, shared huge pages. Whether the node has room is the world's to say.
 *
 * Source: v6.12 kernel/sched/fair.c should_numa_migrate_memory(), mm/mempolicy.c mpol_misplaced();
 * v3.13 mm/mempolicy.c for the deferred form; v3.8 for the first; mm/migrate.c
 * migrate_misplaced_page(), numamigrate_update_ratelimit(). Tests: test-page.c. */
#include "core/core-internal.h"

#include "model/tick.h"

/* Source: v3.8 .. v4.18 mm/migrate.c: 128 MB per node in windows of 100 ms. */
#define RATE_WINDOW_MS 100
#define RATE_LIMIT_PAGES 32768
/* Passes during which an unshared page is pulled at once (v4.19). */
#define EARLY_SEQ_MAX 4
/* Source: v4.6 ACTIVE_NODE_FRACTION. */
#define ACTIVE_NODE_FRACTION 3

/* A record that names no CPU of this machine, as a live world may read, counts as none. */
static int32_t known_cpupid(const struct hn_core *core, int32_t cpupid)
{
	return (uint32_t)hn_cpupid_cpu(cpupid) < core->machine->nr_cpus ? cpupid : HN_CPUPID_NONE;
}

/* Node of the CPU that faulted last; NONE where there is no record. */
static hn_nid last_nid(const struct hn_core *core, int32_t cpupid)
{
	if (cpupid == HN_CPUPID_NONE)
		return HN_NID_NONE;
	return hn_machine_nid(core->machine, hn_cpupid_cpu(cpupid));
}

struct decision {
	bool moves;
	enum hn_why why;
};

static struct decision yes(enum hn_why why)
{
	return (struct decision){ true, why };
}

static struct decision no(enum hn_why why)
{
	return (struct decision){ false, why };
}

/* Source: v3.15 .. v4.5: pages move among the group's active nodes, towards fewer faults. */
static struct decision decide_by_mask(const struct hn_core *core, int32_t group, hn_nid src,
				      hn_nid dst)
{
	uint64_t src_mem, dst_mem;

	if (!hn_group_is_active(core, group, dst))
		return no(HN_WHY_PAGE_INACTIVE_TARGET);
	if (!hn_group_is_active(core, group, src))
		return yes(HN_WHY_PAGE_ACTIVE_NODE);
	src_mem = hn_faults_group(core, group, HN_STAT_MEM, src);
	dst_mem = hn_faults_group(core, group, HN_STAT_MEM, dst);
	return dst_mem < src_mem * 3 / 4 ? yes(HN_WHY_PAGE_SPREAD) : no(HN_WHY_PAGE_BALANCED);
}

/* Source: v4.6 4142c3ebb685 ("sched/numa: Spread memory according to CPU and memory use"). */
static struct decision decide_by_pressure(const struct hn_core *core, int32_t group, hn_nid src,
					  hn_nid dst)
{
	uint64_t src_cpu = hn_faults_group(core, group, HN_STAT_CPU, src);
	uint64_t dst_cpu = hn_faults_group(core, group, HN_STAT_CPU, dst);
	uint64_t src_mem, dst_mem;

	if (dst_cpu > src_cpu * ACTIVE_NODE_FRACTION)
		return yes(HN_WHY_PAGE_CPU_SHARE);
	src_mem = hn_faults_group(core, group, HN_STAT_MEM, src);
	dst_mem = hn_faults_group(core, group, HN_STAT_MEM, dst);
	if (dst_cpu * src_mem * 3 > src_cpu * dst_mem * 4)
		return yes(HN_WHY_PAGE_PRESSURE);
	return no(HN_WHY_PAGE_BALANCED);
}

/* Source: v3.13 mm/mempolicy.c mpol_misplaced(), fair.c should_numa_migrate_deferred(). */
static struct decision decide_deferred(struct hn_core *core, struct hn_core_task *task,
				       int32_t last, hn_nid dst)
{
	bool is_mine = hn_cpupid_matches(last, task->pid);

	if (!hn_cpupid_is_pid_unset(last) && last_nid(core, last) != dst) {
		if (!is_mine)
			task->migrate_deferred = core->policy->migrate_deferred;
		return no(HN_WHY_PAGE_FIRST_STAGE);
	}
	if (is_mine)
		return yes(HN_WHY_PAGE_PRIVATE);
	if (task->migrate_deferred) {
		task->migrate_deferred--;
		return no(HN_WHY_PAGE_DEFERRED);
	}
	return yes(HN_WHY_PAGE_SAME_NODE_TWICE);
}

/* The two stages and what follows for groups, v3.15 on. */
static struct decision decide_two_stage(const struct hn_core *core, const struct hn_core_task *task,
					int32_t last, const hn_nid nids[2])
{
	hn_nid src = nids[0];
	hn_nid dst = nids[1];

	if (!hn_cpupid_is_pid_unset(last) && last_nid(core, last) != dst)
		return no(HN_WHY_PAGE_FIRST_STAGE);
	if (hn_cpupid_matches(last, task->pid))
		return yes(HN_WHY_PAGE_PRIVATE);
	if (task->group == HN_GROUP_NONE)
		return yes(HN_WHY_PAGE_NO_GROUP);
	if (core->policy->fault_filter == HN_FAULT_FILTER_ACTIVE_MASK)
		return decide_by_mask(core, task->group, src, dst);
	return decide_by_pressure(core, task->group, src, dst);
}

static struct decision decide_filter(struct hn_core *core, struct hn_core_task *task,
				     int32_t last, const hn_nid nids[2])
{
	switch ((enum hn_fault_filter)core->policy->fault_filter) {
	case HN_FAULT_FILTER_LAST_NID:
		return last_nid(core, last) == nids[1] ? yes(HN_WHY_PAGE_SAME_NODE_TWICE)
						       : no(HN_WHY_PAGE_FIRST_STAGE);
	case HN_FAULT_FILTER_DEFERRED:
		return decide_deferred(core, task, last, nids[1]);
	case HN_FAULT_FILTER_ACTIVE_MASK:
	case HN_FAULT_FILTER_CPU_PRESSURE:
		return decide_two_stage(core, task, last, nids);
	}
	return no(HN_WHY_NONE);
}

/* Source: v4.19 37355bdc5a12 ("sched/numa: Migrate pages to local nodes quicker early in the
 * lifetime of a task"). */
static bool is_early(const struct hn_core *core, const struct hn_core_task *task, int32_t last)
{
	if (!core->policy->early_migrate)
		return false;
	if (task->preferred_nid != HN_NID_NONE && task->scan_seq > EARLY_SEQ_MAX)
		return false;
	return hn_cpupid_is_pid_unset(last) || hn_cpupid_matches(last, task->pid);
}

static bool is_tiering_on(const struct hn_policy *policy)
{
	return policy->numa_mode == HN_NUMA_MODE_TIERING || policy->numa_mode == HN_NUMA_MODE_BOTH;
}

static bool is_tiering(const struct hn_core *core)
{
	return core->policy->tiering_decision && !core->are_all_top_tier &&
	       is_tiering_on(core->policy);
}

static struct decision decide(struct hn_core *core, struct hn_core_task *task,
			      const struct hn_fault_event *event, hn_nid dst)
{
	const hn_nid nids[2] = { event->page_nid, dst };
	bool is_slow = !core->machine->nodes[event->page_nid].is_top_tier;
	int32_t last = known_cpupid(core, event->last_cpupid);

	/* QUIRK: the page's record is renewed even when it is local already; only the old
	 * filter has a count that such faults change. */
	if (event->page_nid == dst && core->policy->fault_filter != HN_FAULT_FILTER_DEFERRED)
		return no(HN_WHY_PAGE_LOCAL);
	if (core->policy->untracked_slow_skip && !is_tiering_on(core->policy) && is_slow &&
	    last == HN_CPUPID_NONE)
		return no(HN_WHY_PAGE_UNTRACKED_SLOW);
	if (is_early(core, task, last))
		return yes(HN_WHY_PAGE_EARLY);
	return decide_filter(core, task, last, nids);
}

/* ---- refusals ---- */

static void renew_window(struct hn_core_node *node, int64_t now_ticks)
{
	if (now_ticks <= node->migrate_next_window_ticks)
		return;
	node->migrate_nr_pages = 0;
	node->migrate_next_window_ticks = now_ticks + hn_ticks_from_ms(RATE_WINDOW_MS);
}

/* QUIRK: the test comes before the addition and is strict, so a window can pass its limit by one
 * migration. */
static bool is_over_rate(struct hn_core *core, hn_nid nid, const struct hn_fault_event *event)
{
	struct hn_core_node *node = &core->nodes[nid];

	renew_window(node, hn_ticks_at(event->now_ns));
	if (node->migrate_nr_pages > RATE_LIMIT_PAGES)
		return true;
	node->migrate_nr_pages += event->nr_pages;
	return false;
}

bool hn_page_is_rate_limited(const struct hn_core *core, hn_nid nid, int64_t now_ticks)
{
	const struct hn_core_node *node = &core->nodes[nid];

	return core->policy->page_rate_limit && now_ticks <= node->migrate_next_window_ticks &&
	       node->migrate_nr_pages > RATE_LIMIT_PAGES;
}

static enum hn_why find_refusal(struct hn_core *core, const struct hn_fault_event *event,
				hn_nid dst)
{
	const struct hn_policy *policy = core->policy;
	uint16_t shared_huge = HN_FAULT_HUGE | HN_FAULT_MAPPED_MANY;

	if (event->flags & HN_FAULT_FILE_EXEC_SHARED)
		return HN_WHY_PAGE_SHARED_TEXT;
	if (policy->refuse_dirty_file && (event->flags & HN_FAULT_FILE_DIRTY))
		return HN_WHY_PAGE_DIRTY_FILE;
	if (policy->page_rate_limit && is_over_rate(core, dst, event)) {
		core->counters[HN_COUNT_MM_NUMA_MIGRATE_RATELIMIT]++;
		return HN_WHY_PAGE_RATE_LIMIT;
	}
	if (policy->thp_refuse_shared && (event->flags & shared_huge) == shared_huge)
		return HN_WHY_PAGE_THP_SHARED;
	return HN_WHY_NONE;
}

static void refuse_if_ruled_out(struct hn_core *core, const struct hn_fault_event *event,
				struct hn_fault_verdict *verdict)
{
	enum hn_why refusal;

	if (verdict->target_nid == HN_NID_NONE)
		return;
	refusal = find_refusal(core, event, verdict->target_nid);
	if (refusal == HN_WHY_NONE)
		return;
	verdict->target_nid = HN_NID_NONE;
	verdict->why = refusal;
	verdict->is_refused = true;
}

void hn_core_decide_page(struct hn_core *core, const struct hn_fault_event *event,
			 struct hn_fault_verdict *ret_verdict)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	hn_nid dst = hn_machine_nid(core->machine, event->cpu);
	struct hn_fault_verdict verdict = {
		.target_nid = HN_NID_NONE,
		.new_cpupid = event->last_cpupid,
		.is_counted = true,
	};

	if ((event->flags & HN_FAULT_COMPOUND_PTE) && !core->policy->counts_compound_pte) {
		verdict.why = HN_WHY_PAGE_COMPOUND_PTE;
		verdict.is_counted = false;
	} else if (core->policy->memoryless_target_check && !core->machine->nodes[dst].mem_bytes) {
		verdict.why = HN_WHY_PAGE_NO_MEMORY_NODE;
	} else if (is_tiering(core) && !core->machine->nodes[event->page_nid].is_top_tier) {
		hn_tier_decide(core, event, dst, &verdict);
	} else {
		struct decision decision = decide(core, task, event, dst);

		verdict.new_cpupid = hn_cpupid_make(event->cpu, task->pid);
		verdict.why = event->page_nid == dst ? HN_WHY_PAGE_LOCAL : decision.why;
		if (decision.moves && event->page_nid != dst)
			verdict.target_nid = dst;
	}
	if (verdict.is_counted)
		hn_walk_note_access(core, event->vma, task->pid);
	refuse_if_ruled_out(core, event, &verdict);
	hn_core_count_why(core, (enum hn_why)verdict.why);
	*ret_verdict = verdict;
}
