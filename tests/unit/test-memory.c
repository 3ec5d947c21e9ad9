/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: the memory model obeys its formulas, and what any queueing model must: unloaded latency by
 * hand, capacity never exceeded, equal flows get equal speed, more flows help nobody. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"
#include "sim/memory.h"
#include "sim/memory-curve.h"

#define NODES_MAX 8
#define FLOWS_MAX 128

/* Node i: 64 bytes/ns (one line), 100 ns; 150 ns to any other; links of 32 bytes/ns. The diagonal
 * of the links says 1 byte/s, to be ignored. */
struct fixture {
	struct hn_arena arena;
	struct hn_machine machine;
	struct hn_node nodes[NODES_MAX];
	double latency_ns[NODES_MAX * NODES_MAX];
	double link_bw_bytes_per_s[NODES_MAX * NODES_MAX];
	struct hn_memory *memory;
	uint32_t nr_flows;
	struct hn_flow flows[FLOWS_MAX];
	double lines[FLOWS_MAX][NODES_MAX];
	double stall_weight[FLOWS_MAX][NODES_MAX];
};

static void start(struct fixture *f, uint32_t nr_nodes)
{
	*f = (struct fixture){ 0 };
	hn_arena_init(&f->arena);
	f->machine = (struct hn_machine){
		.nr_nodes = nr_nodes, .nr_cpus = 16, .line_bytes = 64, .nodes = f->nodes,
		.latency_ns = f->latency_ns, .link_bw_bytes_per_s = f->link_bw_bytes_per_s,
	};
	for (uint32_t i = 0; i < nr_nodes; i++) {
		f->nodes[i].nr_cpus = 4;
		f->nodes[i].bw_bytes_per_s = 64e9;
		for (uint32_t j = 0; j < nr_nodes; j++) {
			f->latency_ns[i * nr_nodes + j] = i == j ? 100 : 150;
			f->link_bw_bytes_per_s[i * nr_nodes + j] = i == j ? 1 : 32e9;
		}
	}
	f->memory = hn_memory_create(&f->arena, &f->machine);
}

static void stop(struct fixture *f)
{
	hn_arena_fini(&f->arena);
}

/* A flow on src with one node to read from; returns its index. */
static uint32_t add_flow(struct fixture *f, hn_nid src, double core_ns)
{
	uint32_t i = f->nr_flows++;

	f->flows[i] = (struct hn_flow){ .src_nid = src, .core_ns = core_ns, .lines = f->lines[i],
					.stall_weight = f->stall_weight[i] };
	return i;
}

static void add_lines(struct fixture *f, uint32_t flow, uint32_t dst, double lines, double mlp)
{
	f->lines[flow][dst] += lines;
	f->stall_weight[flow][dst] += lines / mlp;
}

static void solve(struct fixture *f)
{
	hn_memory_solve(f->memory, f->flows, f->nr_flows);
}

static double bytes_per_ns(const struct fixture *f, uint32_t dst)
{
	double sum = 0;

	for (uint32_t i = 0; i < f->nr_flows; i++)
		sum += f->lines[i][dst] * f->machine.line_bytes / f->flows[i].unit_ns;
	return sum;
}

/* ---- curve ---- */

/* 0.34 * 0.5 + 0.035 * 0.5 / 0.5 = 0.205; 0.34 * 0.8 + 0.035 * 4 = 0.412. */
static void test_curve__wait_by_hand(void **state)
{
	(void)state;
	assert_float_equal(hn_curve_wait(0), 0, 0);
	assert_float_equal(hn_curve_wait(0.5), 0.205, 1e-12);
	assert_float_equal(hn_curve_wait(0.8), 0.412, 1e-12);
}

/* The published range at half of peak bandwidth: 1.05 to 1.4 times idle. */
static void test_curve__half_load_in_published_range(void **state)
{
	(void)state;
	assert_true(1 + hn_curve_wait(0.5) > 1.05);
	assert_true(1 + hn_curve_wait(0.5) < 1.4);
}

static void test_curve__util_inverts_wait(void **state)
{
	static const double utils[] = { 1e-6, 0.01, 0.3, 0.5, 0.9, 0.99, 0.9999 };

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(utils); i++)
		assert_float_equal(hn_curve_util(hn_curve_wait(utils[i])), utils[i], 1e-12);
	assert_float_equal(hn_curve_util(0), 0, 0);
	assert_true(hn_curve_util(1e9) < 1);
}

/* 0.34 + 0.035 / 0.25 = 0.48. */
static void test_curve__slope_by_hand(void **state)
{
	(void)state;
	assert_float_equal(hn_curve_slope(0.5), 0.48, 1e-12);
}

