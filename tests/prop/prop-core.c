/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: the core keeps its invariants and its promises whatever the order of events, and does
 * the same again when told the same again. Method: random forks, exits, execs, mappings, ticks
 * with scans, and faults, under the rules of five kernels; after each event hn_core_check() and
 * the claims about its answer. Each seed is a test of its own, so that its number stands last
 * in the output even when an assertion of the core ends the program. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/rng.h"
#include "core-fixture.h"
#include "model/tick.h"

#define NR_TASKS 16
#define NR_MMS 4
#define NR_VMAS 16
#define NR_STEPS 1500
#define NR_SEEDS 12
#define NR_KERNELS 5
/* Mapping v has a place of its own: it never overlaps another one. */
#define VMA_SPAN (UINT64_C(1) << 31)
#define NAME_BYTES 32

struct world {
	struct core_fixture base;
	struct hn_rng rng;
	hn_time_ns now_ns;
	hn_time_ns exec_ns[NR_TASKS];
	uint64_t nr_ranges;
	uint64_t nr_moves;
};

/* What one run left behind. */
struct outcome {
	uint64_t digest;
	uint64_t nr_ranges;
	uint64_t nr_moves;
	uint64_t nr_grouped;
};

static uint64_t draw(struct world *w, uint64_t below)
{
	return hn_rng_below(&w->rng, below);
}

/* ---- kernels ---- */

static void use_kernel(struct core_fixture *f, uint32_t kernel)
{
	switch (kernel) {
	case 0:
		break; /* v6.12 */
	case 1:
		core_fixture_use_v3_8(f);
		break;
	case 2:
		core_fixture_use_v3_13(f);
		break;
	case 3:
		f->policy.vma_scan_rule = HN_VMA_SCAN_RULE_RECENT_PIDS;
		f->policy.fault_filter = HN_FAULT_FILTER_ACTIVE_MASK;
		f->policy.active_nodes = HN_ACTIVE_NODES_MASK;
		f->policy.placement_at_retry = false;
		f->policy.stamp_wraps = true;
		f->policy.fork_inherits_retry = true;
		break;
	case 4: /* node 1 is slow memory */
		f->policy.numa_mode = HN_NUMA_MODE_BOTH;
		f->nodes[1].is_top_tier = false;
		break;
	}
}

/* ---- tasks ---- */

static hn_task_id draw_alive(struct world *w)
{
	hn_task_id first = (hn_task_id)draw(w, NR_TASKS);

	for (hn_task_id k = 0; k < NR_TASKS; k++) {
		hn_task_id task = (first + k) % NR_TASKS;

		if (w->base.core->tasks[task].is_alive)
			return task;
	}
	return HN_TASK_NONE;
}

/* A thread's parent is of its own address space; a process's is any task. */
static hn_task_id draw_parent(struct world *w, hn_mm_id mm)
{
	hn_task_id parent = draw_alive(w);

	if (parent == HN_TASK_NONE || !w->base.core->mms[mm].nr_users)
		return parent;
	for (hn_task_id task = 0; task < NR_TASKS; task++) {
		if (w->base.core->tasks[task].is_alive && w->base.core->tasks[task].mm == mm)
			return task;
	}
	return HN_TASK_NONE;
}

static void step_fork(struct world *w)
{
	hn_task_id task = (hn_task_id)draw(w, NR_TASKS);
	hn_mm_id mm = (hn_mm_id)draw(w, NR_MMS);
	const struct hn_fork_event event = {
		.now_ns = w->now_ns,
		.task = task,
		.parent = draw_parent(w, mm),
		.mm = mm,
		.pid = FIXTURE_PID(task),
		.tgid = FIXTURE_PID(task),
		.nr_mm_users = w->base.core->mms[mm].nr_users + 1,
	};

	if (w->base.core->tasks[task].is_alive)
		return;
	w->exec_ns[task] = 0;
	hn_core_note_fork(w->base.core, &event);
	assert_int_equal(w->base.core->tasks[task].group, HN_GROUP_NONE);
	assert_false(w->base.core->tasks[task].has_faults);
}

static void step_leave(struct world *w)
{
	hn_task_id task = draw_alive(w);

	if (task == HN_TASK_NONE)
		return;
	if (draw(w, 2))
		hn_core_note_exit(w->base.core, task);
	else
		hn_core_note_exec(w->base.core, task);
	if (w->base.policy.exec_resets) {
		assert_int_equal(hn_core_task_faults(w->base.core, task, 0), 0);
		assert_int_equal(hn_core_group_id(w->base.core, task), 0);
	}
}

static void step_move(struct world *w)
{
	hn_task_id task = draw_alive(w);

	if (task != HN_TASK_NONE)
		hn_core_note_move(w->base.core, task, (hn_cpu)draw(w, FIXTURE_CPUS_MAX),
				  (hn_cpu)draw(w, FIXTURE_CPUS_MAX));
}

/* ---- mappings ---- */

