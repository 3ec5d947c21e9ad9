/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of tasks, address spaces and mappings; questions, digest and checks.
 *
 * Ticks last 4 ms and count from 1: forks at 0 ms are at tick 1. Tasks 0 .. 3 have pids 1001 ..
 * 1004. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core-fixture.h"
#include "model/tick.h"

#define MB (UINT64_C(1) << 20)

static struct hn_core_task *task_of(const struct core_fixture *f, hn_task_id task)
{
	return hn_core_get_task(f->core, task);
}

static void set_up(struct core_fixture *f)
{
	core_fixture_init(f, 2);
	core_fixture_start(f);
	core_fixture_fork(f, 0, HN_TASK_NONE, 0);
}

/* ---- the block ---- */

/* The last piece ends with the block. */
static void test_size__holds_all_pieces(void **state)
{
	struct core_fixture f;
	size_t nr_counts, size_bytes;
	const char *end;

	(void)state;
	core_fixture_init(&f, 4);
	core_fixture_start(&f);
	/* 16 groups, MEM and CPU, 4 nodes, 2 kinds */
	nr_counts = 16 * 2 * 4 * 2;
	size_bytes = hn_core_size(&f.limits, &f.machine);
	end = (const char *)(f.core->group_faults + nr_counts);
	assert_true(end <= (const char *)f.core + size_bytes);
	assert_true(end + 64 > (const char *)f.core + size_bytes);
	/* 16 tasks, four statistics */
	assert_true(f.core->task_faults + 16 * 4 * 4 * 2 <= f.core->group_faults);
	core_fixture_fini(&f);
}

static void test_init__knows_slow_nodes(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_start(&f);
	assert_true(f.core->are_all_top_tier);
	f.nodes[1].is_top_tier = false;
	core_fixture_start(&f);
	assert_false(f.core->are_all_top_tier);
	core_fixture_fini(&f);
}

/* ---- birth ---- */

/* At 10 ms it is tick 3: due 250 ticks later. */
static void test_fork__new_address_space(void **state)
{
	const struct hn_fork_event event = {
		.now_ns = 10 * HN_NS_PER_MS, .task = 1, .parent = 0, .mm = 1, .pid = 7,
		.tgid = 7, .nr_mm_users = 1,
	};
	struct core_fixture f;

	(void)state;
	set_up(&f);
	task_of(&f, 0)->preferred_nid = 1;
	task_of(&f, 0)->migrate_retry_ticks = 99;
	hn_core_note_fork(f.core, &event);
	assert_int_equal(f.core->mms[1].next_scan_ticks, 253);
	assert_int_equal(f.core->mms[1].next_reset_ticks, 0);
	assert_int_equal(hn_core_scan_seq(f.core, 1), 0);
	assert_int_equal(hn_core_preferred_nid(f.core, 1), HN_NID_NONE);
	assert_int_equal(hn_core_scan_period_ms(f.core, 1), 1000);
	assert_int_equal(task_of(&f, 1)->node_stamp_ns, 0);
	assert_int_equal(task_of(&f, 1)->migrate_retry_ticks, 0);
	core_fixture_fini(&f);
}

/* v3.8: the period starts anew after 60 s, 15000 ticks. */
static void test_fork__v3_8_sets_the_reset(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_8(&f);
	core_fixture_start(&f);
	core_fixture_fork(&f, 0, HN_TASK_NONE, 0);
	assert_int_equal(f.core->mms[0].next_reset_ticks, 15001);
	assert_int_equal(f.core->mms[0].first_nid, HN_NID_NONE);
	core_fixture_fini(&f);
}

static void test_fork__thread_inherits(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	task_of(&f, 0)->preferred_nid = 1;
	f.core->mms[0].scan_seq = 6;
	f.core->mms[0].next_scan_ticks = 777;
	core_fixture_fork(&f, 1, 0, 0);
	assert_int_equal(hn_core_preferred_nid(f.core, 1), 1);
	assert_int_equal(task_of(&f, 1)->scan_seq, 6);
	assert_int_equal(f.core->mms[0].next_scan_ticks, 777);
	assert_int_equal(f.core->mms[0].nr_users, 2);
	core_fixture_fini(&f);
}

