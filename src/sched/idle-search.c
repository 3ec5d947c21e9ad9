/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idle-search.c - an idle CPU that shares the target's last-level cache, and how hard to look.
 *
 * The target, the previous CPU and the one used before that are tried first; then comes the
 * search of the policy:
 *   group_scan    cores of the cache, then siblings: the first whole group that is idle
 *   core_cpu_smt  a whole idle core if the hint says there is one; a CPU; a sibling
 *   one_pass      a sibling of the previous CPU; then cores or CPUs in one walk
 * Looking at one CPU costs costs.search_cpu_ns; the estimates below are weighed against that.
 *
 * ASSUMES: wake-ups by per-CPU kernel threads (the stacking rule of v5.6) do not occur.
 * NEEDSWORK: clusters first (v6.7); v4.15's lack of the recently used CPU.
 *
 * Source: v3.13, v4.9, v4.15, v5.12, v5.15, v6.1 kernel/sched/fair.c select_idle_sibling(),
 * select_idle_core(), select_idle_cpu(), select_idle_smt(), update_avg(). */
#include "sched/sched-internal.h"

#define AVG_IDLE_DIVISOR 512    /* v4.9 .. v5.13 */
#define PROP_CPUS_MIN 4         /* v4.15: of which three are looked at */
#define NO_LIMIT INT64_MAX

/* The CPUs of the target's cache in ring order; `at` counts from 0 at `first`. */
struct ring {
	const struct hn_cpu_set *llc;
	uint32_t first;
};

static hn_cpu ring_cpu(const struct ring *ring, uint32_t at)
{
	return ring->llc->cpus[(ring->first + at) % ring->llc->nr];
}

static struct ring ring_of(const struct hn_sched *sched, const struct hn_sibling_search *search)
{
	struct ring ring = {
		.llc = &sched->domains.llc_cpus[sched->domains.llc_of[search->target]],
	};

	while (ring.llc->cpus[ring.first] != search->target)
		ring.first++;
	if (sched->policy->idle_search == HN_IDLE_SEARCH_ONE_PASS)
		ring.first++; /* since v5.15 the target, known to be busy, comes last */
	return ring;
}

static struct hn_domain_state *llc_state_of(const struct hn_sched *sched, hn_cpu cpu)
{
	int32_t level = sched->domains.llc_level[cpu];

	return level < 0 ? NULL : hn_domain_state(&sched->domains, cpu, (uint32_t)level);
}

/* ---- v3.13: groups ---- */

static bool is_group_free(const struct hn_sched *sched, const struct hn_sibling_search *search,
			  const struct hn_group *group)
{
	return hn_sched_is_set_idle(sched, &group->span) &&
	       !hn_cpu_set_has(&group->span, search->target);
}

static hn_cpu first_allowed(const struct hn_sched *sched, hn_task_id task,
			    const struct hn_cpu_set *set)
{
	for (uint32_t i = 0; i < set->nr; i++) {
		if (hn_sched_may_run(sched, task, set->cpus[i]))
			return set->cpus[i];
	}
	return HN_CPU_NONE;
}

static hn_cpu scan_groups(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	hn_cpu target = search->target;

	for (int32_t level = sched->domains.llc_level[target]; level >= 0; level--) {
		const struct hn_domain *domain = hn_domain_of(&sched->domains, target,
							      (uint32_t)level);
		uint32_t local = hn_domain_state(&sched->domains, target,
						 (uint32_t)level)->local_group;

		for (uint32_t g = 0; g < domain->nr_groups; g++) {
			const struct hn_group *group =
				&domain->groups[(local + g) % domain->nr_groups];
			hn_cpu cpu = first_allowed(sched, search->task, &group->span);

			sched->counts.nr_searched_cpus += group->span.nr;
			if (cpu != HN_CPU_NONE && is_group_free(sched, search, group))
				return cpu;
		}
	}
	return HN_CPU_NONE;
}

/* ---- cores and siblings ---- */

/* Walks whole cores; ret_any gets the first idle allowed CPU seen on the way. */
static hn_cpu scan_cores(struct hn_sched *sched, const struct hn_sibling_search *search,
			 hn_cpu *ret_any)
{
	struct ring ring = ring_of(sched, search);
	hn_cpu found = HN_CPU_NONE;

	for (uint32_t at = 0; at < ring.llc->nr && found == HN_CPU_NONE; at++) {
		hn_cpu cpu = ring_cpu(&ring, at);
		const struct hn_cpu_set *core = hn_sched_core(sched, cpu);

		if (hn_bitmap_has(sched->scratch, (uint32_t)cpu) ||
		    !hn_sched_may_run(sched, search->task, cpu))
			continue;
		for (uint32_t i = 0; i < core->nr; i++) {
			hn_bitmap_add(sched->scratch, (uint32_t)core->cpus[i]);
			if (*ret_any == HN_CPU_NONE && hn_sched_is_idle(sched, core->cpus[i]) &&
			    hn_sched_may_run(sched, search->task, core->cpus[i]))
				*ret_any = core->cpus[i];
		}
		sched->counts.nr_searched_cpus += core->nr;
		if (hn_sched_is_set_idle(sched, core))
			found = cpu;
	}
	for (uint32_t i = 0; i < ring.llc->nr; i++)
		hn_bitmap_remove(sched->scratch, (uint32_t)ring.llc->cpus[i]);
	if (found == HN_CPU_NONE)
		sched->llcs[sched->domains.llc_of[search->target]].has_idle_core = false;
	return found;
}

