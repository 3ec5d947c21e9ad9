/* SPDX-License-Identifier: GPL-2.0-or-later */
/* group-stats.c - load, use and idleness of a group of CPUs, and what type that makes it.
 *
 * Source: v6.1 kernel/sched/fair.c update_sg_lb_stats(), update_sg_wakeup_stats(),
 * group_is_overloaded(), group_has_capacity(), group_classify(), adjust_numa_imbalance(). */
#include "sched/sched-internal.h"

#define IMBALANCE_LET_BE_MAX 2 /* v5.19 NUMA_IMBALANCE_MIN */

/* Takes what the task contributes out of the load of its own queue. */
static void leave_out(const struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns,
		      struct hn_rq_load *load)
{
	struct hn_pelt pelt = hn_rq_read_task(sched, id, now_ns);
	uint64_t own = hn_rq_task_load(sched, id, now_ns);

	load->load -= hn_min_u64(own, load->load);
	load->load_avg -= hn_min_u64(own, load->load_avg);
	load->runnable -= hn_min_u64(hn_pelt_avg(&pelt, HN_PELT_RUNNABLE), load->runnable);
	load->util -= hn_min_u64(hn_pelt_avg(&pelt, HN_PELT_UTIL), load->util);
}

static void add_cpu(const struct hn_sched *sched, const struct hn_rq *rq, hn_task_id without,
		    hn_time_ns now_ns, struct hn_group_stats *stats)
{
	struct hn_rq_load load = hn_rq_read_load(sched, rq, now_ns);
	uint32_t nr_running = rq->nr_running;

	if (without != HN_TASK_NONE && sched->tasks[without].cpu == rq->cpu &&
	    sched->tasks[without].state != HN_TASK_ABSENT) {
		leave_out(sched, without, now_ns, &load);
		nr_running -= sched->tasks[without].state >= HN_TASK_QUEUED;
	}
	stats->load += load.load;
	stats->load_avg += load.load_avg;
	stats->runnable += load.runnable;
	stats->util += load.util;
	stats->spare_max = hn_max_u64(stats->spare_max, rq->capacity - load.util);
	stats->nr_running += nr_running;
	stats->nr_idle += nr_running == 0;
	stats->nr_numa += rq->nr_numa;
	stats->nr_preferred += rq->nr_preferred;
}

void hn_group_stats_collect(const struct hn_sched *sched, const struct hn_group *group,
			    hn_task_id without, hn_time_ns now_ns, struct hn_group_stats *ret_stats)
{
	*ret_stats = (struct hn_group_stats){ .group = group, .capacity = group->capacity };
	for (uint32_t i = 0; i < group->span.nr; i++)
		add_cpu(sched, hn_sched_rq(sched, group->span.cpus[i]), without, now_ns,
			ret_stats);
}

bool hn_group_is_overloaded(const struct hn_group_stats *stats, uint32_t pct, bool by_runnable)
{
	if (stats->nr_running <= stats->group->span.nr)
		return false;
	if (stats->capacity * 100 < stats->util * pct)
		return true;
	return by_runnable && stats->capacity * pct < stats->runnable * 100;
}

bool hn_group_has_capacity(const struct hn_group_stats *stats, uint32_t pct, bool by_runnable)
{
	if (stats->nr_running < stats->group->span.nr)
		return true;
	if (by_runnable && stats->capacity * pct < stats->runnable * 100)
		return false;
	return stats->capacity * 100 > stats->util * pct;
}

enum hn_group_type hn_group_classify(const struct hn_group_stats *stats, uint32_t pct)
{
	if (hn_group_is_overloaded(stats, pct, true))
		return HN_GROUP_OVERLOADED;
	if (stats->group->is_imbalanced)
		return HN_GROUP_IMBALANCED;
	if (hn_group_has_capacity(stats, pct, true))
		return HN_GROUP_HAS_SPARE;
	return HN_GROUP_FULLY_BUSY;
}

int64_t hn_group_adjust_numa(int64_t imbalance, uint32_t nr_dst, uint32_t imb_numa_nr)
{
	if (nr_dst > imb_numa_nr || imbalance > IMBALANCE_LET_BE_MAX)
		return imbalance;
	return 0;
}
