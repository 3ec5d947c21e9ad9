/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a page follows the fault, and what the migration code refuses.
 *
 * Task 0 ("P", pid 1001, low byte 233) faults from CPU 0 of node 0 on a page of node 1, unless a
 * test says otherwise. It prefers node 0 and has seen five passes: it is not young any more. Tick 1
 * begins at 0 ms, tick 26 at 100 ms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core-fixture.h"

#define P 0
#define MS(x) ((x) * HN_NS_PER_MS)
#define CPU_NODE_0 3
#define CPU_NODE_1 5
#define MINE FIXTURE_PID(P)
#define OTHER FIXTURE_PID(1)

static void start(struct core_fixture *f)
{
	core_fixture_start(f);
	core_fixture_fork(f, P, HN_TASK_NONE, 0);
	core_fixture_fork(f, 1, P, 0);
	core_fixture_map(f, 0, 0, 0, 512);
	hn_core_get_task(f->core, P)->preferred_nid = 0;
	hn_core_get_task(f->core, P)->scan_seq = 5;
}

static void set_up(struct core_fixture *f, enum hn_fault_filter filter)
{
	core_fixture_init(f, 2);
	f->policy.fault_filter = filter;
	f->policy.migrate_deferred = 16;
	start(f);
}

static struct hn_fault_event make_event(int32_t last_cpupid)
{
	return (struct hn_fault_event){
		.task = P,
		.cpu = 0,
		.page_nid = 1,
		.nr_pages = 1,
		.last_cpupid = last_cpupid,
	};
}

static struct hn_fault_verdict decide(struct core_fixture *f, const struct hn_fault_event *event)
{
	struct hn_fault_verdict verdict;

	hn_core_decide_page(f->core, event, &verdict);
	return verdict;
}

static void expect_move(struct core_fixture *f, int32_t last_cpupid, enum hn_why why)
{
	const struct hn_fault_event event = make_event(last_cpupid);
	struct hn_fault_verdict verdict = decide(f, &event);

	assert_int_equal(verdict.why, why);
	assert_int_equal(verdict.target_nid, 0);
	assert_false(verdict.is_refused);
}

static void expect_stay(struct core_fixture *f, int32_t last_cpupid, enum hn_why why)
{
	const struct hn_fault_event event = make_event(last_cpupid);
	struct hn_fault_verdict verdict = decide(f, &event);

	assert_int_equal(verdict.why, why);
	assert_int_equal(verdict.target_nid, HN_NID_NONE);
	assert_false(verdict.is_refused);
}

static int32_t touched(hn_cpu cpu, uint32_t pid)
{
	return hn_cpupid_make(cpu, pid);
}

/* ---- the record of the page ---- */

/* CPU 5: 5 * 256 + 233 = 1513; also when the page is local and stays. */
static void test_record__renewed_by_each_fault(void **state)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_0, OTHER));
	struct hn_fault_verdict verdict;
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	event.cpu = 5;
	verdict = decide(&f, &event);
	assert_int_equal(verdict.why, HN_WHY_PAGE_LOCAL);
	assert_int_equal(verdict.target_nid, HN_NID_NONE);
	assert_int_equal(verdict.new_cpupid, 1513);
	assert_true(verdict.is_counted);
	event.page_nid = 0;
	assert_int_equal(decide(&f, &event).new_cpupid, 1513);
	assert_int_equal(f.core->reasons[HN_WHY_PAGE_LOCAL], 1);
	assert_int_equal(f.core->reasons[HN_WHY_PAGE_FIRST_STAGE], 1);
	core_fixture_fini(&f);
}

/* v6.12: no exchange for a node without memory. Before, the node is a target like others. */
static void test_record__not_renewed_on_a_memoryless_node(void **state)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_0, MINE));
	struct hn_fault_verdict verdict;
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	f.nodes[0].mem_bytes = 0;
	verdict = decide(&f, &event);
	assert_int_equal(verdict.why, HN_WHY_PAGE_NO_MEMORY_NODE);
	assert_int_equal(verdict.target_nid, HN_NID_NONE);
	assert_int_equal(verdict.new_cpupid, event.last_cpupid);
	assert_true(verdict.is_counted);
	f.policy.memoryless_target_check = false;
	assert_int_equal(decide(&f, &event).target_nid, 0);
	core_fixture_fini(&f);
}

