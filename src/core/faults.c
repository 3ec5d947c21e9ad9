/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults.c - where a task's memory accesses fell, as decaying counts per node.
 *
 * Each task has, for every node and for shared and private faults apart, a decayed count by the
 * page's node (MEM), one by the faulting CPU's node (CPU), and an open window for each (MEMBUF,
 * CPUBUF). Closing the window halves the old counts and adds the new ones; the task's group
 * takes the same differences, so that it stays the sum of its members.
 *
 * Knows nothing of when a window closes or what follows from the counts: place.c does.
 *
 * One node, private faults, three windows of 5, 3 and 0 faults (decay_rounds_up on):
 *     MEM  0 -> 0 - 0 + 5 = 5 -> 5 - 2 + 3 = 6 -> 6 - 3 + 0 = 3
 * With decay_rounds_up off, 5 >> 1 = 2 remain of the five: 0 -> 5 -> 5 -> 2.
 *
 * CPU counts are weighed (faults_cpu_weight), because a task that runs little and faults much,
 * such as a garbage collector, says little about where its group runs. As merged, all of a
 * task's faults of one window together add at most 65536, scaled by the share of wall time that
 * it ran:
 *     ran 500 ms of 1000 ms, 90 of 100 faults from this node
 *     w = (500e6 << 16) / (1000e6 + 1) = 32767;  f = 32767 * 90 / (100 + 1) = 29198
 *
 * Source: v6.12 kernel/sched/fair.c task_numa_placement(), numa_get_avg_runtime(); v3.13 and
 * v3.15 for the older forms; [PATCH 6/9] "numa,sched: normalize faults_cpu stats and weigh by
 * CPU use", Rik van Riel, 2014-01, for HN_FAULTS_CPU_WEIGHT_SEED.
 * Units: base pages; weighed CPU counts in parts of 1/65536 or 1/16384. Tests: test-faults.c. */
#include "core/core-internal.h"

#include <string.h>

/* Largest value of a load-tracking sum, and the periods of 1.048576 ms after which it is reached.
 * Source: v3.15 kernel/sched/fair.c LOAD_AVG_MAX, LOAD_AVG_MAX_N. */
#define LOAD_AVG_MAX 47742
#define LOAD_AVG_MAX_PERIODS 345
#define LOAD_PERIOD_NS (1024 * 1024)
/* y, with y^32 = 1/2, in parts of 2^32. */
#define LOAD_DECAY_Q32 UINT64_C(4202935003)

/* Share of wall time that the task ran in the window that closes. */
struct run_share {
	uint64_t runtime;
	uint64_t period;
};

/* What the window held in total, before it is emptied. */
struct window_scale {
	struct run_share share;
	uint64_t total_faults;
};

/* The load-tracking sum of a task that was runnable all its life.
 * ASSUMES: a task younger than 345 periods never slept, so that its CPU time is its age; the
 * kernel knows the age. If false, the first window of a young sleeper counts too much. */
static uint64_t compute_tracked_sum(hn_time_ns age_ns)
{
	int64_t nr_periods = age_ns / LOAD_PERIOD_NS;
	uint64_t sum = 0;

	if (nr_periods >= LOAD_AVG_MAX_PERIODS)
		return LOAD_AVG_MAX;
	for (int64_t period = 0; period < nr_periods; period++)
		sum = (sum * LOAD_DECAY_Q32 >> 32) + 1024;
	return sum;
}

/* Before the first window there is no earlier mark, and load tracking stands in. */
static struct run_share compute_first_share(const struct hn_policy *policy,
					    const struct hn_task_clock *clock)
{
	struct run_share share = { .runtime = clock->load_sum };

	switch ((enum hn_first_runtime)policy->first_runtime) {
	case HN_FIRST_RUNTIME_RUNNABLE_AVG:
		share.period = hn_max_u64(compute_tracked_sum(clock->sum_exec_ns),
					  clock->load_sum);
		break;
	case HN_FIRST_RUNTIME_LOAD_SUM:
		share.period = LOAD_AVG_MAX;
		break;
	}
	return share;
}

/* Reads the share and sets the marks for the next window. */
static struct run_share take_run_share(const struct hn_policy *policy, struct hn_core_task *task,
				       const struct hn_task_clock *clock)
{
	struct run_share share;

	if (task->last_placement_ns) {
		share.runtime = (uint64_t)(clock->sum_exec_ns - task->last_sum_exec_ns);
		share.period = (uint64_t)hn_max_i64(
			clock->exec_start_ns - task->last_placement_ns, 0);
	} else {
		share = compute_first_share(policy, clock);
	}
	task->last_sum_exec_ns = clock->sum_exec_ns;
	task->last_placement_ns = clock->exec_start_ns;
	return share;
}

static uint64_t compute_left_after_decay(const struct hn_policy *policy, uint64_t count)
{
	return policy->decay_rounds_up ? count - count / 2 : count / 2;
}

/* QUIRK: the divisors are made non-zero by adding one, to a product or to each factor, so even
 * a task that ran all the time stays a little below the full weight. Products wrap in 64 bits
 * as in the kernel, which needs a window of days. */
