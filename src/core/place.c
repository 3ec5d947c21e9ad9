/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - what one fault does to the statistics, and which node a task should run on.
 *
 * The path of a fault: account_begin says whether the fault is private and local, runs
 * placement when it is due, and says whether a search for a CPU is due; account_end adds the
 * fault to the open window. So the fault that closes a window is itself counted in the next
 * one.
 *
 * Placement runs at most once per completed pass over the address space. It closes the window,
 * adapts the scan period, and makes the node with most faults (of the group, where there is
 * one) the preferred node.
 *
 * The scan period grows by up to 3 slots (tenths of itself) while faults are mostly local, or
 * mostly private (v4.15), and shrinks by up to 7 otherwise:
 *     period 1000 ms, 10 of 10 faults local, 3 of 10 private -> 1000 + 3 * 100 = 1300 ms
 *                      2 of 10 local, 3 of 10 private        -> 1000 - 4 * 100 =  600 ms
 *
 * Knows nothing of CPUs and load: search.c does.
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_fault(), task_numa_placement(),
 * numa_migrate_preferred(), update_task_scan_period(), update_scan_period(); older forms by
 * policy field.
 * Units: ticks for migrate_retry, ms for periods, as the kernel. Tests: test-place.c. */
#include "core/core-internal.h"

#include "model/tick.h"

#define PERIOD_SLOTS 10
#define RETRY_FRACTION 16

/* ---- scan period ---- */

static uint64_t compute_ratio(uint64_t part, uint64_t whole)
{
	return whole ? part * PERIOD_SLOTS / whole : 0;
}

/* At or above the threshold at least one slot is added.
 * QUIRK: so a ratio one above the threshold adds no more than the threshold itself. */
static int64_t compute_slower(int64_t ratio, int64_t threshold, int64_t slot_ms)
{
	return hn_max_i64(1, ratio - threshold) * slot_ms;
}

/* Shared faults do not speed scanning up: the decrease is scaled by the share of private ones. */
static int64_t compute_diff_local(const struct hn_policy *policy, const struct hn_core_task *task,
				  const struct hn_faults_window *window, int64_t slot_ms)
{
	int64_t threshold = policy->period_threshold;
	uint64_t nr_private = window->nr_private;
	uint64_t divisor = nr_private + window->nr_shared + policy->private_ratio_plus_one;
	int64_t ratio = (int64_t)compute_ratio(task->locality[1],
					       task->locality[0] + task->locality[1]);
	int64_t private_ratio;

	if (ratio >= threshold)
		return compute_slower(ratio, threshold, slot_ms);
	private_ratio = divisor ? (int64_t)hn_div_up_u64(nr_private * PERIOD_SLOTS, divisor) : 0;
	return -(threshold - ratio) * slot_ms * private_ratio / PERIOD_SLOTS;
}

/* QUIRK: private faults slow scanning down even when they are all remote; the remarks in the
 * kernel's source at these two branches read as if exchanged. */
static int64_t compute_diff_local_or_private(const struct hn_policy *policy,
					     const struct hn_core_task *task,
					     const struct hn_faults_window *window,
					     int64_t slot_ms)
{
	int64_t threshold = policy->period_threshold;
	int64_t local_ratio = (int64_t)compute_ratio(task->locality[1],
						     task->locality[0] + task->locality[1]);
	int64_t private_ratio = (int64_t)compute_ratio(window->nr_private,
						       window->nr_private + window->nr_shared);

	if (private_ratio >= threshold)
		return compute_slower(private_ratio, threshold, slot_ms);
	if (local_ratio >= threshold)
		return compute_slower(local_ratio, threshold, slot_ms);
	return -(threshold - hn_max_i64(local_ratio, private_ratio)) * slot_ms;
}

static void clear_locality(struct hn_core_task *task)
{
	task->locality[0] = 0;
	task->locality[1] = 0;
	task->locality[2] = 0;
}

/* Nothing was learnt in this window, or pages could not be moved: scan less.
 * QUIRK: unless clear_locality_on_stall, the counts stay, and once a page failed to move this
 * happens at every placement. One would expect each window to be judged by itself. */
static void stretch_period(struct hn_core *core, struct hn_core_task *task, int64_t now_ticks)
{
	task->scan_period_ms = (uint32_t)hn_min_u64(task->scan_period_ms_max,
						    (uint64_t)task->scan_period_ms << 1);
	core->mms[task->mm].next_scan_ticks = now_ticks + hn_ticks_from_ms(task->scan_period_ms);
	if (core->policy->clear_locality_on_stall)
		clear_locality(task);
}

/* QUIRK: the sum is unsigned as in the kernel: a decrease below zero, possible for periods of a
 * few ms, gives the longest period. */
