/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accounting of one fault, placement, and the scan period. Task 0 ("P") on CPU 0 of node 0, all
 * eight tasks in address space 0. Its scan period is 1000 ms unless said otherwise. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/tick.h"
#include "search-fixture.h"

#define P 0

static struct hn_core_task *task_p(struct search_fixture *s)
{
	return hn_core_get_task(s->base.core, P);
}

static void start(struct search_fixture *s)
{
	search_fixture_start(s);
	hn_faults_start(s->base.core, P);
	task_p(s)->preferred_nid = HN_NID_NONE;
	task_p(s)->scan_period_ms = 1000;
	task_p(s)->scan_period_ms_max = 60000;
}

/* A first touch of a page on mem_nid, one page. */
static struct hn_account_event make_event(hn_nid mem_nid, hn_time_ns now_ns)
{
	return (struct hn_account_event){
		.now_ns = now_ns,
		.task = P,
		.cpu = 0,
		.mem_nid = mem_nid,
		.nr_pages = 1,
		.last_cpupid = HN_CPUPID_NONE,
		.last_curr = HN_TASK_NONE,
		.flags = mem_nid == 0 ? HN_ACCOUNT_LOCAL : 0,
		.clock = { .sum_exec_ns = now_ns, .exec_start_ns = now_ns + 1 },
	};
}

static struct hn_account_result account(struct search_fixture *s,
					const struct hn_account_event *event)
{
	struct hn_account_result result = hn_core_account_begin(s->base.core, event);

	hn_core_account_end(s->base.core, event);
	return result;
}

static uint64_t buffer(struct search_fixture *s, enum hn_fault_stat stat, hn_nid nid,
		       bool is_private)
{
	return hn_core_faults(s->base.core, P, stat)[2 * nid + is_private];
}

/* ---- one fault ---- */

static void test_account__first_touch_is_private(void **state)
{
	struct hn_account_event event = make_event(1, 0);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	event.nr_pages = 512;
	account(&s, &event);
	assert_int_equal(buffer(&s, HN_STAT_MEMBUF, 1, true), 512);
	assert_int_equal(buffer(&s, HN_STAT_CPUBUF, 0, true), 512);
	assert_int_equal(task_p(&s)->locality[0], 512);
	core_fixture_fini(&s.base);
}

static void test_account__own_pid_is_private_other_is_shared(void **state)
{
	struct hn_account_event event = make_event(0, 0);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	event.last_cpupid = hn_cpupid_make(7, FIXTURE_PID(P));
	account(&s, &event);
	event.last_cpupid = hn_cpupid_make(7, FIXTURE_PID(1));
	account(&s, &event);
	assert_int_equal(buffer(&s, HN_STAT_MEMBUF, 0, true), 1);
	assert_int_equal(buffer(&s, HN_STAT_MEMBUF, 0, false), 1);
	assert_int_equal(task_p(&s)->locality[1], 2);
	assert_int_equal(task_p(&s)->group, 0);
	core_fixture_fini(&s.base);
}

static void test_account__no_group_for_read_only_pages(void **state)
{
	struct hn_account_event event = make_event(0, 0);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	event.last_cpupid = hn_cpupid_make(7, FIXTURE_PID(1));
	event.flags |= HN_ACCOUNT_NO_GROUP;
	account(&s, &event);
	assert_int_equal(task_p(&s)->group, HN_GROUP_NONE);
	assert_int_equal(buffer(&s, HN_STAT_MEMBUF, 0, false), 1);
	core_fixture_fini(&s.base);
}

static void test_account__no_cpu_statistics_in_v3_13(void **state)
{
	struct hn_account_event event = make_event(1, 0);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v3_13(&s);
	start(&s);
	account(&s, &event);
	assert_int_equal(buffer(&s, HN_STAT_MEMBUF, 1, true), 1);
	assert_int_equal(buffer(&s, HN_STAT_CPUBUF, 0, true), 0);
	core_fixture_fini(&s.base);
}

