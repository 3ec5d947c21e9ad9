/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rq.c - one run queue: who is on it, its load, its counts.
 *
 * Source: v6.1 and v6.12 kernel/sched/fair.c enqueue_entity(), dequeue_entity(), update_curr(),
 * attach_entity_load_avg(), account_numa_enqueue(); kernel/sched/core.c sched_prio_to_weight. */
#include "sched/rq.h"

#include "sched/sched-internal.h"

/* 1024 / 1.25^nice, as the kernel rounds it. */
static const uint32_t weights[40] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
	1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
	110,   87,    70,    56,    45,    36,    29,    23,    18,    15,
};

#define NICE_MIN (-20)

uint32_t hn_weight_of_nice(int32_t nice)
{
	hn_assert(nice >= NICE_MIN);
	hn_assert(nice - NICE_MIN < (int32_t)HN_ARRAY_LEN(weights));
	return weights[nice - NICE_MIN];
}

/* ---- load tracking ---- */

static struct hn_pelt_rate rate_of_queue(const struct hn_rq *rq)
{
	struct hn_pelt_rate rate = { { 0 } };

	rate.per_unit[HN_PELT_LOAD] = rq->load_weight;
	rate.per_unit[HN_PELT_QUEUED] = rq->load_weight;
	rate.per_unit[HN_PELT_RUNNABLE] = (uint64_t)rq->nr_running << 10;
	rate.per_unit[HN_PELT_UTIL] = rq->curr == HN_TASK_NONE ? 0 : 1 << 10;
	return rate;
}

static struct hn_pelt_rate rate_of_task(const struct hn_sched_task *task)
{
	struct hn_pelt_rate rate = { { 0 } };

	if (task->state < HN_TASK_QUEUED)
		return rate;
	rate.per_unit[HN_PELT_LOAD] = 1;
	rate.per_unit[HN_PELT_RUNNABLE] = 1 << 10;
	if (task->state == HN_TASK_RUNNING)
		rate.per_unit[HN_PELT_UTIL] = 1 << 10;
	return rate;
}

static void advance_queue(struct hn_rq *rq, hn_time_ns now_ns)
{
	struct hn_pelt_rate rate = rate_of_queue(rq);

	hn_pelt_advance(&rq->pelt, now_ns, &rate);
}

static void advance_task(struct hn_sched_task *task, hn_time_ns now_ns)
{
	struct hn_pelt_rate rate = rate_of_task(task);

	hn_pelt_advance(&task->pelt, now_ns, &rate);
}

static void advance_both(struct hn_rq *rq, struct hn_sched_task *task, hn_time_ns now_ns)
{
	advance_queue(rq, now_ns);
	advance_task(task, now_ns);
}

/* The sums of a task of the same moment join the queue's, or leave. */
static void attach(struct hn_rq *rq, const struct hn_sched_task *task)
{
	hn_pelt_add(&rq->pelt, HN_PELT_LOAD, task->load_weight * task->pelt.sums[HN_PELT_LOAD]);
	hn_pelt_add(&rq->pelt, HN_PELT_RUNNABLE, task->pelt.sums[HN_PELT_RUNNABLE]);
	hn_pelt_add(&rq->pelt, HN_PELT_UTIL, task->pelt.sums[HN_PELT_UTIL]);
}

static void detach(struct hn_rq *rq, const struct hn_sched_task *task)
{
	hn_pelt_sub(&rq->pelt, HN_PELT_LOAD, task->load_weight * task->pelt.sums[HN_PELT_LOAD]);
	hn_pelt_sub(&rq->pelt, HN_PELT_RUNNABLE, task->pelt.sums[HN_PELT_RUNNABLE]);
	hn_pelt_sub(&rq->pelt, HN_PELT_UTIL, task->pelt.sums[HN_PELT_UTIL]);
}

/* Utilisation of a new task: a share of what its queue has, at most half of what is left.
 * Source: v6.1 post_init_entity_util_avg(). */
static uint64_t new_task_util(const struct hn_rq *rq, uint32_t weight)
{
	uint64_t util = hn_pelt_avg(&rq->pelt, HN_PELT_UTIL);
	uint64_t load = hn_pelt_avg(&rq->pelt, HN_PELT_LOAD);
	uint64_t cap = (HN_CAPACITY - hn_min_u64(util, HN_CAPACITY)) / 2;

	if (!cap || !util)
		return cap;
	return hn_min_u64(util * weight / (load + 1), cap);
}

void hn_rq_attach_new(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id, hn_time_ns now_ns)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);
	uint64_t divider = hn_pelt_divider(hn_pelt_units(now_ns));
	uint64_t util;

	advance_queue(rq, now_ns);
	util = new_task_util(rq, task->load_weight);
	task->pelt = (struct hn_pelt){ .at_units = hn_pelt_units(now_ns) };
	task->pelt.sums[HN_PELT_LOAD] = divider;
	task->pelt.sums[HN_PELT_RUNNABLE] = util * divider;
	task->pelt.sums[HN_PELT_UTIL] = util * divider;
	task->cpu = rq->cpu;
	attach(rq, task);
}