static void add_to_period(const struct hn_core *core, struct hn_core_task *task, int64_t diff_ms)
{
	uint32_t period_ms = task->scan_period_ms + (uint32_t)diff_ms;

	task->scan_period_ms = (uint32_t)hn_clamp_i64(period_ms, hn_scan_period_ms_min(core, task),
						      hn_scan_period_ms_max(core, task));
	clear_locality(task);
}

static void update_scan_period(struct hn_core *core, struct hn_core_task *task,
			       const struct hn_faults_window *window, int64_t now_ticks)
{
	int64_t slot_ms = (int64_t)hn_div_up_u64(task->scan_period_ms, PERIOD_SLOTS);

	if (core->policy->period_rule == HN_PERIOD_RULE_FAULTS)
		return;
	if (task->locality[1] + window->nr_shared == 0 || task->locality[2] != 0) {
		stretch_period(core, task, now_ticks);
		return;
	}
	switch ((enum hn_period_rule)core->policy->period_rule) {
	case HN_PERIOD_RULE_FAULTS:
		break;
	case HN_PERIOD_RULE_LOCAL:
		add_to_period(core, task, compute_diff_local(core->policy, task, window, slot_ms));
		break;
	case HN_PERIOD_RULE_LOCAL_OR_PRIVATE:
		add_to_period(core, task, compute_diff_local_or_private(core->policy, task,
									window, slot_ms));
		break;
	}
}

/* Away from the preferred node, or without one, what was learnt there no longer holds.
 * Source: v4.19 kernel/sched/fair.c update_scan_period(), by "sched/numa: Reset scan rate whenever
 * task moves across nodes". */
void hn_core_note_move(struct hn_core *core, hn_task_id id, hn_cpu src, hn_cpu dst)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	hn_nid src_nid = hn_machine_nid(core->machine, src);
	hn_nid dst_nid = hn_machine_nid(core->machine, dst);

	if (core->policy->scan_reset != HN_SCAN_RESET_AT_NODE_CHANGE ||
	    core->policy->numa_mode == HN_NUMA_MODE_OFF)
		return;
	if (!task->is_alive || !task->has_faults || src_nid == dst_nid)
		return;
	if (task->scan_seq != 0 &&
	    (dst_nid == task->preferred_nid ||
	     (task->preferred_nid != HN_NID_NONE && src_nid != task->preferred_nid)))
		return;
	task->scan_period_ms = hn_scan_period_ms_start(core, task);
}

/* ---- preferred node ---- */

void hn_place_set_preferred(struct hn_core *core, hn_task_id id, hn_nid nid)
{
	struct hn_core_task *task = hn_core_get_task(core, id);

	hn_core_count_why(core, task->preferred_nid == nid ? HN_WHY_PLACE_SAME :
							     HN_WHY_PLACE_NEW);
	task->preferred_nid = nid;
}

/* The first node with the strictly largest sum; HN_NID_NONE when all are zero. */
static hn_nid find_max_nid(const uint64_t *sums, uint32_t nr_nodes)
{
	uint64_t max = 0;
	hn_nid best = HN_NID_NONE;

	for (uint32_t nid = 0; nid < nr_nodes; nid++) {
		if (sums[nid] > max) {
			max = sums[nid];
			best = (hn_nid)nid;
		}
	}
	return best;
}

/* v3.13: where task and group disagree, the sum of both weights decides. */
static hn_nid pick_by_weight_sum(const struct hn_core *core, hn_task_id id, hn_nid start)
{
	int64_t best_weight = 0;
	hn_nid best = start;

	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		int64_t weight = hn_weight_task(core, id, (hn_nid)nid, core->max_distance) +
				 hn_weight_group(core, id, (hn_nid)nid, core->max_distance);

		if (weight > best_weight) {
			best_weight = weight;
			best = (hn_nid)nid;
		}
	}
	return best;
}

/* A node without CPUs can't run the task: the nearest one that can; of equally near ones the
 * first. */
static hn_nid find_nearest_with_cpus(const struct hn_core *core, hn_nid nid)
{
	uint32_t best_distance = UINT32_MAX;
	hn_nid best = nid;

	if (nid == HN_NID_NONE || hn_core_node_takes_part(core, (uint32_t)nid))
		return nid;
	for (uint32_t k = 0; k < core->nr_nodes; k++) {
		uint16_t d = hn_machine_distance(core->machine, nid, (hn_nid)k);

		if (hn_core_node_takes_part(core, k) && d < best_distance) {
			best_distance = d;
			best = (hn_nid)k;
		}
	}
	return best;
}

