/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core.c - the block of state, the life of tasks and mappings, questions, digest and checks.
 *
 * Source: v6.12 kernel/sched/fair.c init_numa_balancing(), task_numa_free(); older forms by policy
 * field. Tests: test-core.c, prop-core.c. */
#include "core/core.h"

#include <string.h>

#include "base/digest.h"
#include "core/core-internal.h"
#include "model/tick.h"

/* ---- the block ---- */

#define BLOCK_ALIGN 64

/* Hands out pieces of the block, or only measures when base is NULL. */
struct carver {
	char *base;
	size_t used_bytes;
};

static void *carve(struct carver *carver, size_t nr, size_t elem_bytes)
{
	void *piece = carver->base ? carver->base + carver->used_bytes : NULL;
	size_t bytes = nr * elem_bytes;

	hn_assert(elem_bytes == 0 || bytes / elem_bytes == nr);
	carver->used_bytes += (bytes + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
	return piece;
}

static void lay_out(struct hn_core *core, struct carver *carver, const struct hn_limits *limits,
		    uint32_t nr_nodes)
{
	size_t nr_tasks = limits->nr_tasks;
	size_t row = (size_t)nr_nodes * 2;

	core->tasks = carve(carver, nr_tasks, sizeof(*core->tasks));
	core->mms = carve(carver, limits->nr_mms, sizeof(*core->mms));
	core->vmas = carve(carver, limits->nr_vmas, sizeof(*core->vmas));
	core->groups = carve(carver, nr_tasks, sizeof(*core->groups));
	core->nodes = carve(carver, nr_nodes, sizeof(*core->nodes));
	core->task_faults = carve(carver, nr_tasks * HN_NR_STATS * row, sizeof(uint64_t));
	core->group_faults = carve(carver, nr_tasks * 2 * row, sizeof(uint64_t));
}

size_t hn_core_size(const struct hn_limits *limits, const struct hn_machine *machine)
{
	struct carver carver = { 0 };
	struct hn_core core;

	carve(&carver, 1, sizeof(core));
	lay_out(&core, &carver, limits, machine->nr_nodes);
	return carver.used_bytes;
}

struct hn_core *hn_core_init(void *block, const struct hn_limits *limits,
			     const struct hn_machine *machine, const struct hn_policy *policy)
{
	struct carver carver = { .base = block };
	struct hn_core *core = carve(&carver, 1, sizeof(*core));

	core->machine = machine;
	core->policy = policy;
	core->limits = *limits;
	core->nr_nodes = machine->nr_nodes;
	core->nr_groups_max = limits->nr_tasks;
	lay_out(core, &carver, limits, machine->nr_nodes);
	core->are_all_top_tier = true;
	for (uint32_t n = 0; n < machine->nr_nodes; n++) {
		if (!machine->nodes[n].is_top_tier)
			core->are_all_top_tier = false;
	}
	for (uint32_t m = 0; m < limits->nr_mms; m++)
		core->mms[m].first_vma = HN_VMA_NONE;
	hn_weight_init_topology(core);
	return core;
}

/* ---- birth and death ---- */

static struct hn_core_mm *get_mm(const struct hn_core *core, hn_mm_id mm)
{
	hn_assert(mm >= 0 && (uint32_t)mm < core->limits.nr_mms);
	return &core->mms[mm];
}

/* A world that saw the process end need not tell of each mapping. */
static void forget_mappings(struct hn_core *core, const struct hn_core_mm *mm)
{
	for (hn_vma_id v = mm->first_vma; v != HN_VMA_NONE; v = core->vmas[v].next)
		core->vmas[v].is_mapped = false;
}

static void start_mm(struct hn_core *core, struct hn_core_mm *mm, int64_t now_ticks)
{
	const struct hn_policy *policy = core->policy;

	forget_mappings(core, mm);
	*mm = (struct hn_core_mm){
		.is_in_use = true,
		.next_scan_ticks = now_ticks + hn_ticks_from_ms(policy->scan_delay_ms),
		.first_nid = HN_NID_NONE,
		.first_vma = HN_VMA_NONE,
	};
	if (policy->scan_period_ms_reset)
		mm->next_reset_ticks = now_ticks + hn_ticks_from_ms(policy->scan_period_ms_reset);
}

/* Source: v4.18 1378447598432 ("sched/numa: Stagger NUMA balancing scan periods for new threads").
 * QUIRK: the parent's longest period is a number of ms taken for ns, and the product is cut to
 * 32 bits, so the stagger is two ticks and next to nothing more; one would expect up to a scan
 * period. */
static uint64_t stagger_ns(const struct hn_core *core, const struct hn_core_task *parent,
			   uint32_t nr_mm_users)
{
	uint32_t max_ms = hn_scan_period_ms_max(core, parent);
	uint32_t product = (uint32_t)(parent->scan_period_ms * nr_mm_users * UINT32_C(1000000));

	return hn_min_u64(max_ms, product) + 2 * (uint64_t)HN_TICK_NS;
}

static void inherit(const struct hn_core *core, struct hn_core_task *task,
		    const struct hn_fork_event *event)
{
	const struct hn_core_task *parent;

	if (event->parent == HN_TASK_NONE)
		return;
	parent = hn_core_get_task(core, event->parent);
	if (core->policy->fork_inherits_retry)
		task->migrate_retry_ticks = parent->migrate_retry_ticks;
	if (event->nr_mm_users <= 1)
		return;
	task->preferred_nid = parent->preferred_nid;
	if (core->policy->thread_scan_stagger)
		task->node_stamp_ns = stagger_ns(core, parent, event->nr_mm_users);
}

void hn_core_note_fork(struct hn_core *core, const struct hn_fork_event *event)
{
	struct hn_core_task *task = hn_core_get_task(core, event->task);
	struct hn_core_mm *mm = NULL;

	hn_assert(!task->is_alive);
	if (event->mm != HN_MM_NONE) {
		mm = get_mm(core, event->mm);
		if (event->nr_mm_users <= 1)
			start_mm(core, mm, hn_ticks_at(event->now_ns));
		mm->nr_users = event->nr_mm_users;
	}
	*task = (struct hn_core_task){
		.is_alive = true,
		.is_kthread = event->is_kthread,
		.mm = event->mm,
		.pid = event->pid,
		.tgid = event->tgid,
		.scan_period_ms = core->policy->scan_delay_ms,
		.scan_seq = mm ? mm->scan_seq : 0,
		.preferred_nid = HN_NID_NONE,
		.group = HN_GROUP_NONE,
	};
	inherit(core, task, event);
}

static void drop_statistics(struct hn_core *core, hn_task_id id)
{
	struct hn_core_task *task = hn_core_get_task(core, id);

	hn_group_leave(core, id);
	task->total_faults = 0;
	if (task->has_faults)
		memset(hn_core_faults(core, id, HN_STAT_MEM), 0,
		       (size_t)HN_NR_STATS * core->nr_nodes * 2 * sizeof(uint64_t));
}

void hn_core_note_exec(struct hn_core *core, hn_task_id task)
{
	if (core->policy->exec_resets)
		drop_statistics(core, task);
}

void hn_core_note_exit(struct hn_core *core, hn_task_id id)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	struct hn_core_mm *mm;

	hn_assert(task->is_alive);
	drop_statistics(core, id);
	task->is_alive = false;
	task->has_faults = false;
	if (task->mm == HN_MM_NONE)
		return;
	mm = get_mm(core, task->mm);
	if (mm->nr_users > 0)
		mm->nr_users--;
	mm->is_in_use = mm->nr_users > 0;
}

