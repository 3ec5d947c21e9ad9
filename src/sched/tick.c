/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tick.c - which tick of a CPU matters next, so that the others need not be simulated.
 *
 * A tick matters on a CPU that runs a task when (a) others wait and the task's turn is over, (b)
 * its next balancing is due, or (c) it is the kicker and the balancing for idle CPUs is due.
 * An idle CPU has no ticks (nohz).
 *
 * The promise. After a change of a CPU's state at time s, its due tick is the first one later than
 * s that matters by that state. It holds until the state changes; a tick that a promise names
 * is delivered even when the state changes at the very instant of the tick. So a caller that
 * delivers every tick and one that delivers only due ones see the same: a tick that is not due
 * does nothing, and whether it is due depends on the history of the state alone.
 *
 *   queue changes     |        |x       |        x        |     x: changes, |: ticks
 *   due               .........^        ............^           the second change falls on a tick
 *                     promise 2 is kept                         and does not cancel it
 *
 * The kicker: one CPU that satisfies the kick conditions (two tasks, or another busy CPU in its
 * cache) while any does, the same as long as it can.
 * DEVIATES: in the kernel any such CPU kicks at its tick; what follows is the same.
 * ASSUMES: a CPU counts as busy at once; the kernel notices at the first tick after it woke.
 *
 * Source: v6.1 kernel/sched/fair.c trigger_load_balance(), nohz_balancer_kick(). */
#include "sched/sched-internal.h"

static hn_time_ns first_tick_after(hn_time_ns after_ns)
{
	return (after_ns / HN_TICK_NS + 1) * HN_TICK_NS;
}

/* The first tick at or after at_ns that is later than after_ns. */
static hn_time_ns tick_from(hn_time_ns at_ns, hn_time_ns after_ns)
{
	hn_time_ns first_ns = first_tick_after(after_ns);

	if (at_ns <= first_ns)
		return first_ns;
	return (at_ns + HN_TICK_NS - 1) / HN_TICK_NS * HN_TICK_NS;
}

/* When the tick count reaches a number. */
static hn_time_ns time_of_ticks(int64_t ticks)
{
	return (ticks - 1) * HN_TICK_NS;
}

static hn_time_ns compute_due(const struct hn_sched *sched, const struct hn_rq *rq,
			      hn_time_ns after_ns)
{
	hn_time_ns at_ns;
	hn_time_ns expiry_ns;

	if (rq->curr == HN_TASK_NONE)
		return HN_TIME_NEVER;
	at_ns = time_of_ticks(rq->next_balance_ticks);
	expiry_ns = hn_order_expiry_ns(sched, rq);
	if (expiry_ns < at_ns)
		at_ns = expiry_ns;
	if (sched->nohz.kicker == rq->cpu && sched->nohz.nr_idle)
		at_ns = hn_min_i64(at_ns, time_of_ticks(sched->nohz.next_balance_ticks));
	return tick_from(at_ns, after_ns);
}

static void settle(struct hn_sched *sched, struct hn_rq *rq)
{
	struct hn_tick_state *tick = &rq->tick;

	if (tick->is_known)
		return;
	tick->due_ns = compute_due(sched, rq, tick->changed_ns);
	tick->is_known = true;
}

void hn_tick_touch(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns)
{
	struct hn_tick_state *tick = &rq->tick;

	/* only on a tick can an unsettled promise be for this instant */
	if (now_ns % HN_TICK_NS == 0 && tick->changed_ns < now_ns)
		settle(sched, rq);
	tick->changed_ns = now_ns;
	tick->generation++;
	if (!tick->is_known || tick->due_ns > now_ns)
		tick->is_known = false;
	if (tick->is_told && sched->hooks.retick)
		sched->hooks.retick(sched->hooks.ctx, rq->cpu);
	tick->is_told = false;
}

hn_time_ns hn_tick_due_ns(struct hn_sched *sched, struct hn_rq *rq)
{
	settle(sched, rq);
	rq->tick.is_told = true;
	return rq->tick.due_ns;
}

