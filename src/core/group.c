/* SPDX-License-Identifier: GPL-2.0-or-later */
/* group.c - which tasks work on the same memory, and on which nodes they run.
 *
 * A task that meets a page last touched by another task starts a group of its own, and joins
 * the group of that other task when it can be found: the kernel looks who runs *now* on the CPU
 * that the page names. A group's counts are the sums of its members' MEM and CPU counts, at any
 * time; they move along with a member. Groups never split; a task leaves by exit, and by exec
 * where exec_resets.
 *
 *     A faults on B's page, B on the CPU, both alone in their groups gA (older) and gB (younger):
 *     equal sizes, gA older -> A joins gB, gA is gone.  Had gA two members, A would stay.
 *
 * Active nodes are those from whose CPUs the group faults: a mask with hysteresis (v3.15 ..
 * v4.5), or all nodes with more than a third of the largest count (v4.6 on).
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_group(), numa_group_count_active_nodes(),
 * numa_is_active_node(); v3.15 update_numa_active_node_mask().
 * Units: as faults.c. Tests: test-group.c, prop-group.c. */
#include "core/core-internal.h"

#include <string.h>

/* ASSUMES: an older group stands for one at a lower address. The kernel compares addresses, so
 * which of two equal groups survives is chance there; any total order will do. */
static bool is_mine_kept(const struct hn_core_group *mine, const struct hn_core_group *other)
{
	if (mine->nr_tasks != other->nr_tasks)
		return mine->nr_tasks > other->nr_tasks;
	return mine->created > other->created;
}

static int32_t find_free_group(const struct hn_core *core)
{
	for (uint32_t idx = 0; idx < core->nr_groups_max; idx++) {
		if (!core->groups[idx].is_in_use)
			return (int32_t)idx;
	}
	return HN_GROUP_NONE;
}

static void add_to_group(struct hn_core *core, int32_t idx, hn_task_id id)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	struct hn_core_group *group = &core->groups[idx];
	const uint64_t *from = hn_core_faults(core, id, HN_STAT_MEM);
	uint64_t *to = hn_core_gfaults(core, idx, HN_STAT_MEM);

	/* MEM and CPU rows lie one behind the other in both arrays. */
	for (size_t i = 0; i < (size_t)core->nr_nodes * 4; i++)
		to[i] += from[i];
	group->total_faults += task->total_faults;
	group->nr_tasks++;
	task->group = idx;
}

static void remove_from_group(struct hn_core *core, hn_task_id id)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	struct hn_core_group *group = &core->groups[task->group];
	const uint64_t *from = hn_core_faults(core, id, HN_STAT_MEM);
	uint64_t *to = hn_core_gfaults(core, task->group, HN_STAT_MEM);

	hn_assert(group->nr_tasks > 0);
	for (size_t i = 0; i < (size_t)core->nr_nodes * 4; i++)
		to[i] -= from[i];
	group->total_faults -= task->total_faults;
	group->is_in_use = --group->nr_tasks > 0;
	task->group = HN_GROUP_NONE;
}

static void create_group(struct hn_core *core, hn_task_id id, hn_nid cpu_nid)
{
	int32_t idx = find_free_group(core);
	struct hn_core_group *group;

	/* Every group has a member and this task has no group, so one is free. */
	hn_assert(idx != HN_GROUP_NONE);
	group = &core->groups[idx];
	*group = (struct hn_core_group){
		.is_in_use = true,
		.gid = hn_core_get_task(core, id)->pid,
		.created = core->nr_groups_created++,
		.nr_active_nodes = 1,
	};
	hn_bitmap_add(group->active_mask, (uint32_t)cpu_nid);
	memset(hn_core_gfaults(core, idx, HN_STAT_MEM), 0,
	       (size_t)core->nr_nodes * 4 * sizeof(uint64_t));
	add_to_group(core, idx, id);
	hn_core_count_why(core, HN_WHY_GROUP_CREATED);
}

/* Why the task may not join the group of the one that now runs where the page was touched last;
 * HN_WHY_NONE: it may, if they share memory.
 * QUIRK: a pid is known by its low byte only, so a stranger may pass for the page's last user. */
