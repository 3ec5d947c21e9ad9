/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/worlds.h"

#include "sim/sim.h"

int cli_create_sim_world(const struct hn_job *job, struct hn_arena *arena,
			 struct hn_world **ret_world, struct hn_world_limits *ret_limits,
			 struct hn_diag *diag)
{
	struct hn_sim_config config = {
		.machine = job->machine,
		.policy = job->policy,
		.scenario = job->world_arg,
		.seed = job->seed,
	};

	return hn_sim_create(arena, &config, ret_world, ret_limits, diag);
}
