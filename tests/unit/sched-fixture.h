/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched-fixture.h - a scheduler over a small machine, whose caller's duties are done at once.
 *
 * sched_fixture_settle() picks wherever that was asked for; the helpers below call it. Ticks are
 * not delivered: a test that wants them calls hn_sched_tick(). */
#ifndef HN_TESTS_SCHED_FIXTURE_H
#define HN_TESTS_SCHED_FIXTURE_H

#include "machine-fixture.h"
#include "sched/sched-internal.h"

#define FIXTURE_TASKS 64
#define MS HN_NS_PER_MS

struct sched_fixture {
	struct hn_arena arena;
	struct hn_machine *machine;
	struct hn_policy policy;
	struct hn_sched *sched;
	hn_time_ns now_ns;
	hn_task_id nr_tasks;             /* ids given out so far */
	enum hn_locality_answer answer;  /* to every question of the balancer */
	struct hn_locality_query query;  /* the last one */
	uint32_t nr_queries;
	uint32_t nr_moved;
	hn_cpu moved_src, moved_dst;     /* the last change of CPU */
	uint32_t nr_resched;
	hn_cpu resched_cpu;              /* the last one */
};

void sched_fixture_init(struct sched_fixture *f, struct machine_shape shape,
			struct hn_policy policy);
void sched_fixture_fini(struct sched_fixture *f);
void sched_fixture_settle(struct sched_fixture *f);

/* Forks a task of nice 0 from `cpu`, wherever it lands. */
hn_task_id sched_fixture_fork(struct sched_fixture *f, hn_cpu cpu);
/* Forks one and moves it to `cpu`. */
hn_task_id sched_fixture_place(struct sched_fixture *f, hn_cpu cpu);
void sched_fixture_place_many(struct sched_fixture *f, hn_cpu cpu, uint32_t nr);
/* The running task of the CPU blocks. */
hn_task_id sched_fixture_block(struct sched_fixture *f, hn_cpu cpu);

/* 16.4 s later, at the start of a segment and on a tick, when all averages are those of the present
 * state: a running task has load 1024 and utilisation 1024, to the unit. */
void sched_fixture_saturate(struct sched_fixture *f);
uint32_t sched_fixture_nr_on_node(const struct sched_fixture *f, hn_nid nid);

#endif
