/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/sched.h"

#include <errno.h>

#include "sched/sched-internal.h"

/* CFS tunables before scaling.
 * Source: v3.8 .. v6.5 kernel/sched/fair.c. */
#define WAKEUP_GRANULARITY_NS 1000000
#define SCALE_CPUS_MAX 8

/* ---- life cycle ---- */

/* 1 + log2 of the number of CPUs, at most that of eight.
 * Source: v6.1 get_update_sysctl_factor(). */
static int64_t compute_scale(uint32_t nr_cpus)
{
	uint64_t nr = hn_min_u64(nr_cpus, SCALE_CPUS_MAX);
	int64_t scale = 1;

	while (nr > 1) {
		nr /= 2;
		scale++;
	}
	return scale;
}

static void set_tunables(struct hn_sched *sched)
{
	int64_t scale = compute_scale(sched->nr_cpus);

	sched->base_slice_ns = sched->policy->base_slice_us * HN_NS_PER_US * scale;
	sched->latency_ns = sched->base_slice_ns * sched->policy->nr_latency;
	sched->wakeup_granularity_ns = WAKEUP_GRANULARITY_NS * scale;
}

static void init_rq(struct hn_sched *sched, hn_cpu cpu)
{
	struct hn_rq *rq = hn_sched_rq(sched, cpu);

	rq->cpu = cpu;
	rq->nid = hn_machine_nid(sched->machine, cpu);
	rq->curr = HN_TASK_NONE;
	rq->is_idle = true;
	rq->capacity = hn_domain_cpu_capacity(&sched->domains, sched->machine, sched->policy, cpu);
	rq->order = (struct hn_list){ HN_TASK_NONE, HN_TASK_NONE };
	rq->recent = rq->order;
	rq->next_buddy = HN_TASK_NONE;
	rq->last_buddy = HN_TASK_NONE;
	rq->prev_task = HN_TASK_NONE;
	rq->next_balance_ticks = 1;
	rq->idle_stamp_ns = HN_TIME_NEVER;
	rq->avg_idle_ns = 2 * HN_MIGRATION_COST_NS;
	rq->max_idle_cost_ns = HN_MIGRATION_COST_NS;
	rq->wake_stamp_ticks = 1;
	rq->wake_avg_idle_ns = rq->avg_idle_ns;
	rq->tick.changed_ns = -1;
	hn_bitmap_add(sched->all_cpus, (uint32_t)cpu);
	hn_bitmap_add(sched->nohz.idle, (uint32_t)cpu);
}

static void init_cpus(struct hn_sched *sched, struct hn_arena *arena)
{
	size_t nr_words = HN_BITMAP_WORDS(sched->nr_cpus);

	hn_domains_init(&sched->domains, arena, sched->machine, sched->policy);
	sched->llcs = HN_ARENA_ARRAY(arena, struct hn_llc_state, sched->domains.nr_llcs);
	sched->rqs = HN_ARENA_ARRAY(arena, struct hn_rq, sched->nr_cpus);
	sched->all_cpus = HN_ARENA_ARRAY(arena, uint64_t, nr_words);
	sched->scratch = HN_ARENA_ARRAY(arena, uint64_t, nr_words);
	sched->nohz.idle = HN_ARENA_ARRAY(arena, uint64_t, nr_words);
	sched->nohz.nr_idle = sched->nr_cpus;
	sched->nohz.next_balance_ticks = 1;
	sched->nohz.kicker = HN_CPU_NONE;
	for (uint32_t cpu = 0; cpu < sched->nr_cpus; cpu++)
		init_rq(sched, (hn_cpu)cpu);
	for (uint32_t llc = 0; llc < sched->domains.nr_llcs; llc++)
		sched->llcs[llc].has_idle_core = sched->domains.has_smt;
}

struct hn_sched *hn_sched_create(struct hn_arena *arena, const struct hn_machine *machine,
				 const struct hn_policy *policy, uint32_t nr_tasks,
				 const struct hn_sched_hooks *hooks, const struct hn_rng *rng)
{
	struct hn_sched *sched = HN_ARENA_NEW(arena, struct hn_sched);

	hn_assert(hooks->locality);
	sched->machine = machine;
	sched->policy = policy;
	sched->hooks = *hooks;
	sched->rng = *rng;
	sched->nr_cpus = machine->nr_cpus;
	sched->nr_tasks = nr_tasks;
	sched->serialized_ns = -1;
	sched->tasks = HN_ARENA_ARRAY(arena, struct hn_sched_task, nr_tasks);
	set_tunables(sched);
	init_cpus(sched, arena);
	hn_view_init(sched, arena);
	return sched;
}