static void test_account__migrated_and_failed_pages(void **state)
{
	struct hn_account_event event = make_event(0, 0);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	event.flags = HN_ACCOUNT_MIGRATED;
	account(&s, &event);
	assert_int_equal(task_p(&s)->nr_pages_migrated, 1);
	event.flags = HN_ACCOUNT_MIGRATE_FAILED;
	account(&s, &event);
	assert_int_equal(task_p(&s)->locality[2], 1);
	s.base.policy.counts_failed_pages = false;
	account(&s, &event);
	assert_int_equal(task_p(&s)->locality[2], 1);
	core_fixture_fini(&s.base);
}

/* A group active on both nodes: its shared fault from node 0 on node 1 is as good as local. */
static uint64_t nr_local(uint64_t cpu_on_1, bool is_private, bool rule)
{
	struct hn_account_event event = make_event(1, 0);
	struct search_fixture s;
	uint64_t nr;

	search_fixture_init(&s, 2);
	s.base.policy.active_group_local = rule;
	start(&s);
	core_fixture_join_group(&s.base, P, 1);
	core_fixture_set_faults(&s.base, P, HN_STAT_CPU, 0, 90);
	core_fixture_set_faults(&s.base, P, HN_STAT_CPU, 1, cpu_on_1);
	hn_group_update_active(s.base.core, P);
	event.last_cpupid = is_private ? HN_CPUPID_NONE : hn_cpupid_make(7, FIXTURE_PID(1));
	event.flags = HN_ACCOUNT_NO_GROUP;
	account(&s, &event);
	nr = task_p(&s)->locality[1];
	core_fixture_fini(&s.base);
	return nr;
}

static void test_active_group_local__both_nodes_active(void **state)
{
	(void)state;
	assert_int_equal(nr_local(31, false, true), 1);
	assert_int_equal(nr_local(30, false, true), 0);
	assert_int_equal(nr_local(31, true, true), 0);
	assert_int_equal(nr_local(31, false, false), 0);
}

static void test_account__v3_8_only_stretches_the_period(void **state)
{
	struct hn_account_event event = make_event(1, 0);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	core_fixture_use_v3_8(&s.base);
	search_fixture_start(&s);
	task_p(&s)->scan_period_ms = 1000;
	account(&s, &event);
	/* Ten ticks of 4 ms. */
	assert_int_equal(task_p(&s)->scan_period_ms, 1040);
	event.flags = HN_ACCOUNT_MIGRATED;
	account(&s, &event);
	assert_int_equal(task_p(&s)->scan_period_ms, 1040);
	assert_false(task_p(&s)->has_faults);
	core_fixture_fini(&s.base);
}

/* Slow memory on node 1: left out without a record, and with tiering on; counted otherwise. */
static bool is_counted(int32_t last_cpupid, enum hn_numa_mode mode, bool rule)
{
	struct hn_account_event event = make_event(1, 0);
	struct search_fixture s;
	bool result;

	search_fixture_init(&s, 2);
	s.base.policy.numa_mode = mode;
	s.base.policy.untracked_slow_skip = rule;
	s.base.nodes[1].is_top_tier = false;
	start(&s);
	event.last_cpupid = last_cpupid;
	event.flags = HN_ACCOUNT_NO_GROUP;
	account(&s, &event);
	result = task_p(&s)->locality[0] == 1;
	core_fixture_fini(&s.base);
	return result;
}

static void test_account__slow_memory(void **state)
{
	int32_t seen = hn_cpupid_make(0, 3);

	(void)state;
	assert_true(is_counted(seen, HN_NUMA_MODE_NORMAL, true));
	assert_false(is_counted(HN_CPUPID_NONE, HN_NUMA_MODE_NORMAL, true));
	assert_false(is_counted(seen, HN_NUMA_MODE_BOTH, true));
	assert_true(is_counted(HN_CPUPID_NONE, HN_NUMA_MODE_NORMAL, false));
	assert_false(is_counted(seen, HN_NUMA_MODE_OFF, true));
}