/* Statistics and group stay with the parent. */
static void test_fork__no_statistics(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_join_group(&f, 0, 1);
	core_fixture_set_faults(&f, 0, HN_STAT_MEM, 0, 100);
	core_fixture_fork(&f, 1, 0, 0);
	assert_int_equal(hn_core_task_faults(f.core, 1, 0), 0);
	assert_int_equal(hn_core_group_id(f.core, 1), 0);
	assert_int_equal(hn_core_task_faults(f.core, 0, 0), 100);
	core_fixture_fini(&f);
}

/* Two ticks (8 ms) and min(longest period in ms, parent's period * users * 10^6 in 32 bits),
 * both taken for ns:
 *   1000 * 2 * 10^6 = 2 * 10^9, more than 60000
 *   with 16 GiB resident the longest period is 937
 *   2^20 * 64 * 10^6 = 2^26 * 2^6 * 15625, a multiple of 2^32: nothing is left of it */
static void test_fork__stagger(void **state)
{
	static const struct {
		uint64_t rss_pages;
		uint32_t period_ms, nr_users;
		uint64_t stamp_ns;
	} cases[] = {
		{ 0, 1000, 2, 8060000 },
		{ UINT64_C(16) * 262144, 1000, 2, 8000937 },
		{ 0, 1048576, 64, 8000000 },
	};
	struct core_fixture f;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(&f);
		hn_core_note_rss(f.core, 0, cases[i].rss_pages);
		task_of(&f, 0)->scan_period_ms = cases[i].period_ms;
		f.core->mms[0].nr_users = cases[i].nr_users - 1;
		core_fixture_fork(&f, 1, 0, 0);
		assert_int_equal(task_of(&f, 1)->node_stamp_ns, cases[i].stamp_ns);
		core_fixture_fini(&f);
	}
}

static void test_fork__no_stagger(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_fork(&f, 1, 0, 1);             /* a process */
	core_fixture_fork(&f, 2, HN_TASK_NONE, 0);  /* a thread of unknown origin */
	f.policy.thread_scan_stagger = false;
	core_fixture_fork(&f, 3, 0, 0);             /* before v4.18 */
	for (hn_task_id task = 1; task <= 3; task++)
		assert_int_equal(task_of(&f, task)->node_stamp_ns, 0);
	core_fixture_fini(&f);
}

/* Up to v6.0 threads and processes alike. */
static void test_fork__inherits_the_retry_time(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	f.policy.fork_inherits_retry = true;
	task_of(&f, 0)->migrate_retry_ticks = 99;
	core_fixture_fork(&f, 1, 0, 1);
	core_fixture_fork(&f, 2, 0, 0);
	assert_int_equal(task_of(&f, 1)->migrate_retry_ticks, 99);
	assert_int_equal(task_of(&f, 2)->migrate_retry_ticks, 99);
	core_fixture_fini(&f);
}

static void test_fork__kernel_thread_has_no_address_space(void **state)
{
	const struct hn_fork_event event = {
		.task = 1, .parent = HN_TASK_NONE, .mm = HN_MM_NONE, .pid = 2, .is_kthread = true,
	};
	struct core_fixture f;

	(void)state;
	set_up(&f);
	hn_core_note_fork(f.core, &event);
	hn_core_check(f.core);
	assert_int_equal(hn_core_scan_due_exec_ns(f.core, 1), HN_TIME_NEVER);
	hn_core_note_exit(f.core, 1);
	core_fixture_fini(&f);
}

/* ---- exec and death ---- */

