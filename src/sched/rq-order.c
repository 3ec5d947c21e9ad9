/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rq-order.c - who runs first: CFS (least virtual time) and EEVDF (earliest eligible deadline).
 *
 * CFS, 2 equal tasks, 8 CPUs: period 24 ms, slice 12 ms; a tick takes the CPU after more than
 * 12 ms, or after 3 ms when the other one is more than 12 ms of virtual time behind.
 * EEVDF: V is the weighted mean of virtual times; who is not past V is eligible; who runs keeps
 * the CPU until its deadline while it is eligible (RUN_TO_PARITY).
 *
 * DEVIATES: v6.12 keeps a task that sleeps while it is not eligible on its queue (DELAY_DEQUEUE);
 * here it leaves at once and keeps its lag. v5.13's lower bound of a slice is not modelled: it
 * matters for unequal weights only.
 * ASSUMES: a new deadline is set when the running task is accounted; the kernel does so at each
 * tick, also when nothing else is queued.
 *
 * Source: v6.1 kernel/sched/fair.c sched_slice(), place_entity(), check_preempt_tick(),
 * check_preempt_wakeup(), pick_next_entity(); v6.6, v6.12 avg_vruntime(), entity_eligible(),
 * update_deadline(), pick_eevdf(), update_entity_lag(). */
#include "sched/sched-internal.h"

static bool is_eevdf(const struct hn_sched *sched)
{
	return sched->policy->order == HN_SCHED_ORDER_EEVDF;
}

/* Real to virtual time, rounded down. */
static int64_t to_virtual(int64_t span_ns, uint32_t weight)
{
	return weight == HN_WEIGHT_NICE_0 ? span_ns : span_ns * HN_WEIGHT_NICE_0 / weight;
}

/* The shortest real time that is at least this virtual time. */
static int64_t to_real(int64_t virtual_ns, uint32_t weight)
{
	if (virtual_ns <= 0)
		return 0;
	return (virtual_ns * weight + HN_WEIGHT_NICE_0 - 1) / HN_WEIGHT_NICE_0;
}

int64_t hn_order_vruntime(const struct hn_sched *sched, hn_task_id id, hn_time_ns now_ns)
{
	const struct hn_sched_task *task = hn_sched_get_task(sched, id);

	if (task->state != HN_TASK_RUNNING)
		return task->vruntime;
	return task->vruntime + to_virtual(now_ns - task->exec_start_ns, task->load_weight);
}

/* ---- CFS ---- */

/* Time that the task may run before others get their turn. */
static int64_t slice_ns(const struct hn_sched *sched, uint32_t nr_running, uint64_t queue_weight,
			uint32_t weight)
{
	int64_t period_ns = sched->latency_ns;

	if (nr_running > sched->policy->nr_latency)
		period_ns = (int64_t)nr_running * sched->base_slice_ns;
	return (int64_t)((uint64_t)period_ns * weight / queue_weight);
}

static void place_cfs(const struct hn_sched *sched, const struct hn_rq *rq,
		      struct hn_sched_task *task, enum hn_enqueue_how how)
{
	int64_t slice;

	switch (how) {
	case HN_ENQUEUE_MOVED:
		break;
	case HN_ENQUEUE_WAKEUP: /* gentle: half a period of credit */
		task->vruntime = hn_max_i64(task->vruntime,
					    rq->min_vruntime - sched->latency_ns / 2);
		break;
	case HN_ENQUEUE_NEW:
		slice = slice_ns(sched, rq->nr_running + 1, rq->load_weight + task->load_weight,
				 task->load_weight);
		task->vruntime = rq->min_vruntime + to_virtual(slice, task->load_weight);
		break;
	}
}

/* Whether the buddy may run before the first: not unfair by more than the granularity. */
static bool is_buddy_fair(const struct hn_sched *sched, hn_task_id buddy, hn_task_id first)
{
	const struct hn_sched_task *task = &sched->tasks[first];
	int64_t ahead = sched->tasks[buddy].vruntime - task->vruntime;

	return ahead <= to_virtual(sched->wakeup_granularity_ns, task->load_weight);
}

