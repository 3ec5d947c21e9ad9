/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one solution of the memory model costs: 320 flows on 8 nodes, each reading from all of them
 * (dense) or from two (sparse), when nothing changed since the last solution and when a tenth of
 * the flows did. Aim: below 30 us. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/arena.h"
#include "base/rng.h"
#include "sim/memory.h"

#define NR_NODES 8
#define NR_FLOWS 320
#define NR_SOLVES 2000

struct setup {
	struct hn_machine machine;
	struct hn_node nodes[NR_NODES];
	double latency_ns[NR_NODES * NR_NODES];
	double link_bw_bytes_per_s[NR_NODES * NR_NODES];
	struct hn_flow flows[NR_FLOWS];
	double lines[NR_FLOWS][NR_NODES];
	double stall_weight[NR_FLOWS][NR_NODES];
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * HN_NS_PER_S + ts.tv_nsec;
}

static void fill_machine(struct setup *s)
{
	s->machine = (struct hn_machine){
		.nr_nodes = NR_NODES, .nr_cpus = NR_FLOWS, .line_bytes = 64, .nodes = s->nodes,
		.latency_ns = s->latency_ns, .link_bw_bytes_per_s = s->link_bw_bytes_per_s,
	};
	for (uint32_t i = 0; i < NR_NODES; i++) {
		s->nodes[i].nr_cpus = NR_FLOWS / NR_NODES;
		s->nodes[i].bw_bytes_per_s = 60e9;
		for (uint32_t j = 0; j < NR_NODES; j++) {
			s->latency_ns[i * NR_NODES + j] = i == j ? 90 : 140;
			s->link_bw_bytes_per_s[i * NR_NODES + j] = i == j ? 0 : 15e9;
		}
	}
}

/* A share of `local` on the flow's own node, the rest on `nr_remote` following ones. */
static void fill_flow(struct setup *s, uint32_t f, double local, uint32_t nr_remote)
{
	uint32_t src = f % NR_NODES;

	s->flows[f] = (struct hn_flow){ .src_nid = (hn_nid)src, .core_ns = 20 + f % 50,
					.lines = s->lines[f], .stall_weight = s->stall_weight[f] };
	for (uint32_t k = 0; k <= nr_remote; k++) {
		double lines = k ? (1 - local) / nr_remote : local;

		s->lines[f][(src + k) % NR_NODES] = lines;
		s->stall_weight[f][(src + k) % NR_NODES] = lines / (2 + f % 3);
	}
}

static void run(const char *name, uint32_t nr_remote, uint32_t change_step)
{
	static struct setup s;
	struct hn_arena arena;
	struct hn_memory *memory;
	int64_t start_ns;
	double sum = 0;

	s = (struct setup){ 0 };
	hn_arena_init(&arena);
	fill_machine(&s);
	memory = hn_memory_create(&arena, &s.machine);
	for (uint32_t f = 0; f < NR_FLOWS; f++)
		fill_flow(&s, f, 0.5, nr_remote);
	start_ns = now_ns();
	for (uint32_t i = 0; i < NR_SOLVES; i++) {
		for (uint32_t f = i % 10; change_step && f < NR_FLOWS; f += change_step)
			fill_flow(&s, f, 0.3 + 0.01 * (i % 40), nr_remote);
		hn_memory_solve(memory, s.flows, NR_FLOWS);
		sum += s.flows[0].unit_ns;
	}
	printf("memory %-24s %8.2f us/solve  mean unit %.2f ns, node 0 at %.3f\n", name,
	       (double)(now_ns() - start_ns) / NR_SOLVES / 1e3, sum / NR_SOLVES,
	       hn_memory_node_util(memory, 0));
	hn_arena_fini(&arena);
}

int main(void)
{
	run("dense, unchanged", NR_NODES - 1, 0);
	run("dense, a tenth changes", NR_NODES - 1, 10);
	run("sparse, unchanged", 1, 0);
	run("sparse, a tenth changes", 1, 10);
	return 0;
}