/* Tasks 0 and 1 in one group: 100 + 40 faults on node 0, CPU counts 7 and 5 on node 1. */
static void set_up_group(struct core_fixture *f)
{
	set_up(f);
	core_fixture_fork(f, 1, 0, 0);
	core_fixture_join_group(f, 0, 2);
	core_fixture_set_faults(f, 0, HN_STAT_MEM, 0, 100);
	core_fixture_set_faults(f, 1, HN_STAT_MEM, 0, 40);
	core_fixture_set_faults(f, 0, HN_STAT_CPU, 1, 7);
	core_fixture_set_faults(f, 1, HN_STAT_CPU, 1, 5);
	core_fixture_set_faults(f, 0, HN_STAT_MEMBUF, 1, 3);
	task_of(f, 0)->preferred_nid = 1;
	task_of(f, 0)->scan_period_ms = 1234;
	hn_core_check(f->core);
}

static void expect_group_of_task_1_alone(struct core_fixture *f)
{
	assert_int_equal(f->core->groups[0].nr_tasks, 1);
	assert_int_equal(f->core->groups[0].total_faults, 40);
	assert_int_equal(hn_core_group_faults(f->core, 1, 0), 40);
	assert_int_equal(hn_faults_group(f->core, 0, HN_STAT_CPU, 1), 5);
	hn_core_check(f->core);
}

static void test_exec__drops_statistics(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_group(&f);
	hn_core_note_exec(f.core, 0);
	expect_group_of_task_1_alone(&f);
	assert_int_equal(hn_core_group_id(f.core, 0), 0);
	assert_int_equal(task_of(&f, 0)->total_faults, 0);
	assert_int_equal(hn_faults_task(f.core, 0, HN_STAT_MEMBUF, 1), 0);
	/* The arrays stay in use, and what was learnt about place and pace stays. */
	assert_true(task_of(&f, 0)->has_faults);
	assert_int_equal(hn_core_preferred_nid(f.core, 0), 1);
	assert_int_equal(hn_core_scan_period_ms(f.core, 0), 1234);
	core_fixture_fini(&f);
}

static void test_exec__keeps_all_before_v5_4(void **state)
{
	struct core_fixture f;
	uint64_t digest;

	(void)state;
	set_up_group(&f);
	f.policy.exec_resets = false;
	digest = hn_core_digest(f.core);
	hn_core_note_exec(f.core, 0);
	assert_int_equal(hn_core_digest(f.core), digest);
	core_fixture_fini(&f);
}

static void test_exit__leaves_the_group(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_group(&f);
	f.core->groups[0].max_faults_cpu = 12;
	hn_core_note_exit(f.core, 0);
	expect_group_of_task_1_alone(&f);
	assert_int_equal(f.core->mms[0].nr_users, 1);
	/* Not computed anew at leave. */
	assert_int_equal(f.core->groups[0].max_faults_cpu, 12);
	hn_core_note_exit(f.core, 1);
	assert_false(f.core->groups[0].is_in_use);
	hn_core_check(f.core);
	core_fixture_fini(&f);
}

static void test_exit__id_starts_afresh(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_group(&f);
	hn_core_note_exit(f.core, 0);
	core_fixture_fork(&f, 0, HN_TASK_NONE, 1);
	assert_int_equal(hn_core_task_faults(f.core, 0, 0), 0);
	assert_int_equal(task_of(&f, 0)->total_faults, 0);
	assert_int_equal(hn_core_preferred_nid(f.core, 0), HN_NID_NONE);
	assert_int_equal(hn_core_scan_period_ms(f.core, 0), 1000);
	core_fixture_fini(&f);
}

/* Mappings of the dead need not be taken back one by one, but may be. */
static void test_exit__address_space_starts_afresh(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_map(&f, 0, 0, MB, 1);
	core_fixture_map(&f, 1, 0, 2 * MB, 1);
	f.core->mms[0].scan_seq = 9;
	hn_core_note_exit(f.core, 0);
	hn_core_note_vma_gone(f.core, 0);
	core_fixture_fork(&f, 1, HN_TASK_NONE, 0);
	assert_int_equal(hn_core_scan_seq(f.core, 0), 0);
	assert_int_equal(f.core->mms[0].first_vma, HN_VMA_NONE);
	core_fixture_map(&f, 1, 0, 2 * MB, 1);
	hn_core_check(f.core);
	core_fixture_fini(&f);
}

