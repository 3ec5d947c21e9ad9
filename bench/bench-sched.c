/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Micro-benchmark of src/sched: N CPUs, one busy task each and some that sleep and wake.
 *
 * Prints, per size and load, host nanoseconds per event (tick, wake-up, block, pick) and how many
 * CPU-seconds are simulated per second of host time by the scheduler alone. No test: the figures
 * depend on the host. Usage: bench-sched [simulated seconds] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../tests/unit/machine-fixture.h"
#include "base/heap.h"
#include "model/tick.h"
#include "sched/sched.h"

struct bench {
	struct hn_sched *sched;
	const struct hn_machine *machine;
	struct hn_heap heap;        /* slots: CPUs' ticks, then tasks' timers */
	struct hn_rng rng;
	hn_time_ns now_ns;
	hn_cpu *picks;
	uint32_t nr_picks;
	hn_cpu *stale;
	uint32_t nr_stale;
	bool *is_stale;
	hn_task_id *curr;
	uint32_t nr_busy;           /* tasks 0 .. nr_busy - 1 never block */
	uint64_t nr_ticks;
	uint64_t nr_wakes;
	uint64_t nr_picked;
};

struct load {
	const char *name;
	uint32_t busy_pct;          /* busy tasks per CPU */
	uint32_t sleepers_pct;      /* tasks that run 1 ms and sleep 3 ms on average, per CPU */
};

static enum hn_locality_answer on_locality(void *ctx HN_UNUSED,
					   const struct hn_locality_query *query HN_UNUSED)
{
	return HN_LOCALITY_NEUTRAL;
}

static void mark_stale(void *ctx, hn_cpu cpu)
{
	struct bench *b = ctx;

	if (b->is_stale[cpu])
		return;
	b->is_stale[cpu] = true;
	b->stale[b->nr_stale++] = cpu;
}

static void on_resched(void *ctx, hn_cpu cpu)
{
	struct bench *b = ctx;

	b->picks[b->nr_picks++] = cpu;
	mark_stale(b, cpu);
}

static void set_timer(struct bench *b, hn_task_id task, hn_time_ns mean_ns)
{
	hn_time_ns span_ns = 1 + (hn_time_ns)hn_rng_below(&b->rng, (uint64_t)(2 * mean_ns));

	hn_heap_set(&b->heap, b->machine->nr_cpus + (uint32_t)task,
		    (struct hn_heap_key){ b->now_ns + span_ns, 1 });
}

/* A sleeper's run is counted from its wake-up, whether it got a CPU or not: good enough here. */
static void settle(struct bench *b)
{
	while (b->nr_picks) {
		hn_cpu cpu = b->picks[--b->nr_picks];

		b->curr[cpu] = hn_sched_pick(b->sched, b->now_ns, cpu);
		b->nr_picked++;
		mark_stale(b, cpu);
	}
	while (b->nr_stale) {
		hn_cpu cpu = b->stale[--b->nr_stale];
		hn_time_ns at_ns = hn_sched_next_tick_ns(b->sched, b->now_ns, cpu);

		b->is_stale[cpu] = false;
		if (at_ns == HN_TIME_NEVER)
			hn_heap_remove(&b->heap, (uint32_t)cpu);
		else
			hn_heap_set(&b->heap, (uint32_t)cpu,
				    (struct hn_heap_key){ at_ns, 2 });
	}
}

static void handle_timer(struct bench *b, hn_task_id task)
{
	hn_cpu cpu;

	if (!hn_sched_is_queued(b->sched, task)) {
		hn_sched_wake(b->sched, b->now_ns, task, HN_CPU_NONE, false);
		b->nr_wakes++;
		set_timer(b, task, HN_NS_PER_MS);
		return;
	}
	cpu = hn_sched_task_cpu(b->sched, task);
	if (hn_sched_curr(b->sched, cpu) != task) {
		set_timer(b, task, HN_NS_PER_MS);
		return;
	}
	hn_sched_block(b->sched, b->now_ns, task);
	on_resched(b, cpu);
	set_timer(b, task, 3 * HN_NS_PER_MS);
}

static void run(struct bench *b, hn_time_ns end_ns)
{
	for (;;) {
		uint32_t slot = hn_heap_first(&b->heap);

		if (slot == UINT32_MAX || b->heap.keys[slot].at_ns >= end_ns)
			return;
		b->now_ns = b->heap.keys[slot].at_ns;
		if (slot < b->machine->nr_cpus) {
			b->nr_ticks++;
			hn_sched_tick(b->sched, b->now_ns, (hn_cpu)slot);
			mark_stale(b, (hn_cpu)slot);
		} else {
			handle_timer(b, (hn_task_id)(slot - b->machine->nr_cpus));
		}
		settle(b);
	}
}