/* v4.9 .. v6.8: only the entry is restored. */
static void test_record__compound_entries_are_not_counted(void **state)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_0, MINE));
	struct hn_fault_verdict verdict;
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	f.policy.counts_compound_pte = false;
	f.core->vmas[0].has_state = true;
	event.flags = HN_FAULT_COMPOUND_PTE;
	verdict = decide(&f, &event);
	assert_int_equal(verdict.why, HN_WHY_PAGE_COMPOUND_PTE);
	assert_int_equal(verdict.target_nid, HN_NID_NONE);
	assert_int_equal(verdict.new_cpupid, event.last_cpupid);
	assert_false(verdict.is_counted);
	assert_int_equal(f.core->vmas[0].pids[1], 0);
	f.policy.counts_compound_pte = true;
	verdict = decide(&f, &event);
	assert_int_equal(verdict.target_nid, 0);
	assert_true(verdict.is_counted);
	core_fixture_fini(&f);
}

/* Each counted fault leaves its pid with the mapping. 1001 * 0x61c88647 = 0x17e59150b9f; the low 32
 * bits 0x59150b9f >> 26 = 22. */
static void test_record__mapping_remembers_the_pid(void **state)
{
	struct hn_fault_event event = make_event(HN_CPUPID_NONE);
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	f.core->vmas[0].has_state = true;
	event.cpu = 5;
	decide(&f, &event);
	assert_true(f.core->vmas[0].pids[1] == UINT64_C(1) << 22);
	core_fixture_fini(&f);
}

/* ---- v3.8: two faults in a row from one node ---- */

static void test_last_nid__same_node_twice(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	core_fixture_use_v3_8(&f);
	start(&f);
	expect_stay(&f, HN_CPUPID_NONE, HN_WHY_PAGE_FIRST_STAGE);
	expect_stay(&f, touched(CPU_NODE_1, MINE), HN_WHY_PAGE_FIRST_STAGE);
	expect_move(&f, touched(CPU_NODE_0, OTHER), HN_WHY_PAGE_SAME_NODE_TWICE);
	core_fixture_fini(&f);
}

/* ---- v3.13: shared pages wait ---- */

static uint32_t deferred(struct core_fixture *f)
{
	return hn_core_get_task(f->core, P)->migrate_deferred;
}

static void set_up_v3_13(struct core_fixture *f)
{
	core_fixture_init(f, 2);
	core_fixture_use_v3_13(f);
	start(f);
}

static void test_deferred__untouched_and_private_pages_move(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_v3_13(&f);
	expect_move(&f, HN_CPUPID_NONE, HN_WHY_PAGE_SAME_NODE_TWICE);
	expect_move(&f, touched(CPU_NODE_0, MINE), HN_WHY_PAGE_PRIVATE);
	expect_move(&f, touched(CPU_NODE_0, OTHER), HN_WHY_PAGE_SAME_NODE_TWICE);
	assert_int_equal(deferred(&f), 0);
	core_fixture_fini(&f);
}

/* One shared fault that fails the first stage, and the next 16 shared ones stay. */
static void test_deferred__sixteen_shared_faults_stay(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_v3_13(&f);
	expect_stay(&f, touched(CPU_NODE_1, OTHER), HN_WHY_PAGE_FIRST_STAGE);
	assert_int_equal(deferred(&f), 16);
	for (uint32_t left = 16; left-- > 0;) {
		expect_stay(&f, touched(CPU_NODE_0, OTHER), HN_WHY_PAGE_DEFERRED);
		assert_int_equal(deferred(&f), left);
	}
	expect_move(&f, touched(CPU_NODE_0, OTHER), HN_WHY_PAGE_SAME_NODE_TWICE);
	core_fixture_fini(&f);
}