/* ---- mappings ---- */

static void expect_order(const struct core_fixture *f, const hn_vma_id *ids, size_t nr)
{
	hn_vma_id vma = f->core->mms[0].first_vma;

	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(vma, ids[i]);
		vma = f->core->vmas[vma].next;
	}
	assert_int_equal(vma, HN_VMA_NONE);
}

/* Neighbours touch: each is 256 pages, one MB. */
static void test_vma__kept_in_address_order(void **state)
{
	static const hn_vma_id all[] = { 2, 0, 3, 1 };
	static const hn_vma_id no_middle[] = { 2, 0, 1 };
	static const hn_vma_id no_ends[] = { 0 };
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_map(&f, 0, 0, 2 * MB, 256);
	core_fixture_map(&f, 1, 0, 4 * MB, 256);
	core_fixture_map(&f, 2, 0, 1 * MB, 256);
	core_fixture_map(&f, 3, 0, 3 * MB, 256);
	expect_order(&f, all, 4);
	hn_core_note_vma_gone(f.core, 3);
	expect_order(&f, no_middle, 3);
	hn_core_note_vma_gone(f.core, 2);
	hn_core_note_vma_gone(f.core, 1);
	expect_order(&f, no_ends, 1);
	core_fixture_map(&f, 3, 0, 3 * MB, 256);
	hn_core_check(f.core);
	core_fixture_fini(&f);
}

/* A mapping that comes back has no memory of its past. */
static void test_vma__state_ends_with_it(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_map(&f, 0, 0, MB, 1);
	f.core->vmas[0].has_state = true;
	f.core->vmas[0].pids[0] = 1;
	hn_core_note_vma_gone(f.core, 0);
	core_fixture_map(&f, 0, 0, MB, 1);
	assert_false(f.core->vmas[0].has_state);
	assert_int_equal(f.core->vmas[0].pids[0], 0);
	core_fixture_fini(&f);
}

/* ---- programmer errors ---- */

/* Whether an assertion ends the program; tried out in a child. */
static bool dies(struct core_fixture *f, void (*act)(struct core_fixture *))
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		signal(SIGABRT, SIG_DFL);
		act(f);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void map_over_the_end(struct core_fixture *f)
{
	core_fixture_map(f, 1, 0, 2 * MB - HN_PAGE_BYTES, 1);
}

static void map_over_the_start(struct core_fixture *f)
{
	core_fixture_map(f, 1, 0, MB - HN_PAGE_BYTES, 2);
}

static void map_twice(struct core_fixture *f)
{
	core_fixture_map(f, 0, 0, 8 * MB, 1);
}

static void map_beside(struct core_fixture *f)
{
	core_fixture_map(f, 1, 0, 2 * MB, 1);
	core_fixture_map(f, 2, 0, MB - HN_PAGE_BYTES, 1);
}

static void unmap_unmapped(struct core_fixture *f)
{
	hn_core_note_vma_gone(f->core, 5);
}

static void test_assert__mappings_do_not_overlap(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	core_fixture_map(&f, 0, 0, MB, 256);
	assert_true(dies(&f, map_over_the_end));
	assert_true(dies(&f, map_over_the_start));
	assert_true(dies(&f, map_twice));
	assert_true(dies(&f, unmap_unmapped));
	assert_false(dies(&f, map_beside));
	core_fixture_fini(&f);
}

static void check(struct core_fixture *f)
{
	hn_core_check(f->core);
}