static hn_cpu scan_siblings(struct hn_sched *sched, const struct hn_sibling_search *search,
			    hn_cpu of)
{
	const struct hn_cpu_set *core = hn_sched_core(sched, of);

	for (uint32_t i = 0; i < core->nr; i++) {
		if (core->cpus[i] == of || !hn_sched_may_run(sched, search->task, core->cpus[i]))
			continue;
		sched->counts.nr_searched_cpus++;
		if (hn_sched_is_idle(sched, core->cpus[i]))
			return core->cpus[i];
	}
	return HN_CPU_NONE;
}

/* ---- CPUs, with a budget ---- */

/* Halves the remembered idle time once per tick since the CPU was idle last. */
static void age_idle_estimate(struct hn_rq *rq, hn_time_ns now_ns)
{
	int64_t nr_ticks = hn_ticks_at(now_ns) - rq->wake_stamp_ticks;

	if (nr_ticks <= 0 || rq->wake_avg_idle_ns == 0)
		return;
	rq->wake_avg_idle_ns = nr_ticks > 62 ? 0 : rq->wake_avg_idle_ns >> nr_ticks;
	rq->wake_stamp_ticks += nr_ticks;
}

static int64_t expected_idle_ns(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	struct hn_rq *rq = hn_sched_rq(sched, search->this_cpu);

	switch ((enum hn_idle_estimate)sched->policy->idle_estimate) {
	case HN_IDLE_ESTIMATE_LOCAL:
		return rq->avg_idle_ns / AVG_IDLE_DIVISOR;
	case HN_IDLE_ESTIMATE_AGED:
		age_idle_estimate(rq, search->now_ns);
		return rq->wake_avg_idle_ns;
	}
	return 0;
}

/* One more than the CPUs that may be looked at; 0: no search at all. */
static int64_t compute_budget(struct hn_sched *sched, const struct hn_sibling_search *search,
			      int64_t scan_cost_ns)
{
	uint32_t llc = sched->domains.llc_of[search->target];
	int64_t idle_ns, span;

	switch ((enum hn_sis_rule)sched->policy->sis) {
	case HN_SIS_RULE_NONE:
		return NO_LIMIT;
	case HN_SIS_RULE_AVG_CPU:
		idle_ns = expected_idle_ns(sched, search);
		return idle_ns < scan_cost_ns ? 0 : NO_LIMIT;
	case HN_SIS_RULE_PROP:
		idle_ns = expected_idle_ns(sched, search);
		span = sched->domains.llc_cpus[llc].nr * idle_ns;
		scan_cost_ns++;
		return span > PROP_CPUS_MIN * scan_cost_ns ? span / scan_cost_ns : PROP_CPUS_MIN;
	case HN_SIS_RULE_UTIL:
		return sched->llcs[llc].nr_idle_scan ? sched->llcs[llc].nr_idle_scan + 1 : 0;
	}
	return NO_LIMIT;
}

static void note_scan_cost(struct hn_sched *sched, const struct hn_sibling_search *search,
			   struct hn_domain_state *state, uint32_t nr_looked_at)
{
	int64_t cost_ns = (int64_t)nr_looked_at * sched->machine->costs.search_cpu_ns;
	struct hn_rq *rq = hn_sched_rq(sched, search->this_cpu);

	state->avg_scan_cost_ns += (cost_ns - state->avg_scan_cost_ns) / 8;
	if (sched->policy->idle_estimate == HN_IDLE_ESTIMATE_AGED)
		rq->wake_avg_idle_ns -= hn_min_i64(rq->wake_avg_idle_ns, cost_ns);
}

/* The first idle allowed CPU in ring order; a search that the budget ended leaves the cost. */
static hn_cpu scan_cpus(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	struct hn_domain_state *state = llc_state_of(sched, search->this_cpu);
	int64_t budget = compute_budget(sched, search, state ? state->avg_scan_cost_ns : 0);
	struct ring ring = ring_of(sched, search);
	hn_cpu found = HN_CPU_NONE;
	uint32_t nr_looked_at = 0;

	if (budget == 0)
		return HN_CPU_NONE;
	for (uint32_t at = 0; at < ring.llc->nr && found == HN_CPU_NONE; at++) {
		hn_cpu cpu = ring_cpu(&ring, at);

		if (!hn_sched_may_run(sched, search->task, cpu))
			continue;
		if (budget != NO_LIMIT && --budget == 0)
			break;
		nr_looked_at++;
		if (hn_sched_is_idle(sched, cpu))
			found = cpu;
	}
	sched->counts.nr_searched_cpus += nr_looked_at;
	if (budget != 0 && state)
		note_scan_cost(sched, search, state, nr_looked_at);
	return found;
}

