/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine-fixture.h - machines of any shape, and scheduler policies, for tests of src/sched.
 *
 * CPUs are numbered node by node, cache by cache, core by core, sibling by sibling:
 *   { .nr_nodes = 2, .llcs_per_node = 1, .cores_per_llc = 2, .smt = 2 }
 *   node 0: cores {0,1} {2,3}   node 1: cores {4,5} {6,7} */
#ifndef HN_TESTS_MACHINE_FIXTURE_H
#define HN_TESTS_MACHINE_FIXTURE_H

#include "base/arena.h"
#include "model/machine.h"
#include "policy/policy.h"

struct machine_shape {
	uint32_t nr_nodes;
	uint32_t llcs_per_node;
	uint32_t cores_per_llc;
	uint32_t smt;
	uint16_t distance;          /* between any two nodes; 0: 20 */
	const uint16_t *distances;  /* row-major, in place of `distance`; borrowed */
};

/* A machine in the arena; 16 GiB per node, one package per node. */
struct hn_machine *machine_fixture_create(struct hn_arena *arena,
					  const struct machine_shape *shape);

/* Scheduler fields as the kernels had them; the rest is zero. */
struct hn_policy policy_fixture_v3_13(void);
struct hn_policy policy_fixture_v4_18(void);
struct hn_policy policy_fixture_v5_12(void);
struct hn_policy policy_fixture_v6_1(void);
struct hn_policy policy_fixture_v6_12(void);

#endif