static hn_task_id pick_cfs(const struct hn_sched *sched, const struct hn_rq *rq)
{
	hn_task_id first = rq->order.first;

	if (rq->curr != HN_TASK_NONE &&
	    (first == HN_TASK_NONE ||
	     sched->tasks[rq->curr].vruntime < sched->tasks[first].vruntime))
		first = rq->curr;
	if (first == HN_TASK_NONE)
		return first;
	if (rq->next_buddy != HN_TASK_NONE && is_buddy_fair(sched, rq->next_buddy, first))
		return rq->next_buddy;
	if (rq->last_buddy != HN_TASK_NONE && is_buddy_fair(sched, rq->last_buddy, first))
		return rq->last_buddy;
	return first;
}

static bool preempts_cfs(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id)
{
	const struct hn_sched_task *task = &sched->tasks[id];
	int64_t behind = sched->tasks[rq->curr].vruntime - task->vruntime;

	if (behind <= to_virtual(sched->wakeup_granularity_ns, task->load_weight))
		return false;
	rq->next_buddy = id;
	if (rq->nr_running >= sched->policy->nr_latency)
		rq->last_buddy = rq->curr;
	return true;
}

/* The two conditions of check_preempt_tick(), solved for time. */
static hn_time_ns expiry_cfs(const struct hn_sched *sched, const struct hn_rq *rq)
{
	const struct hn_sched_task *curr = &sched->tasks[rq->curr];
	const struct hn_sched_task *first = &sched->tasks[rq->order.first];
	int64_t slice = slice_ns(sched, rq->nr_running, rq->load_weight, curr->load_weight);
	hn_time_ns picked_ns = curr->exec_start_ns -
			       (curr->sum_exec_ns - curr->slice_start_exec_ns);
	int64_t to_unfair = first->vruntime + slice + 1 - curr->vruntime;
	hn_time_ns unfair_ns = curr->exec_start_ns + to_real(to_unfair, curr->load_weight);

	unfair_ns = hn_max_i64(unfair_ns, picked_ns + sched->base_slice_ns);
	return hn_min_i64(picked_ns + slice + 1, unfair_ns);
}

/* ---- EEVDF ---- */

struct mean {
	int64_t sum;     /* of weight times (vruntime - min_vruntime) */
	int64_t weight;
};

static void add_to_mean(struct mean *mean, const struct hn_rq *rq, const struct hn_sched_task *task)
{
	mean->sum += (task->vruntime - rq->min_vruntime) * (int64_t)task->load_weight;
	mean->weight += (int64_t)task->load_weight;
}

/* Over queued tasks and the running one, which is accounted. */
static struct mean compute_mean(const struct hn_sched *sched, const struct hn_rq *rq)
{
	struct mean mean = { 0, 0 };

	for (hn_task_id id = rq->order.first; id != HN_TASK_NONE; id = sched->tasks[id].order.next)
		add_to_mean(&mean, rq, &sched->tasks[id]);
	if (rq->curr != HN_TASK_NONE)
		add_to_mean(&mean, rq, &sched->tasks[rq->curr]);
	return mean;
}

/* V, rounded down; min_vruntime where the queue is empty. */
static int64_t mean_vruntime(const struct hn_rq *rq, struct mean mean)
{
	if (!mean.weight)
		return rq->min_vruntime;
	if (mean.sum < 0)
		mean.sum -= mean.weight - 1;
	return rq->min_vruntime + mean.sum / mean.weight;
}

static bool is_eligible(const struct hn_rq *rq, struct mean mean, const struct hn_sched_task *task)
{
	return mean.sum >= (task->vruntime - rq->min_vruntime) * mean.weight;
}

static int64_t virtual_slice(const struct hn_sched *sched, const struct hn_sched_task *task)
{
	return to_virtual(sched->base_slice_ns, task->load_weight);
}

static void place_eevdf(const struct hn_sched *sched, const struct hn_rq *rq,
			struct hn_sched_task *task, enum hn_enqueue_how how)
{
	struct mean mean = compute_mean(sched, rq);
	int64_t lag = how == HN_ENQUEUE_NEW || !mean.weight ? 0 : task->vlag;
	int64_t slice = virtual_slice(sched, task);