/* ---- the searches ---- */

static bool has_idle_core(const struct hn_sched *sched, const struct hn_sibling_search *search)
{
	return sched->domains.has_smt &&
	       sched->llcs[sched->domains.llc_of[search->target]].has_idle_core;
}

static hn_cpu search_core_cpu_smt(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	hn_cpu any = HN_CPU_NONE;
	hn_cpu cpu = HN_CPU_NONE;

	if (has_idle_core(sched, search))
		cpu = scan_cores(sched, search, &any);
	if (cpu == HN_CPU_NONE)
		cpu = scan_cpus(sched, search);
	if (cpu == HN_CPU_NONE && sched->domains.has_smt)
		cpu = scan_siblings(sched, search, search->target);
	return cpu;
}

/* Source: v5.13 .. v6.12. SIS_UTIL's zero ends the search also where an idle core is hinted. */
static hn_cpu search_one_pass(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	hn_cpu any = HN_CPU_NONE;
	hn_cpu cpu;

	if (has_idle_core(sched, search)) {
		if (sched->policy->sis == HN_SIS_RULE_UTIL &&
		    compute_budget(sched, search, 0) == 0)
			return HN_CPU_NONE;
		cpu = scan_cores(sched, search, &any);
		return cpu == HN_CPU_NONE ? any : cpu;
	}
	if (sched->domains.has_smt &&
	    hn_domain_share_llc(&sched->domains, search->prev, search->target)) {
		cpu = scan_siblings(sched, search, search->prev);
		if (cpu != HN_CPU_NONE)
			return cpu;
	}
	return scan_cpus(sched, search);
}

static hn_cpu search_llc(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	if (sched->domains.llc_level[search->target] < 0)
		return HN_CPU_NONE;
	switch ((enum hn_idle_search)sched->policy->idle_search) {
	case HN_IDLE_SEARCH_GROUP_SCAN:
		return scan_groups(sched, search);
	case HN_IDLE_SEARCH_CORE_CPU_SMT:
		return search_core_cpu_smt(sched, search);
	case HN_IDLE_SEARCH_ONE_PASS:
		return search_one_pass(sched, search);
	}
	return HN_CPU_NONE;
}

/* ---- CPUs known beforehand ---- */

static bool is_near_and_idle(const struct hn_sched *sched, const struct hn_sibling_search *search,
			     hn_cpu cpu)
{
	return cpu != search->target &&
	       hn_domain_share_llc(&sched->domains, cpu, search->target) &&
	       hn_sched_is_idle(sched, cpu);
}

/* The CPU used before the previous one. With one_pass (v5.15) the memory moves on at each
 * wake-up; before, on success only, and the waker remembers its own CPU. */
static hn_cpu try_recent(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	struct hn_sched_task *task = &sched->tasks[search->task];
	hn_cpu recent = task->recent_used_cpu;
	bool is_good;

	if (sched->policy->idle_search == HN_IDLE_SEARCH_GROUP_SCAN)
		return HN_CPU_NONE;
	is_good = recent != search->prev && hn_sched_may_run(sched, search->task, recent) &&
		  is_near_and_idle(sched, search, recent);
	if (is_good || sched->policy->idle_search == HN_IDLE_SEARCH_ONE_PASS)
		task->recent_used_cpu = search->prev;
	return is_good ? recent : HN_CPU_NONE;
}

static void note_waker_cpu(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	hn_task_id waker = hn_sched_rq(sched, search->this_cpu)->curr;

	if (sched->policy->idle_search == HN_IDLE_SEARCH_CORE_CPU_SMT && waker != HN_TASK_NONE)
		sched->tasks[waker].recent_used_cpu = search->this_cpu;
}

static hn_cpu pick(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	hn_cpu cpu;

	if (hn_sched_is_idle(sched, search->target))
		return search->target;
	if (is_near_and_idle(sched, search, search->prev))
		return search->prev;
	cpu = try_recent(sched, search);
	if (cpu == HN_CPU_NONE)
		cpu = search_llc(sched, search);
	return cpu == HN_CPU_NONE ? search->target : cpu;
}

hn_cpu hn_idle_search_pick(struct hn_sched *sched, const struct hn_sibling_search *search)
{
	hn_cpu cpu = pick(sched, search);

	note_waker_cpu(sched, search);
	return cpu;
}