/* ---- mappings ---- */

void hn_core_note_vma(struct hn_core *core, const struct hn_vma *vma)
{
	struct hn_core_mm *mm = get_mm(core, vma->mm);
	hn_vma_id *link = &mm->first_vma;
	struct hn_core_vma *added;

	hn_assert(vma->id >= 0 && (uint32_t)vma->id < core->limits.nr_vmas);
	hn_assert(vma->start < vma->end);
	added = &core->vmas[vma->id];
	hn_assert(!added->is_mapped);
	while (*link != HN_VMA_NONE && core->vmas[*link].map.start < vma->start) {
		hn_assert(core->vmas[*link].map.end <= vma->start);
		link = &core->vmas[*link].next;
	}
	hn_assert(*link == HN_VMA_NONE || vma->end <= core->vmas[*link].map.start);
	*added = (struct hn_core_vma){ .is_mapped = true, .map = *vma, .next = *link };
	*link = vma->id;
}

void hn_core_note_vma_gone(struct hn_core *core, hn_vma_id vma)
{
	struct hn_core_vma *gone = &core->vmas[vma];
	hn_vma_id *link;

	hn_assert(gone->is_mapped);
	link = &get_mm(core, gone->map.mm)->first_vma;
	while (*link != vma) {
		hn_assert(*link != HN_VMA_NONE);
		link = &core->vmas[*link].next;
	}
	*link = gone->next;
	gone->is_mapped = false;
}