static void enter(struct hn_sched *sched, hn_time_ns now_ns)
{
	hn_assert(now_ns >= sched->now_ns);
	sched->now_ns = now_ns;
}

/* ---- queueing with consequences ---- */

/* What an idle CPU remembers of the idle time that ends now.
 * Source: v6.1 ttwu_do_wakeup(). */
static void note_idle_end(struct hn_rq *rq, hn_time_ns now_ns)
{
	int64_t idle_ns = now_ns - rq->idle_stamp_ns;

	if (rq->idle_stamp_ns == HN_TIME_NEVER)
		return;
	rq->avg_idle_ns += (idle_ns - rq->avg_idle_ns) / 8;
	rq->avg_idle_ns = hn_min_i64(rq->avg_idle_ns, 2 * rq->max_idle_cost_ns);
	rq->wake_stamp_ticks = hn_ticks_at(now_ns);
	rq->wake_avg_idle_ns = rq->avg_idle_ns / 2;
	rq->idle_stamp_ns = HN_TIME_NEVER;
}

/* Queues a blocked task on its CPU and asks for a pick where that is due. */
static void activate(struct hn_sched *sched, hn_task_id id, enum hn_enqueue_how how,
		     hn_time_ns now_ns)
{
	struct hn_rq *rq = hn_sched_task_rq(sched, id);

	hn_rq_enqueue(sched, rq, id, how, now_ns);
	hn_tick_set_idle(sched, rq, /* is_idle */ false, now_ns);
	if (how == HN_ENQUEUE_WAKEUP)
		note_idle_end(rq, now_ns);
	if (hn_order_preempts(sched, rq, id))
		hn_rq_resched(sched, rq);
}

static void deactivate(struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns)
{
	struct hn_rq *rq = hn_sched_task_rq(sched, id);
	bool was_running = sched->tasks[id].state == HN_TASK_RUNNING;

	hn_rq_dequeue(sched, rq, id, now_ns);
	if (was_running)
		rq->prev_task = id;
}

/* The CPU of a task changed: everybody is told, after the fact. */
static void note_moved(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id id, hn_cpu src)
{
	hn_cpu dst = sched->tasks[id].cpu;

	if (src == dst)
		return;
	sched->counts.nr_migrations++;
	if (sched->hooks.moved)
		sched->hooks.moved(sched->hooks.ctx, now_ns, id, src, dst);
}

/* Virtual time counts from the least of the queue while the task was on it; leaving may raise
 * that.
 * Source: v6.1 dequeue_entity(), which renormalises before update_min_vruntime(). */
static void migrate_queued(struct hn_sched *sched, hn_task_id id, hn_cpu dst, hn_time_ns now_ns)
{
	struct hn_rq *src_rq = hn_sched_task_rq(sched, id);
	int64_t min_vruntime;

	hn_rq_update_curr(sched, src_rq, now_ns);
	min_vruntime = src_rq->min_vruntime;
	deactivate(sched, id, now_ns);
	sched->tasks[id].vruntime += src_rq->min_vruntime - min_vruntime;
	hn_rq_migrate_blocked(sched, id, dst, now_ns);
	activate(sched, id, HN_ENQUEUE_MOVED, now_ns);
}

void hn_sched_migrate(struct hn_sched *sched, hn_task_id id, hn_cpu dst, hn_time_ns now_ns)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);
	enum hn_task_state state = task->state;
	hn_cpu src = task->cpu;

	hn_assert(state != HN_TASK_ABSENT);
	hn_assert(src != dst);
	if (state == HN_TASK_BLOCKED)
		hn_rq_migrate_blocked(sched, id, dst, now_ns);
	else
		migrate_queued(sched, id, dst, now_ns);
	if (state == HN_TASK_RUNNING)
		hn_rq_resched(sched, hn_sched_rq(sched, src));
	note_moved(sched, now_ns, id, src);
}

/* ---- tasks ---- */

static void init_task(struct hn_sched *sched, const struct hn_sched_task_desc *desc)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, desc->task);

	hn_assert(task->state == HN_TASK_ABSENT);
	*task = (struct hn_sched_task){
		.state = HN_TASK_BLOCKED,
		.cpu = desc->cpu,
		.load_weight = hn_weight_of_nice(desc->nice),
		.preferred_nid = HN_NID_NONE,
		.is_kthread = desc->is_kthread,
		.allowed = desc->allowed ? desc->allowed : sched->all_cpus,
		.last_wakee = HN_TASK_NONE,
		.recent_used_cpu = desc->cpu,
	};
}