/* ---- V10: when placement runs ---- */

static void close_pass(struct search_fixture *s)
{
	s->base.core->mms[0].scan_seq++;
}

/* The retry time is 100 ticks: at tick 100 placement must wait, at 101 it runs (since v4.19). */
static bool is_placed_at(bool at_retry, int64_t tick)
{
	struct hn_account_event event = make_event(0, (tick - 1) * HN_TICK_NS);
	struct search_fixture s;
	bool result;

	search_fixture_init(&s, 2);
	s.base.policy.placement_at_retry = at_retry;
	start(&s);
	task_p(&s)->migrate_retry_ticks = 100;
	close_pass(&s);
	result = account(&s, &event).is_placed;
	core_fixture_fini(&s.base);
	return result;
}

static void test_placement_at_retry(void **state)
{
	(void)state;
	assert_false(is_placed_at(true, 100));
	assert_true(is_placed_at(true, 101));
	assert_true(is_placed_at(false, 100));
}

static void test_placement__once_per_pass(void **state)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	s.base.policy.placement_at_retry = false;
	start(&s);
	assert_false(account(&s, &event).is_placed);
	close_pass(&s);
	assert_true(account(&s, &event).is_placed);
	assert_false(account(&s, &event).is_placed);
	core_fixture_fini(&s.base);
}

/* The fault that closes the window is counted in the next one. */
static void test_placement__before_the_fault_is_added(void **state)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	close_pass(&s);
	assert_true(account(&s, &event).is_placed);
	assert_int_equal(hn_faults_task(s.base.core, P, HN_STAT_MEM, 0), 0);
	assert_int_equal(buffer(&s, HN_STAT_MEMBUF, 0, true), 1);
	assert_int_equal(search_fixture_count(&s, HN_WHY_PLACE_NO_FAULTS), 1);
	core_fixture_fini(&s.base);
}

/* ---- when a search is due ---- */

/* 80 of 100 faults on node 1, P runs on node 0: node 1 becomes preferred and is to be reached. */
static struct hn_account_result place_towards_1(struct search_fixture *s, hn_nid preferred)
{
	struct hn_account_event event = make_event(1, HN_NS_PER_S);

	start(s);
	task_p(s)->preferred_nid = preferred;
	hn_core_faults(s->base.core, P, HN_STAT_MEMBUF)[1] = 20;
	hn_core_faults(s->base.core, P, HN_STAT_MEMBUF)[3] = 80;
	task_p(s)->locality[0] = 80;
	task_p(s)->locality[1] = 20;
	close_pass(s);
	return account(s, &event);
}

static void test_search_due__new_preferred_node(void **state)
{
	struct search_fixture s;
	struct hn_account_result result;

	(void)state;
	search_fixture_init(&s, 2);
	result = place_towards_1(&s, HN_NID_NONE);
	assert_true(result.is_placed);
	assert_true(result.is_search_due);
	assert_int_equal(result.preferred_nid, 1);
	assert_int_equal(search_fixture_count(&s, HN_WHY_PLACE_NEW), 1);
	/* Private faults: 10 of 10 are, so the period grows by 3 slots to 1300 ms; 325 ticks /
	 * 16 = 20 after tick 251. */
	assert_int_equal(task_p(&s)->scan_period_ms, 1300);
	assert_int_equal(task_p(&s)->migrate_retry_ticks, 251 + 20);
	core_fixture_fini(&s.base);
}

static void test_search_due__not_on_the_preferred_node(void **state)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	task_p(&s)->preferred_nid = 0;
	assert_false(account(&s, &event).is_search_due);
	assert_int_equal(search_fixture_count(&s, HN_WHY_MOVE_ON_PREFERRED), 1);
	/* 250 / 16 = 15 ticks on. */
	assert_int_equal(task_p(&s)->migrate_retry_ticks, 251 + 15);
	core_fixture_fini(&s.base);
}

