/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim.h - the simulated world: a machine, a scheduler, pages and a workload, event by event.
 *
 * A run is a pure function of machine, policy, scenario and seed. The loop allocates nothing:
 * all storage comes from the arena at creation, sized by the scenario. What a task draws (amounts
 * of work, sleeps, which page it touches) comes from streams of its own, so that two policies
 * see the same draws.
 *
 * Here the policy steers only what the scheduler under the balancer does and where static
 * placement puts things; every balancing decision comes through the world interface. */
#ifndef HN_SIM_SIM_H
#define HN_SIM_SIM_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/machine.h"
#include "policy/policy.h"
#include "sim/scenario.h"
#include "world/world.h"

struct hn_sim_config {
	const struct hn_machine *machine;    /* borrowed for the world's life, as all below */
	const struct hn_policy *policy;
	const struct hn_scenario *scenario;
	uint64_t seed;
};

/* Creates the world in the arena. -ENOMEM with diag where the scenario does not fit the machine. */
int HN_MUST_CHECK hn_sim_create(struct hn_arena *arena, const struct hn_sim_config *config,
				struct hn_world **ret_world, struct hn_world_limits *ret_limits,
				struct hn_diag *diag);

#endif