/* Private faults neither start the count nor are they held by it. */
static void test_deferred__private_faults_are_not(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_v3_13(&f);
	expect_stay(&f, touched(CPU_NODE_1, MINE), HN_WHY_PAGE_FIRST_STAGE);
	assert_int_equal(deferred(&f), 0);
	hn_core_get_task(f.core, P)->migrate_deferred = 5;
	expect_move(&f, touched(CPU_NODE_0, MINE), HN_WHY_PAGE_PRIVATE);
	assert_int_equal(deferred(&f), 5);
	core_fixture_fini(&f);
}

/* Pages that are local already start the count and use it up like others. */
static void test_deferred__counts_local_faults(void **state)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_1, OTHER));
	struct core_fixture f;

	(void)state;
	set_up_v3_13(&f);
	event.page_nid = 0;
	assert_int_equal(decide(&f, &event).why, HN_WHY_PAGE_LOCAL);
	assert_int_equal(deferred(&f), 16);
	event.last_cpupid = touched(CPU_NODE_0, OTHER);
	assert_int_equal(decide(&f, &event).why, HN_WHY_PAGE_LOCAL);
	assert_int_equal(deferred(&f), 15);
	event.last_cpupid = touched(CPU_NODE_0, MINE);
	assert_int_equal(decide(&f, &event).target_nid, HN_NID_NONE);
	core_fixture_fini(&f);
}

/* ---- the two stages ---- */

static void test_stages__both_filters_since_v3_15(void **state)
{
	static const enum hn_fault_filter filters[] = {
		HN_FAULT_FILTER_ACTIVE_MASK, HN_FAULT_FILTER_CPU_PRESSURE,
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(filters); i++) {
		struct core_fixture f;

		set_up(&f, filters[i]);
		expect_stay(&f, touched(CPU_NODE_1, OTHER), HN_WHY_PAGE_FIRST_STAGE);
		expect_stay(&f, touched(CPU_NODE_1, MINE), HN_WHY_PAGE_FIRST_STAGE);
		expect_move(&f, touched(CPU_NODE_0, MINE), HN_WHY_PAGE_PRIVATE);
		expect_move(&f, touched(CPU_NODE_0, OTHER), HN_WHY_PAGE_NO_GROUP);
		f.policy.early_migrate = false;
		expect_move(&f, HN_CPUPID_NONE, HN_WHY_PAGE_NO_GROUP);
		core_fixture_fini(&f);
	}
}

/* A pid whose low byte is 255 looks unset, so the stage passes although node 1 was last. */
static void test_stages__pid_255_looks_unset(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	f.policy.early_migrate = false;
	expect_move(&f, touched(CPU_NODE_1, 1023), HN_WHY_PAGE_NO_GROUP);
	expect_stay(&f, touched(CPU_NODE_1, 1022), HN_WHY_PAGE_FIRST_STAGE);
	/* 1001 + 256: another task, but its low byte is the same. */
	expect_move(&f, touched(CPU_NODE_0, MINE + 256), HN_WHY_PAGE_PRIVATE);
	core_fixture_fini(&f);
}

/* A record of a CPU that this machine does not have counts as none: untouched, and no node. */
static void test_stages__unknown_cpu(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	expect_move(&f, touched(FIXTURE_CPUS_MAX, OTHER), HN_WHY_PAGE_NO_GROUP);
	expect_stay(&f, touched(FIXTURE_CPUS_MAX - 1, OTHER), HN_WHY_PAGE_FIRST_STAGE);
	f.policy.fault_filter = HN_FAULT_FILTER_LAST_NID;
	expect_stay(&f, touched(FIXTURE_CPUS_MAX, OTHER), HN_WHY_PAGE_FIRST_STAGE);
	core_fixture_fini(&f);
}

/* ---- v4.19: young tasks ---- */