/* ---- without load ---- */

/* 1000 ns of core and one line in 1000 units: next to no demand. */
static void test_solve__idle_latency(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	add_lines(&f, add_flow(&f, 0, 1000), 0, 1e-3, 1);
	solve(&f);
	assert_float_equal(f.flows[0].unit_ns, 1000.1, 1e-3);
	assert_float_equal(hn_memory_latency_ns(f.memory, 0, 0), 100, 0.01);
	assert_float_equal(hn_memory_latency_ns(f.memory, 0, 1), 150, 0.01);
	stop(&f);
}

/* One line a unit, one at a time, no core time: 0.01 lines/ns of 1: q(0.01) = 0.0038, so that the
 * units take 100.4 and 150.6 ns, a ratio of 1.5. */
static void test_solve__remote_costs_latency_ratio(void **state)
{
	struct fixture f;
	double local_ns;

	(void)state;
	start(&f, 2);
	add_lines(&f, add_flow(&f, 0, 0), 0, 1, 1);
	solve(&f);
	local_ns = f.flows[0].unit_ns;
	assert_float_equal(local_ns, 100.4, 0.1);
	f.nr_flows = 0;
	f.lines[0][0] = f.stall_weight[0][0] = 0;
	add_lines(&f, add_flow(&f, 0, 0), 1, 1, 1);
	solve(&f);
	assert_float_equal(f.flows[0].unit_ns / local_ns, 1.5, 0.01);
	stop(&f);
}

/* Nothing but core time. */
static void test_solve__no_lines(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	add_flow(&f, 1, 42);
	solve(&f);
	assert_float_equal(f.flows[0].unit_ns, 42, 0);
	assert_float_equal(hn_memory_node_util(f.memory, 0), 0, 0);
	stop(&f);
}

static void test_solve__no_flows(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	solve(&f);
	assert_float_equal(hn_memory_latency_ns(f.memory, 1, 0), 150, 0);
	stop(&f);
}

/* Load that ends leaves no wait behind, on the controller or on the link. */
static void test_solve__wait_ends_with_load(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	for (uint32_t i = 0; i < 40; i++)
		add_lines(&f, add_flow(&f, 1, 0), 0, 1, 10);
	solve(&f);
	assert_true(hn_memory_latency_ns(f.memory, 1, 0) > 300);
	f.nr_flows = 0;
	solve(&f);
	assert_float_equal(hn_memory_latency_ns(f.memory, 1, 0), 150, 0);
	assert_float_equal(hn_memory_link_util(f.memory, 1, 0), 0, 0);
	stop(&f);
}

/* ---- with load ---- */

/* The example of memory.c: 20 flows of 10 lines in flight. r = 200 / (100 + w), w = 100 q(r):
 * r = 0.9563 gives w = 32.51 + 76.59 = 109.1 and 200 / 209.1 = 0.9564. */
static void test_solve__example_of_the_head(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 1);
	for (uint32_t i = 0; i < 20; i++)
		add_lines(&f, add_flow(&f, 0, 0), 0, 1, 10);
	solve(&f);
	assert_float_equal(hn_memory_node_util(f.memory, 0), 0.9563, 1e-3);
	assert_float_equal(hn_memory_latency_ns(f.memory, 0, 0), 209.1, 0.5);
	/* A unit is one line, of which ten are in flight. */
	assert_float_equal(f.flows[0].unit_ns, 20.91, 0.05);
	stop(&f);
}

/* 1 line in 4 ns over the link is 16 of 32 bytes/ns there and 16 of 64 at the controller: waits
 * of 50 q(0.5) = 10.25 and 100 q(0.25) = 9.667. 4 ns are 3.830083 of core and 169.917 / 1000 of
 * stall. */
static void test_solve__half_loaded_link_by_hand(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	add_lines(&f, add_flow(&f, 0, 3.830083), 1, 1, 1000);
	solve(&f);
	assert_float_equal(f.flows[0].unit_ns, 4, 1e-4);
	assert_float_equal(hn_memory_link_util(f.memory, 0, 1), 0.5, 1e-3);
	assert_float_equal(hn_memory_latency_ns(f.memory, 0, 1), 169.917, 0.05);
	/* The local reader waits at the controller alone, the other way round nobody does. */
	assert_float_equal(hn_memory_latency_ns(f.memory, 1, 1), 109.667, 0.05);
	assert_float_equal(hn_memory_latency_ns(f.memory, 1, 0), 150, 0);
	stop(&f);
}

