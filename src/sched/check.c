/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - invariants of the queues, and the digest of the whole state. */
#include "sched/sched-internal.h"

#include "base/digest.h"

/* ---- digest ---- */

static uint64_t fold_pelt(uint64_t digest, const struct hn_pelt *pelt)
{
	digest = hn_digest_fold(digest, (uint64_t)pelt->at_units);
	for (uint32_t s = 0; s < HN_NR_PELT; s++)
		digest = hn_digest_fold(digest, pelt->sums[s]);
	return digest;
}

static uint64_t fold_task(uint64_t digest, const struct hn_sched_task *task)
{
	digest = hn_digest_fold(digest, task->state);
	if (task->state == HN_TASK_ABSENT)
		return digest;
	digest = hn_digest_fold(digest, (uint64_t)task->cpu << 32 | task->load_weight);
	digest = hn_digest_fold(digest, (uint64_t)task->vruntime);
	digest = hn_digest_fold(digest, (uint64_t)task->deadline);
	digest = hn_digest_fold(digest, (uint64_t)task->vlag);
	digest = hn_digest_fold(digest, (uint64_t)task->sum_exec_ns);
	digest = hn_digest_fold(digest, (uint64_t)task->exec_start_ns);
	digest = hn_digest_fold(digest, (uint64_t)task->preferred_nid);
	digest = hn_digest_fold(digest, task->wakee_flips);
	digest = hn_digest_fold(digest, (uint64_t)task->recent_used_cpu);
	return fold_pelt(digest, &task->pelt);
}

static uint64_t fold_rq(uint64_t digest, const struct hn_sched *sched, const struct hn_rq *rq)
{
	digest = hn_digest_fold(digest, (uint64_t)rq->curr << 32 | rq->nr_running);
	digest = hn_digest_fold(digest, (uint64_t)rq->is_idle << 1 | rq->is_migrate_on);
	digest = hn_digest_fold(digest, (uint64_t)rq->min_vruntime);
	digest = hn_digest_fold(digest, (uint64_t)rq->next_balance_ticks);
	digest = hn_digest_fold(digest, (uint64_t)rq->avg_idle_ns);
	digest = hn_digest_fold(digest, (uint64_t)rq->wake_avg_idle_ns);
	digest = fold_pelt(digest, &rq->pelt);
	for (hn_task_id id = rq->recent.first; id != HN_TASK_NONE;
	     id = sched->tasks[id].recent.next)
		digest = hn_digest_fold(digest, (uint64_t)id);
	for (uint32_t level = 0; level < sched->domains.nr_levels[rq->cpu]; level++) {
		const struct hn_domain_state *state =
			hn_domain_state(&sched->domains, rq->cpu, level);

		digest = hn_digest_fold(digest, (uint64_t)state->last_balance_ticks);
		digest = hn_digest_fold(digest, (uint64_t)state->balance_interval_ms << 32 |
				      state->nr_balance_failed);
		digest = hn_digest_fold(digest, (uint64_t)state->newidle_cost_ns_max);
		digest = hn_digest_fold(digest, (uint64_t)state->avg_scan_cost_ns);
	}
	return digest;
}

uint64_t hn_sched_digest(const struct hn_sched *sched)
{
	uint64_t digest = hn_digest_fold(0, sched->counts.nr_migrations);

	digest = hn_digest_fold(digest, sched->counts.nr_switches);
	digest = hn_digest_fold(digest, sched->counts.nr_balances);
	digest = hn_digest_fold(digest, sched->counts.nr_balance_pulls);
	digest = hn_digest_fold(digest, (uint64_t)sched->nohz.next_balance_ticks);
	for (uint32_t cpu = 0; cpu < sched->nr_cpus; cpu++)
		digest = fold_rq(digest, sched, &sched->rqs[cpu]);
	for (uint32_t task = 0; task < sched->nr_tasks; task++)
		digest = fold_task(digest, &sched->tasks[task]);
	for (uint32_t llc = 0; llc < sched->domains.nr_llcs; llc++)
		digest = hn_digest_fold(digest, (uint64_t)sched->llcs[llc].nr_idle_scan << 1 |
				      sched->llcs[llc].has_idle_core);
	return digest;
}

/* ---- invariants ---- */

struct sums {
	uint32_t nr;
	uint32_t nr_numa;
	uint32_t nr_preferred;
	uint64_t weight;
};

