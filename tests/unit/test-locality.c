/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the load balancer hears about taking task 0 from one node to another. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search-fixture.h"

/* Task 0 in question; the defaults are a busy destination and no crowd on the source. */
struct question {
	hn_nid preferred;
	hn_nid src, dst;
	uint64_t on_0, on_1;      /* own faults */
	bool has_group;
	uint64_t rest_0, rest_1;  /* faults of task 1, the other member */
	uint64_t active_mask;
	enum hn_cpu_idle_kind idle;
	uint32_t nr_strangers;    /* tasks on the source queue that prefer other nodes */
};

static enum hn_locality_answer ask(enum hn_degrades_rule rule, const struct question *q)
{
	const struct hn_locality_query query = {
		.task = 0,
		.src_nid = q->src,
		.dst_nid = q->dst,
		.idle = q->idle,
		.src_nr_running = 2 + q->nr_strangers,
		.src_nr_preferred = 2,
	};
	struct search_fixture s;
	enum hn_locality_answer answer;

	search_fixture_init(&s, 2);
	s.base.policy.degrades = rule;
	s.base.policy.active_nodes = HN_ACTIVE_NODES_MASK;
	search_fixture_start(&s);
	hn_core_get_task(s.base.core, 0)->preferred_nid = q->preferred;
	if (q->has_group) {
		core_fixture_join_group(&s.base, 0, 2);
		s.base.core->groups[0].active_mask[0] = q->active_mask;
		search_fixture_fault(&s, 1, q->rest_0, q->rest_1);
	}
	search_fixture_fault(&s, 0, q->on_0, q->on_1);
	answer = hn_core_locality(s.base.core, &query);
	core_fixture_fini(&s.base);
	return answer;
}

/* ---- no opinion ---- */

static void test_neutral__rule_same_node_and_no_statistics(void **state)
{
	const struct question to_better = { .preferred = 1, .dst = 1, .on_1 = 100 };
	const struct question same = { .preferred = 1, .src = 1, .dst = 1, .on_1 = 100 };
	const struct hn_locality_query query = { .task = 2, .src_nid = 0, .dst_nid = 1 };
	struct search_fixture s;

	(void)state;
	assert_int_equal(ask(HN_DEGRADES_RULE_NEUTRAL, &to_better), HN_LOCALITY_NEUTRAL);
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_19, &same), HN_LOCALITY_NEUTRAL);
	search_fixture_init(&s, 2);
	s.base.policy.degrades = HN_DEGRADES_RULE_V7_2;
	search_fixture_start(&s);
	hn_core_get_task(s.base.core, 2)->preferred_nid = 1;
	assert_int_equal(hn_core_locality(s.base.core, &query), HN_LOCALITY_NEUTRAL);
	core_fixture_fini(&s.base);
}

/* ---- v3.13, v3.16 ---- */

static void test_v3_13__favours_only(void **state)
{
	const struct question home = { .preferred = 1, .dst = 1, .on_0 = 100 };
	const struct question away = { .preferred = 0, .dst = 1, .on_0 = 100 };
	const struct question both = { .preferred = HN_NID_NONE, .dst = 1, .on_0 = 40, .on_1 = 60,
				       .has_group = true, .rest_1 = 10 };
	const struct question one = { .preferred = HN_NID_NONE, .dst = 1, .on_0 = 40, .on_1 = 60,
				      .has_group = true, .rest_0 = 20 };

	(void)state;
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_13, &home), HN_LOCALITY_IMPROVES);
	/* A loss is not resisted. */
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_13, &away), HN_LOCALITY_NEUTRAL);
	/* The group's 40 : 70 agrees; 60 : 60 does not. */
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_13, &both), HN_LOCALITY_IMPROVES);
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_13, &one), HN_LOCALITY_NEUTRAL);
}

static void test_v3_16__active_nodes_of_the_group(void **state)
{
	struct question q = { .preferred = 1, .dst = 1, .on_1 = 100, .has_group = true };

	(void)state;
	q.active_mask = 1; /* leaves an active node */
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_16, &q), HN_LOCALITY_NEUTRAL);
	q.active_mask = 2;
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_16, &q), HN_LOCALITY_IMPROVES);
	q.active_mask = 0; /* by faults, 0 : 100 and 100 : 100 */
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_16, &q), HN_LOCALITY_IMPROVES);
	q.rest_0 = 100;
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_16, &q), HN_LOCALITY_NEUTRAL);
}

static void test_v3_16__without_a_group(void **state)
{
	const struct question home = { .preferred = 1, .dst = 1, .on_0 = 100 };
	const struct question more = { .preferred = 0, .dst = 1, .on_0 = 49, .on_1 = 50 };
	const struct question equal = { .preferred = 0, .dst = 1, .on_0 = 50, .on_1 = 50 };

	(void)state;
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_16, &home), HN_LOCALITY_IMPROVES);
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_16, &more), HN_LOCALITY_IMPROVES);
	assert_int_equal(ask(HN_DEGRADES_RULE_V3_16, &equal), HN_LOCALITY_NEUTRAL);
}

/* ---- v4.9 on ---- */

