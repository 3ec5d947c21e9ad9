/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched-fixture.h"

static enum hn_locality_answer on_locality(void *ctx, const struct hn_locality_query *query)
{
	struct sched_fixture *f = ctx;

	f->query = *query;
	f->nr_queries++;
	return f->answer;
}

static void on_moved(void *ctx, hn_time_ns now_ns HN_UNUSED, hn_task_id task HN_UNUSED, hn_cpu src,
		     hn_cpu dst)
{
	struct sched_fixture *f = ctx;

	f->nr_moved++;
	f->moved_src = src;
	f->moved_dst = dst;
}

static void on_resched(void *ctx, hn_cpu cpu)
{
	struct sched_fixture *f = ctx;

	f->nr_resched++;
	f->resched_cpu = cpu;
}

void sched_fixture_init(struct sched_fixture *f, struct machine_shape shape,
			struct hn_policy policy)
{
	struct hn_sched_hooks hooks = { .ctx = f, .locality = on_locality, .moved = on_moved,
					.resched = on_resched };
	struct hn_rng rng;

	*f = (struct sched_fixture){ .policy = policy, .answer = HN_LOCALITY_NEUTRAL };
	hn_arena_init(&f->arena);
	hn_rng_init(&rng, 1, "test", 0);
	f->machine = machine_fixture_create(&f->arena, &shape);
	f->sched = hn_sched_create(&f->arena, f->machine, &f->policy, FIXTURE_TASKS, &hooks, &rng);
}

void sched_fixture_fini(struct sched_fixture *f)
{
	hn_sched_check(f->sched);
	hn_arena_fini(&f->arena);
}

void sched_fixture_settle(struct sched_fixture *f)
{
	for (uint32_t cpu = 0; cpu < f->machine->nr_cpus; cpu++) {
		if (f->sched->rqs[cpu].needs_pick)
			hn_sched_pick(f->sched, f->now_ns, (hn_cpu)cpu);
	}
}

hn_task_id sched_fixture_fork(struct sched_fixture *f, hn_cpu cpu)
{
	struct hn_sched_task_desc desc = { .task = f->nr_tasks++, .parent = HN_TASK_NONE,
					   .cpu = cpu };

	hn_sched_fork(f->sched, f->now_ns, &desc);
	sched_fixture_settle(f);
	return desc.task;
}

hn_task_id sched_fixture_place(struct sched_fixture *f, hn_cpu cpu)
{
	hn_task_id task = sched_fixture_fork(f, cpu);
	int err = hn_sched_move(f->sched, f->now_ns, task, hn_sched_task_cpu(f->sched, task), cpu);

	hn_assert(!err);
	sched_fixture_settle(f);
	return task;
}

void sched_fixture_place_many(struct sched_fixture *f, hn_cpu cpu, uint32_t nr)
{
	while (nr--)
		sched_fixture_place(f, cpu);
}

hn_task_id sched_fixture_block(struct sched_fixture *f, hn_cpu cpu)
{
	hn_task_id task = hn_sched_curr(f->sched, cpu);

	hn_sched_block(f->sched, f->now_ns, task);
	sched_fixture_settle(f);
	return task;
}

void sched_fixture_saturate(struct sched_fixture *f)
{
	/* 2^20 ns per segment; a multiple of 2^20 * 5^6 is one of the tick as well (4 * 10^6) */
	f->now_ns += INT64_C(1048576) * 15625;
}

uint32_t sched_fixture_nr_on_node(const struct sched_fixture *f, hn_nid nid)
{
	uint32_t nr = 0;

	for (uint32_t cpu = 0; cpu < f->machine->nr_cpus; cpu++) {
		if (f->machine->cpus[cpu].nid == nid)
			nr += hn_sched_nr_running(f->sched, (hn_cpu)cpu);
	}
	return nr;
}
