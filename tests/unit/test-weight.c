/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topology types, weights with near nodes, and the node that suits a group. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search-fixture.h"

/* Two boxes of two nodes: 15 inside, 22 across. */
static void make_backplane(struct search_fixture *s)
{
	for (uint32_t a = 0; a < 4; a++) {
		for (uint32_t b = 0; b < 4; b++)
			s->base.distance[a * 4 + b] = a == b ? 10 : a / 2 == b / 2 ? 15 : 22;
	}
}

static void set_all_remote(struct search_fixture *s, uint16_t distance)
{
	for (uint32_t i = 0; i < 16; i++)
		s->base.distance[i] = i % 5 ? distance : 10;
}

static void fault(struct search_fixture *s, uint64_t n0, uint64_t n1, uint64_t n2, uint64_t n3)
{
	const uint64_t on[4] = { n0, n1, n2, n3 };

	for (hn_nid nid = 0; nid < 4; nid++)
		core_fixture_set_faults(&s->base, 0, HN_STAT_MEM, nid, on[nid]);
}

/* ---- type ---- */

static void test_topology__two_nodes_are_direct(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	assert_int_equal(s.base.core->topology, HN_TOPOLOGY_DIRECT);
	assert_int_equal(s.base.core->max_distance, 20);
	core_fixture_fini(&s.base);
}

static void test_topology__broken_direct_of_v3_19(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	s.base.policy.topology_rule = HN_TOPOLOGY_RULE_BROKEN_DIRECT;
	search_fixture_start(&s);
	assert_int_equal(s.base.core->topology, HN_TOPOLOGY_BACKPLANE);
	/* Without effect: the other node is at the largest distance. */
	search_fixture_fault(&s, 0, 200, 800);
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 20), 200);
	core_fixture_fini(&s.base);
}

static void test_topology__equal_distances_are_direct(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	set_all_remote(&s, 21);
	search_fixture_start(&s);
	assert_int_equal(s.base.core->topology, HN_TOPOLOGY_DIRECT);
	core_fixture_fini(&s.base);
}

/* Nodes 0 and 2 are 30 apart, node 1 lies between. */
static void test_topology__ring_is_mesh(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	search_fixture_start(&s);
	assert_int_equal(s.base.core->topology, HN_TOPOLOGY_MESH);
	assert_int_equal(s.base.core->max_distance, 30);
	core_fixture_fini(&s.base);
}

static void test_topology__boxes_are_backplane(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	make_backplane(&s);
	search_fixture_start(&s);
	assert_int_equal(s.base.core->topology, HN_TOPOLOGY_BACKPLANE);
	core_fixture_fini(&s.base);
}

static void test_topology__rule_none(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	s.base.policy.topology_rule = HN_TOPOLOGY_RULE_NONE;
	search_fixture_start(&s);
	assert_int_equal(s.base.core->topology, HN_TOPOLOGY_DIRECT);
	core_fixture_fini(&s.base);
}

/* Node 3 has memory only: since v5.19 the three others decide. Theirs are all 20 apart, its
 * distance 40 is none of their business; before, 0 and 3 are the farthest, with nothing
 * between. */
static void test_topology__memory_only_node(void **state)
{
	struct search_fixture s;

	(void)state;
	for (int cpu_only = 0; cpu_only < 2; cpu_only++) {
		search_fixture_init(&s, 4);
		set_all_remote(&s, 20);
		for (uint32_t n = 0; n < 3; n++)
			s.base.distance[n * 4 + 3] = s.base.distance[12 + n] = 40;
		s.base.policy.active_nodes_cpu_only = cpu_only;
		search_fixture_start(&s);
		s.base.nodes[3].nr_cpus = 0;
		hn_weight_init_topology(s.base.core);
		assert_int_equal(s.base.core->topology,
				 cpu_only ? HN_TOPOLOGY_DIRECT : HN_TOPOLOGY_BACKPLANE);
		assert_int_equal(s.base.core->max_distance, cpu_only ? 20 : 40);
		core_fixture_fini(&s.base);
	}
}

/* ---- weights ---- */

static void test_weight__zero_without_statistics(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	search_fixture_start(&s);
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 30), 0);
	assert_int_equal(hn_weight_group(s.base.core, 0, 0, 30), 0);
	hn_faults_start(s.base.core, 0);
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 30), 0);
	core_fixture_fini(&s.base);
}

/* 1000 * 1 / 3 = 333. */
static void test_weight__truncates(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	search_fixture_fault(&s, 0, 1, 2);
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 20), 333);
	assert_int_equal(hn_weight_task(s.base.core, 0, 1, 20), 666);
	core_fixture_fini(&s.base);
}

