/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core-fixture.h - a small machine, a policy and a core for tests of src/core.
 *
 * Two machines, CPUs and nodes in order:
 *   2 nodes x 4 CPUs (cores of two threads: 0 1 | 2 3), distance 20
 *   4 nodes x 2 CPUs (one thread per core), a ring: neighbours 20, opposite 30 (a glueless mesh)
 * One LLC per node, 16 GiB per node, all nodes top tier. The policy has the fields of v6.12.
 *
 * A test calls core_fixture_init(), changes `policy`, `machine` or `limits` as it needs,
 * then core_fixture_start(). Fixtures share nothing, so a test may hold several. */
#ifndef HN_TESTS_CORE_FIXTURE_H
#define HN_TESTS_CORE_FIXTURE_H

#include "base/arena.h"
#include "core/core-internal.h"

#define FIXTURE_NODES_MAX 4
#define FIXTURE_CPUS_MAX 8
#define FIXTURE_NODE_BYTES (UINT64_C(16) << 30)

/* Pid of a test's task: 1001 for task 0, 1002 for task 1, ... (low bytes 233, 234, ...). */
#define FIXTURE_PID(task) (1001 + (uint32_t)(task))

struct core_fixture {
	struct hn_arena arena;
	struct hn_machine machine;
	struct hn_node nodes[FIXTURE_NODES_MAX];
	struct hn_cpu_place cpus[FIXTURE_CPUS_MAX];
	hn_cpu node_cpus[FIXTURE_CPUS_MAX];
	uint16_t distance[FIXTURE_NODES_MAX * FIXTURE_NODES_MAX];
	double latency_ns[FIXTURE_NODES_MAX * FIXTURE_NODES_MAX];
	double link_bw_bytes_per_s[FIXTURE_NODES_MAX * FIXTURE_NODES_MAX];
	struct hn_policy policy;
	struct hn_limits limits;  /* 16 tasks, 4 address spaces, 16 mappings */
	struct hn_core *core;     /* NULL until core_fixture_start() */
};

/* nr_nodes is 2 or 4. */
void core_fixture_init(struct core_fixture *f, uint32_t nr_nodes);
void core_fixture_start(struct core_fixture *f);
void core_fixture_fini(struct core_fixture *f);

/* Replaces fields of the policy by those of an old kernel, as far as scan and page rules go. */
void core_fixture_use_v3_8(struct core_fixture *f);
void core_fixture_use_v3_13(struct core_fixture *f);

/* Forks `task` at time 0 into address space `mm`: a new one when nobody uses it, else as a thread
 * of it. parent may be HN_TASK_NONE. */
void core_fixture_fork(struct core_fixture *f, hn_task_id task, hn_task_id parent, hn_mm_id mm);

/* Maps [start, start + nr_pages) as private, readable and writable memory. */
void core_fixture_map(struct core_fixture *f, hn_vma_id vma, hn_mm_id mm, uint64_t start,
		      uint64_t nr_pages);

/* Gives the task arrays and sets one entry of its own and, if it has one, of its group's
 * statistics; totals follow. */
void core_fixture_set_faults(struct core_fixture *f, hn_task_id task, enum hn_fault_stat stat,
			     hn_nid nid, uint64_t nr_pages);

/* Puts the tasks `first` .. `first + nr - 1` into one group of their own (before set_faults). */
void core_fixture_join_group(struct core_fixture *f, hn_task_id first, uint32_t nr);

#endif
