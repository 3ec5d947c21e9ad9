/* SPDX-License-Identifier: GPL-2.0-or-later */
/* balance.c - when the load balancer runs, and over which domains.
 *
 * ASSUMES: passes over NUMA domains that become due at one tick contend for the system-wide lock:
 * the first one gets it, the others come back at the next tick.
 * ASSUMES: a pass of a CPU about to idle costs costs.search_cpu_ns for each CPU of the span.
 * ASSUMES: the root domain's overload flag is exact; the kernel clears it at the next pass over
 * the top domain.
 * NEEDSWORK: the random skipping of newly-idle passes of v6.1.192, v6.12.117 and v7.2 (NI_RANDOM)
 * has no policy field.
 *
 * Source: v6.1 kernel/sched/fair.c rebalance_domains(), get_sd_balance_interval(),
 * newidle_balance(), _nohz_idle_balance(). Tests: test-balance.c, prop-sched.c. */
#include "sched/balance.h"

#include "sched/sched-internal.h"

#define NEXT_BALANCE_TICKS_MAX (60 * HN_TICKS_PER_S)
#define BUSY_FACTOR_OLD 32 /* up to v5.9 */

/* ---- intervals ---- */

static int64_t compute_interval(const struct hn_sched *sched, const struct hn_domain_state *state,
				bool is_busy)
{
	int64_t interval_ms = state->balance_interval_ms;
	int64_t ticks_max = hn_max_i64((int64_t)HN_TICKS_PER_S * sched->nr_cpus / 10, 1);
	int64_t ticks;

	if (is_busy)
		interval_ms *= sched->policy->busy_factor;
	ticks = hn_ticks_from_ms(interval_ms);
	/* since v5.10: spans of different levels do not fall due together */
	if (is_busy && sched->policy->busy_factor < BUSY_FACTOR_OLD)
		ticks--;
	return hn_clamp_i64(ticks, 1, ticks_max);
}

/* Remembered costs fade by 1 % a second. */
static bool decay_newidle_cost(struct hn_domain_state *state, int64_t now_ticks)
{
	if (now_ticks <= state->next_decay_ticks)
		return false;
	state->newidle_cost_ns_max = state->newidle_cost_ns_max * 253 / 256;
	state->next_decay_ticks = now_ticks + HN_TICKS_PER_S;
	return true;
}

/* ---- periodic ---- */

struct round {
	struct hn_sched *sched;
	struct hn_rq *rq;
	enum hn_cpu_idle_kind idle;
	hn_time_ns now_ns;
	int64_t now_ticks;
	bool is_ours;
};

/* Balances over one domain if that is due; returns the interval until it is again. */
static int64_t balance_level(struct round *round, uint32_t level)
{
	struct hn_sched *sched = round->sched;
	struct hn_domain_state *state = hn_domain_state(&sched->domains, round->rq->cpu, level);
	const struct hn_domain *domain = hn_domain_of(&sched->domains, round->rq->cpu, level);
	int64_t interval = compute_interval(sched, state, round->idle != HN_CPU_IDLE);

	if (round->now_ticks < state->last_balance_ticks + interval)
		return interval;
	if ((domain->flags & HN_DOMAIN_NUMA) && sched->serialized_ns == round->now_ns)
		return interval;
	if (hn_balance_pass(sched, round->rq->cpu, level, round->idle, round->now_ns,
			    &round->is_ours))
		round->idle = round->rq->is_idle ? HN_CPU_IDLE : HN_CPU_NOT_IDLE;
	state->last_balance_ticks = round->now_ticks;
	return compute_interval(sched, state, round->idle != HN_CPU_IDLE);
}

void hn_balance_periodic(struct hn_sched *sched, struct hn_rq *rq, enum hn_cpu_idle_kind idle,
			 hn_time_ns now_ns)
{
	struct round round = { .sched = sched, .rq = rq, .idle = idle, .now_ns = now_ns,
			       .now_ticks = hn_ticks_at(now_ns), .is_ours = true };
	int64_t next_ticks = round.now_ticks + NEXT_BALANCE_TICKS_MAX;
	int64_t cost_ns = 0;
	bool has_decayed = false;

	for (uint32_t level = 0; level < sched->domains.nr_levels[rq->cpu]; level++) {
		struct hn_domain_state *state = hn_domain_state(&sched->domains, rq->cpu, level);
		int64_t interval;

		has_decayed |= decay_newidle_cost(state, round.now_ticks);
		cost_ns += state->newidle_cost_ns_max;
		if (!round.is_ours) {
			if (!has_decayed)
				break;
			continue;
		}
		interval = balance_level(&round, level);
		next_ticks = hn_min_i64(next_ticks, state->last_balance_ticks + interval);
	}
	if (has_decayed)
		rq->max_idle_cost_ns = hn_max_i64(HN_MIGRATION_COST_NS, cost_ns);
	hn_tick_set_next_balance(sched, rq, next_ticks, now_ns);
}