hn_cpu hn_sched_fork(struct hn_sched *sched, hn_time_ns now_ns,
		     const struct hn_sched_task_desc *desc)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, desc->task);
	hn_cpu cpu;

	enter(sched, now_ns);
	hn_assert((uint32_t)desc->cpu < sched->nr_cpus);
	init_task(sched, desc);
	task->state = HN_TASK_ABSENT; /* counts nowhere while its place is looked for */
	cpu = hn_fork_pick_cpu(sched, desc->task, desc->cpu, HN_DOMAIN_FORK, now_ns);
	task->state = HN_TASK_BLOCKED;
	hn_rq_attach_new(sched, hn_sched_rq(sched, cpu), desc->task, now_ns);
	activate(sched, desc->task, HN_ENQUEUE_NEW, now_ns);
	return cpu;
}

hn_cpu hn_sched_exec(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task)
{
	hn_cpu cpu = hn_sched_task_cpu(sched, task);
	hn_cpu dst;

	enter(sched, now_ns);
	hn_assert(sched->tasks[task].state == HN_TASK_RUNNING);
	dst = hn_fork_pick_cpu(sched, task, cpu, HN_DOMAIN_EXEC, now_ns);
	if (dst != cpu)
		hn_sched_migrate(sched, task, dst, now_ns);
	return dst;
}

hn_cpu hn_sched_wake(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task, hn_cpu waker_cpu,
		     bool is_sync)
{
	hn_cpu src = hn_sched_task_cpu(sched, task);
	hn_cpu dst;

	enter(sched, now_ns);
	hn_assert(sched->tasks[task].state == HN_TASK_BLOCKED);
	sched->counts.nr_wakeups++;
	if (waker_cpu == HN_CPU_NONE)
		waker_cpu = src;
	dst = hn_wake_pick_cpu(sched, task, waker_cpu, is_sync, now_ns);
	if (dst != src)
		hn_rq_migrate_blocked(sched, task, dst, now_ns);
	activate(sched, task, HN_ENQUEUE_WAKEUP, now_ns);
	note_moved(sched, now_ns, task, src);
	return dst;
}

/* The caller picks next by itself, so no hook is called for this CPU until it does. */
static void stop_running(struct hn_sched *sched, hn_task_id task, hn_time_ns now_ns)
{
	hn_assert(sched->tasks[task].state == HN_TASK_RUNNING);
	hn_sched_task_rq(sched, task)->needs_pick = true;
	deactivate(sched, task, now_ns);
}

void hn_sched_block(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task)
{
	enter(sched, now_ns);
	stop_running(sched, task, now_ns);
}

void hn_sched_exit(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task)
{
	enter(sched, now_ns);
	stop_running(sched, task, now_ns);
	hn_rq_detach(sched, task, now_ns);
	sched->tasks[task].state = HN_TASK_ABSENT;
}

void hn_sched_set_allowed(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task,
			  const uint64_t *allowed)
{
	hn_cpu cpu = hn_sched_task_cpu(sched, task);

	enter(sched, now_ns);
	hn_assert(sched->tasks[task].state != HN_TASK_ABSENT);
	sched->tasks[task].allowed = allowed ? allowed : sched->all_cpus;
	if (!hn_sched_may_run(sched, task, cpu))
		hn_sched_migrate(sched, task, hn_fork_fallback_cpu(sched, task, cpu), now_ns);
}

void hn_sched_set_preferred(struct hn_sched *sched, hn_task_id task, hn_nid nid)
{
	hn_rq_set_preferred(sched, task, nid);
}

/* ---- NUMA moves ---- */

static bool may_move(const struct hn_sched *sched, hn_task_id task, hn_cpu src, hn_cpu dst)
{
	const struct hn_sched_task *t = hn_sched_get_task(sched, task);

	return t->state != HN_TASK_ABSENT && t->cpu == src && hn_sched_may_run(sched, task, dst);
}

int hn_sched_move(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task, hn_cpu src,
		  hn_cpu dst)
{
	enter(sched, now_ns);
	if (!may_move(sched, task, src, dst))
		return -EAGAIN;
	if (src != dst)
		hn_sched_migrate(sched, task, dst, now_ns);
	return 0;
}

int hn_sched_swap(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id a, hn_cpu a_cpu,
		  hn_task_id b, hn_cpu b_cpu)
{
	enter(sched, now_ns);
	if (a == b || a_cpu == b_cpu)
		return -EAGAIN;
	if (!may_move(sched, a, a_cpu, b_cpu) || !may_move(sched, b, b_cpu, a_cpu))
		return -EAGAIN;
	hn_sched_migrate(sched, a, b_cpu, now_ns);
	hn_sched_migrate(sched, b, a_cpu, now_ns);
	return 0;
}