/* Each claim of hn_core_check() broken on its own. */
static void test_check__finds_what_is_broken(void **state)
{
	struct core_fixture f;
	struct hn_core_group *group;

	(void)state;
	set_up_group(&f);
	group = &f.core->groups[0];
	assert_false(dies(&f, check));
	group->nr_tasks++;
	assert_true(dies(&f, check));
	group->nr_tasks--;
	group->total_faults++;
	assert_true(dies(&f, check));
	group->total_faults--;
	/* Two entries off by the same amount: no sum of a row would tell. */
	hn_core_gfaults(f.core, 0, HN_STAT_CPU)[0]++;
	hn_core_gfaults(f.core, 0, HN_STAT_CPU)[1]--;
	assert_true(dies(&f, check));
	hn_core_gfaults(f.core, 0, HN_STAT_CPU)[0]--;
	hn_core_gfaults(f.core, 0, HN_STAT_CPU)[1]++;
	task_of(&f, 1)->preferred_nid = 2;
	assert_true(dies(&f, check));
	task_of(&f, 1)->preferred_nid = HN_NID_NONE;
	assert_false(dies(&f, check));
	core_fixture_fini(&f);
}

/* ---- questions ---- */

static void test_questions__faults_of_task_and_group(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_group(&f);
	hn_core_faults(f.core, 0, HN_STAT_MEM)[1] = 11; /* private, node 0 */
	assert_int_equal(hn_core_task_faults(f.core, 0, 0), 111);
	assert_int_equal(hn_core_task_faults(f.core, 0, 1), 0);
	assert_int_equal(hn_core_group_faults(f.core, 0, 0), 140);
	assert_int_equal(hn_core_group_id(f.core, 1), 1001);
	core_fixture_fini(&f);
}

static void test_questions__zero_without_statistics(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(hn_core_task_faults(f.core, 0, 0), 0);
	assert_int_equal(hn_core_group_faults(f.core, 0, 0), 0);
	assert_int_equal(hn_core_group_id(f.core, 0), 0);
	core_fixture_fini(&f);
}

/* ---- digest ---- */

/* Adds one to a byte of the state and expects another digest; then takes it back. */
#define EXPECT_IN_DIGEST(f, field) \
	do { \
		uint64_t before = hn_core_digest((f)->core); \
		(field) += 1; \
		assert_true(hn_core_digest((f)->core) != before); \
		(field) -= 1; \
		assert_int_equal(hn_core_digest((f)->core), before); \
	} while (0)

static void test_digest__sees_tasks(void **state)
{
	struct core_fixture f;
	struct hn_core_task *task;

	(void)state;
	set_up_group(&f);
	task = task_of(&f, 1);
	EXPECT_IN_DIGEST(&f, task->mm);
	EXPECT_IN_DIGEST(&f, task->pid);
	EXPECT_IN_DIGEST(&f, task->scan_period_ms);
	EXPECT_IN_DIGEST(&f, task->scan_period_ms_max);
	EXPECT_IN_DIGEST(&f, task->scan_seq);
	EXPECT_IN_DIGEST(&f, task->node_stamp_ns);
	EXPECT_IN_DIGEST(&f, task->migrate_retry_ticks);
	EXPECT_IN_DIGEST(&f, task->preferred_nid);
	EXPECT_IN_DIGEST(&f, task->group);
	EXPECT_IN_DIGEST(&f, task->migrate_deferred);
	EXPECT_IN_DIGEST(&f, task->total_faults);
	EXPECT_IN_DIGEST(&f, task->locality[0]);
	EXPECT_IN_DIGEST(&f, task->locality[2]);
	EXPECT_IN_DIGEST(&f, task->nr_pages_migrated);
	EXPECT_IN_DIGEST(&f, task->last_placement_ns);
	EXPECT_IN_DIGEST(&f, task->last_sum_exec_ns);
	EXPECT_IN_DIGEST(&f, hn_core_faults(f.core, 1, HN_STAT_MEM)[0]);
	EXPECT_IN_DIGEST(&f, hn_core_faults(f.core, 1, HN_STAT_CPUBUF)[3]);
	core_fixture_fini(&f);
}

