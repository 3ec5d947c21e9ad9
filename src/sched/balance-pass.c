/* SPDX-License-Identifier: GPL-2.0-or-later */
/* balance-pass.c - one pass of the load balancer over one domain of one CPU.
 *
 * Is it this CPU's turn; which group and which queue of it is busiest; which tasks may come; and
 * what follows for the next pass. Tasks are moved one by one, at once.
 *
 * Source: v5.4, v6.1, v6.6 kernel/sched/fair.c load_balance(), should_we_balance(),
 * find_busiest_queue(), detach_tasks(), can_migrate_task(), task_hot(), need_active_balance(),
 * active_load_balance_cpu_stop(). */
#include "sched/sched-internal.h"

#define TASKS_PER_PASS 32        /* v3.8 .. v7.2 sysctl_sched_nr_migrate */
#define PINNED_INTERVAL_MS_MAX 512

enum hn_fbq hn_balance_fbq(uint32_t nr_running, uint32_t nr_numa, uint32_t nr_preferred)
{
	if (nr_running > nr_numa)
		return HN_FBQ_REGULAR;
	if (nr_running > nr_preferred)
		return HN_FBQ_REMOTE;
	return HN_FBQ_ALL;
}

/* ---- whose turn it is ---- */

/* The CPU of the group that balances for it: an idle one, else the first. */
static hn_cpu pick_balancer(const struct hn_pass *pass)
{
	const struct hn_cpu_set *cpus = &pass->domain->groups[pass->local_group].balance;
	bool prefers_core = pass->sched->policy->balance_prefers_core &&
			    !(pass->domain->flags & HN_DOMAIN_SHARE_CAPACITY);
	hn_cpu sibling = HN_CPU_NONE;

	for (uint32_t i = 0; i < cpus->nr; i++) {
		if (!hn_sched_is_idle(pass->sched, cpus->cpus[i]))
			continue;
		if (!prefers_core || hn_sched_is_core_idle(pass->sched, cpus->cpus[i]))
			return cpus->cpus[i];
		if (sibling == HN_CPU_NONE)
			sibling = cpus->cpus[i];
	}
	return sibling == HN_CPU_NONE ? cpus->cpus[0] : sibling;
}

static bool is_our_turn(const struct hn_pass *pass)
{
	if (pass->idle == HN_CPU_NEWLY_IDLE)
		return hn_sched_rq(pass->sched, pass->dst)->nr_running == 0;
	return pick_balancer(pass) == pass->dst;
}

/* ---- the busiest queue ---- */

struct busiest {
	struct hn_rq *rq;
	uint64_t amount;         /* load, utilisation or number */
	uint64_t capacity;
};

static bool is_busier(const struct hn_pass *pass, const struct hn_rq *rq, struct busiest *busiest)
{
	struct hn_rq_load load = hn_rq_read_load(pass->sched, rq, pass->now_ns);

	switch (pass->kind) {
	case HN_MIGRATE_LOAD:
		if (rq->nr_running == 1 && (int64_t)load.load > pass->imbalance)
			return false;
		if (load.load * busiest->capacity <= busiest->amount * rq->capacity)
			return false;
		busiest->amount = load.load;
		break;
	case HN_MIGRATE_UTIL:
		if (rq->nr_running < 2 || load.util <= busiest->amount)
			return false;
		busiest->amount = load.util;
		break;
	case HN_MIGRATE_TASK:
		if (rq->nr_running <= busiest->amount)
			return false;
		busiest->amount = rq->nr_running;
		break;
	}
	busiest->capacity = rq->capacity;
	return true;
}

static struct hn_rq *find_busiest_queue(const struct hn_pass *pass, const struct hn_group *group)
{
	struct busiest busiest = { .rq = NULL, .capacity = 1 };

	for (uint32_t i = 0; i < group->span.nr; i++) {
		struct hn_rq *rq = hn_sched_rq(pass->sched, group->span.cpus[i]);

		if (!rq->nr_running || rq->cpu == pass->dst)
			continue;
		if (hn_bitmap_has(pass->sched->scratch, (uint32_t)rq->cpu))
			continue;
		if (hn_balance_fbq(rq->nr_running, rq->nr_numa, rq->nr_preferred) > pass->fbq)
			continue;
		if (is_busier(pass, rq, &busiest))
			busiest.rq = rq;
	}
	return busiest.rq;
}