void hn_core_note_rss(struct hn_core *core, hn_mm_id mm, uint64_t rss_pages)
{
	get_mm(core, mm)->rss_pages = rss_pages;
}

/* ---- questions ---- */

hn_nid hn_core_preferred_nid(const struct hn_core *core, hn_task_id task)
{
	return hn_core_get_task(core, task)->preferred_nid;
}

uint32_t hn_core_scan_period_ms(const struct hn_core *core, hn_task_id task)
{
	return hn_core_get_task(core, task)->scan_period_ms;
}

uint32_t hn_core_group_id(const struct hn_core *core, hn_task_id task)
{
	int32_t group = hn_core_get_task(core, task)->group;

	return group == HN_GROUP_NONE ? 0 : core->groups[group].gid;
}

uint64_t hn_core_task_faults(const struct hn_core *core, hn_task_id task, hn_nid nid)
{
	if (!hn_core_get_task(core, task)->has_faults)
		return 0;
	return hn_faults_task(core, task, HN_STAT_MEM, nid);
}

uint64_t hn_core_group_faults(const struct hn_core *core, hn_task_id task, hn_nid nid)
{
	int32_t group = hn_core_get_task(core, task)->group;

	return group == HN_GROUP_NONE ? 0 : hn_faults_group(core, group, HN_STAT_MEM, nid);
}

uint32_t hn_core_scan_seq(const struct hn_core *core, hn_mm_id mm)
{
	return (uint32_t)get_mm(core, mm)->scan_seq;
}

const uint64_t *hn_core_counters(const struct hn_core *core)
{
	return core->counters;
}

const uint64_t *hn_core_reasons(const struct hn_core *core)
{
	return core->reasons;
}

/* ---- digest ---- */

static uint64_t fold_task(const struct hn_core *core, uint64_t digest, hn_task_id id)
{
	const struct hn_core_task *task = &core->tasks[id];

	digest = hn_digest_fold(digest, (uint64_t)id);
	digest = hn_digest_fold(digest, task->is_kthread);
	digest = hn_digest_fold(digest, task->is_scan_queued);
	digest = hn_digest_fold(digest, (uint64_t)task->mm);
	digest = hn_digest_fold(digest, task->pid);
	digest = hn_digest_fold(digest, task->tgid);
	digest = hn_digest_fold(digest, task->scan_period_ms);
	digest = hn_digest_fold(digest, task->scan_period_ms_max);
	digest = hn_digest_fold(digest, (uint64_t)task->scan_seq);
	digest = hn_digest_fold(digest, task->node_stamp_ns);
	digest = hn_digest_fold(digest, task->seen_exec_ns);
	digest = hn_digest_fold(digest, (uint64_t)task->migrate_retry_ticks);
	digest = hn_digest_fold(digest, (uint64_t)task->preferred_nid);
	digest = hn_digest_fold(digest, (uint64_t)task->group);
	digest = hn_digest_fold(digest, task->migrate_deferred);
	digest = hn_digest_fold(digest, task->total_faults);
	digest = hn_digest_fold_row(digest, task->locality, 3);
	digest = hn_digest_fold(digest, task->nr_pages_migrated);
	digest = hn_digest_fold(digest, (uint64_t)task->last_placement_ns);
	digest = hn_digest_fold(digest, (uint64_t)task->last_sum_exec_ns);
	if (!task->has_faults)
		return digest;
	return hn_digest_fold_row(digest, hn_core_faults(core, id, HN_STAT_MEM),
			(size_t)HN_NR_STATS * core->nr_nodes * 2);
}