/* The node that should be preferred; HN_NID_NONE: there are no faults to go by. */
static hn_nid pick_best_nid(const struct hn_core *core, hn_task_id id,
			    const struct hn_faults_window *window)
{
	bool has_group = hn_core_get_task(core, id)->group != HN_GROUP_NONE;
	hn_nid task_nid = find_max_nid(window->task_sum, core->nr_nodes);
	hn_nid group_nid = find_max_nid(window->group_sum, core->nr_nodes);

	if (!has_group)
		return find_nearest_with_cpus(core, task_nid);
	switch ((enum hn_best_node)core->policy->best_node) {
	case HN_BEST_NODE_TASK_GROUP_SUM:
		if (task_nid == HN_NID_NONE || task_nid == group_nid)
			return task_nid;
		return pick_by_weight_sum(core, id, task_nid);
	case HN_BEST_NODE_GROUP_TASK_MAX:
		/* QUIRK: whether there is anything to go by is asked of the task's own faults. */
		if (task_nid == HN_NID_NONE)
			return HN_NID_NONE;
		return hn_weight_pick_group_nid(core, id, group_nid);
	case HN_BEST_NODE_GROUP:
		if (group_nid == HN_NID_NONE)
			return HN_NID_NONE;
		return hn_weight_pick_group_nid(core, id, find_nearest_with_cpus(core, group_nid));
	}
	return HN_NID_NONE;
}

/* Sets when to try again, and says whether to search a CPU now.
 * Source: v6.12 numa_migrate_preferred(); v3.13 for the fixed second. */
static bool is_move_wanted(struct hn_core *core, const struct hn_account_event *event)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	int64_t interval_ticks = HN_TICKS_PER_S;

	if (task->preferred_nid == HN_NID_NONE) {
		hn_core_count_why(core, HN_WHY_MOVE_NO_PREFERRED);
		return false;
	}
	if (core->policy->retry_by_period)
		interval_ticks = hn_min_i64(interval_ticks, hn_ticks_from_ms(task->scan_period_ms) /
							    RETRY_FRACTION);
	task->migrate_retry_ticks = hn_ticks_at(event->now_ns) + interval_ticks;
	if (hn_machine_nid(core->machine, event->cpu) == task->preferred_nid) {
		hn_core_count_why(core, HN_WHY_MOVE_ON_PREFERRED);
		return false;
	}
	return true;
}

static bool is_move_wanted_by_placement(struct hn_core *core, const struct hn_account_event *event,
					bool has_changed)
{
	hn_nid nid = hn_machine_nid(core->machine, event->cpu);

	switch ((enum hn_placement_migrate)core->policy->placement_migrate) {
	case HN_PLACEMENT_MIGRATE_ON_CHANGE:
		return has_changed && is_move_wanted(core, event);
	case HN_PLACEMENT_MIGRATE_OFF_NODE:
		return nid != hn_core_get_task(core, event->task)->preferred_nid &&
		       is_move_wanted(core, event);
	case HN_PLACEMENT_MIGRATE_NEVER:
		return false;
	}
	return false;
}

/* Chooses the preferred node from a closed window. */
static void place_task(struct hn_core *core, const struct hn_account_event *event,
		       const struct hn_faults_window *window, struct hn_account_result *result)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	hn_nid before = task->preferred_nid;
	hn_nid best;

	if (task->group != HN_GROUP_NONE)
		hn_group_update_active(core, task->group);
	best = pick_best_nid(core, event->task, window);
	if (best == HN_NID_NONE) {
		hn_core_count_why(core, HN_WHY_PLACE_NO_FAULTS);
		return;
	}
	hn_place_set_preferred(core, event->task, best);
	result->is_search_due = is_move_wanted_by_placement(core, event, best != before);
}

/* QUIRK: until v4.18 the scan period is adapted before the best node is chosen, since v4.19
 * after it. Neither reads what the other writes, so one order serves all. */
static void run_placement(struct hn_core *core, const struct hn_account_event *event,
			  struct hn_account_result *result)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	int32_t scan_seq = core->mms[task->mm].scan_seq;
	struct hn_faults_window window;

	if (task->scan_seq == scan_seq)
		return;
	task->scan_seq = scan_seq;
	task->scan_period_ms_max = hn_scan_period_ms_max(core, task);
	hn_faults_close_window(core, event->task, &event->clock, &window);
	update_scan_period(core, task, &window, hn_ticks_at(event->now_ns));
	place_task(core, event, &window, result);
	result->is_placed = true;
}

/* ---- accounting ---- */

