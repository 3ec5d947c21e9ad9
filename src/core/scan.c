/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scan.c - when a task scans, and how often.
 *
 * Each task has a period in ms of its own CPU time; each address space a time before which nobody
 * scans it. A tick that finds the task's CPU time beyond its stamp plus one period moves the
 * stamp on, and lets the task scan if the address space is due. So an idle task never scans,
 * many threads attempt often, and the address space limits who succeeds.
 *
 * The shortest period follows from size: 256 MB per scan and at most 2560 MB a second.
 *     resident 1 GiB: 4 windows, shortest max(100, 1000 / 4) = 250 ms, longest 60000 / 4 = 15000 ms
 *     resident 16 GiB: 64 windows, shortest max(100, 15) = 100 ms, longest 937 ms
 *
 * Source: v6.12 kernel/sched/fair.c task_tick_numa(), task_numa_work(), task_nr_scan_windows(),
 * task_scan_min(), task_scan_max(), task_scan_start(); v3.8 for the first-node model.
 * Units: ticks for next_scan, ms for periods, ns of CPU time for stamps. Tests: test-scan.c. */
#include "core/core-internal.h"

#include "model/tick.h"

#define PAGES_PER_MB 256
/* Source: v3.13 kernel/sched/fair.c MAX_SCAN_WINDOW, in MB per second. */
#define SCAN_MB_PER_S_MAX 2560
/* Address range walked at most, as a multiple of the pages to be marked (v4.9). */
#define VIRT_PER_PAGES 8
/* A scan may cost about 3 % of a task's time (v4.9). */
#define REPAY_FACTOR 32
/* Source: v3.8 task_numa_fault(): the number is written as jiffies_to_msecs(10). */
#define UNMOVED_FAULT_TICKS 10

static const struct hn_core_mm *mm_of(const struct hn_core *core, const struct hn_core_task *task)
{
	hn_assert(task->mm != HN_MM_NONE);
	return &core->mms[task->mm];
}

static uint32_t nr_scan_windows(const struct hn_core *core, const struct hn_core_task *task)
{
	uint64_t window_pages = (uint64_t)core->policy->scan_size_mb * PAGES_PER_MB;
	uint64_t rss_pages = task->mm == HN_MM_NONE ? 0 : mm_of(core, task)->rss_pages;

	if (!window_pages || !rss_pages)
		return 1;
	return (uint32_t)hn_div_up_u64(rss_pages, window_pages);
}

uint32_t hn_scan_period_ms_min(const struct hn_core *core, const struct hn_core_task *task)
{
	const struct hn_policy *policy = core->policy;
	uint32_t windows_per_s = 1;

	if (policy->scan_model == HN_SCAN_MODEL_FIRST_NID)
		return policy->scan_period_ms_min;
	if (policy->scan_size_mb && policy->scan_size_mb < SCAN_MB_PER_S_MAX)
		windows_per_s = SCAN_MB_PER_S_MAX / policy->scan_size_mb;
	return (uint32_t)hn_max_u64(1000 / windows_per_s, policy->scan_period_ms_min /
							  nr_scan_windows(core, task));
}

/* A period stretched for a group whose faults are shared: its members do the same scan for one
 * another.
 * Source: v4.15 b5dd77c8bdad ("sched/numa: Scale scan period with tasks in group and
 * shared/private").
 * ASSUMES: the reference count is the number of members. */
static uint64_t stretch_for_group(const struct hn_core *core, const struct hn_core_task *task,
				  uint64_t period_ms)
{
	const uint64_t *faults = hn_core_gfaults(core, task->group, HN_STAT_MEM);
	uint64_t nr_shared = 0;
	uint64_t nr_private = 0;

	for (uint32_t n = 0; n < core->nr_nodes; n++) {
		nr_shared += faults[2 * n];
		nr_private += faults[2 * n + 1];
	}
	return period_ms * core->groups[task->group].nr_tasks * (nr_shared + 1) /
	       (nr_private + nr_shared + 1);
}

static bool is_stretched(const struct hn_core *core, const struct hn_core_task *task)
{
	return core->policy->scan_group_period && task->group != HN_GROUP_NONE;
}

