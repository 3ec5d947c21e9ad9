/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk.c - which mappings a scan visits, and how far it gets.
 *
 * A scan goes on where the last one of the address space stopped, mapping by mapping in address
 * order. Each mapping passes filters or is skipped; one that passes is marked in chunks until
 * the budget is used up ("stopped inside": the next scan goes on there) or the list ends ("pass
 * complete": the sequence number grows, and the next scan starts at the front).
 *
 *     budget 256 MB, mappings A 100 MB, B 1 GB, both populated:
 *     1st scan: A, first 156 MB of B      2nd, 3rd, 4th: 256 MB of B each
 *     5th: the last 100 MB of B, end of list: pass complete
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_work(), vma_is_accessed(), vma_set_access_pid_bit();
 * fc137c0ddab2 ("sched/numa: enhance vma scanning logic"), f3a6c97940fb ("sched/numa: Complete
 * scanning of partial VMAs regardless of PID activity"); older forms by policy field. Units:
 * bytes for addresses, pages for budgets. Tests: test-walk.c. */
#include "core/core-internal.h"

#include "model/tick.h"

/* Periods of scan_delay after which the older half of the access bits is dropped. */
#define PID_RESET_DELAYS 4

/* Source: v6.3 include/linux/hash.h hash_32(): 64-bit words give six bits. */
static uint32_t pid_bit(uint32_t pid)
{
	return pid * UINT32_C(0x61C88647) >> 26;
}

static bool has_pid_filter(const struct hn_core *core)
{
	return core->policy->vma_scan_rule != HN_VMA_SCAN_RULE_ALL;
}

/* Kernels from v6.7 on remember how far each mapping was scanned, and trace what they skip. */
static bool has_sequences(const struct hn_core *core)
{
	return core->policy->vma_scan_rule >= HN_VMA_SCAN_RULE_PARTIAL;
}

void hn_walk_note_access(struct hn_core *core, hn_vma_id vma, uint32_t pid)
{
	if (has_pid_filter(core) && core->vmas[vma].has_state)
		core->vmas[vma].pids[1] |= UINT64_C(1) << pid_bit(pid);
}

static void note_skip(struct hn_core *core, enum hn_why why)
{
	hn_core_count_why(core, why);
	if (has_sequences(core))
		core->counters[HN_COUNT_SCHED_SKIP_VMA_NUMA]++;
}

/* ---- filters ---- */

/* Source: v3.8 task_numa_work(): a mapping is of interest when a whole huge page fits. */
static bool is_small(const struct hn_vma *map)
{
	return hn_round_up_pow2(map->start, HN_HUGE_BYTES) >= (map->end & ~(HN_HUGE_BYTES - 1));
}

static enum hn_why structural_obstacle(const struct hn_core *core, const struct hn_vma *map)
{
	const struct hn_policy *policy = core->policy;

	if (map->flags & (HN_VMA_SPECIAL | HN_VMA_BOUND))
		return HN_WHY_VMA_UNSUITABLE;
	if (policy->vma_skip_hugetlb && (map->flags & (HN_VMA_HUGETLB | HN_VMA_MIXEDMAP)))
		return HN_WHY_VMA_UNSUITABLE;
	if (policy->vma_skip_small && is_small(map))
		return HN_WHY_VMA_SMALL;
	if (!policy->vma_skip_shared_ro)
		return HN_WHY_NONE;
	if (map->flags & HN_VMA_NO_OWNER)
		return HN_WHY_VMA_SHARED_RO;
	if ((map->flags & (HN_VMA_FILE | HN_VMA_READ | HN_VMA_WRITE)) ==
	    (HN_VMA_FILE | HN_VMA_READ))
		return HN_WHY_VMA_SHARED_RO;
	if (!(map->flags & (HN_VMA_READ | HN_VMA_WRITE | HN_VMA_EXEC)))
		return HN_WHY_VMA_INACCESSIBLE;
	return HN_WHY_NONE;
}

static void start_state(struct hn_core *core, struct hn_core_vma *vma)
{
	const struct hn_core_mm *mm = &core->mms[core->scan.mm];
	uint32_t delay_ms = core->policy->scan_delay_ms;

	if (vma->has_state)
		return;
	vma->has_state = true;
	vma->start_scan_seq = mm->scan_seq;
	vma->prev_scan_seq = mm->scan_seq - 1;
	vma->next_scan_ticks = core->scan.now_ticks + hn_ticks_from_ms(delay_ms);
	vma->pid_reset_ticks = vma->next_scan_ticks +
			       hn_ticks_from_ms((int64_t)delay_ms * PID_RESET_DELAYS);
}

/* QUIRK: one step a visit, even when several periods have passed. */
static void age_pids(struct hn_core *core, struct hn_core_vma *vma)
{
	uint32_t delay_ms = core->policy->scan_delay_ms;

	if (!core->mms[core->scan.mm].scan_seq || core->scan.now_ticks <= vma->pid_reset_ticks)
		return;
	vma->pid_reset_ticks += hn_ticks_from_ms((int64_t)delay_ms * PID_RESET_DELAYS);
	vma->pids[0] = vma->pids[1];
	vma->pids[1] = 0;
}

static bool is_accessed(struct hn_core *core, const struct hn_core_vma *vma)
{
	const struct hn_core_mm *mm = &core->mms[core->scan.mm];
	uint32_t pid = hn_core_get_task(core, core->scan.event.task)->pid;
	uint32_t seq = (uint32_t)mm->scan_seq;
	bool is_young = has_sequences(core) ? seq - (uint32_t)vma->start_scan_seq < 2 : seq < 2;

	if (is_young || (vma->pids[0] | vma->pids[1]) >> pid_bit(pid) & 1)
		return true;
	if (has_sequences(core) && mm->scan_offset > vma->map.start) {
		note_skip(core, HN_WHY_VMA_IGNORE_PID);
		return true;
	}
	/* Source: v6.12 f22cde4371f3 ("sched/numa: Fix the vma scan starving issue"). */
	if (core->policy->vma_scan_rule == HN_VMA_SCAN_RULE_SEQ_THRESHOLD &&
	    (int64_t)mm->scan_seq > (int64_t)vma->prev_scan_seq + core->scan.event.nr_threads) {
		hn_core_count_why(core, HN_WHY_VMA_SEQ_THRESHOLD);
		return true;
	}
	return false;
}

/* Tests by access; also ages the access bits, before the test or (up to v6.6) after it. */
static enum hn_why access_obstacle(struct hn_core *core, struct hn_core_vma *vma)
{
	struct hn_core_mm *mm = &core->mms[core->scan.mm];

	start_state(core, vma);
	if (mm->scan_seq && core->scan.now_ticks < vma->next_scan_ticks)
		return HN_WHY_VMA_SCAN_DELAY;
	if (has_sequences(core)) {
		age_pids(core, vma);
		if (vma->prev_scan_seq == mm->scan_seq) {
			mm->scan_offset = vma->map.end;
			return HN_WHY_VMA_SEQ_COMPLETED;
		}
	}
	if (!core->scan.is_forced && !is_accessed(core, vma)) {
		core->scan.has_skipped_by_pid = true;
		return HN_WHY_VMA_PID_INACTIVE;
	}
	if (!has_sequences(core))
		age_pids(core, vma);
	return HN_WHY_NONE;
}

static bool is_visited(struct hn_core *core, struct hn_core_vma *vma)
{
	enum hn_why why = structural_obstacle(core, &vma->map);

	if (why == HN_WHY_NONE && has_pid_filter(core))
		why = access_obstacle(core, vma);
	if (why == HN_WHY_NONE)
		return true;
	note_skip(core, why);
	return false;
}

/* ---- going on ---- */

static hn_vma_id find_from(const struct hn_core *core, uint64_t address)
{
	hn_vma_id v = core->mms[core->scan.mm].first_vma;

	while (v != HN_VMA_NONE && core->vmas[v].map.end <= address)
		v = core->vmas[v].next;
	return v;
}

static void complete_pass(struct hn_core *core)
{
	core->mms[core->scan.mm].scan_seq++;
	core->mms[core->scan.mm].scan_offset = 0;
}

/* To the mapping where the walk starts, or starts over. */
void hn_walk_start(struct hn_core *core)
{
	struct hn_core_scan *scan = &core->scan;
	struct hn_core_mm *mm = &core->mms[scan->mm];

	scan->start = mm->scan_offset;
	scan->vma = find_from(core, scan->start);
	scan->is_inside = false;
	if (scan->vma != HN_VMA_NONE)
		return;
	complete_pass(core);
	scan->start = 0;
	scan->vma = mm->first_vma;
	scan->is_at_end = scan->vma == HN_VMA_NONE;
}

/* The walk ends here, and the next scan goes on at this address. */
static void stop_inside(struct hn_core *core)
{
	core->mms[core->scan.mm].scan_offset = core->scan.start;
	core->scan.is_at_end = true;
}

static void charge(struct hn_core *core, uint64_t nr_updates)
{
	struct hn_core_scan *scan = &core->scan;
	int64_t span_pages = (int64_t)((scan->range_end - scan->start) / HN_PAGE_BYTES);

	scan->nr_updates_total += nr_updates;
	switch ((enum hn_scan_charge)core->policy->scan_charge) {
	case HN_SCAN_CHARGE_UPDATES:
		scan->pages_left -= (int64_t)nr_updates;
		break;
	case HN_SCAN_CHARGE_CUMULATIVE:
		if (scan->nr_updates_total)
			scan->pages_left -= span_pages;
		break;
	case HN_SCAN_CHARGE_CHUNK:
		if (nr_updates)
			scan->pages_left -= span_pages;
		break;
	}
	if (core->policy->scan_virt_budget)
		scan->virt_left -= span_pages;
}

/* What follows a marked chunk: the budget may end the walk, or the mapping may be done.
 * QUIRK: a budget that ends exactly at the end of a mapping leaves it without its mark of
 * completion, as if it were partly scanned. */
static void finish_range(struct hn_core *core, uint64_t nr_updates)
{
	struct hn_core_scan *scan = &core->scan;
	struct hn_core_vma *vma = &core->vmas[scan->vma];

	scan->has_range = false;
	charge(core, nr_updates);
	scan->start = scan->range_end;
	if (scan->pages_left <= 0 || scan->virt_left <= 0) {
		stop_inside(core);
		return;
	}
	if (scan->start < vma->map.end)
		return;
	scan->is_inside = false;
	if (has_sequences(core))
		vma->prev_scan_seq = core->mms[scan->mm].scan_seq;
	if (scan->is_forced)
		stop_inside(core);
	else
		scan->vma = vma->next;
}

/* The list has ended: over again for one mapping that was skipped, or the pass is complete.
 * QUIRK: the restart is literal; when completed mappings have moved the offset behind the last
 * one, it counts a pass of its own. */
static void finish_list(struct hn_core *core)
{
	struct hn_core_scan *scan = &core->scan;

	if (has_sequences(core) && !scan->is_forced && scan->has_skipped_by_pid) {
		scan->is_forced = true;
		hn_walk_start(core);
		return;
	}
	complete_pass(core);
	scan->is_at_end = true;
}

/* ---- marking ---- */

static enum hn_mark_cow cow_rule(const struct hn_policy *policy)
{
	switch ((enum hn_mark_cow_rule)policy->mark_cow_rule) {
	case HN_MARK_COW_RULE_MAPCOUNT_ONE_ALL:
		return HN_MARK_COW_SINGLE_ALL;
	case HN_MARK_COW_RULE_NONE:
		return HN_MARK_COW_ANY;
	case HN_MARK_COW_RULE_MAPCOUNT:
	case HN_MARK_COW_RULE_MAYBE_SHARED:
		return HN_MARK_COW_UNSHARED;
	case HN_MARK_COW_RULE_REFCOUNT:
		return HN_MARK_COW_UNREFERENCED;
	}
	return HN_MARK_COW_ANY;
}

static struct hn_mark_rules mark_rules(const struct hn_core *core, const struct hn_core_vma *vma)
{
	const struct hn_policy *policy = core->policy;
	bool is_tiering = policy->numa_mode == HN_NUMA_MODE_TIERING ||
			  policy->numa_mode == HN_NUMA_MODE_BOTH;
	struct hn_mark_rules rules = {
		.cow = cow_rule(policy),
		.skips_dirty_file = policy->mark_skip_dirty_file,
		.skips_ksm = policy->mark_skip_ksm,
		.applies_to_huge = policy->mark_tests_huge,
		.skip_local_nid = HN_NID_NONE,
		.skip_local_huge_nid = HN_NID_NONE,
		.skips_top_tier = policy->numa_mode == HN_NUMA_MODE_TIERING,
		.stamps_slow = is_tiering && policy->tiering_decision,
	};

	if (policy->mark_skip_local_private && !(vma->map.flags & HN_VMA_SHARED) &&
	    core->mms[core->scan.mm].nr_users == 1) {
		rules.skip_local_nid = hn_machine_nid(core->machine, core->scan.event.cpu);
		if (policy->mark_tests_huge)
			rules.skip_local_huge_nid = rules.skip_local_nid;
	}
	return rules;
}

/* The next chunk of the mapping: as long as the budget of pages, up to a huge page border. */
static void take_range(struct hn_core *core, struct hn_scan_range *ret_range)
{
	struct hn_core_scan *scan = &core->scan;
	const struct hn_core_vma *vma = &core->vmas[scan->vma];
	uint64_t budget_bytes = (uint64_t)scan->pages_left * HN_PAGE_BYTES;

	scan->start = hn_max_u64(scan->start, vma->map.start);
	scan->range_end = hn_min_u64(hn_round_up_pow2(scan->start + budget_bytes, HN_HUGE_BYTES),
				     vma->map.end);
	scan->has_range = true;
	*ret_range = (struct hn_scan_range){
		.vma = scan->vma,
		.mm = scan->mm,
		.task = scan->event.task,
		.start = scan->start,
		.end = scan->range_end,
		.rules = mark_rules(core, vma),
	};
}

bool hn_core_scan_next(struct hn_core *core, uint64_t nr_updates, struct hn_scan_range *ret_range)
{
	struct hn_core_scan *scan = &core->scan;

	hn_assert(scan->is_active);
	if (scan->has_range)
		finish_range(core, nr_updates);
	while (!scan->is_at_end) {
		if (scan->vma == HN_VMA_NONE) {
			finish_list(core);
			continue;
		}
		if (!scan->is_inside) {
			if (!is_visited(core, &core->vmas[scan->vma])) {
				scan->vma = core->vmas[scan->vma].next;
				continue;
			}
			scan->is_inside = true;
		}
		take_range(core, ret_range);
		return true;
	}
	return false;
}