static enum hn_why find_obstacle(const struct hn_core *core, const struct hn_core_task *task,
				 const struct hn_account_event *event)
{
	const struct hn_core_task *other;

	if (event->last_curr == HN_TASK_NONE)
		return HN_WHY_GROUP_OTHER_GONE;
	other = hn_core_get_task(core, event->last_curr);
	if (!other->is_alive || !hn_cpupid_matches(event->last_cpupid, other->pid))
		return HN_WHY_GROUP_OTHER_GONE;
	if (other->group == HN_GROUP_NONE)
		return HN_WHY_GROUP_OTHER_ALONE;
	if (other->group == task->group)
		return HN_WHY_GROUP_SAME;
	if (is_mine_kept(&core->groups[task->group], &core->groups[other->group]))
		return HN_WHY_GROUP_MINE_LARGER;
	return HN_WHY_NONE;
}

bool hn_group_note_shared(struct hn_core *core, const struct hn_account_event *event)
{
	const struct hn_core_task *task = hn_core_get_task(core, event->task);
	const struct hn_core_task *other;
	enum hn_why obstacle;
	int32_t joined;

	if (task->group == HN_GROUP_NONE)
		create_group(core, event->task, hn_machine_nid(core->machine, event->cpu));
	obstacle = find_obstacle(core, task, event);
	if (obstacle != HN_WHY_NONE) {
		hn_core_count_why(core, obstacle);
		return false;
	}
	other = hn_core_get_task(core, event->last_curr);
	if (other->mm != task->mm && !(event->flags & HN_ACCOUNT_SHARED)) {
		hn_core_count_why(core, HN_WHY_GROUP_NOT_SHARED);
		return true;
	}
	joined = other->group;
	remove_from_group(core, event->task);
	add_to_group(core, joined, event->task);
	hn_core_count_why(core, HN_WHY_GROUP_JOINED);
	return false;
}

void hn_group_leave(struct hn_core *core, hn_task_id id)
{
	if (hn_core_get_task(core, id)->group != HN_GROUP_NONE)
		remove_from_group(core, id);
}

static uint64_t find_max_cpu_faults(const struct hn_core *core, int32_t idx)
{
	uint64_t max = 0;

	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		if (hn_core_node_takes_part(core, nid))
			max = hn_max_u64(max, hn_faults_group(core, idx, HN_STAT_CPU, (hn_nid)nid));
	}
	return max;
}

static void update_mask(struct hn_core *core, int32_t idx, uint64_t max)
{
	struct hn_core_group *group = &core->groups[idx];

	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		uint64_t faults = hn_faults_group(core, idx, HN_STAT_CPU, (hn_nid)nid);

		if (!hn_core_node_takes_part(core, nid))
			continue;
		if (!hn_bitmap_has(group->active_mask, nid)) {
			if (faults > max * 6 / 16)
				hn_bitmap_add(group->active_mask, nid);
		} else if (faults < max * 3 / 16) {
			hn_bitmap_remove(group->active_mask, nid);
		}
	}
	group->nr_active_nodes = hn_bitmap_count(group->active_mask, core->nr_nodes);
}

static void update_count(struct hn_core *core, int32_t idx, uint64_t max)
{
	struct hn_core_group *group = &core->groups[idx];

	group->max_faults_cpu = max;
	group->nr_active_nodes = 0;
	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		if (hn_core_node_takes_part(core, nid) &&
		    hn_group_is_active(core, idx, (hn_nid)nid))
			group->nr_active_nodes++;
	}
}

void hn_group_update_active(struct hn_core *core, int32_t idx)
{
	switch ((enum hn_active_nodes)core->policy->active_nodes) {
	case HN_ACTIVE_NODES_NONE:
		break;
	case HN_ACTIVE_NODES_MASK:
		update_mask(core, idx, find_max_cpu_faults(core, idx));
		break;
	case HN_ACTIVE_NODES_COUNT:
		update_count(core, idx, find_max_cpu_faults(core, idx));
		break;
	}
}

bool hn_group_is_active(const struct hn_core *core, int32_t idx, hn_nid nid)
{
	const struct hn_core_group *group = &core->groups[idx];

	switch ((enum hn_active_nodes)core->policy->active_nodes) {
	case HN_ACTIVE_NODES_NONE:
		return false;
	case HN_ACTIVE_NODES_MASK:
		return hn_bitmap_has(group->active_mask, (uint32_t)nid);
	case HN_ACTIVE_NODES_COUNT:
		return hn_faults_group(core, idx, HN_STAT_CPU, nid) * 3 > group->max_faults_cpu;
	}
	return false;
}
