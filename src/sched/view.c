/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view.c - the queues as a NUMA search sees them, one node at a time and only on demand. */
#include "sched/sched-internal.h"

static void fill_curr(const struct hn_sched *sched, const struct hn_rq *rq,
		      struct hn_view_cpu *state)
{
	const struct hn_sched_task *curr;

	state->curr = rq->curr;
	state->is_curr_exiting = false;
	if (rq->curr == HN_TASK_NONE)
		return;
	curr = &sched->tasks[rq->curr];
	state->curr_h_load = hn_rq_task_load(sched, rq->curr, sched->view_now_ns);
	state->curr_allowed = curr->allowed;
	state->is_curr_kthread = curr->is_kthread;
}

static void fill_cpu(const struct hn_sched *sched, hn_cpu cpu, struct hn_view_cpu *state)
{
	const struct hn_rq *rq = hn_sched_rq(sched, cpu);
	struct hn_rq_load load = hn_rq_read_load(sched, rq, sched->view_now_ns);

	state->nr_running = rq->nr_running;
	state->nr_fair = rq->nr_running;
	state->load = load.load;
	state->runnable = load.runnable;
	state->util = load.util;
	state->capacity = rq->capacity;
	state->is_idle = rq->is_idle;
	state->is_core_idle = hn_sched_is_core_idle(sched, cpu);
	state->is_llc_with_idle_core = sched->llcs[sched->domains.llc_of[cpu]].has_idle_core;
	state->is_numa_migrate_on = rq->is_migrate_on;
	fill_curr(sched, rq, state);
}

static void fill_node(void *ctx, struct hn_view *view, hn_nid nid)
{
	const struct hn_sched *sched = ctx;
	const hn_cpu *cpus = hn_machine_node_cpus(sched->machine, nid);

	for (uint32_t i = 0; i < sched->machine->nodes[nid].nr_cpus; i++)
		fill_cpu(sched, cpus[i], &view->cpus[cpus[i]]);
}

void hn_view_init(struct hn_sched *sched, struct hn_arena *arena)
{
	sched->view.cpus = HN_ARENA_ARRAY(arena, struct hn_view_cpu, sched->nr_cpus);
	sched->view.has_smt = sched->domains.has_smt;
	sched->view.fill = fill_node;
	sched->view.ctx = sched;
}

struct hn_view *hn_sched_view(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task)
{
	const struct hn_sched_task *t = hn_sched_get_task(sched, task);
	struct hn_view *view = &sched->view;
	int32_t level = sched->domains.numa_level[t->cpu];

	hn_assert(now_ns >= sched->now_ns);
	sched->now_ns = now_ns;
	sched->view_now_ns = now_ns;
	view->task = task;
	view->task_cpu = t->cpu;
	view->task_h_load = hn_rq_task_load(sched, task, now_ns);
	view->task_allowed = t->allowed;
	view->has_numa_domain = level >= 0;
	if (level >= 0) {
		const struct hn_domain *domain = hn_domain_of(&sched->domains, t->cpu,
							      (uint32_t)level);

		view->imbalance_pct = domain->imbalance_pct;
		view->imb_numa_nr = domain->imb_numa_nr;
	}
	for (size_t w = 0; w < HN_ARRAY_LEN(view->filled); w++)
		view->filled[w] = 0;
	return view;
}