void hn_rq_detach(struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);
	struct hn_rq *rq = hn_sched_task_rq(sched, id);

	advance_both(rq, task, now_ns);
	detach(rq, task);
}

void hn_rq_migrate_blocked(struct hn_sched *sched, hn_task_id id, hn_cpu dst, hn_time_ns now_ns)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);
	struct hn_rq *src_rq = hn_sched_task_rq(sched, id);
	struct hn_rq *dst_rq = hn_sched_rq(sched, dst);

	hn_rq_detach(sched, id, now_ns);
	advance_queue(dst_rq, now_ns);
	attach(dst_rq, task);
	task->vruntime += dst_rq->min_vruntime - src_rq->min_vruntime;
	task->cpu = dst;
}

struct hn_rq_load hn_rq_read_load(const struct hn_sched *sched, const struct hn_rq *rq,
				  hn_time_ns now_ns)
{
	struct hn_pelt pelt = rq->pelt;
	struct hn_pelt_rate rate = rate_of_queue(rq);
	struct hn_rq_load load;

	hn_pelt_advance(&pelt, now_ns, &rate);
	load.load_avg = hn_pelt_avg(&pelt, HN_PELT_LOAD);
	load.load = sched->policy->load_signal == HN_LOAD_SIGNAL_LOAD_AVG ?
		    load.load_avg : hn_pelt_avg(&pelt, HN_PELT_QUEUED);
	load.runnable = hn_pelt_avg(&pelt, HN_PELT_RUNNABLE);
	load.util = hn_min_u64(hn_pelt_avg(&pelt, HN_PELT_UTIL), rq->capacity);
	return load;
}

struct hn_pelt hn_rq_read_task(const struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns)
{
	const struct hn_sched_task *task = hn_sched_get_task(sched, id);
	struct hn_pelt_rate rate = rate_of_task(task);
	struct hn_pelt pelt = task->pelt;

	hn_pelt_advance(&pelt, now_ns, &rate);
	return pelt;
}

uint64_t hn_rq_task_load(const struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns)
{
	struct hn_pelt pelt = hn_rq_read_task(sched, id, now_ns);

	return sched->tasks[id].load_weight * pelt.sums[HN_PELT_LOAD] /
	       hn_pelt_divider(pelt.at_units);
}

/* ---- lists ---- */

/* A task is in two lists of its queue. */
enum which { ORDER, RECENT };

static struct hn_list *list_of(struct hn_rq *rq, enum which which)
{
	return which == ORDER ? &rq->order : &rq->recent;
}

static struct hn_link *link_of(struct hn_sched *sched, enum which which, hn_task_id id)
{
	struct hn_sched_task *task = &sched->tasks[id];

	return which == ORDER ? &task->order : &task->recent;
}

/* Puts a task behind `after`, or first. */
static void list_insert(struct hn_sched *sched, struct hn_rq *rq, enum which which, hn_task_id id,
			hn_task_id after)
{
	struct hn_list *list = list_of(rq, which);
	struct hn_link *own = link_of(sched, which, id);

	own->prev = after;
	own->next = after == HN_TASK_NONE ? list->first : link_of(sched, which, after)->next;
	if (after == HN_TASK_NONE)
		list->first = id;
	else
		link_of(sched, which, after)->next = id;
	if (own->next == HN_TASK_NONE)
		list->last = id;
	else
		link_of(sched, which, own->next)->prev = id;
}

static void list_remove(struct hn_sched *sched, struct hn_rq *rq, enum which which,
			hn_task_id id)
{
	struct hn_list *list = list_of(rq, which);
	const struct hn_link *own = link_of(sched, which, id);

	if (own->prev == HN_TASK_NONE)
		list->first = own->next;
	else
		link_of(sched, which, own->prev)->next = own->next;
	if (own->next == HN_TASK_NONE)
		list->last = own->prev;
	else
		link_of(sched, which, own->next)->prev = own->prev;
}

/* Queues are short; equal times keep the order of arrival. */
static void order_insert(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id)
{
	hn_task_id after = rq->order.last;

	while (after != HN_TASK_NONE && sched->tasks[after].vruntime > sched->tasks[id].vruntime)
		after = sched->tasks[after].order.prev;
	list_insert(sched, rq, ORDER, id, after);
}

void hn_rq_note_looked_at(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id)
{
	list_remove(sched, rq, RECENT, id);
	list_insert(sched, rq, RECENT, id, HN_TASK_NONE);
}

/* ---- queueing ---- */

/* Adds (or, with sign -1, takes) the task to the counts of its queue. */
static void count_task(struct hn_rq *rq, const struct hn_sched_task *task, int32_t sign)
{
	uint32_t is_numa = task->preferred_nid != HN_NID_NONE;
	uint32_t is_preferred = is_numa && task->preferred_nid == rq->nid;

	rq->nr_running += (uint32_t)sign;
	rq->load_weight += (uint64_t)((int64_t)task->load_weight * sign);
	rq->nr_numa += is_numa * (uint32_t)sign;
	rq->nr_preferred += is_preferred * (uint32_t)sign;
}