static void test_digest__sees_groups_and_nodes(void **state)
{
	struct core_fixture f;
	struct hn_core_group *group;
	struct hn_core_node *node;

	(void)state;
	set_up_group(&f);
	group = &f.core->groups[0];
	node = &f.core->nodes[1];
	EXPECT_IN_DIGEST(&f, group->nr_tasks);
	EXPECT_IN_DIGEST(&f, group->gid);
	EXPECT_IN_DIGEST(&f, group->created);
	EXPECT_IN_DIGEST(&f, group->total_faults);
	EXPECT_IN_DIGEST(&f, group->max_faults_cpu);
	EXPECT_IN_DIGEST(&f, group->nr_active_nodes);
	EXPECT_IN_DIGEST(&f, group->active_mask[0]);
	EXPECT_IN_DIGEST(&f, hn_core_gfaults(f.core, 0, HN_STAT_CPU)[3]);
	EXPECT_IN_DIGEST(&f, node->migrate_next_window_ticks);
	EXPECT_IN_DIGEST(&f, node->migrate_nr_pages);
	EXPECT_IN_DIGEST(&f, node->promo_candidates);
	EXPECT_IN_DIGEST(&f, node->promo_rate_base);
	EXPECT_IN_DIGEST(&f, node->promo_rate_start_ms);
	EXPECT_IN_DIGEST(&f, node->promo_adjust_base);
	EXPECT_IN_DIGEST(&f, node->promo_adjust_ms);
	EXPECT_IN_DIGEST(&f, node->promo_threshold_ms);
	EXPECT_IN_DIGEST(&f, f.core->counters[HN_COUNT_PGPROMOTE_CANDIDATE]);
	EXPECT_IN_DIGEST(&f, f.core->reasons[HN_WHY_PAGE_LOCAL]);
	core_fixture_fini(&f);
}

static void test_digest__sees_address_spaces(void **state)
{
	struct core_fixture f;
	struct hn_core_mm *mm;
	struct hn_core_vma *vma;

	(void)state;
	set_up(&f);
	core_fixture_map(&f, 0, 0, MB, 1);
	core_fixture_map(&f, 1, 0, 2 * MB, 1);
	mm = &f.core->mms[0];
	vma = &f.core->vmas[1];
	vma->has_state = true;
	EXPECT_IN_DIGEST(&f, mm->next_scan_ticks);
	EXPECT_IN_DIGEST(&f, mm->next_reset_ticks);
	EXPECT_IN_DIGEST(&f, mm->scan_offset);
	EXPECT_IN_DIGEST(&f, mm->scan_seq);
	EXPECT_IN_DIGEST(&f, mm->first_nid);
	EXPECT_IN_DIGEST(&f, mm->nr_users);
	EXPECT_IN_DIGEST(&f, mm->rss_pages);
	EXPECT_IN_DIGEST(&f, vma->map.end);
	EXPECT_IN_DIGEST(&f, vma->next_scan_ticks);
	EXPECT_IN_DIGEST(&f, vma->pid_reset_ticks);
	EXPECT_IN_DIGEST(&f, vma->pids[1]);
	EXPECT_IN_DIGEST(&f, vma->start_scan_seq);
	EXPECT_IN_DIGEST(&f, vma->prev_scan_seq);
	core_fixture_fini(&f);
}

/* ---- two cores ---- */

/* A few events of everything, the same for each core. */
static void step(struct core_fixture *f, int k)
{
	const struct hn_scan_event scan = {
		.now_ns = k * 300 * HN_NS_PER_MS, .task = k % 2, .cpu = k % 8, .nr_threads = 2,
		.sum_exec_ns = k * 200 * HN_NS_PER_MS,
	};
	const struct hn_fault_event fault = {
		.now_ns = scan.now_ns, .task = k % 2, .cpu = k * 3 % 8, .vma = 0,
		.page_nid = (hn_nid)(k / 3 % 2), .nr_pages = 1,
		.last_cpupid = hn_cpupid_make(k % 8, FIXTURE_PID(k / 2 % 2)),
	};
	const struct hn_account_event account = {
		.now_ns = scan.now_ns, .task = k % 2, .cpu = fault.cpu, .mem_nid = fault.page_nid,
		.nr_pages = 1, .last_cpupid = fault.last_cpupid, .last_curr = k / 2 % 2,
		.clock = { .sum_exec_ns = scan.sum_exec_ns, .exec_start_ns = scan.now_ns },
	};
	struct hn_fault_verdict verdict;
	struct hn_scan_range range;

	hn_core_note_tick(f->core, scan.now_ns, scan.task, scan.sum_exec_ns);
	if (hn_core_scan_begin(f->core, &scan)) {
		while (hn_core_scan_next(f->core, 1, &range))
			continue;
	}
	hn_core_scan_charged(f->core, scan.task, scan.sum_exec_ns + k % 3 * HN_NS_PER_MS);
	hn_core_decide_page(f->core, &fault, &verdict);
	hn_core_account_begin(f->core, &account);
	hn_core_account_end(f->core, &account);
}