static void step_map(struct world *w)
{
	hn_vma_id id = (hn_vma_id)draw(w, NR_VMAS);
	hn_mm_id mm = (hn_mm_id)draw(w, NR_MMS);
	const struct hn_vma map = {
		.id = id,
		.mm = mm,
		.start = VMA_SPAN * (uint64_t)id + HN_PAGE_BYTES * draw(w, 1000),
		.end = VMA_SPAN * (uint64_t)id + HN_PAGE_BYTES * (1000 + draw(w, 300000)) +
		       HN_PAGE_BYTES,
		.flags = draw(w, 8) ? HN_VMA_READ | HN_VMA_WRITE : (uint32_t)draw(w, 1024),
	};

	if (w->base.core->vmas[id].is_mapped)
		hn_core_note_vma_gone(w->base.core, id);
	else if (w->base.core->mms[mm].nr_users)
		hn_core_note_vma(w->base.core, &map);
	hn_core_note_rss(w->base.core, mm, draw(w, 1 << 22));
}

/* ---- scans ---- */

static void check_range(const struct world *w, const struct hn_scan_range *range, uint64_t after)
{
	const struct hn_core_vma *vma = &w->base.core->vmas[range->vma];
	uint64_t size_bytes = (uint64_t)w->base.policy.scan_size_mb << 20;

	assert_true(vma->is_mapped);
	assert_int_equal(vma->map.mm, range->mm);
	assert_true(range->start >= vma->map.start);
	assert_true(range->end <= vma->map.end);
	assert_true(range->start < range->end);
	assert_true(range->end - range->start <= size_bytes + HN_HUGE_BYTES);
	assert_int_equal(range->start % HN_PAGE_BYTES, 0);
	/* Inside one mapping the walk goes on where it was. */
	assert_true(after == 0 || range->start == after || range->start == vma->map.start);
}

static void walk(struct world *w)
{
	struct hn_scan_range range = { 0 };
	uint64_t density = draw(w, 3);
	uint64_t nr_updates = 0;
	uint64_t after = 0;
	uint32_t nr = 0;

	while (hn_core_scan_next(w->base.core, nr_updates, &range)) {
		check_range(w, &range, after);
		after = range.end;
		nr_updates = (range.end - range.start) / HN_PAGE_BYTES * density / 2;
		/* 16 mappings of 2 GB at most in chunks of 256 MB, and restarts. */
		assert_true(++nr < 512);
	}
	w->nr_ranges += nr;
}

static void step_tick(struct world *w)
{
	hn_task_id task = draw_alive(w);
	struct hn_scan_event event;
	bool was_due;

	if (task == HN_TASK_NONE)
		return;
	w->exec_ns[task] += (hn_time_ns)draw(w, 400 * HN_NS_PER_MS);
	was_due = w->exec_ns[task] > hn_core_scan_due_exec_ns(w->base.core, task);
	if (!hn_core_note_tick(w->base.core, w->now_ns, task, w->exec_ns[task]))
		return;
	assert_true(was_due);
	assert_int_equal(hn_core_scan_due_exec_ns(w->base.core, task), HN_TIME_NEVER);
	event = (struct hn_scan_event){
		.now_ns = w->now_ns,
		.task = task,
		.cpu = (hn_cpu)draw(w, FIXTURE_CPUS_MAX),
		.sum_exec_ns = w->exec_ns[task],
		.nr_threads = w->base.core->mms[w->base.core->tasks[task].mm].nr_users,
		.is_lock_busy = !draw(w, 10),
	};
	if (hn_core_scan_begin(w->base.core, &event))
		walk(w);
	w->exec_ns[task] += (hn_time_ns)draw(w, 2) * 4 * HN_NS_PER_MS;
	hn_core_scan_charged(w->base.core, task, w->exec_ns[task]);
}

/* ---- faults ---- */

static void check_verdict(const struct hn_fault_event *event, hn_nid cpu_nid,
			  const struct hn_fault_verdict *verdict)
{
	assert_true(verdict->why > HN_WHY_NONE && verdict->why < HN_NR_WHY);
	assert_true(verdict->target_nid == HN_NID_NONE || verdict->target_nid == cpu_nid);
	assert_true(verdict->target_nid != event->page_nid);
	assert_true(verdict->is_counted || verdict->target_nid == HN_NID_NONE);
	assert_true(!verdict->is_refused || verdict->target_nid == HN_NID_NONE);
}

static hn_vma_id draw_mapping(struct world *w, hn_mm_id mm)
{
	hn_vma_id first = w->base.core->mms[mm].first_vma;

	if (first != HN_VMA_NONE && draw(w, 2) && w->base.core->vmas[first].next != HN_VMA_NONE)
		return w->base.core->vmas[first].next;
	return first;
}

