/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: levels, groups and allowed imbalances of small machines, as drawn in domain.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine-fixture.h"
#include "sched/domain.h"

struct fixture {
	struct hn_arena arena;
	struct hn_policy policy;
	struct hn_machine *machine;
	struct hn_domains domains;
};

static void build(struct fixture *f, struct machine_shape shape, struct hn_policy policy)
{
	*f = (struct fixture){ .policy = policy };
	hn_arena_init(&f->arena);
	f->machine = machine_fixture_create(&f->arena, &shape);
	hn_domains_init(&f->domains, &f->arena, f->machine, &f->policy);
}

static void check_set(const struct hn_cpu_set *set, const hn_cpu *cpus, uint32_t nr)
{
	assert_int_equal(set->nr, nr);
	for (uint32_t i = 0; i < nr; i++)
		assert_int_equal(set->cpus[i], cpus[i]);
}

#define CHECK_SET(set, ...) \
	check_set(&(set), (const hn_cpu[]){ __VA_ARGS__ }, \
		  HN_ARRAY_LEN(((const hn_cpu[]){ __VA_ARGS__ })))

static const struct machine_shape two_sockets = { .nr_nodes = 2, .llcs_per_node = 1,
						  .cores_per_llc = 2, .smt = 2 };

static void test_levels__smt_llc_numa(void **state HN_UNUSED)
{
	struct fixture f;
	struct hn_domain *domain;

	build(&f, two_sockets, policy_fixture_v6_1());
	assert_int_equal(f.domains.nr_levels[5], 3);
	domain = hn_domain_of(&f.domains, 5, 0);
	CHECK_SET(domain->span, 4, 5);
	CHECK_SET(domain->groups[0].span, 4);
	CHECK_SET(domain->groups[1].span, 5);
	assert_int_equal(domain->imbalance_pct, 110);
	assert_int_equal(domain->cache_nice_tries, 0);
	domain = hn_domain_of(&f.domains, 5, 1);
	CHECK_SET(domain->span, 4, 5, 6, 7);
	CHECK_SET(domain->groups[0].span, 4, 5);
	CHECK_SET(domain->groups[1].span, 6, 7);
	assert_int_equal(domain->imbalance_pct, 117);
	assert_true(domain->flags & HN_DOMAIN_SHARE_LLC);
	assert_false(domain->flags & HN_DOMAIN_SHARE_CAPACITY);
	domain = hn_domain_of(&f.domains, 5, 2);
	assert_int_equal(domain->span.nr, 8);
	CHECK_SET(domain->groups[0].span, 4, 5, 6, 7); /* the ring starts at the own node */
	CHECK_SET(domain->groups[1].span, 0, 1, 2, 3);
	assert_int_equal(domain->cache_nice_tries, 2);
	assert_false(domain->flags & HN_DOMAIN_PREFER_SIBLING);
	hn_arena_fini(&f.arena);
}

static void test_levels__numa_and_llc_of_each_cpu(void **state HN_UNUSED)
{
	struct fixture f;

	build(&f, two_sockets, policy_fixture_v6_1());
	assert_int_equal(f.domains.llc_level[0], 1);
	assert_int_equal(f.domains.numa_level[0], 2);
	assert_int_equal(f.domains.nr_llcs, 2);
	assert_true(hn_domain_share_llc(&f.domains, 0, 3));
	assert_false(hn_domain_share_llc(&f.domains, 3, 4));
	hn_arena_fini(&f.arena);
}

static void test_levels__node_of_several_caches_stays(void **state HN_UNUSED)
{
	struct machine_shape shape = { .nr_nodes = 1, .llcs_per_node = 2, .cores_per_llc = 2,
				       .smt = 1 };
	struct fixture f;

	build(&f, shape, policy_fixture_v6_1());
	assert_int_equal(f.domains.nr_levels[0], 2);
	assert_int_equal(hn_domain_of(&f.domains, 0, 0)->level, HN_LEVEL_LLC);
	assert_int_equal(hn_domain_of(&f.domains, 0, 1)->level, HN_LEVEL_NODE);
	assert_int_equal(f.domains.numa_level[0], -1);
	hn_arena_fini(&f.arena);
}

