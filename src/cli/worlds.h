/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worlds.h - the worlds that a job can be made in, for the engine to create. */
#ifndef HN_CLI_WORLDS_H
#define HN_CLI_WORLDS_H

#include "engine/engine.h"

/* The simulated one; job->world_arg is its struct hn_scenario. */
int HN_MUST_CHECK cli_create_sim_world(const struct hn_job *job, struct hn_arena *arena,
				       struct hn_world **ret_world,
				       struct hn_world_limits *ret_limits, struct hn_diag *diag);

#endif