static void create(struct bench *b, struct hn_arena *arena, const struct machine_shape *shape,
		   const struct hn_policy *policy, const struct load *load)
{
	struct hn_sched_hooks hooks = { .ctx = b, .locality = on_locality, .resched = on_resched,
					.retick = mark_stale };
	uint32_t nr_cpus, nr_tasks;

	b->machine = machine_fixture_create(arena, shape);
	nr_cpus = b->machine->nr_cpus;
	b->nr_busy = nr_cpus * load->busy_pct / 100;
	nr_tasks = b->nr_busy + nr_cpus * load->sleepers_pct / 100;
	hn_rng_init(&b->rng, 1, "bench", 0);
	hn_heap_init(&b->heap, arena, nr_cpus + nr_tasks);
	b->picks = HN_ARENA_ARRAY(arena, hn_cpu, nr_cpus * 4);
	b->stale = HN_ARENA_ARRAY(arena, hn_cpu, nr_cpus);
	b->is_stale = HN_ARENA_ARRAY(arena, bool, nr_cpus);
	b->curr = HN_ARENA_ARRAY(arena, hn_task_id, nr_cpus);
	b->sched = hn_sched_create(arena, b->machine, policy, nr_tasks, &hooks, &b->rng);
	for (uint32_t task = 0; task < nr_tasks; task++) {
		struct hn_sched_task_desc desc = { .task = (hn_task_id)task,
						   .parent = HN_TASK_NONE };

		hn_sched_fork(b->sched, b->now_ns, &desc);
		settle(b);
		if (task >= b->nr_busy)
			set_timer(b, (hn_task_id)task, HN_NS_PER_MS);
	}
}

static double host_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static void measure(const struct machine_shape *shape, const struct hn_policy *policy,
		    const struct load *load, int64_t seconds)
{
	struct bench bench = { .now_ns = 0 };
	struct hn_arena arena;
	double start_s, span_s;
	uint64_t nr_events;

	hn_arena_init(&arena);
	create(&bench, &arena, shape, policy, load);
	start_s = host_s();
	run(&bench, seconds * HN_NS_PER_S);
	span_s = host_s() - start_s;
	nr_events = bench.nr_ticks + bench.nr_wakes + bench.nr_picked;
	printf("%-6s %4" PRIu32 " cpus %-9s %8.1f ns/event %9.0f cpu-s/s  ticks %" PRIu64
	       " wakes %" PRIu64 " picks %" PRIu64 " balances %" PRIu64 " %.1f MiB\n",
	       policy->name, bench.machine->nr_cpus, load->name,
	       nr_events ? span_s * 1e9 / (double)nr_events : 0.0,
	       (double)seconds * bench.machine->nr_cpus / span_s, bench.nr_ticks, bench.nr_wakes,
	       bench.nr_picked, hn_sched_counts(bench.sched)->nr_balances,
	       (double)arena.used_bytes / 1048576);
	hn_arena_fini(&arena);
}

int main(int argc, char **argv)
{
	static const struct machine_shape shapes[] = {
		{ .nr_nodes = 2, .llcs_per_node = 1, .cores_per_llc = 2, .smt = 2 },
		{ .nr_nodes = 2, .llcs_per_node = 1, .cores_per_llc = 20, .smt = 2 },
		{ .nr_nodes = 2, .llcs_per_node = 1, .cores_per_llc = 80, .smt = 2 },
		{ .nr_nodes = 8, .llcs_per_node = 4, .cores_per_llc = 16, .smt = 2 },
		{ .nr_nodes = 32, .llcs_per_node = 1, .cores_per_llc = 64, .smt = 2 },
	};
	static const struct load loads[] = {
		{ "full", 100, 0 }, { "half", 50, 0 }, { "quarter", 25, 0 },
		{ "double", 200, 0 }, { "mixed", 50, 100 },
	};
	int64_t seconds = argc > 1 ? strtoll(argv[1], NULL, 10) : 10;

	for (size_t s = 0; s < HN_ARRAY_LEN(shapes); s++) {
		for (size_t l = 0; l < HN_ARRAY_LEN(loads); l++) {
			struct hn_policy old = policy_fixture_v4_18();
			struct hn_policy new = policy_fixture_v6_12();

			measure(&shapes[s], &old, &loads[l], seconds);
			measure(&shapes[s], &new, &loads[l], seconds);
		}
	}
	return 0;
}