/* 100 flows with 20 lines in flight ask for twenty times the capacity. */
static void test_solve__saturation_reaches_capacity(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	for (uint32_t i = 0; i < 100; i++)
		add_lines(&f, add_flow(&f, 0, 1), 0, 1, 20);
	for (uint32_t call = 0; call < 4; call++) {
		solve(&f);
		assert_true(bytes_per_ns(&f, 0) <= 64 * (1 + 1e-9));
	}
	assert_true(bytes_per_ns(&f, 0) >= 64 * 0.99);
	stop(&f);
}

/* Links saturate before the controller: 32 of 64 bytes/ns. */
static void test_solve__link_limits_remote_readers(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	for (uint32_t i = 0; i < 60; i++)
		add_lines(&f, add_flow(&f, 0, 0), 1, 1, 20);
	solve(&f);
	solve(&f);
	assert_true(bytes_per_ns(&f, 1) <= 32 * (1 + 1e-9));
	assert_true(bytes_per_ns(&f, 1) >= 32 * 0.99);
	assert_float_equal(hn_memory_node_util(f.memory, 1), 0.5, 0.01);
	stop(&f);
}

/* A link of bandwidth 0 has no limit: the controller's 64 bytes/ns count. */
static void test_solve__link_without_bandwidth_is_unlimited(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	f.link_bw_bytes_per_s[1] = 0;
	f.memory = hn_memory_create(&f.arena, &f.machine);
	for (uint32_t i = 0; i < 60; i++)
		add_lines(&f, add_flow(&f, 0, 0), 1, 1, 20);
	solve(&f);
	assert_true(bytes_per_ns(&f, 1) >= 64 * 0.98);
	assert_float_equal(hn_memory_link_util(f.memory, 0, 1), 0, 0);
	stop(&f);
}

/* Lines that nobody waits for (stall weight 0) can't be slowed by waiting; the cap holds. */
static void test_solve__capacity_holds_without_stalls(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 1);
	for (uint32_t i = 0; i < 4; i++)
		f.lines[add_flow(&f, 0, 1)][0] = 1;
	solve(&f);
	/* 4 lines/ns wanted, 1 to be had. */
	assert_float_equal(f.flows[0].unit_ns, 4, 0.01);
	assert_true(bytes_per_ns(&f, 0) <= 64 * (1 + 1e-9));
	stop(&f);
}

/* Two sockets, mirrored: 10 flows each that read 70 % local, 30 % remote. */
static void test_solve__mirrored_flows_get_equal_speed(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 2);
	for (uint32_t i = 0; i < 20; i++) {
		uint32_t flow = add_flow(&f, (hn_nid)(i % 2), 5);

		add_lines(&f, flow, i % 2, 0.7, 8);
		add_lines(&f, flow, 1 - i % 2, 0.3, 8);
	}
	solve(&f);
	for (uint32_t i = 1; i < 20; i++)
		assert_float_equal(f.flows[i].unit_ns / f.flows[0].unit_ns, 1, 1e-9);
	stop(&f);
}

/* ---- solver ---- */

/* Interleaved over four nodes and links, saturated: a repeated call changes nothing, and calls
 * from another state end in the same place. */
static void test_solve__settles(void **state)
{
	struct fixture f;
	double first_ns;

	(void)state;
	start(&f, 4);
	for (uint32_t i = 0; i < 80; i++) {
		uint32_t flow = add_flow(&f, (hn_nid)(i % 4), 1 + i % 7);

		for (uint32_t n = 0; n < 4; n++)
			add_lines(&f, flow, n, 0.25 + 0.05 * n, 4 + i % 5);
	}
	solve(&f);
	solve(&f);
	first_ns = f.flows[0].unit_ns;
	solve(&f);
	assert_float_equal(f.flows[0].unit_ns / first_ns, 1, 1e-3);
	f.nr_flows = 8;
	solve(&f);
	f.nr_flows = 80;
	for (uint32_t call = 0; call < 4; call++)
		solve(&f);
	assert_float_equal(f.flows[0].unit_ns / first_ns, 1, 5e-3);
	stop(&f);
}

/* Half of the readers local, half behind a link that nearly saturates, too: controller and link are
 * found together, so that the first call is right at once. */
static void test_solve__first_call_suffices(void **state)
{
	struct fixture f;
	double first_ns[2];

	(void)state;
	start(&f, 2);
	for (uint32_t i = 0; i < 80; i++)
		add_lines(&f, add_flow(&f, (hn_nid)(i % 2), 1), 0, 1, 8);
	solve(&f);
	first_ns[0] = f.flows[0].unit_ns;
	first_ns[1] = f.flows[1].unit_ns;
	for (uint32_t call = 0; call < 20; call++)
		solve(&f);
	assert_float_equal(first_ns[0] / f.flows[0].unit_ns, 1, 5e-3);
	assert_float_equal(first_ns[1] / f.flows[1].unit_ns, 1, 5e-3);
	stop(&f);
}