	if (lag)
		lag = lag * (mean.weight + (int64_t)task->load_weight) / mean.weight;
	task->vruntime = mean_vruntime(rq, mean) - lag;
	task->deadline = task->vruntime + (how == HN_ENQUEUE_NEW ? slice / 2 : slice);
}

/* Of two, the one with the earlier deadline; the one that came first where they are equal. */
static hn_task_id earlier(const struct hn_sched *sched, hn_task_id best, hn_task_id id)
{
	if (best == HN_TASK_NONE)
		return id;
	return sched->tasks[id].deadline < sched->tasks[best].deadline ? id : best;
}

static hn_task_id pick_eevdf(const struct hn_sched *sched, const struct hn_rq *rq)
{
	struct mean mean = compute_mean(sched, rq);
	hn_task_id best = HN_TASK_NONE;

	if (rq->curr != HN_TASK_NONE) {
		const struct hn_sched_task *curr = &sched->tasks[rq->curr];

		if (is_eligible(rq, mean, curr)) {
			if (curr->parity_deadline == curr->deadline)
				return rq->curr;
			best = rq->curr;
		}
	}
	for (hn_task_id id = rq->order.first; id != HN_TASK_NONE;
	     id = sched->tasks[id].order.next) {
		if (!is_eligible(rq, mean, &sched->tasks[id]))
			break; /* in order of vruntime: nor are the others */
		best = earlier(sched, best, id);
	}
	return best == HN_TASK_NONE ? rq->order.first : best;
}

/* Lag is kept within two slices, or a tick. */
static void note_lag(const struct hn_sched *sched, const struct hn_rq *rq,
		     struct hn_sched_task *task)
{
	int64_t limit = hn_max_i64(2 * sched->base_slice_ns, HN_TICK_NS);
	int64_t lag = mean_vruntime(rq, compute_mean(sched, rq)) - task->vruntime;

	limit = to_virtual(limit, task->load_weight);
	task->vlag = hn_clamp_i64(lag, -limit, limit);
}

/* ---- by policy ---- */

void hn_order_place(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id,
		    enum hn_enqueue_how how)
{
	if (is_eevdf(sched))
		place_eevdf(sched, rq, &sched->tasks[id], how);
	else
		place_cfs(sched, rq, &sched->tasks[id], how);
}

void hn_order_note_leave(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id)
{
	if (is_eevdf(sched))
		note_lag(sched, rq, &sched->tasks[id]);
}

void hn_order_advance_min(const struct hn_sched *sched, struct hn_rq *rq)
{
	int64_t least = INT64_MAX;

	if (rq->curr != HN_TASK_NONE)
		least = sched->tasks[rq->curr].vruntime;
	if (rq->order.first != HN_TASK_NONE)
		least = hn_min_i64(least, sched->tasks[rq->order.first].vruntime);
	if (least != INT64_MAX)
		rq->min_vruntime = hn_max_i64(rq->min_vruntime, least);
}

bool hn_order_renew_deadline(struct hn_sched *sched, struct hn_rq *rq)
{
	struct hn_sched_task *curr = &sched->tasks[rq->curr];

	if (!is_eevdf(sched) || curr->vruntime < curr->deadline)
		return false;
	curr->deadline = curr->vruntime + virtual_slice(sched, curr);
	return rq->nr_running > 1;
}

hn_task_id hn_order_pick(const struct hn_sched *sched, const struct hn_rq *rq)
{
	return is_eevdf(sched) ? pick_eevdf(sched, rq) : pick_cfs(sched, rq);
}

bool hn_order_preempts(struct hn_sched *sched, struct hn_rq *rq, hn_task_id id)
{
	if (rq->curr == HN_TASK_NONE)
		return true;
	return is_eevdf(sched) ? pick_eevdf(sched, rq) == id : preempts_cfs(sched, rq, id);
}

hn_time_ns hn_order_expiry_ns(const struct hn_sched *sched, const struct hn_rq *rq)
{
	const struct hn_sched_task *curr;

	if (rq->curr == HN_TASK_NONE || rq->nr_running < 2)
		return HN_TIME_NEVER;
	if (!is_eevdf(sched))
		return expiry_cfs(sched, rq);
	curr = &sched->tasks[rq->curr];
	return curr->exec_start_ns + to_real(curr->deadline - curr->vruntime, curr->load_weight);
}