uint32_t hn_scan_period_ms_max(const struct hn_core *core, const struct hn_core_task *task)
{
	uint64_t min_ms = hn_scan_period_ms_min(core, task);
	uint64_t max_ms;

	if (core->policy->scan_model == HN_SCAN_MODEL_FIRST_NID)
		return core->policy->scan_period_ms_max;
	max_ms = core->policy->scan_period_ms_max / nr_scan_windows(core, task);
	if (is_stretched(core, task))
		max_ms = hn_max_u64(max_ms, stretch_for_group(core, task, max_ms));
	return (uint32_t)hn_max_u64(min_ms, max_ms);
}

uint32_t hn_scan_period_ms_start(const struct hn_core *core, const struct hn_core_task *task)
{
	uint64_t min_ms = hn_scan_period_ms_min(core, task);

	if (!core->policy->period_starts_at_start || !is_stretched(core, task))
		return (uint32_t)min_ms;
	return (uint32_t)hn_max_u64(min_ms, stretch_for_group(core, task, min_ms));
}

void hn_scan_note_unmoved_fault(struct hn_core *core, struct hn_core_task *task)
{
	uint64_t step_ms = UNMOVED_FAULT_TICKS * 1000 / HN_TICKS_PER_S;

	task->scan_period_ms = (uint32_t)hn_min_u64(core->policy->scan_period_ms_max,
						    task->scan_period_ms + step_ms);
}

/* ---- ticks ---- */

static bool may_scan(const struct hn_core *core, const struct hn_core_task *task)
{
	return core->policy->numa_mode != HN_NUMA_MODE_OFF && task->is_alive &&
	       !task->is_kthread && task->mm != HN_MM_NONE && !task->is_scan_queued;
}

static uint64_t period_ns(const struct hn_core_task *task)
{
	return (uint64_t)task->scan_period_ms * (uint64_t)HN_NS_PER_MS;
}

/* QUIRK: up to v4.4 the difference is unsigned, so a stamp ahead of the task's CPU time is due at
 * every tick; one would expect it to wait. */
static bool is_stamp_passed(const struct hn_core *core, const struct hn_core_task *task,
			    uint64_t exec_ns)
{
	if (core->policy->stamp_wraps)
		return exec_ns - task->node_stamp_ns > period_ns(task);
	return exec_ns > task->node_stamp_ns + period_ns(task);
}

hn_time_ns hn_core_scan_due_exec_ns(const struct hn_core *core, hn_task_id id)
{
	const struct hn_core_task *task = hn_core_get_task(core, id);

	if (!may_scan(core, task))
		return HN_TIME_NEVER;
	if (core->policy->stamp_wraps && task->seen_exec_ns < task->node_stamp_ns)
		return 0;
	return (hn_time_ns)(task->node_stamp_ns + period_ns(task));
}

bool hn_core_note_tick(struct hn_core *core, hn_time_ns now_ns, hn_task_id id,
		       hn_time_ns sum_exec_ns)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	uint64_t exec_ns = (uint64_t)sum_exec_ns;
	uint64_t passed_ns = period_ns(task);

	task->seen_exec_ns = exec_ns;
	if (!may_scan(core, task) || !is_stamp_passed(core, task, exec_ns))
		return false;
	if (!task->node_stamp_ns)
		task->scan_period_ms = hn_scan_period_ms_start(core, task);
	if (core->policy->stamp_is_reset)
		task->node_stamp_ns = exec_ns;
	else
		task->node_stamp_ns += passed_ns;
	if (hn_ticks_at(now_ns) < mm_of(core, task)->next_scan_ticks)
		return false;
	task->is_scan_queued = true;
	return true;
}

/* ---- one attempt ---- */

/* Source: v3.8 task_numa_work(): a process that stays on one node is never scanned. */
static enum hn_why first_nid_obstacle(struct hn_core *core, const struct hn_scan_event *event)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	struct hn_core_mm *mm = &core->mms[task->mm];
	hn_nid nid = hn_machine_nid(core->machine, event->cpu);
	int64_t now_ticks = hn_ticks_at(event->now_ns);

	if (mm->first_nid == HN_NID_NONE)
		mm->first_nid = nid;
	if (!mm->is_first_nid_active) {
		if (nid == mm->first_nid)
			return HN_WHY_SCAN_FIRST_NODE;
		mm->is_first_nid_active = true;
	}
	if (mm->next_reset_ticks && now_ticks > mm->next_reset_ticks) {
		task->scan_period_ms = core->policy->scan_period_ms_min;
		mm->next_reset_ticks = now_ticks +
				       hn_ticks_from_ms(core->policy->scan_period_ms_reset);
	}
	return HN_WHY_NONE;
}