static void add_task(const struct hn_rq *rq, const struct hn_sched_task *task, struct sums *sums)
{
	sums->nr++;
	sums->weight += task->load_weight;
	sums->nr_numa += task->preferred_nid != HN_NID_NONE;
	sums->nr_preferred += task->preferred_nid == rq->nid;
}

/* Both lists, forwards and backwards, hold the tasks that they should. */
static void check_lists(const struct hn_sched *sched, const struct hn_rq *rq)
{
	uint32_t nr_order = 0, nr_recent = 0;
	hn_task_id prev = HN_TASK_NONE;

	for (hn_task_id id = rq->order.first; id != HN_TASK_NONE;
	     id = sched->tasks[id].order.next) {
		hn_assert(sched->tasks[id].state == HN_TASK_QUEUED);
		hn_assert(sched->tasks[id].cpu == rq->cpu);
		hn_assert(sched->tasks[id].order.prev == prev);
		if (prev != HN_TASK_NONE)
			hn_assert(sched->tasks[prev].vruntime <= sched->tasks[id].vruntime);
		prev = id;
		nr_order++;
	}
	hn_assert(rq->order.last == prev);
	prev = HN_TASK_NONE;
	for (hn_task_id id = rq->recent.first; id != HN_TASK_NONE;
	     id = sched->tasks[id].recent.next) {
		hn_assert(sched->tasks[id].recent.prev == prev);
		prev = id;
		nr_recent++;
	}
	hn_assert(rq->recent.last == prev);
	hn_assert(nr_recent == rq->nr_running);
	hn_assert(nr_order + (rq->curr != HN_TASK_NONE) == rq->nr_running);
}

static void check_rq(const struct hn_sched *sched, const struct hn_rq *rq)
{
	struct sums sums = { 0, 0, 0, 0 };

	for (hn_task_id id = rq->recent.first; id != HN_TASK_NONE;
	     id = sched->tasks[id].recent.next)
		add_task(rq, &sched->tasks[id], &sums);
	hn_assert(sums.nr == rq->nr_running);
	hn_assert(sums.weight == rq->load_weight);
	hn_assert(sums.nr_numa == rq->nr_numa);
	hn_assert(sums.nr_preferred == rq->nr_preferred);
	if (rq->curr != HN_TASK_NONE) {
		hn_assert(sched->tasks[rq->curr].state == HN_TASK_RUNNING);
		hn_assert(sched->tasks[rq->curr].cpu == rq->cpu);
	}
	if (rq->is_idle)
		hn_assert(rq->nr_running == 0);
	hn_assert(hn_bitmap_has(sched->nohz.idle, (uint32_t)rq->cpu) == rq->is_idle);
	check_lists(sched, rq);
}

/* Sums over all queues and caches, and where the tasks are. */
static void check_totals(const struct hn_sched *sched)
{
	uint32_t nr_queued = 0, nr_tasks = 0, nr_idle = 0, nr_overloaded = 0, nr_busy = 0;

	for (uint32_t cpu = 0; cpu < sched->nr_cpus; cpu++) {
		nr_queued += sched->rqs[cpu].nr_running;
		nr_idle += sched->rqs[cpu].is_idle;
		nr_overloaded += sched->rqs[cpu].nr_running > 1;
	}
	for (uint32_t t = 0; t < sched->nr_tasks; t++) {
		nr_tasks += sched->tasks[t].state >= HN_TASK_QUEUED;
		if (sched->tasks[t].state == HN_TASK_RUNNING)
			hn_assert(sched->rqs[sched->tasks[t].cpu].curr == (hn_task_id)t);
		if (sched->tasks[t].state >= HN_TASK_QUEUED)
			hn_assert(hn_sched_may_run(sched, (hn_task_id)t, sched->tasks[t].cpu));
	}
	for (uint32_t llc = 0; llc < sched->domains.nr_llcs; llc++)
		nr_busy += sched->llcs[llc].nr_busy;
	hn_assert(nr_tasks == nr_queued);
	hn_assert(nr_idle == sched->nohz.nr_idle);
	hn_assert(nr_busy == sched->nr_cpus - nr_idle);
	hn_assert(nr_overloaded == sched->nr_overloaded);
}

void hn_sched_check(const struct hn_sched *sched)
{
	for (uint32_t cpu = 0; cpu < sched->nr_cpus; cpu++)
		check_rq(sched, &sched->rqs[cpu]);
	check_totals(sched);
}