static void test_early__until_the_fourth_pass(void **state)
{
	static const struct {
		hn_nid preferred_nid;
		int32_t scan_seq;
		bool is_early;
	} cases[] = {
		{ 0, 4, true }, { 0, 5, false }, { HN_NID_NONE, 5, true }, { HN_NID_NONE, 0, true },
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		enum hn_why why = cases[i].is_early ? HN_WHY_PAGE_EARLY : HN_WHY_PAGE_NO_GROUP;
		struct core_fixture f;

		set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
		hn_core_get_task(f.core, P)->preferred_nid = cases[i].preferred_nid;
		hn_core_get_task(f.core, P)->scan_seq = cases[i].scan_seq;
		expect_move(&f, HN_CPUPID_NONE, why);
		core_fixture_fini(&f);
	}
}

/* Unshared means untouched or touched by the task itself, from wherever. */
static void test_early__only_unshared_pages(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	hn_core_get_task(f.core, P)->scan_seq = 0;
	expect_move(&f, touched(CPU_NODE_1, MINE), HN_WHY_PAGE_EARLY);
	expect_stay(&f, touched(CPU_NODE_1, OTHER), HN_WHY_PAGE_FIRST_STAGE);
	f.policy.early_migrate = false;
	expect_stay(&f, touched(CPU_NODE_1, MINE), HN_WHY_PAGE_FIRST_STAGE);
	core_fixture_fini(&f);
}

/* ---- groups ---- */

/* CPU and memory faults of P's group: [0] on the target node 0, [1] on the page's node 1. */
static void set_up_group(struct core_fixture *f, enum hn_fault_filter filter, const uint64_t cpu[2],
			 const uint64_t mem[2])
{
	set_up(f, filter);
	core_fixture_join_group(f, P, 2);
	for (hn_nid nid = 0; nid < 2; nid++) {
		core_fixture_set_faults(f, P, HN_STAT_CPU, nid, cpu[nid]);
		core_fixture_set_faults(f, P, HN_STAT_MEM, nid, mem[nid]);
	}
}

/* v4.6: C(t) > 3 C(s), or C(t) M(s) 3 > C(s) M(t) 4. */
static void test_group__pressure(void **state)
{
	static const struct {
		uint64_t cpu[2], mem[2];
		enum hn_why why;
	} cases[] = {
		{ { 80, 20 }, { 100, 100 }, HN_WHY_PAGE_CPU_SHARE },  /* 80 > 60 */
		{ { 61, 20 }, { 100, 0 }, HN_WHY_PAGE_CPU_SHARE },
		/* 60 > 60 not; 0 > 8000 not */
		{ { 60, 20 }, { 100, 0 }, HN_WHY_PAGE_BALANCED },
		{ { 50, 50 }, { 100, 100 }, HN_WHY_PAGE_BALANCED },
		{ { 40, 30 }, { 100, 100 }, HN_WHY_PAGE_BALANCED },   /* 12000 > 12000 not */
		{ { 41, 30 }, { 100, 100 }, HN_WHY_PAGE_PRESSURE },   /* 12300 > 12000 */
		{ { 40, 30 }, { 99, 100 }, HN_WHY_PAGE_PRESSURE },    /* 12000 > 11880 */
		{ { 1, 1 }, { 74, 100 }, HN_WHY_PAGE_PRESSURE },      /* 300 > 296 */
		{ { 1, 1 }, { 75, 100 }, HN_WHY_PAGE_BALANCED },      /* 300 > 300 not */
		{ { 0, 0 }, { 0, 100 }, HN_WHY_PAGE_BALANCED },
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		struct core_fixture f;

		set_up_group(&f, HN_FAULT_FILTER_CPU_PRESSURE, cases[i].cpu, cases[i].mem);
		if (cases[i].why == HN_WHY_PAGE_BALANCED)
			expect_stay(&f, touched(CPU_NODE_0, OTHER), cases[i].why);
		else
			expect_move(&f, touched(CPU_NODE_0, OTHER), cases[i].why);
		core_fixture_fini(&f);
	}
}