static bool is_accounted(const struct hn_core *core, const struct hn_core_task *task,
			 const struct hn_account_event *event)
{
	const struct hn_policy *policy = core->policy;

	if (policy->numa_mode == HN_NUMA_MODE_OFF || policy->scan_model == HN_SCAN_MODEL_FIRST_NID)
		return false;
	if (!task->is_alive || task->is_kthread || task->mm == HN_MM_NONE)
		return false;
	if (!policy->untracked_slow_skip || core->machine->nodes[event->mem_nid].is_top_tier)
		return true;
	return policy->numa_mode == HN_NUMA_MODE_NORMAL &&
	       event->last_cpupid != HN_CPUPID_NONE;
}

/* Also forms groups, since that is when the kernel does it. */
static bool is_fault_private(struct hn_core *core, const struct hn_core_task *task,
			     const struct hn_account_event *event)
{
	if (event->last_cpupid == HN_CPUPID_NONE ||
	    hn_cpupid_matches(event->last_cpupid, task->pid))
		return true;
	if (!core->policy->groups || event->flags & HN_ACCOUNT_NO_GROUP)
		return false;
	return hn_group_note_shared(core, event);
}

/* A shared fault counts as local when it stays among the nodes on which the group runs: such
 * pages are where they should be. */
static bool is_fault_local(const struct hn_core *core, const struct hn_core_task *task,
			   const struct hn_account_event *event, bool is_private)
{
	const struct hn_core_group *group;

	if (event->flags & HN_ACCOUNT_LOCAL)
		return true;
	if (is_private || !core->policy->active_group_local || task->group == HN_GROUP_NONE)
		return false;
	group = &core->groups[task->group];
	if (core->policy->active_nodes == HN_ACTIVE_NODES_COUNT && group->nr_active_nodes <= 1)
		return false;
	return hn_group_is_active(core, task->group, hn_machine_nid(core->machine, event->cpu)) &&
	       hn_group_is_active(core, task->group, event->mem_nid);
}

/* Until v4.18 placement may itself ask for the move. That sets the time of the next attempt
 * into the future, so that the test after it fails: a fault leads to one search at most. */
static void place_and_retry(struct hn_core *core, const struct hn_account_event *event,
			    struct hn_account_result *result)
{
	const struct hn_core_task *task = hn_core_get_task(core, event->task);
	int64_t now_ticks = hn_ticks_at(event->now_ns);

	if (!core->policy->placement_at_retry)
		run_placement(core, event, result);
	if (now_ticks <= task->migrate_retry_ticks) {
		if (!result->is_search_due)
			hn_core_count_why(core, HN_WHY_MOVE_NOT_DUE);
		return;
	}
	if (core->policy->placement_at_retry)
		run_placement(core, event, result);
	if (is_move_wanted(core, event))
		result->is_search_due = true;
}

struct hn_account_result hn_core_account_begin(struct hn_core *core,
					       const struct hn_account_event *event)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	struct hn_account_result result = { .preferred_nid = task->preferred_nid };
	bool is_private;

	core->account.is_open = false;
	if (core->policy->period_rule == HN_PERIOD_RULE_FAULTS &&
	    !(event->flags & HN_ACCOUNT_MIGRATED))
		hn_scan_note_unmoved_fault(core, task);
	if (!is_accounted(core, task, event))
		return result;
	if (!task->has_faults)
		hn_faults_start(core, event->task);
	is_private = is_fault_private(core, task, event);
	core->account = (struct hn_core_account){
		.is_open = true,
		.is_private = is_private,
		.is_local = is_fault_local(core, task, event, is_private),
		.task = event->task,
	};
	place_and_retry(core, event, &result);
	result.preferred_nid = task->preferred_nid;
	return result;
}

/* The CPU's node is that of begin, where the kernel reads it once at the entry. */
void hn_core_account_end(struct hn_core *core, const struct hn_account_event *event)
{
	const struct hn_core_account *account = &core->account;
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	uint64_t *membuf = hn_core_faults(core, event->task, HN_STAT_MEMBUF);
	uint64_t *cpubuf = hn_core_faults(core, event->task, HN_STAT_CPUBUF);
	hn_nid cpu_nid = hn_machine_nid(core->machine, event->cpu);

	if (!account->is_open)
		return;
	hn_assert(account->task == event->task);
	if (event->flags & HN_ACCOUNT_MIGRATED)
		task->nr_pages_migrated += event->nr_pages;
	if (event->flags & HN_ACCOUNT_MIGRATE_FAILED && core->policy->counts_failed_pages)
		task->locality[2] += event->nr_pages;
	membuf[2 * event->mem_nid + account->is_private] += event->nr_pages;
	if (core->policy->faults_cpu_weight != HN_FAULTS_CPU_WEIGHT_NONE)
		cpubuf[2 * cpu_nid + account->is_private] += event->nr_pages;
	task->locality[account->is_local] += event->nr_pages;
	core->account.is_open = false;
}