static uint64_t compute_cpu_weight(const struct hn_policy *policy, const struct window_scale *scale,
				   uint64_t nr_faults)
{
	uint64_t divisor;

	switch ((enum hn_faults_cpu_weight)policy->faults_cpu_weight) {
	case HN_FAULTS_CPU_WEIGHT_NONE:
		return 0;
	case HN_FAULTS_CPU_WEIGHT_RAW:
		return nr_faults;
	case HN_FAULTS_CPU_WEIGHT_SEED:
		divisor = (scale->total_faults + 1) * scale->share.period + 1;
		return 16384 * scale->share.runtime * nr_faults / hn_max_u64(divisor, 1);
	case HN_FAULTS_CPU_WEIGHT_CPU_SHARE:
		return (scale->share.runtime << 16) / (scale->share.period + 1) * nr_faults /
		       (scale->total_faults + 1);
	}
	return 0;
}

/* Empties one open count into its decayed one; returns the difference, which may be "negative"
 * and then wraps, as the kernel's unsigned long does. */
static uint64_t fold_count(const struct hn_policy *policy, uint64_t *count, uint64_t *open,
			   uint64_t nr_new)
{
	uint64_t before = *count;

	*count = compute_left_after_decay(policy, before) + nr_new;
	*open = 0;
	return *count - before;
}

static bool needs_run_share(const struct hn_policy *policy)
{
	return policy->faults_cpu_weight == HN_FAULTS_CPU_WEIGHT_SEED ||
	       policy->faults_cpu_weight == HN_FAULTS_CPU_WEIGHT_CPU_SHARE;
}

/* One node and kind (idx = 2 * nid + is_private), in the order of the kernel's loop. */
static void fold_entry(struct hn_core *core, hn_task_id id, size_t idx,
		       const struct window_scale *scale, struct hn_faults_window *window)
{
	const struct hn_policy *policy = core->policy;
	struct hn_core_task *task = hn_core_get_task(core, id);
	uint64_t *mem = hn_core_faults(core, id, HN_STAT_MEM) + idx;
	uint64_t *cpu = hn_core_faults(core, id, HN_STAT_CPU) + idx;
	uint64_t *membuf = hn_core_faults(core, id, HN_STAT_MEMBUF) + idx;
	uint64_t *cpubuf = hn_core_faults(core, id, HN_STAT_CPUBUF) + idx;
	uint64_t mem_diff, cpu_diff;

	if (idx % 2)
		window->nr_private += *membuf;
	else
		window->nr_shared += *membuf;
	mem_diff = fold_count(policy, mem, membuf, *membuf);
	cpu_diff = fold_count(policy, cpu, cpubuf, compute_cpu_weight(policy, scale, *cpubuf));
	task->total_faults += mem_diff;
	window->task_sum[idx / 2] += *mem;
	if (task->group == HN_GROUP_NONE)
		return;
	mem = hn_core_gfaults(core, task->group, HN_STAT_MEM) + idx;
	*mem += mem_diff;
	hn_core_gfaults(core, task->group, HN_STAT_CPU)[idx] += cpu_diff;
	core->groups[task->group].total_faults += mem_diff;
	window->group_sum[idx / 2] += *mem;
}

void hn_faults_close_window(struct hn_core *core, hn_task_id id,
			    const struct hn_task_clock *clock, struct hn_faults_window *ret_window)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	struct window_scale scale = { .total_faults = task->locality[0] + task->locality[1] };

	hn_assert(task->has_faults);
	if (needs_run_share(core->policy))
		scale.share = take_run_share(core->policy, task, clock);
	ret_window->nr_shared = 0;
	ret_window->nr_private = 0;
	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		ret_window->task_sum[nid] = 0;
		ret_window->group_sum[nid] = 0;
		fold_entry(core, id, (size_t)nid * 2, &scale, ret_window);
		fold_entry(core, id, (size_t)nid * 2 + 1, &scale, ret_window);
	}
}

void hn_faults_start(struct hn_core *core, hn_task_id id)
{
	struct hn_core_task *task = hn_core_get_task(core, id);
	size_t nr_counts = (size_t)HN_NR_STATS * core->nr_nodes * 2;

	hn_assert(task->group == HN_GROUP_NONE);
	memset(hn_core_faults(core, id, HN_STAT_MEM), 0, nr_counts * sizeof(uint64_t));
	memset(task->locality, 0, sizeof(task->locality));
	task->total_faults = 0;
	task->has_faults = true;
}

uint64_t hn_faults_task(const struct hn_core *core, hn_task_id id, enum hn_fault_stat stat,
			hn_nid nid)
{
	const uint64_t *counts;

	if (!hn_core_get_task(core, id)->has_faults)
		return 0;
	counts = hn_core_faults(core, id, stat) + (size_t)nid * 2;
	return counts[0] + counts[1];
}

uint64_t hn_faults_group(const struct hn_core *core, int32_t group, enum hn_fault_stat stat,
			 hn_nid nid)
{
	const uint64_t *counts;

	if (group == HN_GROUP_NONE)
		return 0;
	counts = hn_core_gfaults(core, group, stat) + (size_t)nid * 2;
	return counts[0] + counts[1];
}