static void test_retry__a_second_in_v3_13(void **state)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_use_v3_13(&s);
	start(&s);
	task_p(&s)->preferred_nid = 0;
	account(&s, &event);
	assert_int_equal(task_p(&s)->migrate_retry_ticks, 251 + 250);
	core_fixture_fini(&s.base);
}

static void test_retry__at_most_a_second(void **state)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	task_p(&s)->preferred_nid = 0;
	task_p(&s)->scan_period_ms = 60000; /* 15000 / 16 = 937 */
	account(&s, &event);
	assert_int_equal(task_p(&s)->migrate_retry_ticks, 251 + 250);
	core_fixture_fini(&s.base);
}

/* Placement itself asks before the retry time, by version: node 1 is preferred already, or
 * newly. */
static bool is_due_from_placement(enum hn_placement_migrate rule, hn_nid preferred)
{
	struct hn_account_event event = make_event(1, HN_NS_PER_S);
	struct search_fixture s;
	bool result;

	search_fixture_init(&s, 2);
	s.base.policy.placement_at_retry = false;
	s.base.policy.placement_migrate = rule;
	start(&s);
	task_p(&s)->migrate_retry_ticks = 1000;
	task_p(&s)->preferred_nid = preferred;
	hn_core_faults(s.base.core, P, HN_STAT_MEMBUF)[3] = 80;
	close_pass(&s);
	result = account(&s, &event).is_search_due;
	core_fixture_fini(&s.base);
	return result;
}

static void test_placement_migrate(void **state)
{
	(void)state;
	assert_true(is_due_from_placement(HN_PLACEMENT_MIGRATE_ON_CHANGE, HN_NID_NONE));
	assert_false(is_due_from_placement(HN_PLACEMENT_MIGRATE_ON_CHANGE, 1));
	assert_true(is_due_from_placement(HN_PLACEMENT_MIGRATE_OFF_NODE, 1));
	assert_false(is_due_from_placement(HN_PLACEMENT_MIGRATE_NEVER, HN_NID_NONE));
}

/* ---- best node ---- */

/* Own window on node 0: 60, node 1: 40; the rest of the group has on_1 on node 1. */
static hn_nid best_in_group(enum hn_best_node rule, uint64_t on_1)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;
	hn_nid nid;

	search_fixture_init(&s, 2);
	s.base.policy.best_node = rule;
	start(&s);
	core_fixture_join_group(&s.base, P, 2);
	core_fixture_set_faults(&s.base, 1, HN_STAT_MEM, 1, on_1);
	hn_core_faults(s.base.core, P, HN_STAT_MEMBUF)[1] = 60;
	hn_core_faults(s.base.core, P, HN_STAT_MEMBUF)[3] = 40;
	task_p(&s)->locality[1] = 100;
	close_pass(&s);
	nid = account(&s, &event).preferred_nid;
	core_fixture_fini(&s.base);
	return nid;
}

/* With 25 more the group has 60 : 65 of 125: weights 480 : 520, sums 1080 : 920 -> node 0. With
 * 100 more 60 : 140, 300 : 700, sums 900 : 1100 -> node 1. */
static void test_best_node__task_group_sum(void **state)
{
	(void)state;
	assert_int_equal(best_in_group(HN_BEST_NODE_TASK_GROUP_SUM, 25), 0);
	assert_int_equal(best_in_group(HN_BEST_NODE_TASK_GROUP_SUM, 100), 1);
}

static void test_best_node__group(void **state)
{
	(void)state;
	assert_int_equal(best_in_group(HN_BEST_NODE_GROUP, 25), 1);
	assert_int_equal(best_in_group(HN_BEST_NODE_GROUP_TASK_MAX, 25), 1);
	/* 60 : 60, the lower node. */
	assert_int_equal(best_in_group(HN_BEST_NODE_GROUP, 20), 0);
}