void hn_sched_set_migrate_on(struct hn_sched *sched, hn_cpu cpu, bool is_on)
{
	hn_sched_rq(sched, cpu)->is_migrate_on = is_on;
}

/* ---- CPUs ---- */

static void count_switch(struct hn_sched *sched, struct hn_rq *rq, hn_task_id next)
{
	if (next != rq->prev_task)
		sched->counts.nr_switches++;
	rq->prev_task = next;
}

/* Puts `next` on the CPU unless it is there already. */
static void switch_to(struct hn_sched *sched, struct hn_rq *rq, hn_task_id next, hn_time_ns now_ns)
{
	if (rq->curr == next)
		return;
	if (rq->curr != HN_TASK_NONE)
		rq->prev_task = rq->curr;
	hn_rq_put_curr(sched, rq, now_ns);
	hn_rq_set_curr(sched, rq, next, now_ns);
}

hn_task_id hn_sched_pick(struct hn_sched *sched, hn_time_ns now_ns, hn_cpu cpu)
{
	struct hn_rq *rq = hn_sched_rq(sched, cpu);
	hn_task_id next;

	enter(sched, now_ns);
	if (!rq->needs_pick)
		return rq->curr;
	hn_rq_update_curr(sched, rq, now_ns);
	if (rq->nr_running == 0 && !rq->is_idle)
		hn_balance_newidle(sched, rq, now_ns);
	next = hn_order_pick(sched, rq);
	if (next == HN_TASK_NONE)
		hn_tick_set_idle(sched, rq, /* is_idle */ true, now_ns);
	else
		switch_to(sched, rq, next, now_ns);
	count_switch(sched, rq, next);
	rq->needs_pick = false;
	return next;
}

hn_task_id hn_sched_curr(const struct hn_sched *sched, hn_cpu cpu)
{
	return hn_sched_rq(sched, cpu)->curr;
}

void hn_sched_tick(struct hn_sched *sched, hn_time_ns now_ns, hn_cpu cpu)
{
	struct hn_rq *rq = hn_sched_rq(sched, cpu);
	int64_t ticks = hn_ticks_at(now_ns);

	enter(sched, now_ns);
	hn_assert(now_ns % HN_TICK_NS == 0);
	if (!hn_tick_take(sched, rq, now_ns) || rq->is_idle)
		return;
	if (hn_order_expiry_ns(sched, rq) <= now_ns) {
		hn_rq_update_curr(sched, rq, now_ns);
		hn_rq_resched(sched, rq);
	}
	if (ticks >= rq->next_balance_ticks)
		hn_balance_periodic(sched, rq, HN_CPU_NOT_IDLE, now_ns);
	if (sched->nohz.kicker == cpu && sched->nohz.nr_idle &&
	    ticks >= sched->nohz.next_balance_ticks)
		hn_balance_nohz(sched, now_ns);
}

hn_time_ns hn_sched_next_tick_ns(struct hn_sched *sched, hn_time_ns now_ns, hn_cpu cpu)
{
	enter(sched, now_ns);
	return hn_tick_due_ns(sched, hn_sched_rq(sched, cpu));
}

uint32_t hn_sched_tick_generation(const struct hn_sched *sched, hn_cpu cpu)
{
	return hn_sched_rq(sched, cpu)->tick.generation;
}

/* ---- questions ---- */

hn_cpu hn_sched_task_cpu(const struct hn_sched *sched, hn_task_id task)
{
	return hn_sched_get_task(sched, task)->cpu;
}

bool hn_sched_is_queued(const struct hn_sched *sched, hn_task_id task)
{
	return hn_sched_get_task(sched, task)->state >= HN_TASK_QUEUED;
}

struct hn_task_clock hn_sched_clock(struct hn_sched *sched, hn_time_ns now_ns, hn_task_id task)
{
	const struct hn_sched_task *t = hn_sched_get_task(sched, task);
	struct hn_task_clock clock = { .sum_exec_ns = t->sum_exec_ns,
				       .exec_start_ns = t->exec_start_ns };

	enter(sched, now_ns);
	if (t->state == HN_TASK_RUNNING) {
		clock.sum_exec_ns += now_ns - t->exec_start_ns;
		clock.exec_start_ns = now_ns;
	}
	clock.load_sum = hn_rq_read_task(sched, task, now_ns).sums[HN_PELT_LOAD];
	return clock;
}

uint32_t hn_sched_nr_running(const struct hn_sched *sched, hn_cpu cpu)
{
	return hn_sched_rq(sched, cpu)->nr_running;
}

const struct hn_sched_counts *hn_sched_counts(const struct hn_sched *sched)
{
	return &sched->counts;
}