static void set_up_pair(struct core_fixture *f, bool is_old)
{
	core_fixture_init(f, is_old ? 2 : 4);
	if (is_old)
		core_fixture_use_v3_13(f);
	core_fixture_start(f);
	core_fixture_fork(f, 0, HN_TASK_NONE, 0);
	core_fixture_fork(f, 1, 0, 0);
	core_fixture_map(f, 0, 0, MB, 100000);
}

static uint64_t digest_alone(bool is_old, int nr_steps)
{
	struct core_fixture f;
	uint64_t digest;

	set_up_pair(&f, is_old);
	for (int k = 0; k < nr_steps; k++)
		step(&f, k);
	/* It did something. */
	assert_true(hn_core_scan_seq(f.core, 0) > 0);
	assert_true(hn_core_task_faults(f.core, 0, 0) > 0);
	digest = hn_core_digest(f.core);
	core_fixture_fini(&f);
	return digest;
}

/* Each core ends as it does alone, though the other one works between its events. */
static void test_two_cores__do_not_notice_each_other(void **state)
{
	struct core_fixture a, b;

	(void)state;
	set_up_pair(&a, false);
	set_up_pair(&b, true);
	for (int k = 0; k < 200; k++) {
		step(&a, k);
		step(&b, k);
	}
	assert_int_equal(hn_core_digest(a.core), digest_alone(false, 200));
	assert_int_equal(hn_core_digest(b.core), digest_alone(true, 200));
	assert_true(hn_core_digest(a.core) != hn_core_digest(b.core));
	core_fixture_fini(&a);
	core_fixture_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size__holds_all_pieces),
		cmocka_unit_test(test_init__knows_slow_nodes),
		cmocka_unit_test(test_fork__new_address_space),
		cmocka_unit_test(test_fork__v3_8_sets_the_reset),
		cmocka_unit_test(test_fork__thread_inherits),
		cmocka_unit_test(test_fork__no_statistics),
		cmocka_unit_test(test_fork__stagger),
		cmocka_unit_test(test_fork__no_stagger),
		cmocka_unit_test(test_fork__inherits_the_retry_time),
		cmocka_unit_test(test_fork__kernel_thread_has_no_address_space),
		cmocka_unit_test(test_exec__drops_statistics),
		cmocka_unit_test(test_exec__keeps_all_before_v5_4),
		cmocka_unit_test(test_exit__leaves_the_group),
		cmocka_unit_test(test_exit__id_starts_afresh),
		cmocka_unit_test(test_exit__address_space_starts_afresh),
		cmocka_unit_test(test_vma__kept_in_address_order),
		cmocka_unit_test(test_vma__state_ends_with_it),
		cmocka_unit_test(test_assert__mappings_do_not_overlap),
		cmocka_unit_test(test_check__finds_what_is_broken),
		cmocka_unit_test(test_questions__faults_of_task_and_group),
		cmocka_unit_test(test_questions__zero_without_statistics),
		cmocka_unit_test(test_digest__sees_tasks),
		cmocka_unit_test(test_digest__sees_groups_and_nodes),
		cmocka_unit_test(test_digest__sees_address_spaces),
		cmocka_unit_test(test_two_cores__do_not_notice_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