/* Private faults come before the group is asked. */
static void test_group__private_first(void **state)
{
	static const uint64_t cpu[2] = { 0, 100 }, mem[2] = { 100, 0 };
	struct core_fixture f;

	(void)state;
	set_up_group(&f, HN_FAULT_FILTER_CPU_PRESSURE, cpu, mem);
	expect_move(&f, touched(CPU_NODE_0, MINE), HN_WHY_PAGE_PRIVATE);
	expect_stay(&f, touched(CPU_NODE_0, OTHER), HN_WHY_PAGE_BALANCED);
	core_fixture_fini(&f);
}

/* v3.15: nodes by mask; inside it, M(t) < (M(s) * 3) div 4: of 101 that is 303 div 4 = 75. */
static void test_group__mask(void **state)
{
	static const struct {
		uint64_t active, mem[2];
		enum hn_why why;
	} cases[] = {
		{ 2, { 0, 100 }, HN_WHY_PAGE_INACTIVE_TARGET },
		{ 0, { 0, 100 }, HN_WHY_PAGE_INACTIVE_TARGET },
		{ 1, { 100, 0 }, HN_WHY_PAGE_ACTIVE_NODE },
		{ 3, { 74, 101 }, HN_WHY_PAGE_SPREAD },
		{ 3, { 75, 101 }, HN_WHY_PAGE_BALANCED },
		{ 3, { 0, 1 }, HN_WHY_PAGE_BALANCED },
		{ 3, { 0, 2 }, HN_WHY_PAGE_SPREAD },
	};
	static const uint64_t cpu[2] = { 1, 1 };

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		enum hn_why why = cases[i].why;
		struct core_fixture f;

		set_up_group(&f, HN_FAULT_FILTER_ACTIVE_MASK, cpu, cases[i].mem);
		f.policy.active_nodes = HN_ACTIVE_NODES_MASK;
		f.core->groups[0].active_mask[0] = cases[i].active;
		if (why == HN_WHY_PAGE_ACTIVE_NODE || why == HN_WHY_PAGE_SPREAD)
			expect_move(&f, touched(CPU_NODE_0, OTHER), why);
		else
			expect_stay(&f, touched(CPU_NODE_0, OTHER), why);
		core_fixture_fini(&f);
	}
}

/* ---- slow memory without a record ---- */

/* v6.1, tiering off: a page on slow memory that nobody touched stays; its record is renewed. */
static void test_slow__untracked_stays(void **state)
{
	struct hn_fault_event event = make_event(HN_CPUPID_NONE);
	struct hn_fault_verdict verdict;
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	f.nodes[1].is_top_tier = false;
	start(&f);
	verdict = decide(&f, &event);
	assert_int_equal(verdict.why, HN_WHY_PAGE_UNTRACKED_SLOW);
	assert_int_equal(verdict.target_nid, HN_NID_NONE);
	assert_int_equal(verdict.new_cpupid, 233);
	/* Only -1 as a whole counts as no record. */
	expect_move(&f, touched(CPU_NODE_1, 1023), HN_WHY_PAGE_NO_GROUP);
	expect_move(&f, touched(CPU_NODE_0, MINE), HN_WHY_PAGE_PRIVATE);
	f.policy.untracked_slow_skip = false;
	expect_move(&f, HN_CPUPID_NONE, HN_WHY_PAGE_NO_GROUP);
	core_fixture_fini(&f);
}

/* With tiering on, the rule is not asked: such pages carry times instead of records. */
static void test_slow__untracked_moves_in_tiering_mode(void **state)
{
	struct core_fixture f;

	(void)state;
	core_fixture_init(&f, 2);
	f.nodes[1].is_top_tier = false;
	f.policy.tiering_decision = false;
	f.policy.numa_mode = HN_NUMA_MODE_BOTH;
	start(&f);
	expect_move(&f, HN_CPUPID_NONE, HN_WHY_PAGE_NO_GROUP);
	f.policy.numa_mode = HN_NUMA_MODE_TIERING;
	expect_move(&f, HN_CPUPID_NONE, HN_WHY_PAGE_NO_GROUP);
	core_fixture_fini(&f);
}

