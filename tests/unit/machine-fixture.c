/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine-fixture.h"

#define NODE_BYTES (UINT64_C(16) << 30)
#define DISTANCE_DEFAULT 20

static void fill_nodes(struct hn_machine *m, const struct machine_shape *shape)
{
	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		m->nodes[n] = (struct hn_node){ .os_id = (int32_t)n, .mem_bytes = NODE_BYTES,
						.bw_bytes_per_s = 1e10, .is_top_tier = true };
		for (uint32_t k = 0; k < m->nr_nodes; k++) {
			uint32_t idx = n * m->nr_nodes + k;
			uint16_t distance = shape->distance ? shape->distance : DISTANCE_DEFAULT;

			if (n == k)
				distance = HN_DISTANCE_LOCAL;
			m->distance[idx] = shape->distances ? shape->distances[idx] : distance;
			m->latency_ns[idx] = m->distance[idx] * 8.0;
			m->link_bw_bytes_per_s[idx] = n == k ? 0 : 1e10;
		}
	}
}

static void fill_cpus(struct hn_machine *m, const struct machine_shape *shape)
{
	uint32_t cores_per_node = shape->llcs_per_node * shape->cores_per_llc;

	for (uint32_t c = 0; c < m->nr_cpus; c++) {
		uint32_t core = c / shape->smt;

		m->cpus[c] = (struct hn_cpu_place){
			.os_id = (int32_t)c,
			.nid = (hn_nid)(core / cores_per_node),
			.core = (int32_t)core,
			.cluster = (int32_t)core,
			.llc = (int32_t)(core / shape->cores_per_llc),
			.pkg = (int32_t)(core / cores_per_node),
		};
	}
}

struct hn_machine *machine_fixture_create(struct hn_arena *arena,
					  const struct machine_shape *shape)
{
	struct hn_machine *m = HN_ARENA_NEW(arena, struct hn_machine);
	size_t nr_pairs = (size_t)shape->nr_nodes * shape->nr_nodes;

	m->name = "fixture";
	m->origin = "made by a test";
	m->model_name = "derived";
	m->nr_nodes = shape->nr_nodes;
	m->nr_llcs = shape->nr_nodes * shape->llcs_per_node;
	m->nr_cores = m->nr_llcs * shape->cores_per_llc;
	m->nr_clusters = m->nr_cores;
	m->nr_pkgs = shape->nr_nodes;
	m->nr_cpus = m->nr_cores * shape->smt;
	m->nodes = HN_ARENA_ARRAY(arena, struct hn_node, m->nr_nodes);
	m->cpus = HN_ARENA_ARRAY(arena, struct hn_cpu_place, m->nr_cpus);
	m->node_cpus = HN_ARENA_ARRAY(arena, hn_cpu, m->nr_cpus);
	m->distance = HN_ARENA_ARRAY(arena, uint16_t, nr_pairs);
	m->latency_ns = HN_ARENA_ARRAY(arena, double, nr_pairs);
	m->link_bw_bytes_per_s = HN_ARENA_ARRAY(arena, double, nr_pairs);
	m->llc_bytes = UINT64_C(32) << 20;
	m->freq_ghz = 2.0;
	m->smt_total_pct = 120;
	m->line_bytes = 64;
	m->costs.search_cpu_ns = 200;
	fill_nodes(m, shape);
	fill_cpus(m, shape);
	hn_machine_index_cpus(m);
	hn_machine_check(m);
	return m;
}

/* ---- policies ---- */

struct hn_policy policy_fixture_v3_13(void)
{
	return (struct hn_policy){
		.name = "v3.13",
		.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_NONE,
		.imb_numa_nr_div = 8,
		.order = HN_SCHED_ORDER_CFS,
		.base_slice_us = 750,
		.nr_latency = 8,
		.load_signal = HN_LOAD_SIGNAL_RUNNABLE_LOAD,
		.balance = HN_BALANCE_RULE_LOAD,
		.children = HN_CHILDREN_SPREAD,
		.busy_factor = 32,
		.numa_imbalance_pct = 125,
		.wake = HN_WAKE_RULE_LOAD_ONLY,
		.idle_search = HN_IDLE_SEARCH_GROUP_SCAN,
		.idle_estimate = HN_IDLE_ESTIMATE_LOCAL,
		.sis = HN_SIS_RULE_NONE,
	};
}

struct hn_policy policy_fixture_v4_18(void)
{
	struct hn_policy policy = policy_fixture_v3_13();

	policy.name = "v4.18";
	policy.children = HN_CHILDREN_LOCAL_LOAD;
	policy.wake = HN_WAKE_RULE_IDLE_THEN_WEIGHT;
	policy.idle_search = HN_IDLE_SEARCH_CORE_CPU_SMT;
	policy.sis = HN_SIS_RULE_PROP;
	return policy;
}

struct hn_policy policy_fixture_v5_12(void)
{
	struct hn_policy policy = policy_fixture_v4_18();

	policy.name = "v5.12";
	policy.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_QUARTER;
	policy.load_signal = HN_LOAD_SIGNAL_LOAD_AVG;
	policy.balance = HN_BALANCE_RULE_GROUP_TYPES;
	policy.children = HN_CHILDREN_LOCAL_QUARTER;
	policy.busy_factor = 16;
	policy.numa_imbalance_pct = 117;
	policy.balance_allows_numa = true;
	policy.idle_search = HN_IDLE_SEARCH_ONE_PASS;
	return policy;
}

struct hn_policy policy_fixture_v6_1(void)
{
	struct hn_policy policy = policy_fixture_v5_12();

	policy.name = "v6.1";
	policy.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR;
	policy.imb_numa_nr_min_one = true;
	policy.children = HN_CHILDREN_LOCAL_IMB;
	policy.newidle_by_cost = true;
	policy.idle_estimate = HN_IDLE_ESTIMATE_AGED;
	policy.sis = HN_SIS_RULE_UTIL;
	return policy;
}

struct hn_policy policy_fixture_v6_12(void)
{
	struct hn_policy policy = policy_fixture_v6_1();

	policy.name = "v6.12";
	policy.order = HN_SCHED_ORDER_EEVDF;
	policy.base_slice_us = 700;
	policy.balance_prefers_core = true;
	policy.sibling_imbalance = true;
	return policy;
}