/* A task without faults of its own in a group with faults: v3.19 sets nothing, v4.19 follows. */
static hn_nid best_of_idle_member(enum hn_best_node rule)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;
	hn_nid nid;

	search_fixture_init(&s, 2);
	s.base.policy.best_node = rule;
	start(&s);
	core_fixture_join_group(&s.base, P, 2);
	core_fixture_set_faults(&s.base, 1, HN_STAT_MEM, 1, 50);
	close_pass(&s);
	nid = account(&s, &event).preferred_nid;
	core_fixture_fini(&s.base);
	return nid;
}

static void test_best_node__whose_maximum(void **state)
{
	(void)state;
	assert_int_equal(best_of_idle_member(HN_BEST_NODE_GROUP_TASK_MAX), HN_NID_NONE);
	assert_int_equal(best_of_idle_member(HN_BEST_NODE_GROUP), 1);
}

/* Node 1 has memory only: on the ring its neighbours 0 and 2 are equally near, 0 is first. */
static void test_best_node__nearest_with_cpus(void **state)
{
	struct hn_account_event event = make_event(1, HN_NS_PER_S);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	start(&s);
	s.base.nodes[1].nr_cpus = 0;
	hn_core_faults(s.base.core, P, HN_STAT_MEMBUF)[3] = 80;
	close_pass(&s);
	assert_int_equal(account(&s, &event).preferred_nid, 0);
	core_fixture_fini(&s.base);
}

/* ---- scan period ---- */

struct period_case {
	uint32_t period_ms;
	uint64_t remote, local, failed;
	uint64_t nr_shared, nr_private;
};

static uint32_t adapt(const struct hn_policy *changes, const struct period_case *c,
		      uint64_t *ret_local_after)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;
	uint32_t period_ms;

	search_fixture_init(&s, 2);
	s.base.policy.period_rule = changes->period_rule;
	s.base.policy.period_threshold = changes->period_threshold;
	s.base.policy.private_ratio_plus_one = changes->private_ratio_plus_one;
	s.base.policy.clear_locality_on_stall = changes->clear_locality_on_stall;
	s.base.policy.scan_period_ms_min = 100;
	start(&s);
	task_p(&s)->scan_period_ms = c->period_ms;
	task_p(&s)->locality[0] = c->remote;
	task_p(&s)->locality[1] = c->local;
	task_p(&s)->locality[2] = c->failed;
	hn_core_faults(s.base.core, P, HN_STAT_MEMBUF)[0] = c->nr_shared;
	hn_core_faults(s.base.core, P, HN_STAT_MEMBUF)[1] = c->nr_private;
	close_pass(&s);
	hn_core_account_begin(s.base.core, &event);
	period_ms = task_p(&s)->scan_period_ms;
	*ret_local_after = task_p(&s)->locality[1];
	core_fixture_fini(&s.base);
	return period_ms;
}

static uint32_t adapt_v4_15(uint64_t local_of_10, uint64_t private_of_10)
{
	static const struct hn_policy v4_15 = { .period_rule = HN_PERIOD_RULE_LOCAL_OR_PRIVATE,
						.period_threshold = 7 };
	const struct period_case c = { 1000, 10 - local_of_10, local_of_10, 0,
				       10 - private_of_10, private_of_10 };
	uint64_t local_after;
	uint32_t period_ms = adapt(&v4_15, &c, &local_after);

	assert_int_equal(local_after, 0);
	return period_ms;
}

static void test_period__local_or_private(void **state)
{
	(void)state;
	assert_int_equal(adapt_v4_15(10, 3), 1300); /* +(10 - 7) slots */
	assert_int_equal(adapt_v4_15(2, 3), 600);   /* -(7 - 3) */
	assert_int_equal(adapt_v4_15(7, 3), 1100);  /* at the threshold: one slot */
	assert_int_equal(adapt_v4_15(6, 3), 900);   /* just below: -1 */
	assert_int_equal(adapt_v4_15(0, 9), 1200);  /* private though remote: +(9 - 7) */
	assert_int_equal(adapt_v4_15(10, 7), 1100); /* private comes first */
}