/* Ring 20 / 30, D = 30: a neighbour counts (30 - 20) / (30 - 10) = one half, the opposite
 * nothing. Faults 100 51 0 49 of 200: node 0: 100 + 51 * 10 / 20 + 49 * 10 / 20 = 100 + 25 + 24
 * = 149, 1000 * 149 / 200 = 745. Node 2: 0 + 25 + 24 = 49, 245. */
static void test_weight__mesh_scales_by_distance(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	search_fixture_start(&s);
	fault(&s, 100, 51, 0, 49);
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 30), 745);
	assert_int_equal(hn_weight_task(s.base.core, 0, 2, 30), 245);
	s.base.policy.weight_near = false;
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 30), 500);
	core_fixture_fini(&s.base);
}

/* Faults 100 300 600 0: across the boxes (22) node 0 has 400; inside (15) 100. With the limit
 * included, as up to v4.18, node 1 at 15 is near even when nodes 15 apart are compared. */
static void test_weight__backplane_counts_the_box(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	make_backplane(&s);
	search_fixture_start(&s);
	fault(&s, 100, 300, 600, 0);
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 22), 400);
	assert_int_equal(hn_weight_task(s.base.core, 0, 3, 22), 600);
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 15), 100);
	s.base.policy.weight_near_at_limit = true;
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 15), 400);
	/* The largest distance never counts. */
	assert_int_equal(hn_weight_task(s.base.core, 0, 0, 22), 400);
	core_fixture_fini(&s.base);
}

static void test_weight__group_sums_members(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, 0, 2);
	search_fixture_fault(&s, 0, 490, 510);
	search_fixture_fault(&s, 1, 700, 300);
	/* 1190 and 810 of 2000 */
	assert_int_equal(hn_weight_group(s.base.core, 1, 0, 20), 595);
	assert_int_equal(hn_weight_group(s.base.core, 1, 1, 20), 405);
	core_fixture_fini(&s.base);
}

/* ---- the group's node ---- */

static void test_pick_group_nid__direct_keeps(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 2);
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, 0, 1);
	search_fixture_fault(&s, 0, 1, 99);
	assert_int_equal(hn_weight_pick_group_nid(s.base.core, 0, 0), 0);
	core_fixture_fini(&s.base);
}

/* 100 0 90 90 of 280: node 0: 100 + 0 + 45 = 145; 2: 90 + 0 + 45 = 135; 3: 90 + 50 + 45 = 185. */
static void test_pick_group_nid__mesh_by_surroundings(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, 0, 1);
	fault(&s, 100, 0, 90, 90);
	assert_int_equal(hn_weight_pick_group_nid(s.base.core, 0, 0), 3);
	core_fixture_fini(&s.base);
}

/* Most faults on node 0 (100), but the other box has 60 + 70: it wins, and inside it node 3. */
static void test_pick_group_nid__backplane_by_box(void **state)
{
	struct search_fixture s;

	(void)state;
	search_fixture_init(&s, 4);
	make_backplane(&s);
	search_fixture_start(&s);
	core_fixture_join_group(&s.base, 0, 1);
	fault(&s, 100, 0, 60, 70);
	assert_int_equal(hn_weight_pick_group_nid(s.base.core, 0, 0), 3);
	/* Equal boxes: the first. */
	fault(&s, 100, 30, 60, 70);
	assert_int_equal(hn_weight_pick_group_nid(s.base.core, 0, 2), 0);
	/* No faults at all: the start. */
	fault(&s, 0, 0, 0, 0);
	assert_int_equal(hn_weight_pick_group_nid(s.base.core, 0, 2), 2);
	core_fixture_fini(&s.base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_topology__two_nodes_are_direct),
		cmocka_unit_test(test_topology__broken_direct_of_v3_19),
		cmocka_unit_test(test_topology__equal_distances_are_direct),
		cmocka_unit_test(test_topology__ring_is_mesh),
		cmocka_unit_test(test_topology__boxes_are_backplane),
		cmocka_unit_test(test_topology__rule_none),
		cmocka_unit_test(test_topology__memory_only_node),
		cmocka_unit_test(test_weight__zero_without_statistics),
		cmocka_unit_test(test_weight__truncates),
		cmocka_unit_test(test_weight__mesh_scales_by_distance),
		cmocka_unit_test(test_weight__backplane_counts_the_box),
		cmocka_unit_test(test_weight__group_sums_members),
		cmocka_unit_test(test_pick_group_nid__direct_keeps),
		cmocka_unit_test(test_pick_group_nid__mesh_by_surroundings),
		cmocka_unit_test(test_pick_group_nid__backplane_by_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