static uint64_t fold_group(const struct hn_core *core, uint64_t digest, int32_t idx)
{
	const struct hn_core_group *group = &core->groups[idx];

	digest = hn_digest_fold(digest, (uint64_t)idx);
	digest = hn_digest_fold(digest, group->nr_tasks);
	digest = hn_digest_fold(digest, group->gid);
	digest = hn_digest_fold(digest, group->created);
	digest = hn_digest_fold(digest, group->total_faults);
	digest = hn_digest_fold(digest, group->max_faults_cpu);
	digest = hn_digest_fold(digest, group->nr_active_nodes);
	digest = hn_digest_fold_row(digest, group->active_mask, HN_ARRAY_LEN(group->active_mask));
	return hn_digest_fold_row(digest, hn_core_gfaults(core, idx, HN_STAT_MEM),
			(size_t)core->nr_nodes * 4);
}

static uint64_t fold_vma(uint64_t digest, const struct hn_core_vma *vma)
{
	digest = hn_digest_fold(digest, (uint64_t)vma->map.id);
	digest = hn_digest_fold(digest, vma->map.start);
	digest = hn_digest_fold(digest, vma->map.end);
	digest = hn_digest_fold(digest, vma->map.flags);
	digest = hn_digest_fold(digest, vma->has_state);
	if (!vma->has_state)
		return digest;
	digest = hn_digest_fold(digest, (uint64_t)vma->next_scan_ticks);
	digest = hn_digest_fold(digest, (uint64_t)vma->pid_reset_ticks);
	digest = hn_digest_fold_row(digest, vma->pids, 2);
	digest = hn_digest_fold(digest, (uint64_t)vma->start_scan_seq);
	return hn_digest_fold(digest, (uint64_t)vma->prev_scan_seq);
}

static uint64_t fold_mm(const struct hn_core *core, uint64_t digest, const struct hn_core_mm *mm)
{
	digest = hn_digest_fold(digest, (uint64_t)mm->next_scan_ticks);
	digest = hn_digest_fold(digest, (uint64_t)mm->next_reset_ticks);
	digest = hn_digest_fold(digest, mm->scan_offset);
	digest = hn_digest_fold(digest, (uint64_t)mm->scan_seq);
	digest = hn_digest_fold(digest, (uint64_t)mm->first_nid);
	digest = hn_digest_fold(digest, mm->is_first_nid_active);
	digest = hn_digest_fold(digest, mm->nr_users);
	digest = hn_digest_fold(digest, mm->rss_pages);
	for (hn_vma_id v = mm->first_vma; v != HN_VMA_NONE; v = core->vmas[v].next)
		digest = fold_vma(digest, &core->vmas[v]);
	return digest;
}

static uint64_t fold_node(uint64_t digest, const struct hn_core_node *node)
{
	digest = hn_digest_fold(digest, (uint64_t)node->migrate_next_window_ticks);
	digest = hn_digest_fold(digest, node->migrate_nr_pages);
	digest = hn_digest_fold(digest, node->promo_candidates);
	digest = hn_digest_fold(digest, node->promo_rate_base);
	digest = hn_digest_fold(digest, node->promo_rate_start_ms);
	digest = hn_digest_fold(digest, node->promo_adjust_base);
	digest = hn_digest_fold(digest, node->promo_adjust_ms);
	return hn_digest_fold(digest, node->promo_threshold_ms);
}