/* ---- on behalf of idle CPUs ---- */

static bool balance_idle_cpu(struct hn_sched *sched, hn_cpu cpu, hn_time_ns now_ns)
{
	struct hn_rq *rq = hn_sched_rq(sched, cpu);

	if (!rq->is_idle)
		return false;
	if (hn_ticks_at(now_ns) >= rq->next_balance_ticks)
		hn_balance_periodic(sched, rq, HN_CPU_IDLE, now_ns);
	return true;
}

/* The first idle CPU works through all of them, itself last, until it gets a task. */
void hn_balance_nohz(struct hn_sched *sched, hn_time_ns now_ns)
{
	uint32_t first = hn_bitmap_next(sched->nohz.idle, sched->nr_cpus, 0);
	int64_t next_ticks = hn_ticks_at(now_ns) + NEXT_BALANCE_TICKS_MAX;
	bool has_looked = false;

	for (uint32_t i = 1; i <= sched->nr_cpus; i++) {
		uint32_t cpu = (first + i) % sched->nr_cpus;

		if (!sched->rqs[first].is_idle)
			return;
		if (!hn_bitmap_has(sched->nohz.idle, cpu))
			continue;
		if (!balance_idle_cpu(sched, (hn_cpu)cpu, now_ns))
			continue;
		next_ticks = hn_min_i64(next_ticks, sched->rqs[cpu].next_balance_ticks);
		has_looked = true;
	}
	if (has_looked)
		hn_tick_set_nohz_balance(sched, next_ticks, now_ns);
}

/* ---- about to idle ---- */

/* An idle CPU balances more often than a busy one: its next balancing comes earlier. */
static int64_t idle_due_ticks(const struct hn_sched *sched, const struct hn_rq *rq, uint32_t level)
{
	const struct hn_domain_state *state = hn_domain_state(&sched->domains, rq->cpu, level);

	return state->last_balance_ticks + compute_interval(sched, state, /* is_busy */ false);
}

static bool is_too_short(const struct hn_sched *sched, const struct hn_rq *rq)
{
	if (!sched->policy->newidle_by_cost)
		return rq->avg_idle_ns < HN_MIGRATION_COST_NS;
	return rq->avg_idle_ns < hn_domain_state(&sched->domains, rq->cpu, 0)->newidle_cost_ns_max;
}

static void note_newidle_cost(struct hn_rq *rq, struct hn_domain_state *state, int64_t cost_ns)
{
	state->newidle_cost_ns_max = hn_max_i64(state->newidle_cost_ns_max, cost_ns);
	rq->max_idle_cost_ns = hn_max_i64(rq->max_idle_cost_ns, cost_ns);
}

/* Tries level after level while the idle time expected pays for it. */
static int64_t pull_from_levels(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns)
{
	int64_t next_ticks = hn_ticks_at(now_ns) + HN_TICKS_PER_S;
	int64_t spent_ns = 0;

	for (uint32_t level = 0; level < sched->domains.nr_levels[rq->cpu]; level++) {
		struct hn_domain_state *state = hn_domain_state(&sched->domains, rq->cpu, level);
		const struct hn_domain *domain = hn_domain_of(&sched->domains, rq->cpu, level);
		int64_t cost_ns = (int64_t)domain->span.nr * sched->machine->costs.search_cpu_ns;
		bool is_ours = true;

		next_ticks = hn_min_i64(next_ticks, idle_due_ticks(sched, rq, level));
		if (rq->avg_idle_ns < spent_ns + state->newidle_cost_ns_max)
			break;
		hn_balance_pass(sched, rq->cpu, level, HN_CPU_NEWLY_IDLE, now_ns, &is_ours);
		note_newidle_cost(rq, state, cost_ns);
		spent_ns += cost_ns;
		if (rq->nr_running)
			break;
	}
	return next_ticks;
}

void hn_balance_newidle(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns)
{
	int64_t next_ticks;

	rq->idle_stamp_ns = now_ns;
	if (!sched->domains.nr_levels[rq->cpu])
		return;
	if (sched->nr_overloaded == 0 || is_too_short(sched, rq))
		next_ticks = idle_due_ticks(sched, rq, 0);
	else
		next_ticks = pull_from_levels(sched, rq, now_ns);
	if (rq->nr_running)
		rq->idle_stamp_ns = HN_TIME_NEVER;
	if (next_ticks < rq->next_balance_ticks)
		hn_tick_set_next_balance(sched, rq, next_ticks, now_ns);
}