static void test_v4_9__preferred_node_holds_unless_all_prefer_it(void **state)
{
	struct question q = { .preferred = 0, .dst = 1, .on_1 = 100 };

	(void)state;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_9, &q), HN_LOCALITY_NEUTRAL);
	q.nr_strangers = 1;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_9, &q), HN_LOCALITY_DEGRADES);
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_19, &q), HN_LOCALITY_DEGRADES);
	assert_int_equal(ask(HN_DEGRADES_RULE_V7_2, &q), HN_LOCALITY_DEGRADES);
}

static void test_v4_9__by_faults(void **state)
{
	struct question q = { .preferred = HN_NID_NONE, .dst = 1, .on_0 = 51, .on_1 = 50 };

	(void)state;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_9, &q), HN_LOCALITY_DEGRADES);
	q.on_0 = 50;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_9, &q), HN_LOCALITY_ALLOWS);
	/* In a group its faults count: 50 : 150. */
	q.on_0 = 50;
	q.on_1 = 0;
	q.has_group = true;
	q.rest_1 = 150;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_9, &q), HN_LOCALITY_ALLOWS);
	q.preferred = 1;
	q.rest_1 = 0;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_9, &q), HN_LOCALITY_ALLOWS);
}

/* A loss, to a destination that is busy, about to idle, or idle. */
static void test_idle_destination__by_version(void **state)
{
	struct question q = { .preferred = HN_NID_NONE, .dst = 1, .on_0 = 100 };

	(void)state;
	q.idle = HN_CPU_IDLE;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_9, &q), HN_LOCALITY_DEGRADES);
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_15, &q), HN_LOCALITY_NEUTRAL);
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_19, &q), HN_LOCALITY_NEUTRAL);
	assert_int_equal(ask(HN_DEGRADES_RULE_V7_2, &q), HN_LOCALITY_NEUTRAL);
	q.idle = HN_CPU_NEWLY_IDLE;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_15, &q), HN_LOCALITY_NEUTRAL);
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_19, &q), HN_LOCALITY_DEGRADES);
	assert_int_equal(ask(HN_DEGRADES_RULE_V7_2, &q), HN_LOCALITY_DEGRADES);
	q.idle = HN_CPU_NOT_IDLE;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_15, &q), HN_LOCALITY_DEGRADES);
}

/* 2 : 1 of 1000003 faults, the rest on a third node: both are 0 permille. */
static void test_v4_19__weights_truncate(void **state)
{
	const struct hn_locality_query query = { .task = 0, .dst_nid = 1 };
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	s.base.policy.weight_near = false;
	s.base.policy.degrades = HN_DEGRADES_RULE_V4_9;
	search_fixture_start(&s);
	hn_core_get_task(s.base.core, 0)->preferred_nid = 2;
	search_fixture_fault(&s, 0, 2, 1);
	core_fixture_set_faults(&s.base, 0, HN_STAT_MEM, 2, 1000000);
	assert_int_equal(hn_core_locality(s.base.core, &query), HN_LOCALITY_DEGRADES);
	s.base.policy.degrades = HN_DEGRADES_RULE_V4_19;
	assert_int_equal(hn_core_locality(s.base.core, &query), HN_LOCALITY_ALLOWS);
	core_fixture_fini(&s.base);
}

/* 1000 * 10002 / 20003 = 500, 1000 * 10001 / 20003 = 499. */
static void test_v4_19__one_permille_is_a_loss(void **state)
{
	struct question q = { .preferred = HN_NID_NONE, .dst = 1, .on_0 = 10002, .on_1 = 10001 };

	(void)state;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_19, &q), HN_LOCALITY_DEGRADES);
	q.on_1 = 10002;
	assert_int_equal(ask(HN_DEGRADES_RULE_V4_19, &q), HN_LOCALITY_ALLOWS);
}

static void test_v7_2__signed_difference(void **state)
{
	struct question q = { .preferred = HN_NID_NONE, .dst = 1, .on_0 = 40, .on_1 = 60 };

	(void)state;
	assert_int_equal(ask(HN_DEGRADES_RULE_V7_2, &q), HN_LOCALITY_IMPROVES);
	q.on_0 = 60;
	assert_int_equal(ask(HN_DEGRADES_RULE_V7_2, &q), HN_LOCALITY_NEUTRAL);
	q.on_0 = 61;
	assert_int_equal(ask(HN_DEGRADES_RULE_V7_2, &q), HN_LOCALITY_DEGRADES);
	q.preferred = 1;
	assert_int_equal(ask(HN_DEGRADES_RULE_V7_2, &q), HN_LOCALITY_IMPROVES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_neutral__rule_same_node_and_no_statistics),
		cmocka_unit_test(test_v3_13__favours_only),
		cmocka_unit_test(test_v3_16__active_nodes_of_the_group),
		cmocka_unit_test(test_v3_16__without_a_group),
		cmocka_unit_test(test_v4_9__preferred_node_holds_unless_all_prefer_it),
		cmocka_unit_test(test_v4_9__by_faults),
		cmocka_unit_test(test_idle_destination__by_version),
		cmocka_unit_test(test_v4_19__weights_truncate),
		cmocka_unit_test(test_v4_19__one_permille_is_a_loss),
		cmocka_unit_test(test_v7_2__signed_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