/* ---- which tasks may come ---- */

/* Notes that a task is kept away by its allowed CPUs, and where else in the group it could go. */
static void note_pinned(struct hn_pass *pass, hn_task_id id)
{
	const struct hn_cpu_set *cpus = &pass->domain->groups[pass->local_group].balance;

	pass->is_some_pinned = true;
	if (pass->idle == HN_CPU_NEWLY_IDLE || pass->other_dst != HN_CPU_NONE)
		return;
	for (uint32_t i = 0; i < cpus->nr; i++) {
		if (cpus->cpus[i] != pass->dst &&
		    hn_sched_may_run(pass->sched, id, cpus->cpus[i])) {
			pass->other_dst = cpus->cpus[i];
			return;
		}
	}
}

static bool is_cache_hot(const struct hn_pass *pass, const struct hn_rq *src, hn_task_id id)
{
	const struct hn_sched *sched = pass->sched;

	if (pass->domain->flags & HN_DOMAIN_SHARE_CAPACITY)
		return false;
	if (hn_sched_rq(sched, pass->dst)->nr_running &&
	    (src->next_buddy == id || src->last_buddy == id))
		return true;
	return pass->now_ns - sched->tasks[id].exec_start_ns < HN_MIGRATION_COST_NS;
}

static enum hn_locality_answer ask_locality(const struct hn_pass *pass, const struct hn_rq *src,
					    hn_task_id id)
{
	struct hn_locality_query query = {
		.task = id,
		.src_nid = src->nid,
		.dst_nid = hn_machine_nid(pass->sched->machine, pass->dst),
		.idle = pass->idle,
		.src_nr_running = src->nr_running,
		.src_nr_preferred = src->nr_preferred,
	};

	if (!(pass->domain->flags & HN_DOMAIN_NUMA) || query.src_nid == query.dst_nid)
		return HN_LOCALITY_NEUTRAL;
	return pass->sched->hooks.locality(pass->sched->hooks.ctx, &query);
}

static bool is_held_back(const struct hn_pass *pass, const struct hn_rq *src, hn_task_id id)
{
	switch (ask_locality(pass, src, id)) {
	case HN_LOCALITY_NEUTRAL:
		return is_cache_hot(pass, src, id);
	case HN_LOCALITY_ALLOWS:
	case HN_LOCALITY_IMPROVES:
		return false;
	case HN_LOCALITY_DEGRADES:
		break;
	}
	return true;
}

static bool may_migrate(struct hn_pass *pass, const struct hn_rq *src, hn_task_id id)
{
	if (!hn_sched_may_run(pass->sched, id, pass->dst)) {
		note_pinned(pass, id);
		return false;
	}
	pass->is_all_pinned = false;
	if (pass->sched->tasks[id].state == HN_TASK_RUNNING)
		return false;
	return !is_held_back(pass, src, id) ||
	       pass->state->nr_balance_failed > pass->domain->cache_nice_tries;
}

/* ---- moving ---- */

static uint64_t task_util(const struct hn_pass *pass, hn_task_id id)
{
	struct hn_pelt pelt = hn_rq_read_task(pass->sched, id, pass->now_ns);

	return hn_pelt_avg(&pelt, HN_PELT_UTIL);
}

/* What the move of this task takes off the imbalance; 0: it is too large to move. */
static int64_t compute_share(const struct hn_pass *pass, hn_task_id id)
{
	uint32_t shift = (uint32_t)hn_min_u64(pass->state->nr_balance_failed, 63);
	int64_t amount, compared;

	if (pass->kind == HN_MIGRATE_TASK)
		return 1;
	if (pass->kind == HN_MIGRATE_UTIL)
		amount = (int64_t)task_util(pass, id);
	else
		amount = (int64_t)hn_rq_task_load(pass->sched, id, pass->now_ns);
	amount = hn_max_i64(amount, 1);
	compared = amount >> shift;
	if (pass->sched->policy->balance == HN_BALANCE_RULE_LOAD)
		compared = amount / 2;
	return compared > pass->imbalance ? 0 : amount;
}

