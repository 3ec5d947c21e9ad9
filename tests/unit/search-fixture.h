/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search-fixture.h - a core with eight threads of one process and a view of eight CPUs, for
 * tests of where a task goes.
 *
 * Task 0 ("A") runs on CPU 0 of node 0, prefers node 1, and is the one that is placed. All
 * other CPUs are idle until search_fixture_run() puts a task there. A CPU has capacity 1024; a
 * running task has load 1024 unless a test changes it. */
#ifndef HN_TESTS_SEARCH_FIXTURE_H
#define HN_TESTS_SEARCH_FIXTURE_H

#include "core-fixture.h"

#define FIXTURE_LOAD 1024

struct search_fixture {
	struct core_fixture base;
	struct hn_view_cpu cpus[FIXTURE_CPUS_MAX];
	uint64_t all_cpus[1];
	uint64_t task_allowed[1];
	struct hn_view view;
	struct hn_decision decision;
};

void search_fixture_init(struct search_fixture *s, uint32_t nr_nodes);
/* Rows of older kernels, as far as groups, placement and searching go. */
void search_fixture_use_v4_19(struct search_fixture *s);
void search_fixture_use_v4_19_rc1(struct search_fixture *s);
void search_fixture_use_v4_9(struct search_fixture *s);
void search_fixture_use_v3_13(struct search_fixture *s);
/* Starts the core, forks tasks 0 .. 7 into one address space, and runs A on CPU 0. */
void search_fixture_start(struct search_fixture *s);

void search_fixture_run(struct search_fixture *s, hn_cpu cpu, hn_task_id task);
/* Memory faults on nodes 0 and 1. */
void search_fixture_fault(struct search_fixture *s, hn_task_id task, uint64_t on_0, uint64_t on_1);
/* A may run on these CPUs only, bit by bit. */
void search_fixture_allow(struct search_fixture *s, uint64_t cpus);
/* One attempt; the answer is in s->decision. */
const struct hn_decision *search_fixture_pick(struct search_fixture *s);

static inline uint64_t search_fixture_count(const struct search_fixture *s, enum hn_why why)
{
	return s->base.core->reasons[why];
}

#endif