/* Takes the scan of this period, or says why not. */
static enum hn_why take_period(struct hn_core *core, const struct hn_scan_event *event)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	struct hn_core_mm *mm = &core->mms[task->mm];
	int64_t now_ticks = hn_ticks_at(event->now_ns);

	if (!mm->next_scan_ticks)
		mm->next_scan_ticks = now_ticks + hn_ticks_from_ms(core->policy->scan_delay_ms);
	if (now_ticks < mm->next_scan_ticks)
		return HN_WHY_SCAN_NOT_DUE;
	if (!task->scan_period_ms) {
		task->scan_period_ms_max = hn_scan_period_ms_max(core, task);
		task->scan_period_ms = hn_scan_period_ms_start(core, task);
	}
	mm->next_scan_ticks = now_ticks + hn_ticks_from_ms(task->scan_period_ms);
	/* So that the same thread does not win every race. */
	task->node_stamp_ns += 2 * (uint64_t)HN_TICK_NS;
	return HN_WHY_NONE;
}

static enum hn_why find_obstacle(struct hn_core *core, const struct hn_scan_event *event)
{
	const struct hn_policy *policy = core->policy;
	hn_nid nid = hn_machine_nid(core->machine, event->cpu);
	bool is_first_nid = policy->scan_model == HN_SCAN_MODEL_FIRST_NID;
	enum hn_why why = HN_WHY_NONE;

	if (policy->cpuset_skip && event->is_single_node) {
		core->counters[HN_COUNT_SCHED_SKIP_CPUSET_NUMA]++;
		return HN_WHY_SCAN_CPUSET;
	}
	if (is_first_nid)
		why = first_nid_obstacle(core, event);
	if (why == HN_WHY_NONE)
		why = take_period(core, event);
	if (why != HN_WHY_NONE)
		return why;
	/* Hints that could not migrate their pages would be for nothing. */
	if (is_first_nid && hn_page_is_rate_limited(core, nid, hn_ticks_at(event->now_ns)))
		return HN_WHY_SCAN_RATE_LIMIT;
	if (policy->scan_trylock && event->is_lock_busy)
		return HN_WHY_SCAN_LOCK_BUSY;
	return HN_WHY_NONE;
}

bool hn_core_scan_begin(struct hn_core *core, const struct hn_scan_event *event)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	int64_t window_pages = (int64_t)core->policy->scan_size_mb * PAGES_PER_MB;
	enum hn_why why;

	task->is_scan_queued = false;
	task->seen_exec_ns = (uint64_t)event->sum_exec_ns;
	core->scan = (struct hn_core_scan){ .event = *event };
	if (!task->is_alive || task->mm == HN_MM_NONE)
		return false;
	why = find_obstacle(core, event);
	hn_core_count_why(core, why == HN_WHY_NONE ? HN_WHY_SCAN_DONE : why);
	if (why != HN_WHY_NONE || !window_pages)
		return false;
	core->scan.is_active = true;
	core->scan.now_ticks = hn_ticks_at(event->now_ns);
	core->scan.mm = task->mm;
	core->scan.vma = HN_VMA_NONE;
	core->scan.pages_left = window_pages;
	core->scan.virt_left = core->policy->scan_virt_budget ? window_pages * VIRT_PER_PAGES :
								INT64_MAX;
	core->scan.sum_exec_ns = event->sum_exec_ns;
	hn_walk_start(core);
	return true;
}

/* Source: v4.9 task_numa_work(): the task is left alone for a multiple of what the scan cost it. */
void hn_core_scan_charged(struct hn_core *core, hn_task_id id, hn_time_ns sum_exec_ns)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	hn_time_ns cost_ns = sum_exec_ns - core->scan.sum_exec_ns;

	if (core->scan.is_active && core->policy->scan_repay && cost_ns > 0)
		task->node_stamp_ns += REPAY_FACTOR * (uint64_t)cost_ns;
	core->scan.is_active = false;
}