static uint32_t adapt_local(uint32_t threshold, bool plus_one, uint64_t local_of_10,
			    uint64_t private_of_10)
{
	const struct hn_policy policy = { .period_rule = HN_PERIOD_RULE_LOCAL,
					  .period_threshold = threshold,
					  .private_ratio_plus_one = plus_one };
	const struct period_case c = { 1000, 10 - local_of_10, local_of_10, 0,
				       10 - private_of_10, private_of_10 };
	uint64_t local_after;

	return adapt(&policy, &c, &local_after);
}

/* Threshold 7, 2 of 10 local: -5 slots = -500 ms, times the tenths of private faults: of 5 in 10
 * ceil(50 / 11) = 5, so -250. Threshold 3 without the one more: 2 local is -100 in full. */
static void test_period__local_by_private_share(void **state)
{
	(void)state;
	assert_int_equal(adapt_local(7, true, 2, 5), 750);
	assert_int_equal(adapt_local(7, true, 2, 0), 1000);
	assert_int_equal(adapt_local(7, true, 8, 5), 1100);
	assert_int_equal(adapt_local(3, false, 3, 10), 1100);
	assert_int_equal(adapt_local(3, false, 2, 10), 900);
	assert_int_equal(adapt_local(3, false, 7, 0), 1400);
}

/* 1 of 3 faults local: ratio 3, -(7 - 3) slots = -400 ms. 2 of 2 in this window are private:
 * ceil(20 / 2) = 10 tenths of that; with one more in the divisor ceil(20 / 3) = 7 tenths, -280.
 */
static void test_period__one_more_in_the_divisor(void **state)
{
	struct hn_policy policy = { .period_rule = HN_PERIOD_RULE_LOCAL, .period_threshold = 7 };
	const struct period_case c = { 1000, 2, 1, 0, 0, 2 };
	uint64_t local_after;

	(void)state;
	assert_int_equal(adapt(&policy, &c, &local_after), 600);
	policy.private_ratio_plus_one = true;
	assert_int_equal(adapt(&policy, &c, &local_after), 720);
}

/* V19: nothing learnt, or pages that failed to move. */
static void test_period__stall(void **state)
{
	struct hn_policy policy = { .period_rule = HN_PERIOD_RULE_LOCAL_OR_PRIVATE,
				    .period_threshold = 7 };
	const struct period_case failed = { 1000, 0, 10, 1, 0, 10 };
	const struct period_case nothing = { 40000, 5, 0, 0, 0, 5 };
	uint64_t local_after;

	(void)state;
	assert_int_equal(adapt(&policy, &failed, &local_after), 2000);
	assert_int_equal(local_after, 10);
	policy.clear_locality_on_stall = true;
	assert_int_equal(adapt(&policy, &failed, &local_after), 2000);
	assert_int_equal(local_after, 0);
	assert_int_equal(adapt(&policy, &nothing, &local_after), 60000);
}

/* 120 - 7 * 12 = 36, at least 100. */
static void test_period__within_limits(void **state)
{
	static const struct hn_policy v4_15 = { .period_rule = HN_PERIOD_RULE_LOCAL_OR_PRIVATE,
						.period_threshold = 7 };
	const struct period_case faster = { 120, 10, 0, 0, 10, 0 };
	const struct period_case slower = { 59000, 0, 10, 0, 0, 10 };
	uint64_t local_after;

	(void)state;
	assert_int_equal(adapt(&v4_15, &faster, &local_after), 100);
	assert_int_equal(adapt(&v4_15, &slower, &local_after), 60000);
}

/* 3 ms: slot 1, 3 - 7 wraps below zero and becomes the longest period. */
static void test_period__wraps_below_zero(void **state)
{
	static const struct hn_policy v4_15 = { .period_rule = HN_PERIOD_RULE_LOCAL_OR_PRIVATE,
						.period_threshold = 7 };
	const struct period_case c = { 3, 10, 0, 0, 10, 0 };
	uint64_t local_after;

	(void)state;
	assert_int_equal(adapt(&v4_15, &c, &local_after), 60000);
}