static void account(struct world *w, const struct hn_fault_event *fault,
		    const struct hn_fault_verdict *verdict, hn_task_id last)
{
	bool is_moved = verdict->target_nid != HN_NID_NONE && draw(w, 8);
	const struct hn_account_event event = {
		.now_ns = fault->now_ns,
		.task = fault->task,
		.cpu = fault->cpu,
		.mem_nid = is_moved ? verdict->target_nid : fault->page_nid,
		.nr_pages = fault->nr_pages,
		.last_cpupid = fault->last_cpupid,
		.last_curr = last,
		.flags = (uint16_t)((is_moved ? HN_ACCOUNT_MIGRATED : 0) |
				    (verdict->is_refused ? HN_ACCOUNT_MIGRATE_FAILED : 0) |
				    (fault->flags & HN_FAULT_SHARED ? HN_ACCOUNT_SHARED : 0)),
		.clock = { .sum_exec_ns = w->exec_ns[fault->task], .exec_start_ns = w->now_ns,
			   .load_sum = draw(w, 47743) },
	};

	w->nr_moves += is_moved;
	/* Searches need a view of CPUs and have tests of their own. */
	hn_core_account_begin(w->base.core, &event);
	hn_core_account_end(w->base.core, &event);
}

static void step_fault(struct world *w)
{
	hn_task_id task = draw_alive(w);
	hn_task_id last = draw(w, 3) ? draw_alive(w) : task;
	struct hn_fault_verdict verdict;
	struct hn_fault_event event;

	if (task == HN_TASK_NONE)
		return;
	event = (struct hn_fault_event){
		.now_ns = w->now_ns,
		.task = task,
		.cpu = (hn_cpu)draw(w, FIXTURE_CPUS_MAX),
		.vma = draw_mapping(w, w->base.core->tasks[task].mm),
		.page_nid = (hn_nid)draw(w, w->base.machine.nr_nodes),
		.flags = (uint16_t)draw(w, 256),
		.nr_pages = draw(w, 8) ? 1 : 512,
		.last_cpupid = hn_cpupid_make((hn_cpu)draw(w, FIXTURE_CPUS_MAX + 1),
					      FIXTURE_PID(last)),
		.access_time_ms = (uint32_t)draw(w, 1 << 20),
		.dst_free_pages = draw(w, 1 << 20),
		.dst_pages = 1 << 22,
	};
	if (event.vma == HN_VMA_NONE)
		return;
	if (!draw(w, 4) || hn_cpupid_cpu(event.last_cpupid) >= FIXTURE_CPUS_MAX)
		event.last_cpupid = HN_CPUPID_NONE;
	hn_core_decide_page(w->base.core, &event, &verdict);
	check_verdict(&event, hn_machine_nid(&w->base.machine, event.cpu), &verdict);
	if (verdict.is_counted)
		account(w, &event, &verdict, draw(w, 4) ? last : HN_TASK_NONE);
}

/* ---- runs ---- */

static void step(struct world *w)
{
	uint64_t kind = draw(w, 100);

	w->now_ns += (hn_time_ns)draw(w, 200) * HN_NS_PER_MS;
	if (kind < 4)
		step_fork(w);
	else if (kind < 6)
		step_leave(w);
	else if (kind < 9)
		step_map(w);
	else if (kind < 12)
		step_move(w);
	else if (kind < 35)
		step_tick(w);
	else
		step_fault(w);
}

static struct outcome run(uint32_t kernel, uint64_t seed)
{
	struct world w = { 0 };
	struct outcome outcome;

	hn_rng_init(&w.rng, seed, "prop-core", kernel);
	/* Both machines, each with every kernel. */
	core_fixture_init(&w.base, seed % 2 ? 4 : 2);
	use_kernel(&w.base, kernel);
	core_fixture_start(&w.base);
	for (int s = 0; s < NR_STEPS; s++) {
		step(&w);
		hn_core_check(w.base.core);
	}
	outcome = (struct outcome){
		.digest = hn_core_digest(w.base.core),
		.nr_ranges = w.nr_ranges,
		.nr_moves = w.nr_moves,
		.nr_grouped = hn_core_reasons(w.base.core)[HN_WHY_GROUP_JOINED],
	};
	core_fixture_fini(&w.base);
	return outcome;
}

/* The same events give the same state; and the generator reaches what it is for. */
static void prop_core_keeps_its_promises(void **state)
{
	uint32_t number = *(const uint32_t *)*state;
	uint32_t kernel = number % NR_KERNELS;
	uint64_t seed = number / NR_KERNELS + 1;
	struct outcome first = run(kernel, seed);
	struct outcome second = run(kernel, seed);

	assert_int_equal(first.digest, second.digest);
	assert_true(first.nr_ranges > 10);
	assert_true(first.nr_moves > 10);
	/* v3.8 has no groups. */
	assert_true(kernel == 1 || first.nr_grouped > 0);
}

int main(void)
{
	char names[NR_KERNELS * NR_SEEDS][NAME_BYTES];
	uint32_t numbers[NR_KERNELS * NR_SEEDS];
	struct CMUnitTest tests[NR_KERNELS * NR_SEEDS];

	for (uint32_t n = 0; n < NR_KERNELS * NR_SEEDS; n++) {
		numbers[n] = n;
		snprintf(names[n], NAME_BYTES, "prop_core kernel %u seed %u", n % NR_KERNELS,
			 n / NR_KERNELS + 1);
		tests[n] = (struct CMUnitTest){ .name = names[n],
						.test_func = prop_core_keeps_its_promises,
						.initial_state = &numbers[n] };
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