static uint32_t move_tasks(struct hn_pass *pass, struct hn_rq *src)
{
	uint32_t nr_left = (uint32_t)hn_min_u64(TASKS_PER_PASS, src->nr_running);
	uint32_t nr_moved = 0;

	for (; nr_left && pass->imbalance > 0; nr_left--) {
		hn_task_id id = src->recent.last;
		int64_t share = 0;

		if (pass->idle != HN_CPU_NOT_IDLE && src->nr_running <= 1)
			break;
		if (may_migrate(pass, src, id))
			share = compute_share(pass, id);
		if (!share) {
			hn_rq_note_looked_at(pass->sched, src, id);
			continue;
		}
		hn_sched_migrate(pass->sched, id, pass->dst, pass->now_ns);
		pass->imbalance -= share;
		nr_moved++;
		if (pass->idle == HN_CPU_NEWLY_IDLE)
			break;
	}
	pass->sched->counts.nr_balance_pulls += nr_moved;
	return nr_moved;
}

/* A task that may not run on dst may yet run on another CPU of the group. */
static uint32_t move_with_other_dst(struct hn_pass *pass, struct hn_rq *src)
{
	uint32_t nr_moved = move_tasks(pass, src);

	if (pass->other_dst != HN_CPU_NONE && pass->other_dst != src->cpu && pass->imbalance > 0) {
		pass->dst = pass->other_dst;
		nr_moved += move_tasks(pass, src);
	}
	return nr_moved;
}

/* ---- pushing the running task ---- */

static bool needs_active(const struct hn_pass *pass)
{
	if (pass->sched->policy->balance == HN_BALANCE_RULE_GROUP_TYPES &&
	    pass->kind != HN_MIGRATE_TASK)
		return false;
	return pass->state->nr_balance_failed > pass->domain->cache_nice_tries + 2;
}

/* ASSUMES: the stopper of the source CPU does its work at once. It may take any task of the
 * queue, the one that it interrupted last. */
static bool push_task(struct hn_pass *pass, struct hn_rq *src)
{
	struct hn_sched *sched = pass->sched;

	for (hn_task_id id = src->recent.last; id != HN_TASK_NONE;
	     id = sched->tasks[id].recent.prev) {
		if (!hn_sched_may_run(sched, id, pass->dst))
			continue;
		sched->counts.nr_active_balances++;
		sched->counts.nr_balance_pulls++;
		hn_sched_migrate(sched, id, pass->dst, pass->now_ns);
		return true;
	}
	return false;
}

static bool is_curr_allowed(const struct hn_pass *pass, const struct hn_rq *src)
{
	return src->curr == HN_TASK_NONE || hn_sched_may_run(pass->sched, src->curr, pass->dst);
}

/* ---- what follows ---- */

static void note_balanced(struct hn_pass *pass)
{
	uint32_t ms_max = 2 * pass->domain->span.nr;
	struct hn_domain_state *state = pass->state;

	if (pass->parent_group && !pass->is_all_pinned)
		pass->parent_group->is_imbalanced = false;
	state->nr_balance_failed = 0;
	if (pass->idle == HN_CPU_NEWLY_IDLE)
		return;
	if ((pass->is_all_pinned && state->balance_interval_ms < PINNED_INTERVAL_MS_MAX) ||
	    state->balance_interval_ms < ms_max)
		state->balance_interval_ms *= 2;
}

/* Nothing came although something should: counts, and pushes when that is due. */
static void note_failed(struct hn_pass *pass, struct hn_rq *src)
{
	struct hn_domain_state *state = pass->state;

	if (pass->idle != HN_CPU_NEWLY_IDLE)
		state->nr_balance_failed++;
	if (needs_active(pass) && is_curr_allowed(pass, src) && push_task(pass, src))
		state->nr_balance_failed =
			pass->sched->policy->balance == HN_BALANCE_RULE_GROUP_TYPES ?
			0 : pass->domain->cache_nice_tries + 1;
	state->balance_interval_ms = pass->domain->span.nr;
}

