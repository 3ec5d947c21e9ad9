/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: a group's counts are the sums of its members' counts, whatever happens. Method: random
 * faults (which form and join groups), closed windows and departures over twelve tasks in two
 * address spaces; after each step all sums are taken anew. Prints the seed on failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "model/tick.h"
#include "core-fixture.h"

#define NR_TASKS 12
#define NR_STEPS 2000
#define NR_SEEDS 20

struct world {
	struct core_fixture base;
	struct hn_rng rng;
	hn_time_ns now_ns;
};

static uint32_t draw(struct world *w, uint32_t below)
{
	return (uint32_t)hn_rng_below(&w->rng, below);
}

static void start(struct world *w, uint64_t seed)
{
	core_fixture_init(&w->base, 4);
	w->base.policy.active_nodes = draw(w, 2) ? HN_ACTIVE_NODES_COUNT : HN_ACTIVE_NODES_MASK;
	w->base.policy.decay_rounds_up = seed % 2;
	core_fixture_start(&w->base);
	for (hn_task_id task = 0; task < NR_TASKS; task++)
		core_fixture_fork(&w->base, task, HN_TASK_NONE, task % 2);
}

/* Task `last` touched the page before and may still run where it did. */
static void step_fault(struct world *w)
{
	hn_task_id task = (hn_task_id)draw(w, NR_TASKS);
	hn_task_id last = (hn_task_id)draw(w, NR_TASKS);
	const struct hn_account_event event = {
		.now_ns = w->now_ns,
		.task = task,
		.cpu = (hn_cpu)draw(w, FIXTURE_CPUS_MAX),
		.mem_nid = (hn_nid)draw(w, 4),
		.nr_pages = draw(w, 8) ? 1 : 512,
		.last_cpupid = draw(w, 4) ? hn_cpupid_make(0, FIXTURE_PID(last)) : HN_CPUPID_NONE,
		.last_curr = draw(w, 4) ? last : HN_TASK_NONE,
		.flags = draw(w, 3) ? 0 : HN_ACCOUNT_SHARED,
		.clock = { .sum_exec_ns = w->now_ns / 2, .exec_start_ns = w->now_ns,
			   .load_sum = 20000 },
	};

	if (!draw(w, 10))
		w->base.core->mms[task % 2].scan_seq++;
	hn_core_account_begin(w->base.core, &event);
	hn_core_account_end(w->base.core, &event);
}

static void step_leave(struct world *w)
{
	hn_task_id task = (hn_task_id)draw(w, NR_TASKS);

	hn_group_leave(w->base.core, task);
	if (hn_core_get_task(w->base.core, task)->has_faults)
		hn_faults_start(w->base.core, task);
}

/* One count of one group against its members. */
static bool is_sum(const struct hn_core *core, int32_t group, size_t idx)
{
	uint64_t sum = 0;

	for (hn_task_id task = 0; task < NR_TASKS; task++) {
		if (hn_core_get_task(core, task)->group == group)
			sum += hn_core_faults(core, task, HN_STAT_MEM)[idx];
	}
	return sum == hn_core_gfaults(core, group, HN_STAT_MEM)[idx];
}

static bool is_group_whole(const struct hn_core *core, int32_t idx)
{
	const struct hn_core_group *group = &core->groups[idx];
	uint64_t total = 0;
	uint32_t nr_tasks = 0;

	for (hn_task_id task = 0; task < NR_TASKS; task++) {
		if (hn_core_get_task(core, task)->group != idx)
			continue;
		nr_tasks++;
		total += hn_core_get_task(core, task)->total_faults;
	}
	if (nr_tasks != group->nr_tasks || group->is_in_use != (nr_tasks > 0))
		return false;
	for (size_t i = 0; i < (size_t)core->nr_nodes * 4; i++) {
		if (group->is_in_use && !is_sum(core, idx, i))
			return false;
	}
	return !group->is_in_use || total == group->total_faults;
}

/* A task's total is the sum of its memory counts. */
static bool is_task_whole(const struct hn_core *core, hn_task_id task)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < (size_t)core->nr_nodes * 2; i++)
		sum += hn_core_faults(core, task, HN_STAT_MEM)[i];
	return sum == hn_core_get_task(core, task)->total_faults;
}

static void check_all(const struct world *w, uint64_t seed, int step)
{
	const struct hn_core *core = w->base.core;

	for (int32_t group = 0; group < (int32_t)core->nr_groups_max; group++) {
		if (!is_group_whole(core, group))
			fail_msg("seed %llu, step %d: group %d is not the sum of its members",
				 (unsigned long long)seed, step, group);
	}
	for (hn_task_id task = 0; task < NR_TASKS; task++) {
		if (!is_task_whole(core, task))
			fail_msg("seed %llu, step %d: total of task %d is off",
				 (unsigned long long)seed, step, task);
	}
}

static void prop_group_is_sum_of_members(void **state)
{
	uint64_t nr_joined = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= NR_SEEDS; seed++) {
		struct world w = { 0 };

		hn_rng_init(&w.rng, seed, "prop-group", 0);
		start(&w, seed);
		for (int step = 0; step < NR_STEPS; step++) {
			w.now_ns += HN_TICK_NS;
			if (draw(&w, 20))
				step_fault(&w);
			else
				step_leave(&w);
			check_all(&w, seed, step);
			hn_core_check(w.base.core);
		}
		nr_joined += w.base.core->reasons[HN_WHY_GROUP_JOINED];
		core_fixture_fini(&w.base);
	}
	/* The generator reaches what it is for. */
	assert_true(nr_joined > NR_SEEDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prop_group_is_sum_of_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
