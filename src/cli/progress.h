/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - a line on the terminal while many runs are under way.
 *
 * Appears after two seconds, is redrawn twice a second by a thread of its own, and is erased at
 * the end. Says nothing where standard error is no terminal. */
#ifndef HN_CLI_PROGRESS_H
#define HN_CLI_PROGRESS_H

#include <pthread.h>

#include "base/types.h"

struct cli_progress {
	pthread_t thread;
	pthread_mutex_t lock;    /* guards what follows */
	pthread_cond_t changed;
	uint32_t nr_done;
	uint32_t nr_jobs;
	uint32_t nr_redraws;     /* so far, two a second */
	bool is_over;
	bool has_thread;
};

void cli_progress_begin(struct cli_progress *progress, uint32_t nr_jobs, bool is_quiet);

/* As the engine calls it; ctx is the struct cli_progress. */
void cli_progress_note(void *ctx, uint32_t nr_done, uint32_t nr_jobs);

void cli_progress_end(struct cli_progress *progress);

#endif
