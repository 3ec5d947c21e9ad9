/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one solution of the memory model costs: 48 flows on 2 nodes and 320 flows on 8, each reading
 * from all of them (dense) or, on 8, from two (sparse), when nothing changed since the last
 * solution and when a tenth of the flows did. Aim: below 30 us for 320 flows. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/arena.h"
#include "base/rng.h"
#include "sim/memory.h"

#define NODES_MAX 8
#define FLOWS_MAX 320
#define NR_SOLVES 2000

struct setup {
	uint32_t nr_nodes;
	uint32_t nr_flows;
	struct hn_machine machine;
	struct hn_node nodes[NODES_MAX];
	double latency_ns[NODES_MAX * NODES_MAX];
	double link_bw_bytes_per_s[NODES_MAX * NODES_MAX];
	struct hn_flow flows[FLOWS_MAX];
	double lines[FLOWS_MAX][NODES_MAX];
	double stall_weight[FLOWS_MAX][NODES_MAX];
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * HN_NS_PER_S + ts.tv_nsec;
}

static void fill_machine(struct setup *s)
{
	uint32_t nr_nodes = s->nr_nodes;

	s->machine = (struct hn_machine){
		.nr_nodes = nr_nodes, .nr_cpus = s->nr_flows, .line_bytes = 64, .nodes = s->nodes,
		.latency_ns = s->latency_ns, .link_bw_bytes_per_s = s->link_bw_bytes_per_s,
	};
	for (uint32_t i = 0; i < nr_nodes; i++) {
		s->nodes[i].nr_cpus = s->nr_flows / nr_nodes;
		s->nodes[i].bw_bytes_per_s = 60e9;
		for (uint32_t j = 0; j < nr_nodes; j++) {
			s->latency_ns[i * nr_nodes + j] = i == j ? 90 : 140;
			s->link_bw_bytes_per_s[i * nr_nodes + j] = i == j ? 0 : 15e9;
		}
	}
}

/* A share of `local` on the flow's own node, the rest on `nr_remote` following ones. */
static void fill_flow(struct setup *s, uint32_t f, double local, uint32_t nr_remote)
{
	uint32_t src = f % s->nr_nodes;

	s->flows[f] = (struct hn_flow){ .src_nid = (hn_nid)src, .core_ns = 20 + f % 50,
					.lines = s->lines[f], .stall_weight = s->stall_weight[f] };
	for (uint32_t k = 0; k <= nr_remote; k++) {
		double lines = k ? (1 - local) / nr_remote : local;

		s->lines[f][(src + k) % s->nr_nodes] = lines;
		s->stall_weight[f][(src + k) % s->nr_nodes] = lines / (2 + f % 3);
	}
}

/* Every `change_step`-th flow changes between two solutions; 0: none does. */
static void bench_solves(struct setup *s, const char *name, uint32_t nr_remote,
			 uint32_t change_step)
{
	struct hn_arena arena;
	struct hn_memory *memory;
	int64_t start_ns;
	double sum = 0;

	hn_arena_init(&arena);
	memory = hn_memory_create(&arena, &s->machine);
	for (uint32_t f = 0; f < s->nr_flows; f++)
		fill_flow(s, f, 0.5, nr_remote);
	start_ns = now_ns();
	for (uint32_t i = 0; i < NR_SOLVES; i++) {
		for (uint32_t f = i % 10; change_step && f < s->nr_flows; f += change_step)
			fill_flow(s, f, 0.3 + 0.01 * (i % 40), nr_remote);
		hn_memory_solve(memory, s->flows, s->nr_flows);
		sum += s->flows[0].unit_ns;
	}
	printf("memory %3u x %u %-24s %8.2f us/solve  mean unit %.2f ns, node 0 at %.3f\n",
	       s->nr_flows, s->nr_nodes, name,
	       (double)(now_ns() - start_ns) / NR_SOLVES / 1e3, sum / NR_SOLVES,
	       hn_memory_node_util(memory, 0));
	hn_arena_fini(&arena);
}

/* Lives in its own arena; zeroed, so that a flow reads from nowhere else. */
static void run(uint32_t nr_flows, uint32_t nr_nodes, bool is_sparse)
{
	const char *unchanged = is_sparse ? "sparse, unchanged" : "dense, unchanged";
	const char *changes = is_sparse ? "sparse, a tenth changes" : "dense, a tenth changes";
	uint32_t nr_remote = is_sparse ? 1 : nr_nodes - 1;
	struct hn_arena arena;
	struct setup *s;

	hn_arena_init(&arena);
	s = HN_ARENA_NEW(&arena, struct setup);
	s->nr_nodes = nr_nodes;
	s->nr_flows = nr_flows;
	fill_machine(s);
	bench_solves(s, unchanged, nr_remote, 0);
	bench_solves(s, changes, nr_remote, 10);
	hn_arena_fini(&arena);
}

int main(void)
{
	run(48, 2, false);
	run(FLOWS_MAX, NODES_MAX, false);
	run(FLOWS_MAX, NODES_MAX, true);
	return 0;
}
