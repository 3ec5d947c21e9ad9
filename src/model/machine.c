/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/machine.h"

#include "base/assert.h"

void hn_machine_index_cpus(struct hn_machine *m)
{
	uint32_t filled = 0;

	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		struct hn_node *node = &m->nodes[n];

		node->cpu_first = filled;
		for (uint32_t c = 0; c < m->nr_cpus; c++) {
			if (m->cpus[c].nid == (hn_nid)n)
				m->node_cpus[filled++] = (hn_cpu)c;
		}
		node->nr_cpus = filled - node->cpu_first;
	}
	hn_assert(filled == m->nr_cpus);
}

static void check_cpu(const struct hn_machine *m, const struct hn_cpu_place *cpu)
{
	hn_assert(cpu->nid >= 0 && (uint32_t)cpu->nid < m->nr_nodes);
	hn_assert(cpu->core >= 0 && (uint32_t)cpu->core < m->nr_cores);
	hn_assert(cpu->cluster >= 0 && (uint32_t)cpu->cluster < m->nr_clusters);
	hn_assert(cpu->llc >= 0 && (uint32_t)cpu->llc < m->nr_llcs);
	hn_assert(cpu->pkg >= 0 && (uint32_t)cpu->pkg < m->nr_pkgs);
}

void hn_machine_check(const struct hn_machine *m)
{
	hn_assert(m->nr_nodes > 0 && m->nr_nodes <= HN_NODES_MAX);
	hn_assert(m->nr_cpus > 0 && m->nr_cpus <= HN_CPUS_MAX);
	hn_assert(m->llc_bytes > 0);
	hn_assert(m->line_bytes > 0);
	for (uint32_t c = 0; c < m->nr_cpus; c++)
		check_cpu(m, &m->cpus[c]);
	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		hn_assert(m->nodes[n].bw_bytes_per_s > 0);
		hn_assert(hn_machine_distance(m, (hn_nid)n, (hn_nid)n) == HN_DISTANCE_LOCAL);
		for (uint32_t k = 0; k < m->nr_nodes; k++)
			hn_assert(m->latency_ns[(size_t)n * m->nr_nodes + k] > 0);
	}
}