static const struct hn_group *find_busiest_group(struct hn_pass *pass)
{
	switch ((enum hn_balance_rule)pass->sched->policy->balance) {
	case HN_BALANCE_RULE_LOAD:
		return hn_balance_by_load(pass);
	case HN_BALANCE_RULE_GROUP_TYPES:
		return hn_balance_by_types(pass);
	}
	return NULL;
}

enum attempt { BALANCED, PULLED, FAILED, PINNED };

/* One search and what it moved. PINNED: the queue found is out of reach, and marked so. */
static enum attempt attempt_pull(struct hn_pass *pass, hn_cpu dst, uint32_t *ret_nr_moved)
{
	const struct hn_group *group;
	struct hn_rq *src;

	pass->dst = dst;
	pass->other_dst = HN_CPU_NONE;
	pass->is_all_pinned = false;
	pass->is_some_pinned = false;
	group = find_busiest_group(pass);
	src = group ? find_busiest_queue(pass, group) : NULL;
	if (!src)
		return BALANCED;
	if (src->nr_running > 1) {
		pass->is_all_pinned = true;
		*ret_nr_moved = move_with_other_dst(pass, src);
		pass->dst = dst;
		if (pass->parent_group && pass->is_some_pinned && pass->imbalance > 0)
			pass->parent_group->is_imbalanced = true;
		if (pass->is_all_pinned && !*ret_nr_moved) {
			hn_bitmap_add(pass->sched->scratch, (uint32_t)src->cpu);
			return PINNED;
		}
	}
	if (*ret_nr_moved) {
		pass->state->nr_balance_failed = 0;
		pass->state->balance_interval_ms = pass->domain->span.nr;
		return PULLED;
	}
	note_failed(pass, src);
	return FAILED;
}

static uint32_t pull(struct hn_pass *pass)
{
	hn_cpu dst = pass->dst;
	uint32_t nr_moved = 0;
	enum attempt attempt;
	bool has_marks = false;

	while ((attempt = attempt_pull(pass, dst, &nr_moved)) == PINNED)
		has_marks = true;
	if (has_marks) {
		for (uint32_t i = 0; i < pass->domain->span.nr; i++)
			hn_bitmap_remove(pass->sched->scratch,
					 (uint32_t)pass->domain->span.cpus[i]);
	}
	if (attempt == BALANCED) {
		pass->is_all_pinned = has_marks;
		note_balanced(pass);
	}
	return nr_moved;
}

static struct hn_group *parent_group_of(struct hn_sched *sched, hn_cpu cpu, uint32_t level)
{
	if (level + 1 >= sched->domains.nr_levels[cpu])
		return NULL;
	return &hn_domain_of(&sched->domains, cpu, level + 1)
			->groups[hn_domain_state(&sched->domains, cpu, level + 1)->local_group];
}

uint32_t hn_balance_pass(struct hn_sched *sched, hn_cpu cpu, uint32_t level,
			 enum hn_cpu_idle_kind idle, hn_time_ns now_ns, bool *ret_is_ours)
{
	struct hn_pass pass = { .sched = sched, .dst = cpu, .idle = idle, .fbq = HN_FBQ_ALL,
				.kind = HN_MIGRATE_LOAD, .now_ns = now_ns };

	pass.domain = hn_domain_of(&sched->domains, cpu, level);
	pass.state = hn_domain_state(&sched->domains, cpu, level);
	pass.local_group = pass.state->local_group;
	pass.parent_group = parent_group_of(sched, cpu, level);
	pass.prefers_sibling = level > 0 && (hn_domain_of(&sched->domains, cpu, level - 1)->flags &
					     HN_DOMAIN_PREFER_SIBLING);
	sched->counts.nr_balances++;
	if (!is_our_turn(&pass)) {
		*ret_is_ours = false;
		note_balanced(&pass);
		return 0;
	}
	if (pass.domain->flags & HN_DOMAIN_NUMA)
		sched->serialized_ns = now_ns;
	return pull(&pass);
}