/* Between events no scan and no fault is open, so these two are left out. */
uint64_t hn_core_digest(const struct hn_core *core)
{
	uint64_t digest = HN_DIGEST_START;

	for (uint32_t t = 0; t < core->limits.nr_tasks; t++) {
		if (core->tasks[t].is_alive)
			digest = fold_task(core, digest, (hn_task_id)t);
	}
	for (uint32_t g = 0; g < core->nr_groups_max; g++) {
		if (core->groups[g].is_in_use)
			digest = fold_group(core, digest, (int32_t)g);
	}
	for (uint32_t m = 0; m < core->limits.nr_mms; m++) {
		if (core->mms[m].is_in_use)
			digest = fold_mm(core, digest, &core->mms[m]);
	}
	for (uint32_t n = 0; n < core->nr_nodes; n++)
		digest = fold_node(digest, &core->nodes[n]);
	digest = hn_digest_fold_row(digest, core->counters, HN_NR_COUNTERS);
	return hn_digest_fold_row(digest, core->reasons, HN_NR_WHY);
}

/* ---- checks ---- */

static uint64_t sum_row(const uint64_t *row, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += row[i];
	return sum;
}

/* One entry of a group's array is the sum of its members' entries. */
static void check_group_entry(const struct hn_core *core, int32_t group, size_t idx)
{
	uint64_t sum = 0;

	for (uint32_t t = 0; t < core->limits.nr_tasks; t++) {
		if (core->tasks[t].is_alive && core->tasks[t].group == group)
			sum += hn_core_faults(core, (hn_task_id)t, HN_STAT_MEM)[idx];
	}
	hn_assert(hn_core_gfaults(core, group, HN_STAT_MEM)[idx] == sum);
}

static void check_group(const struct hn_core *core, int32_t group)
{
	size_t nr = (size_t)core->nr_nodes * 2;
	uint64_t total = 0;
	uint32_t nr_tasks = 0;

	for (uint32_t t = 0; t < core->limits.nr_tasks; t++) {
		if (!core->tasks[t].is_alive || core->tasks[t].group != group)
			continue;
		nr_tasks++;
		total += core->tasks[t].total_faults;
	}
	hn_assert(nr_tasks > 0);
	hn_assert(core->groups[group].nr_tasks == nr_tasks);
	hn_assert(core->groups[group].total_faults == total);
	hn_assert(sum_row(hn_core_gfaults(core, group, HN_STAT_MEM), nr) == total);
	/* MEM and CPU rows lie one behind the other in the arrays of tasks and groups alike. */
	for (size_t idx = 0; idx < 2 * nr; idx++)
		check_group_entry(core, group, idx);
}

static void check_task(const struct hn_core *core, hn_task_id id)
{
	const struct hn_core_task *task = &core->tasks[id];

	hn_assert(task->preferred_nid >= HN_NID_NONE);
	hn_assert(task->preferred_nid < (hn_nid)core->nr_nodes);
	hn_assert(task->group >= HN_GROUP_NONE);
	hn_assert(task->group < (int32_t)core->nr_groups_max);
	hn_assert(task->group == HN_GROUP_NONE || core->groups[task->group].is_in_use);
	hn_assert(task->group == HN_GROUP_NONE || task->has_faults);
	hn_assert(task->mm == HN_MM_NONE || core->mms[task->mm].is_in_use);
	if (task->has_faults)
		hn_assert(sum_row(hn_core_faults(core, id, HN_STAT_MEM),
				  (size_t)core->nr_nodes * 2) == task->total_faults);
}

static void check_mappings(const struct hn_core *core, const struct hn_core_mm *mm)
{
	uint64_t reached = 0;

	for (hn_vma_id v = mm->first_vma; v != HN_VMA_NONE; v = core->vmas[v].next) {
		hn_assert(core->vmas[v].is_mapped);
		hn_assert(core->vmas[v].map.start >= reached);
		hn_assert(core->vmas[v].map.start < core->vmas[v].map.end);
		reached = core->vmas[v].map.end;
	}
}

void hn_core_check(const struct hn_core *core)
{
	for (uint32_t t = 0; t < core->limits.nr_tasks; t++) {
		if (core->tasks[t].is_alive)
			check_task(core, (hn_task_id)t);
	}
	for (uint32_t g = 0; g < core->nr_groups_max; g++) {
		if (core->groups[g].is_in_use)
			check_group(core, (int32_t)g);
	}
	for (uint32_t m = 0; m < core->limits.nr_mms; m++) {
		if (core->mms[m].is_in_use)
			check_mappings(core, &core->mms[m]);
	}
}
