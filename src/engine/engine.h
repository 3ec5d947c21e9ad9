/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.h - joins one world and one core: carries events down and decisions up.
 *
 * The only place that sees both sides. It adds nothing of its own but bookkeeping: counters of
 * decisions, reasons, windows with their digests. The world is made by a function that the
 * caller hands in, so the engine knows no world by name.
 *
 * A job is a pure function of its inputs; jobs share nothing, so many run side by side. */
#ifndef HN_ENGINE_ENGINE_H
#define HN_ENGINE_ENGINE_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/machine.h"
#include "model/record.h"
#include "policy/policy.h"
#include "world/world.h"

struct hn_job;

/* Creates the job's world in the arena; fills the limits. 0 or negative errno with diag. */
typedef int hn_create_world(const struct hn_job *job, struct hn_arena *arena,
			    struct hn_world **ret_world, struct hn_world_limits *ret_limits,
			    struct hn_diag *diag);

/* One run to be made. Everything is borrowed. */
struct hn_job {
	const struct hn_machine *machine;
	const struct hn_policy *policy;
	const char *scenario;          /* name, for the record */
	uint32_t run;                  /* 0 .. runs - 1 */
	uint64_t seed;                 /* of this run; the same for all policies of a table */
	hn_create_world *create_world;
	const void *world_arg;         /* for create_world: the scenario */
};

/* Makes the run. The record's strings and arrays come from `keep`; everything else is given back
 * at the end. `stop` ends the run early (-EINTR) when it becomes non-zero; NULL: never. */
int HN_MUST_CHECK hn_job_run(const struct hn_job *job, struct hn_arena *keep,
			     const volatile int *stop, struct hn_run_record *ret_record,
			     struct hn_diag *diag);

/* Many runs on `nr_workers` threads. Results do not depend on the number of workers or on
 * their order. */
struct hn_batch {
	const struct hn_job *jobs;
	uint32_t nr_jobs;
	uint32_t nr_workers;           /* >= 1 */
	const volatile int *stop;      /* NULL: never */
	/* Called from one worker at a time when a job has ended; may be NULL. */
	void (*progress)(void *ctx, uint32_t nr_done, uint32_t nr_jobs);
	void *progress_ctx;
};

/* Fills records[0 .. nr_jobs-1], in the order of the jobs, out of `keep`. The first failure (by
 * job order) is returned with its diag; jobs not started are left out then. */
int HN_MUST_CHECK hn_batch_run(const struct hn_batch *batch, struct hn_arena *keep,
			       struct hn_run_record *records, struct hn_diag *diag);

#endif