static void test_levels__single_cpu_has_none(void **state HN_UNUSED)
{
	struct machine_shape shape = { .nr_nodes = 1, .llcs_per_node = 1, .cores_per_llc = 1,
				       .smt = 1 };
	struct fixture f;

	build(&f, shape, policy_fixture_v6_1());
	assert_int_equal(f.domains.nr_levels[0], 0);
	assert_int_equal(f.domains.llc_level[0], -1);
	hn_arena_fini(&f.arena);
}

static void test_numa_pct__is_the_policy_s(void **state HN_UNUSED)
{
	struct fixture f;

	build(&f, two_sockets, policy_fixture_v4_18());
	assert_int_equal(hn_domain_of(&f.domains, 0, 2)->imbalance_pct, 125);
	hn_arena_fini(&f.arena);
}

/* Distances 20 to neighbours, 30 across: nodes 0 - 1 - 2 - 3 - 0. */
static const uint16_t ring[] = {
	10, 20, 30, 20,
	20, 10, 20, 30,
	30, 20, 10, 20,
	20, 30, 20, 10,
};

static const struct machine_shape ring_of_four = { .nr_nodes = 4, .llcs_per_node = 1,
						   .cores_per_llc = 2, .smt = 1,
						   .distances = ring };

static void test_numa__groups_overlap_on_a_ring(void **state HN_UNUSED)
{
	struct fixture f;
	struct hn_domain *domain;

	build(&f, ring_of_four, policy_fixture_v6_1());
	assert_int_equal(f.domains.nr_levels[0], 3);
	domain = hn_domain_of(&f.domains, 0, 1);
	CHECK_SET(domain->span, 0, 1, 2, 3, 6, 7);
	assert_int_equal(domain->nr_groups, 3);
	CHECK_SET(domain->groups[0].span, 0, 1);
	CHECK_SET(domain->groups[1].span, 2, 3);
	CHECK_SET(domain->groups[2].span, 6, 7);
	domain = hn_domain_of(&f.domains, 0, 2);
	assert_int_equal(domain->span.nr, 8);
	assert_int_equal(domain->nr_groups, 2);
	CHECK_SET(domain->groups[0].span, 0, 1, 2, 3, 6, 7);
	CHECK_SET(domain->groups[0].balance, 0, 1); /* nodes 1 and 3 have other neighbours */
	CHECK_SET(domain->groups[1].span, 2, 3, 4, 5, 6, 7);
	CHECK_SET(domain->groups[1].balance, 4, 5);
	hn_arena_fini(&f.arena);
}

static void check_fork_flag(struct hn_policy policy, uint16_t distance, bool is_set)
{
	struct machine_shape shape = two_sockets;
	struct fixture f;

	shape.distance = distance;
	build(&f, shape, policy);
	assert_int_equal(!!(hn_domain_of(&f.domains, 0, 2)->flags & HN_DOMAIN_FORK), is_set);
	assert_int_equal(!!(hn_domain_of(&f.domains, 0, 2)->flags & HN_DOMAIN_WAKE_AFFINE),
			 is_set);
	hn_arena_fini(&f.arena);
}

static void test_numa__far_nodes_take_no_forks(void **state HN_UNUSED)
{
	check_fork_flag(policy_fixture_v4_18(), 30, true);
	check_fork_flag(policy_fixture_v4_18(), 31, false);
	check_fork_flag(policy_fixture_v6_1(), 32, true);
	check_fork_flag(policy_fixture_v6_1(), 33, false);
}

static uint32_t numa_nr(struct machine_shape shape, struct hn_policy policy)
{
	struct fixture f;
	uint32_t nr;

	build(&f, shape, policy);
	nr = hn_domain_of(&f.domains, 0, (uint32_t)f.domains.numa_level[0])->imb_numa_nr;
	hn_arena_fini(&f.arena);
	return nr;
}