/* ---- refusals ---- */

static struct hn_fault_verdict decide_with_flags(struct core_fixture *f, uint16_t flags)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_0, MINE));

	event.flags = flags;
	return decide(f, &event);
}

static void expect_refused(struct core_fixture *f, uint16_t flags, enum hn_why why)
{
	uint64_t nr_before = f->core->reasons[why];
	struct hn_fault_verdict verdict = decide_with_flags(f, flags);

	assert_int_equal(verdict.why, why);
	assert_int_equal(verdict.target_nid, HN_NID_NONE);
	assert_true(verdict.is_refused);
	assert_true(verdict.is_counted);
	assert_int_equal(verdict.new_cpupid, 233);
	assert_int_equal(f->core->reasons[why], nr_before + 1);
}

static void test_refusal__by_kind_of_page(void **state)
{
	const uint16_t huge_many = HN_FAULT_HUGE | HN_FAULT_MAPPED_MANY;
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	f.policy.thp_refuse_shared = true;
	expect_refused(&f, HN_FAULT_FILE_EXEC_SHARED, HN_WHY_PAGE_SHARED_TEXT);
	expect_refused(&f, HN_FAULT_FILE_DIRTY, HN_WHY_PAGE_DIRTY_FILE);
	expect_refused(&f, HN_FAULT_FILE_DIRTY | HN_FAULT_FILE_EXEC_SHARED,
		       HN_WHY_PAGE_SHARED_TEXT);
	expect_refused(&f, huge_many, HN_WHY_PAGE_THP_SHARED);
	assert_int_equal(decide_with_flags(&f, HN_FAULT_HUGE).target_nid, 0);
	assert_int_equal(decide_with_flags(&f, HN_FAULT_MAPPED_MANY).target_nid, 0);
	f.policy.refuse_dirty_file = false;
	f.policy.thp_refuse_shared = false;
	assert_int_equal(decide_with_flags(&f, HN_FAULT_FILE_DIRTY).target_nid, 0);
	assert_int_equal(decide_with_flags(&f, huge_many).target_nid, 0);
	assert_int_equal(f.core->reasons[HN_WHY_PAGE_PRIVATE], 4);
	core_fixture_fini(&f);
}

/* Who does not want to move is not refused. */
static void test_refusal__not_without_a_wish_to_move(void **state)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_1, OTHER));
	struct hn_fault_verdict verdict;
	struct core_fixture f;

	(void)state;
	set_up(&f, HN_FAULT_FILTER_CPU_PRESSURE);
	f.policy.page_rate_limit = true;
	event.flags = HN_FAULT_FILE_DIRTY;
	verdict = decide(&f, &event);
	assert_int_equal(verdict.why, HN_WHY_PAGE_FIRST_STAGE);
	assert_false(verdict.is_refused);
	assert_int_equal(f.core->nodes[0].migrate_nr_pages, 0);
	core_fixture_fini(&f);
}

/* ---- rate limit ---- */

/* One private fault on n pages at this time. */
static bool moves_at(struct core_fixture *f, hn_time_ns now_ns, uint32_t nr_pages, uint16_t flags)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_0, MINE));

	event.now_ns = now_ns;
	event.nr_pages = nr_pages;
	event.flags = flags;
	return decide(f, &event).target_nid == 0;
}

static void set_up_limited(struct core_fixture *f)
{
	core_fixture_init(f, 2);
	f->policy.page_rate_limit = true;
	start(f);
}

/* 64 huge pages make 32768, which is not above the limit: a 65th passes, the next page not. The
 * window opens at tick 1 and holds through tick 26, which ends at 104 ms. */
