/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wake.c - whether a waking task starts its search at the waking CPU or where it ran before.
 *
 * ASSUMES: no CPU has the wake-balance flag (the default), so a wake-up never takes the slow
 * path. Of the small differences between kernels, those without a policy field follow the
 * newest kernel with the same wake and idle_search rules.
 *
 * Source: v4.9, v5.12, v6.12 kernel/sched/fair.c select_task_rq_fair(), wake_affine(),
 * wake_affine_idle(), wake_affine_weight(), wake_wide(), record_wakee(). */
#include "sched/sched-internal.h"

struct wakeup {
	hn_task_id task;
	hn_task_id waker;    /* HN_TASK_NONE: nobody runs on this_cpu */
	hn_cpu this_cpu;
	hn_cpu prev;
	bool is_sync;
	hn_time_ns now_ns;
};

/* ---- wakers with many wakees ---- */

static void record_wakee(struct hn_sched *sched, const struct wakeup *wakeup)
{
	int64_t now_ticks = hn_ticks_at(wakeup->now_ns);
	struct hn_sched_task *waker;

	if (wakeup->waker == HN_TASK_NONE)
		return;
	waker = &sched->tasks[wakeup->waker];
	if (now_ticks > waker->flips_decay_ticks + HN_TICKS_PER_S) {
		waker->wakee_flips >>= 1;
		waker->flips_decay_ticks = now_ticks;
	}
	if (waker->last_wakee != wakeup->task) {
		waker->last_wakee = wakeup->task;
		waker->wakee_flips++;
	}
}

/* One waker of many (or the other way round), too many for one cache. */
static bool is_wide(const struct hn_sched *sched, const struct wakeup *wakeup)
{
	uint64_t factor = sched->domains.llc_cpus[sched->domains.llc_of[wakeup->this_cpu]].nr;
	uint64_t slave = sched->tasks[wakeup->task].wakee_flips;
	uint64_t master = wakeup->waker == HN_TASK_NONE ?
			  0 : sched->tasks[wakeup->waker].wakee_flips;

	if (sched->policy->idle_search == HN_IDLE_SEARCH_GROUP_SCAN)
		return slave > factor && master > factor * slave;
	if (master < slave)
		return master >= factor && slave >= master * factor;
	return slave >= factor && master >= slave * factor;
}

/* ---- affine ---- */

static const struct hn_domain *find_affine_domain(const struct hn_sched *sched,
						  const struct wakeup *wakeup)
{
	for (uint32_t l = 0; l < sched->domains.nr_levels[wakeup->this_cpu]; l++) {
		const struct hn_domain *domain = hn_domain_of(&sched->domains, wakeup->this_cpu, l);

		if ((domain->flags & HN_DOMAIN_WAKE_AFFINE) &&
		    hn_cpu_set_has(&domain->span, wakeup->prev))
			return domain;
	}
	return NULL;
}

/* By idleness: this CPU, the previous one, or HN_CPU_NONE where that does not tell. */
static hn_cpu pick_by_idle(const struct hn_sched *sched, const struct wakeup *wakeup)
{
	hn_cpu this_cpu = wakeup->this_cpu;
	hn_cpu prev = wakeup->prev;

	if (hn_sched_is_idle(sched, this_cpu) &&
	    hn_domain_share_llc(&sched->domains, this_cpu, prev))
		return hn_sched_is_idle(sched, prev) ? prev : this_cpu;
	if (wakeup->is_sync && hn_sched_rq(sched, this_cpu)->nr_running == 1)
		return this_cpu;
	if (sched->policy->idle_search == HN_IDLE_SEARCH_ONE_PASS &&
	    hn_sched_is_idle(sched, prev))
		return prev; /* since v5.12 */
	return HN_CPU_NONE;
}

/* Effective loads of the two CPUs with the task on this one, each times the other's capacity. */
static bool is_this_lighter(const struct hn_sched *sched, const struct wakeup *wakeup,
			    const struct hn_domain *domain)
{
	const struct hn_rq *this_rq = hn_sched_rq(sched, wakeup->this_cpu);
	const struct hn_rq *prev_rq = hn_sched_rq(sched, wakeup->prev);
	int64_t this_load = (int64_t)hn_rq_read_load(sched, this_rq, wakeup->now_ns).load;
	int64_t prev_load = (int64_t)hn_rq_read_load(sched, prev_rq, wakeup->now_ns).load;
	int64_t own = (int64_t)hn_rq_task_load(sched, wakeup->task, wakeup->now_ns);
	int64_t pct = 100 + (domain->imbalance_pct - 100) / 2;
	int64_t this_eff, prev_eff;

	if (wakeup->is_sync && wakeup->waker != HN_TASK_NONE) {
		int64_t waker = (int64_t)hn_rq_task_load(sched, wakeup->waker, wakeup->now_ns);

		if (waker > this_load)
			return true;
		this_load -= waker;
	}
	if (sched->policy->wake == HN_WAKE_RULE_IDLE_THEN_WEIGHT)
		prev_load -= own;
	this_eff = (this_load + own) * 100 * prev_rq->capacity;
	prev_eff = prev_load * pct * this_rq->capacity;
	if (sched->policy->wake == HN_WAKE_RULE_LOAD_ONLY)
		return this_eff <= prev_eff;
	return this_eff < prev_eff + wakeup->is_sync;
}

static hn_cpu pick_affine(const struct hn_sched *sched, const struct wakeup *wakeup,
			  const struct hn_domain *domain)
{
	hn_cpu cpu = HN_CPU_NONE;

	if (wakeup->this_cpu == wakeup->prev)
		return wakeup->prev;
	if (sched->policy->wake == HN_WAKE_RULE_IDLE_THEN_WEIGHT)
		cpu = pick_by_idle(sched, wakeup);
	if (cpu == HN_CPU_NONE && is_this_lighter(sched, wakeup, domain))
		cpu = wakeup->this_cpu;
	return cpu == HN_CPU_NONE ? wakeup->prev : cpu;
}

hn_cpu hn_wake_pick_cpu(struct hn_sched *sched, hn_task_id id, hn_cpu waker_cpu, bool is_sync,
			hn_time_ns now_ns)
{
	struct wakeup wakeup = { .task = id, .this_cpu = waker_cpu, .is_sync = is_sync,
				 .prev = sched->tasks[id].cpu, .now_ns = now_ns,
				 .waker = hn_sched_rq(sched, waker_cpu)->curr };
	const struct hn_domain *domain = NULL;
	struct hn_sibling_search search = { .task = id, .this_cpu = waker_cpu,
					    .prev = wakeup.prev, .target = wakeup.prev,
					    .now_ns = now_ns };
	hn_cpu cpu;

	record_wakee(sched, &wakeup);
	if (hn_sched_may_run(sched, id, waker_cpu) && !is_wide(sched, &wakeup))
		domain = find_affine_domain(sched, &wakeup);
	if (domain)
		search.target = pick_affine(sched, &wakeup, domain);
	cpu = hn_idle_search_pick(sched, &search);
	if (!hn_sched_may_run(sched, id, cpu))
		cpu = hn_fork_fallback_cpu(sched, id, wakeup.prev);
	return cpu;
}