/* From light load to four times capacity, adding one flow after the other: nobody gets faster by
 * more than the tolerance of the solver. */
static void test_solve__more_flows_help_nobody(void **state)
{
	struct fixture f;
	double before_ns[FLOWS_MAX];

	(void)state;
	start(&f, 2);
	for (uint32_t i = 0; i < 100; i++) {
		uint32_t flow = add_flow(&f, (hn_nid)(i % 2), 10 + i % 13);

		add_lines(&f, flow, 0, 1, 2 + i % 9);
		solve(&f);
		solve(&f);
		for (uint32_t k = 0; k < flow; k++)
			assert_true(f.flows[k].unit_ns >= before_ns[k] * (1 - 1e-3));
		for (uint32_t k = 0; k <= flow; k++)
			before_ns[k] = f.flows[k].unit_ns;
	}
	stop(&f);
}

/* Machines and loads at random, solved cold and again after a change: never above capacity. */
static void test_solve__never_above_capacity(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct fixture f;
		struct hn_rng rng;

		hn_rng_init(&rng, seed, "test-memory", 0);
		start(&f, 1 + (uint32_t)hn_rng_below(&rng, NODES_MAX));
		for (uint32_t i = 0; i < FLOWS_MAX; i++) {
			hn_nid src = (hn_nid)hn_rng_below(&rng, f.machine.nr_nodes);
			uint32_t flow = add_flow(&f, src, 20 * hn_rng_unit(&rng));

			for (uint32_t n = 0; n < f.machine.nr_nodes; n++) {
				double lines = hn_rng_unit(&rng);

				add_lines(&f, flow, n, lines, 1 + 9 * hn_rng_unit(&rng));
			}
		}
		for (uint32_t call = 0; call < 3; call++) {
			f.nr_flows = call == 1 ? FLOWS_MAX / 4 : FLOWS_MAX;
			solve(&f);
			for (uint32_t n = 0; n < f.machine.nr_nodes; n++)
				assert_true(bytes_per_ns(&f, n) <= 64 * (1 + 1e-9));
		}
		stop(&f);
	}
}

/* One model used in turn with another, under another load, gives the bits it gives alone. */
static void test_solve__two_instances_do_not_meet(void **state)
{
	struct fixture alone, turn, other;

	(void)state;
	start(&alone, 2);
	start(&turn, 2);
	start(&other, 2);
	for (uint32_t i = 0; i < 30; i++) {
		add_lines(&alone, add_flow(&alone, (hn_nid)(i % 2), 3), i % 2, 1, 4);
		solve(&alone);
	}
	for (uint32_t i = 0; i < 30; i++) {
		add_lines(&other, add_flow(&other, 0, 1), 1, 1, 9);
		solve(&other);
		add_lines(&turn, add_flow(&turn, (hn_nid)(i % 2), 3), i % 2, 1, 4);
		solve(&turn);
	}
	for (uint32_t i = 0; i < 30; i++)
		assert_true(alone.flows[i].unit_ns == turn.flows[i].unit_ns);
	stop(&alone);
	stop(&turn);
	stop(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curve__wait_by_hand),
		cmocka_unit_test(test_curve__half_load_in_published_range),
		cmocka_unit_test(test_curve__util_inverts_wait),
		cmocka_unit_test(test_curve__slope_by_hand),
		cmocka_unit_test(test_solve__idle_latency),
		cmocka_unit_test(test_solve__remote_costs_latency_ratio),
		cmocka_unit_test(test_solve__no_lines),
		cmocka_unit_test(test_solve__no_flows),
		cmocka_unit_test(test_solve__wait_ends_with_load),
		cmocka_unit_test(test_solve__example_of_the_head),
		cmocka_unit_test(test_solve__half_loaded_link_by_hand),
		cmocka_unit_test(test_solve__saturation_reaches_capacity),
		cmocka_unit_test(test_solve__link_limits_remote_readers),
		cmocka_unit_test(test_solve__link_without_bandwidth_is_unlimited),
		cmocka_unit_test(test_solve__capacity_holds_without_stalls),
		cmocka_unit_test(test_solve__mirrored_flows_get_equal_speed),
		cmocka_unit_test(test_solve__settles),
		cmocka_unit_test(test_solve__first_call_suffices),
		cmocka_unit_test(test_solve__more_flows_help_nobody),
		cmocka_unit_test(test_solve__never_above_capacity),
		cmocka_unit_test(test_solve__two_instances_do_not_meet),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