static void test_rate_limit__of_one_window(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_limited(&f);
	for (int i = 0; i < 65; i++)
		assert_true(moves_at(&f, 0, 512, HN_FAULT_HUGE));
	assert_int_equal(f.core->nodes[0].migrate_nr_pages, 65 * 512);
	assert_false(moves_at(&f, 0, 1, 0));
	assert_false(moves_at(&f, MS(104) - 1, 1, 0));
	assert_int_equal(f.core->reasons[HN_WHY_PAGE_RATE_LIMIT], 2);
	assert_int_equal(f.core->counters[HN_COUNT_MM_NUMA_MIGRATE_RATELIMIT], 2);
	/* Tick 27 opens a new one, until 27 + 25. */
	assert_true(moves_at(&f, MS(104), 1, 0));
	assert_int_equal(f.core->nodes[0].migrate_nr_pages, 1);
	assert_int_equal(f.core->nodes[0].migrate_next_window_ticks, 52);
	core_fixture_fini(&f);
}

static void test_rate_limit__of_each_target_node(void **state)
{
	struct hn_fault_event event = make_event(touched(CPU_NODE_1, MINE));
	struct core_fixture f;

	(void)state;
	set_up_limited(&f);
	f.core->nodes[0].migrate_next_window_ticks = 26;
	f.core->nodes[0].migrate_nr_pages = 32769;
	assert_false(moves_at(&f, 0, 1, 0));
	event.cpu = 5;
	event.page_nid = 0;
	assert_int_equal(decide(&f, &event).target_nid, 1);
	f.policy.page_rate_limit = false;
	assert_true(moves_at(&f, 0, 1, 0));
	core_fixture_fini(&f);
}

/* What is refused before the limit does not use it up; shared huge pages come after it and do. */
static void test_rate_limit__order_of_refusals(void **state)
{
	struct core_fixture f;

	(void)state;
	set_up_limited(&f);
	f.policy.thp_refuse_shared = true;
	assert_false(moves_at(&f, 0, 1, HN_FAULT_FILE_EXEC_SHARED));
	assert_false(moves_at(&f, 0, 1, HN_FAULT_FILE_DIRTY));
	assert_int_equal(f.core->nodes[0].migrate_nr_pages, 0);
	assert_false(moves_at(&f, 0, 512, HN_FAULT_HUGE | HN_FAULT_MAPPED_MANY));
	assert_int_equal(f.core->nodes[0].migrate_nr_pages, 512);
	core_fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record__renewed_by_each_fault),
		cmocka_unit_test(test_record__not_renewed_on_a_memoryless_node),
		cmocka_unit_test(test_record__compound_entries_are_not_counted),
		cmocka_unit_test(test_record__mapping_remembers_the_pid),
		cmocka_unit_test(test_last_nid__same_node_twice),
		cmocka_unit_test(test_deferred__untouched_and_private_pages_move),
		cmocka_unit_test(test_deferred__sixteen_shared_faults_stay),
		cmocka_unit_test(test_deferred__private_faults_are_not),
		cmocka_unit_test(test_deferred__counts_local_faults),
		cmocka_unit_test(test_stages__both_filters_since_v3_15),
		cmocka_unit_test(test_stages__pid_255_looks_unset),
		cmocka_unit_test(test_stages__unknown_cpu),
		cmocka_unit_test(test_early__until_the_fourth_pass),
		cmocka_unit_test(test_early__only_unshared_pages),
		cmocka_unit_test(test_group__pressure),
		cmocka_unit_test(test_group__private_first),
		cmocka_unit_test(test_group__mask),
		cmocka_unit_test(test_slow__untracked_stays),
		cmocka_unit_test(test_slow__untracked_moves_in_tiering_mode),
		cmocka_unit_test(test_refusal__by_kind_of_page),
		cmocka_unit_test(test_refusal__not_without_a_wish_to_move),
		cmocka_unit_test(test_rate_limit__of_one_window),
		cmocka_unit_test(test_rate_limit__of_each_target_node),
		cmocka_unit_test(test_rate_limit__order_of_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