static void test_imb_numa_nr__eighth_of_a_node(void **state HN_UNUSED)
{
	struct machine_shape shape = { .nr_nodes = 2, .llcs_per_node = 1, .cores_per_llc = 20,
				       .smt = 2 };

	assert_int_equal(numa_nr(shape, policy_fixture_v6_1()), 5); /* 40 / 8 */
}

static void test_imb_numa_nr__at_least_one_since_v6_1(void **state HN_UNUSED)
{
	struct hn_policy policy = policy_fixture_v6_1();

	assert_int_equal(numa_nr(two_sockets, policy), 1);
	policy.imb_numa_nr_min_one = false;
	assert_int_equal(numa_nr(two_sockets, policy), 0); /* 4 / 8 */
	policy.imb_numa_nr_div = 4;
	assert_int_equal(numa_nr(two_sockets, policy), 1); /* v5.19: 4 / 4 */
}

static void test_imb_numa_nr__one_per_cache(void **state HN_UNUSED)
{
	struct machine_shape shape = { .nr_nodes = 2, .llcs_per_node = 4, .cores_per_llc = 2,
				       .smt = 1 };

	assert_int_equal(numa_nr(shape, policy_fixture_v6_1()), 4);
}

static void test_imb_numa_nr__grows_with_the_span(void **state HN_UNUSED)
{
	/* pairs of nodes at 12, the pairs at 20: spans 8 and 16 */
	static const uint16_t pairs[] = {
		10, 12, 20, 20,
		12, 10, 20, 20,
		20, 20, 10, 12,
		20, 20, 12, 10,
	};
	struct machine_shape shape = { .nr_nodes = 4, .llcs_per_node = 1, .cores_per_llc = 4,
				       .smt = 1, .distances = pairs };
	struct fixture f;

	build(&f, shape, policy_fixture_v6_1());
	assert_int_equal(hn_domain_of(&f.domains, 0, 1)->imb_numa_nr, 1);
	assert_int_equal(hn_domain_of(&f.domains, 0, 2)->imb_numa_nr, 2);
	hn_arena_fini(&f.arena);
}

static void test_capacity__smt_power_of_old_kernels(void **state HN_UNUSED)
{
	struct fixture f;

	build(&f, two_sockets, policy_fixture_v3_13());
	/* 1178 / 2 a sibling; a core 1178; a node of two cores 2356 */
	assert_int_equal(hn_domain_of(&f.domains, 0, 2)->groups[0].capacity, 2356);
	hn_arena_fini(&f.arena);
	build(&f, two_sockets, policy_fixture_v4_18());
	assert_int_equal(hn_domain_of(&f.domains, 0, 2)->groups[0].capacity, 4096);
	assert_int_equal(hn_domain_of(&f.domains, 0, 2)->groups[0].nr_cores, 2);
	hn_arena_fini(&f.arena);
}

static void test_cpu_set_has__members_only(void **state HN_UNUSED)
{
	static const hn_cpu cpus[] = { 2, 5, 9 };
	struct hn_cpu_set set = { cpus, 3 };

	assert_true(hn_cpu_set_has(&set, 2));
	assert_true(hn_cpu_set_has(&set, 9));
	assert_false(hn_cpu_set_has(&set, 4));
	assert_false(hn_cpu_set_has(&set, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels__smt_llc_numa),
		cmocka_unit_test(test_levels__numa_and_llc_of_each_cpu),
		cmocka_unit_test(test_levels__node_of_several_caches_stays),
		cmocka_unit_test(test_levels__single_cpu_has_none),
		cmocka_unit_test(test_numa_pct__is_the_policy_s),
		cmocka_unit_test(test_numa__groups_overlap_on_a_ring),
		cmocka_unit_test(test_numa__far_nodes_take_no_forks),
		cmocka_unit_test(test_imb_numa_nr__eighth_of_a_node),
		cmocka_unit_test(test_imb_numa_nr__at_least_one_since_v6_1),
		cmocka_unit_test(test_imb_numa_nr__one_per_cache),
		cmocka_unit_test(test_imb_numa_nr__grows_with_the_span),
		cmocka_unit_test(test_capacity__smt_power_of_old_kernels),
		cmocka_unit_test(test_cpu_set_has__members_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