bool hn_tick_take(struct hn_sched *sched, struct hn_rq *rq, hn_time_ns now_ns)
{
	struct hn_tick_state *tick = &rq->tick;

	settle(sched, rq);
	if (tick->due_ns > now_ns)
		return false;
	tick->is_known = false;
	tick->is_told = false;
	tick->changed_ns = now_ns;
	tick->generation++;
	return true;
}

/* ---- who kicks ---- */

static bool can_kick(const struct hn_sched *sched, const struct hn_rq *rq)
{
	return !rq->is_idle && (rq->nr_running > 1 ||
				sched->llcs[sched->domains.llc_of[rq->cpu]].nr_busy > 1);
}

static hn_cpu find_kicker(const struct hn_sched *sched)
{
	for (uint32_t cpu = 0; cpu < sched->nr_cpus; cpu++) {
		if (can_kick(sched, &sched->rqs[cpu]))
			return (hn_cpu)cpu;
	}
	return HN_CPU_NONE;
}

static void touch_kicker(struct hn_sched *sched, hn_time_ns now_ns)
{
	if (sched->nohz.kicker != HN_CPU_NONE)
		hn_tick_touch(sched, hn_sched_rq(sched, sched->nohz.kicker), now_ns);
}

/* After the state of rq changed: keeps, drops or appoints the kicker. */
static void review_kicker(struct hn_sched *sched, const struct hn_rq *rq, hn_time_ns now_ns)
{
	hn_cpu kicker = sched->nohz.kicker;

	if (kicker == HN_CPU_NONE) {
		if (!can_kick(sched, rq))
			return;
		kicker = rq->cpu;
	} else {
		if (can_kick(sched, hn_sched_rq(sched, kicker)))
			return;
		kicker = find_kicker(sched);
	}
	touch_kicker(sched, now_ns);
	if (kicker != HN_CPU_NONE)
		hn_tick_touch(sched, hn_sched_rq(sched, kicker), now_ns);
	sched->nohz.kicker = kicker;
}

void hn_tick_set_idle(struct hn_sched *sched, struct hn_rq *rq, bool is_idle, hn_time_ns now_ns)
{
	struct hn_llc_state *llc = &sched->llcs[sched->domains.llc_of[rq->cpu]];

	if (rq->is_idle == is_idle)
		return;
	if (sched->nohz.nr_idle + is_idle == 1)
		touch_kicker(sched, now_ns); /* the first comes or the last goes */
	rq->is_idle = is_idle;
	if (is_idle) {
		hn_bitmap_add(sched->nohz.idle, (uint32_t)rq->cpu);
		sched->nohz.nr_idle++;
		llc->nr_busy--;
		if (sched->domains.has_smt && !llc->has_idle_core)
			llc->has_idle_core = hn_sched_is_core_idle(sched, rq->cpu);
	} else {
		hn_bitmap_remove(sched->nohz.idle, (uint32_t)rq->cpu);
		sched->nohz.nr_idle--;
		llc->nr_busy++;
	}
	review_kicker(sched, rq, now_ns);
}

void hn_tick_note_queue_length(struct hn_sched *sched, struct hn_rq *rq, uint32_t before,
			       hn_time_ns now_ns)
{
	if ((before > 1) == (rq->nr_running > 1))
		return;
	if (before > 1)
		sched->nr_overloaded--;
	else
		sched->nr_overloaded++;
	review_kicker(sched, rq, now_ns);
}

void hn_tick_set_nohz_balance(struct hn_sched *sched, int64_t ticks, hn_time_ns now_ns)
{
	if (sched->nohz.next_balance_ticks == ticks)
		return;
	touch_kicker(sched, now_ns);
	sched->nohz.next_balance_ticks = ticks;
}

void hn_tick_set_next_balance(struct hn_sched *sched, struct hn_rq *rq, int64_t ticks,
			      hn_time_ns now_ns)
{
	if (rq->next_balance_ticks == ticks)
		return;
	hn_tick_touch(sched, rq, now_ns);
	rq->next_balance_ticks = ticks;
}
