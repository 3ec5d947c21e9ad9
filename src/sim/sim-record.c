/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim-internal.h"

#include <stdio.h>

#include "base/digest.h"

static uint64_t fold_task(uint64_t digest, const struct sim_task *task)
{
	digest = hn_digest_fold(digest, (uint64_t)task->id);
	digest = hn_digest_fold(digest, (uint64_t)task->activity);
	digest = hn_digest_fold(digest, task->pc);
	digest = hn_digest_fold(digest, (uint64_t)task->exec_ns);
	digest = hn_digest_fold(digest, (uint64_t)task->debt_ns);
	digest = hn_digest_fold(digest, (uint64_t)task->system_ns);
	return hn_digest_fold(digest, (uint64_t)task->cpu);
}

static uint64_t state_digest(const struct hn_sim *sim)
{
	uint64_t digest = HN_DIGEST_START;

	digest = hn_digest_fold(digest, (uint64_t)sim->now_ns);
	digest = hn_digest_fold(digest, sim->nr_events);
	for (uint32_t t = 0; t < sim->nr_tasks_max; t++) {
		if (sim->tasks[t].is_alive)
			digest = fold_task(digest, &sim->tasks[t]);
	}
	for (uint32_t c = 0; c < HN_NR_COUNTERS; c++)
		digest = hn_digest_fold(digest, sim->counters[c]);
	digest = hn_digest_fold(digest, hn_sched_digest(sim->sched));
	return hn_digest_fold(digest, hn_pages_digest(sim->pages));
}

void sim_record_close_window(struct hn_sim *sim)
{
	for (uint32_t c = 0; c < sim->machine->nr_cpus; c++) {
		if (sim->cpus[c].curr == HN_TASK_NONE)
			continue;
		sim_progress_update(sim, &sim->tasks[sim->cpus[c].curr]);
		sim_cpu_touch(sim, (hn_cpu)c);
	}
	if (sim->window_lines > 0)
		sim->local_share = sim->window_local_lines / sim->window_lines;
	sim->window_lines = 0;
	sim->window_local_lines = 0;
	sim->sink.ops->window_closed(sim->sink.ctx, sim->now_ns, sim->local_share,
				     state_digest(sim));
}

static double seconds(hn_time_ns span_ns)
{
	return (double)span_ns / (double)HN_NS_PER_S;
}

static void add_row(struct hn_sim *sim, struct hn_run_record *record, const char *prefix,
		    double value, enum hn_better better)
{
	char name[HN_METRIC_NAME_BYTES];

	snprintf(name, sizeof(name), "%s-%s", prefix, sim->scenario->row);
	hn_record_add_metric(record, name, value, better);
}

/* Work counters give rates over the measured part; the first names its row tput, as MMTests
 * does. */
static void add_rates(struct hn_sim *sim, struct hn_run_record *record)
{
	double span_s = seconds(sim->now_ns - sim->scenario->measure_from_ns);

	for (uint32_t c = 0; c < sim->scenario->nr_counters; c++) {
		double rate = span_s > 0 ? sim->measured_counts[c] / span_s : 0;

		add_row(sim, record, c == 0 ? "tput" : sim->scenario->counters[c], rate,
			HN_BETTER_HIGHER);
	}
}

void sim_record_collect(struct hn_world *world, struct hn_arena *arena HN_UNUSED,
			struct hn_run_record *record)
{
	struct hn_sim *sim = sim_of(world);
	const struct hn_sched_counts *counts = hn_sched_counts(sim->sched);
	hn_time_ns user_ns = sim->user_ns;
	hn_time_ns system_ns = sim->system_ns;

	for (uint32_t t = 0; t < sim->nr_tasks_max; t++) {
		if (!sim->tasks[t].is_alive)
			continue;
		user_ns += sim->tasks[t].user_ns;
		system_ns += sim->tasks[t].system_ns;
	}
	record->user_s = seconds(user_ns);
	record->system_s = seconds(system_ns);
	record->elapsed_s = seconds(sim->now_ns);
	if (sim->scenario->nr_counters) {
		add_rates(sim, record);
	} else {
		add_row(sim, record, "elsp", record->elapsed_s, HN_BETTER_LOWER);
	}
	add_row(sim, record, "syst", record->system_s, HN_BETTER_LOWER);
	add_row(sim, record, "user", record->user_s, HN_BETTER_LOWER);
	for (uint32_t c = 0; c < HN_NR_COUNTERS; c++)
		record->counters[c] += sim->counters[c];
	record->counters[HN_COUNT_SCHED_MIGRATE_TASK] += counts->nr_migrations;
	record->counters[HN_COUNT_CONTEXT_SWITCHES] += counts->nr_switches;
	for (uint32_t r = 0; r < HN_NR_WHY; r++)
		record->reasons[r] += sim->reasons[r];
	record->nr_events = sim->nr_events;
	record->nr_base_pages = hn_pages_nr_resident_peak(sim->pages);
}
