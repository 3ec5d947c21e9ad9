/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/engine.h"

#include <errno.h>
#include <pthread.h>

#include "base/assert.h"

/* What one job left behind, until all are done. */
struct job_outcome {
	struct hn_arena keep;       /* the record's memory: workers share nothing */
	struct hn_run_record record;
	struct hn_diag diag;
	int err;
	bool is_done;
};

struct batch_state {
	const struct hn_batch *batch;
	struct job_outcome *outcomes;
	pthread_mutex_t lock;       /* guards all below, and progress calls */
	uint32_t next_job;
	uint32_t nr_done;
	bool has_failed;
};

/* The next job's index; nr_jobs when there is nothing left to do. */
static uint32_t take_job(struct batch_state *state)
{
	const struct hn_batch *batch = state->batch;
	uint32_t job = batch->nr_jobs;

	pthread_mutex_lock(&state->lock);
	if (!state->has_failed && state->next_job < batch->nr_jobs)
		job = state->next_job++;
	pthread_mutex_unlock(&state->lock);
	return job;
}

static void note_done(struct batch_state *state, struct job_outcome *outcome, int err)
{
	const struct hn_batch *batch = state->batch;

	pthread_mutex_lock(&state->lock);
	outcome->err = err;
	outcome->is_done = true;
	if (err)
		state->has_failed = true;
	state->nr_done++;
	if (batch->progress)
		batch->progress(batch->progress_ctx, state->nr_done, batch->nr_jobs);
	pthread_mutex_unlock(&state->lock);
}

static void *work(void *arg)
{
	struct batch_state *state = arg;
	const struct hn_batch *batch = state->batch;

	for (uint32_t j = take_job(state); j < batch->nr_jobs; j = take_job(state)) {
		struct job_outcome *outcome = &state->outcomes[j];

		note_done(state, outcome, hn_job_run(&batch->jobs[j], &outcome->keep, batch->stop,
						     &outcome->record, &outcome->diag));
	}
	return NULL;
}

/* Runs the workers; the calling thread is one of them. */
static void run_workers(struct batch_state *state, pthread_t *threads)
{
	uint32_t nr_started = 0;

	while (nr_started + 1 < state->batch->nr_workers) {
		if (pthread_create(&threads[nr_started], NULL, work, state))
			break; /* fewer workers give the same results */
		nr_started++;
	}
	work(state);
	for (uint32_t t = 0; t < nr_started; t++)
		pthread_join(threads[t], NULL);
}

/* The record with its windows moved into `keep`. */
static void keep_record(struct hn_arena *keep, const struct hn_run_record *from,
			struct hn_run_record *ret_to)
{
	struct hn_window *windows = HN_ARENA_ARRAY(keep, struct hn_window, from->nr_windows);

	for (uint32_t w = 0; w < from->nr_windows; w++)
		windows[w] = from->windows[w];
	*ret_to = *from;
	ret_to->windows = windows;
}

static int gather(struct batch_state *state, struct hn_arena *keep, struct hn_run_record *records,
		  struct hn_diag *diag)
{
	for (uint32_t j = 0; j < state->batch->nr_jobs; j++) {
		struct job_outcome *outcome = &state->outcomes[j];

		if (!outcome->is_done || !outcome->err)
			continue;
		if (diag && outcome->diag.text[0])
			*diag = outcome->diag;
		return outcome->err;
	}
	for (uint32_t j = 0; j < state->batch->nr_jobs; j++)
		keep_record(keep, &state->outcomes[j].record, &records[j]);
	return 0;
}

int hn_batch_run(const struct hn_batch *batch, struct hn_arena *keep,
		 struct hn_run_record *records, struct hn_diag *diag)
{
	struct batch_state state = { .batch = batch };
	struct hn_arena scratch;
	pthread_t *threads;
	int err;

	hn_assert(batch->nr_workers >= 1);
	hn_arena_init(&scratch);
	state.outcomes = HN_ARENA_ARRAY(&scratch, struct job_outcome, batch->nr_jobs);
	threads = HN_ARENA_ARRAY(&scratch, pthread_t, batch->nr_workers);
	for (uint32_t j = 0; j < batch->nr_jobs; j++)
		hn_arena_init(&state.outcomes[j].keep);
	pthread_mutex_init(&state.lock, NULL);
	run_workers(&state, threads);
	pthread_mutex_destroy(&state.lock);
	err = gather(&state, keep, records, diag);
	for (uint32_t j = 0; j < batch->nr_jobs; j++)
		hn_arena_fini(&state.outcomes[j].keep);
	hn_arena_fini(&scratch);
	return err;
}