void hn_rq_enqueue(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id,
		   enum hn_enqueue_how how, hn_time_ns now_ns)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);

	hn_assert(task->state == HN_TASK_BLOCKED);
	hn_assert(task->cpu == rq->cpu);
	hn_tick_touch(sched, rq, now_ns);
	hn_rq_update_curr(sched, rq, now_ns);
	advance_both(rq, task, now_ns);
	hn_order_place(sched, rq, id, how);
	hn_pelt_add(&rq->pelt, HN_PELT_QUEUED, task->load_weight * task->pelt.sums[HN_PELT_LOAD]);
	count_task(rq, task, 1);
	task->state = HN_TASK_QUEUED;
	order_insert(sched, rq, id);
	list_insert(sched, rq, RECENT, id, HN_TASK_NONE);
	hn_tick_note_queue_length(sched, rq, rq->nr_running - 1, now_ns);
	hn_order_advance_min(sched, rq);
}

static void forget_buddies(struct hn_rq *rq, hn_task_id id)
{
	if (rq->next_buddy == id)
		rq->next_buddy = HN_TASK_NONE;
	if (rq->last_buddy == id)
		rq->last_buddy = HN_TASK_NONE;
}

void hn_rq_dequeue(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id, hn_time_ns now_ns)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);

	hn_assert(task->state >= HN_TASK_QUEUED);
	hn_assert(task->cpu == rq->cpu);
	hn_tick_touch(sched, rq, now_ns);
	hn_rq_update_curr(sched, rq, now_ns);
	advance_both(rq, task, now_ns);
	hn_order_note_leave(sched, rq, id);
	hn_pelt_sub(&rq->pelt, HN_PELT_QUEUED, task->load_weight * task->pelt.sums[HN_PELT_LOAD]);
	if (task->state == HN_TASK_RUNNING)
		rq->curr = HN_TASK_NONE;
	else
		list_remove(sched, rq, ORDER, id);
	list_remove(sched, rq, RECENT, id);
	count_task(rq, task, -1);
	forget_buddies(rq, id);
	task->state = HN_TASK_BLOCKED;
	hn_tick_note_queue_length(sched, rq, rq->nr_running + 1, now_ns);
	hn_order_advance_min(sched, rq);
}

void hn_rq_update_curr(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns)
{
	struct hn_sched_task *task;

	if (rq->curr == HN_TASK_NONE)
		return;
	task = &sched->tasks[rq->curr];
	if (task->exec_start_ns == now_ns)
		return;
	hn_tick_touch(sched, rq, now_ns);
	task->vruntime = hn_order_vruntime(sched, rq->curr, now_ns);
	task->sum_exec_ns += now_ns - task->exec_start_ns;
	task->exec_start_ns = now_ns;
	hn_order_advance_min(sched, rq);
	if (hn_order_renew_deadline(sched, rq))
		hn_rq_resched(sched, rq);
}

void hn_rq_put_curr(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns)
{
	hn_task_id id = rq->curr;

	if (id == HN_TASK_NONE)
		return;
	hn_tick_touch(sched, rq, now_ns);
	hn_rq_update_curr(sched, rq, now_ns);
	advance_both(rq, &sched->tasks[id], now_ns);
	rq->curr = HN_TASK_NONE;
	sched->tasks[id].state = HN_TASK_QUEUED;
	order_insert(sched, rq, id);
}

void hn_rq_set_curr(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id, hn_time_ns now_ns)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);

	hn_assert(task->state == HN_TASK_QUEUED);
	hn_assert(rq->curr == HN_TASK_NONE);
	hn_tick_touch(sched, rq, now_ns);
	advance_both(rq, task, now_ns);
	list_remove(sched, rq, ORDER, id);
	rq->curr = id;
	forget_buddies(rq, id);
	task->state = HN_TASK_RUNNING;
	task->exec_start_ns = now_ns;
	task->slice_start_exec_ns = task->sum_exec_ns;
	task->parity_deadline = task->deadline;
	hn_rq_note_looked_at(sched, rq, id);
	hn_order_advance_min(sched, rq);
}

void hn_rq_set_preferred(struct hn_sched *sched, hn_task_id id, hn_nid nid)
{
	struct hn_sched_task *task = hn_sched_get_task(sched, id);
	struct hn_rq *rq = hn_sched_task_rq(sched, id);

	if (task->state < HN_TASK_QUEUED) {
		task->preferred_nid = nid;
		return;
	}
	count_task(rq, task, -1);
	task->preferred_nid = nid;
	count_task(rq, task, 1);
}

void hn_rq_resched(struct hn_sched *sched, struct hn_rq *rq)
{
	if (rq->needs_pick)
		return;
	rq->needs_pick = true;
	if (sched->hooks.resched)
		sched->hooks.resched(sched->hooks.ctx, rq->cpu);
}
