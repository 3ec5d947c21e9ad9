/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_NS (HN_NS_PER_S / 2)
#define FIRST_REDRAW 4 /* after two seconds */
#define ERASE "\r\033[K"

static void add_ns(struct timespec *at, int64_t ns)
{
	ns += at->tv_nsec;
	at->tv_sec += ns / HN_NS_PER_S;
	at->tv_nsec = ns % HN_NS_PER_S;
}

static void put(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored;
}

static void draw(const struct cli_progress *progress)
{
	char text[128];

	snprintf(text, sizeof(text), ERASE "homenode: %u of %u runs done, %u s", progress->nr_done,
		 progress->nr_jobs, progress->nr_redraws / 2);
	put(text);
}

static void *redraw(void *arg)
{
	struct cli_progress *progress = arg;
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	pthread_mutex_lock(&progress->lock);
	while (!progress->is_over) {
		add_ns(&next, REDRAW_NS);
		while (!progress->is_over &&
		       !pthread_cond_timedwait(&progress->changed, &progress->lock, &next))
			continue;
		progress->nr_redraws++;
		if (!progress->is_over && progress->nr_redraws >= FIRST_REDRAW)
			draw(progress);
	}
	if (progress->nr_redraws > FIRST_REDRAW)
		put(ERASE);
	pthread_mutex_unlock(&progress->lock);
	return NULL;
}

void cli_progress_begin(struct cli_progress *progress, uint32_t nr_jobs, bool is_quiet)
{
	pthread_condattr_t attr;

	memset(progress, 0, sizeof(*progress));
	progress->nr_jobs = nr_jobs;
	pthread_mutex_init(&progress->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&progress->changed, &attr);
	pthread_condattr_destroy(&attr);
	if (is_quiet || !isatty(STDERR_FILENO))
		return;
	/* Without the thread there is no line, and nothing else is lost. */
	progress->has_thread = !pthread_create(&progress->thread, NULL, redraw, progress);
}

void cli_progress_note(void *ctx, uint32_t nr_done, uint32_t nr_jobs HN_UNUSED)
{
	struct cli_progress *progress = ctx;

	pthread_mutex_lock(&progress->lock);
	progress->nr_done = nr_done;
	pthread_mutex_unlock(&progress->lock);
}

void cli_progress_end(struct cli_progress *progress)
{
	pthread_mutex_lock(&progress->lock);
	progress->is_over = true;
	pthread_cond_signal(&progress->changed);
	pthread_mutex_unlock(&progress->lock);
	if (progress->has_thread)
		pthread_join(progress->thread, NULL);
	pthread_cond_destroy(&progress->changed);
	pthread_mutex_destroy(&progress->lock);
}