/* Next scan is put off by the stretched period: tick 251 + 2000 ms. */
static void test_period__stall_delays_the_scan(void **state)
{
	struct hn_account_event event = make_event(0, HN_NS_PER_S);
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	start(&s);
	close_pass(&s);
	account(&s, &event);
	assert_int_equal(s.base.core->mms[0].next_scan_ticks, 251 + 500);
	core_fixture_fini(&s.base);
}

/* ---- V12: moves between nodes ---- */

static uint32_t period_after_move(hn_nid preferred, int32_t scan_seq, hn_cpu src, hn_cpu dst)
{
	struct search_fixture s;
	uint32_t period_ms;

	search_fixture_init(&s, 4);
	start(&s);
	task_p(&s)->preferred_nid = preferred;
	task_p(&s)->scan_seq = scan_seq;
	task_p(&s)->scan_period_ms = 7000;
	hn_core_note_move(s.base.core, P, src, dst);
	period_ms = task_p(&s)->scan_period_ms;
	core_fixture_fini(&s.base);
	return period_ms;
}

/* CPUs 0, 2, 4 are on nodes 0, 1, 2; the period starts anew at 1000 ms. */
static void test_note_move__resets_the_period(void **state)
{
	(void)state;
	assert_int_equal(period_after_move(0, 3, 0, 2), 1000);  /* leaves the preferred node */
	assert_int_equal(period_after_move(HN_NID_NONE, 3, 0, 2), 1000);
	assert_int_equal(period_after_move(1, 0, 0, 2), 1000);  /* before the first pass */
}

static void test_note_move__keeps_the_period(void **state)
{
	(void)state;
	assert_int_equal(period_after_move(1, 3, 0, 2), 7000);  /* arrives */
	assert_int_equal(period_after_move(2, 3, 0, 2), 7000);  /* was away anyway */
	assert_int_equal(period_after_move(0, 3, 0, 1), 7000);  /* same node */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_account__first_touch_is_private),
		cmocka_unit_test(test_account__own_pid_is_private_other_is_shared),
		cmocka_unit_test(test_account__no_group_for_read_only_pages),
		cmocka_unit_test(test_account__no_cpu_statistics_in_v3_13),
		cmocka_unit_test(test_account__migrated_and_failed_pages),
		cmocka_unit_test(test_active_group_local__both_nodes_active),
		cmocka_unit_test(test_account__v3_8_only_stretches_the_period),
		cmocka_unit_test(test_account__slow_memory),
		cmocka_unit_test(test_placement_at_retry),
		cmocka_unit_test(test_placement__once_per_pass),
		cmocka_unit_test(test_placement__before_the_fault_is_added),
		cmocka_unit_test(test_search_due__new_preferred_node),
		cmocka_unit_test(test_search_due__not_on_the_preferred_node),
		cmocka_unit_test(test_retry__a_second_in_v3_13),
		cmocka_unit_test(test_retry__at_most_a_second),
		cmocka_unit_test(test_placement_migrate),
		cmocka_unit_test(test_best_node__task_group_sum),
		cmocka_unit_test(test_best_node__group),
		cmocka_unit_test(test_best_node__whose_maximum),
		cmocka_unit_test(test_best_node__nearest_with_cpus),
		cmocka_unit_test(test_period__local_or_private),
		cmocka_unit_test(test_period__local_by_private_share),
		cmocka_unit_test(test_period__one_more_in_the_divisor),
		cmocka_unit_test(test_period__stall),
		cmocka_unit_test(test_period__within_limits),
		cmocka_unit_test(test_period__wraps_below_zero),
		cmocka_unit_test(test_period__stall_delays_the_scan),
		cmocka_unit_test(test_note_move__resets_the_period),
		cmocka_unit_test(test_note_move__keeps_the_period),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
