/* SPDX-License-Identifier: GPL-2.0-or-later */
/* domain-numa.c - domains above the node, by distance, and the imbalance allowed between them. */
#include "sched/domain-internal.h"

static bool has_cpus(const struct hn_domain_build *build, uint32_t nid)
{
	return build->machine->nodes[nid].nr_cpus > 0;
}

static void add_distance(struct hn_domain_build *build, uint16_t distance)
{
	uint32_t at = 0;

	if (distance <= HN_DISTANCE_LOCAL)
		return;
	while (at < build->nr_distances && build->distances[at] < distance)
		at++;
	if (at < build->nr_distances && build->distances[at] == distance)
		return;
	if (build->nr_distances == HN_NODES_MAX) {
		/* the farthest levels span all nodes: the last one stands for those beyond */
		build->distances[HN_NODES_MAX - 1] =
			(uint16_t)hn_max_u64(build->distances[HN_NODES_MAX - 1], distance);
		return;
	}
	for (uint32_t i = build->nr_distances; i > at; i--)
		build->distances[i] = build->distances[i - 1];
	build->distances[at] = distance;
	build->nr_distances++;
}

void hn_domain_read_distances(struct hn_domain_build *build)
{
	uint32_t nr_nodes = build->machine->nr_nodes;

	for (uint32_t from = 0; from < nr_nodes; from++) {
		for (uint32_t to = 0; to < nr_nodes; to++) {
			if (from != to && has_cpus(build, from) && has_cpus(build, to))
				add_distance(build, hn_machine_distance(build->machine,
									(hn_nid)from,
									(hn_nid)to));
		}
	}
}

static uint64_t nodes_within(const struct hn_domain_build *build, uint32_t from, uint16_t distance)
{
	uint64_t nodes = UINT64_C(1) << from;

	for (uint32_t to = 0; to < build->machine->nr_nodes; to++) {
		if (has_cpus(build, to) &&
		    hn_machine_distance(build->machine, (hn_nid)from, (hn_nid)to) <= distance)
			nodes |= UINT64_C(1) << to;
	}
	return nodes;
}

/* The CPUs of a set of nodes, ascending. */
static struct hn_cpu_set cpus_of_nodes(const struct hn_domain_build *build, uint64_t nodes)
{
	const struct hn_machine *machine = build->machine;
	uint32_t nr = 0;
	hn_cpu *cpus;

	for (uint32_t n = 0; n < machine->nr_nodes; n++)
		nr += nodes >> n & 1 ? machine->nodes[n].nr_cpus : 0;
	cpus = HN_ARENA_ARRAY(build->arena, hn_cpu, nr);
	nr = 0;
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++) {
		if (nodes >> machine->cpus[cpu].nid & 1)
			cpus[nr++] = (hn_cpu)cpu;
	}
	return (struct hn_cpu_set){ cpus, nr };
}

/* Nodes of the domain of a node at a NUMA level; level -1: the node alone. */
static uint64_t nodes_of(const struct hn_domain_build *build, int32_t level, uint32_t nid)
{
	if (level < 0)
		return UINT64_C(1) << nid;
	return build->numa_nodes[(uint32_t)level * build->machine->nr_nodes + nid];
}

/* Equal sets of nodes share their list of CPUs. */
static struct hn_cpu_set span_of_nodes(const struct hn_domain_build *build, uint64_t nodes)
{
	uint32_t nr_domains = build->nr_distances * build->machine->nr_nodes;

	for (uint32_t d = 0; d < nr_domains; d++) {
		if (build->numa[d] && build->numa_nodes[d] == nodes && build->numa[d]->span.nr)
			return build->numa[d]->span;
	}
	return cpus_of_nodes(build, nodes);
}

static struct hn_cpu_set span_of_level(const struct hn_domain_build *build, int32_t level,
				       uint32_t nid)
{
	const struct hn_machine *machine = build->machine;

	if (level >= 0)
		return build->numa[(uint32_t)level * machine->nr_nodes + nid]->span;
	return build->lower[HN_LEVEL_NODE][hn_machine_node_cpus(machine, (hn_nid)nid)[0]]->span;
}

static void build_domain(struct hn_domain_build *build, uint32_t level, uint32_t nid)
{
	uint32_t idx = level * build->machine->nr_nodes + nid;
	struct hn_domain *domain = HN_ARENA_NEW(build->arena, struct hn_domain);

	domain->level = HN_LEVEL_NUMA + level;
	domain->distance = build->distances[level];
	build->numa_nodes[idx] = nodes_within(build, nid, domain->distance);
	build->numa[idx] = domain;
	domain->span = span_of_nodes(build, build->numa_nodes[idx]);
	hn_domain_set_fields(build, domain);
}

/* The highest level of a node below `level` whose nodes all lie in the domain, and that is
 * smaller than the domain. Since v5.12; before, wider groups could stick out. */
static int32_t find_child_level(const struct hn_domain_build *build, uint32_t level, uint32_t nid,
				uint64_t nodes)
{
	int32_t child = (int32_t)level - 1;

	while (child >= 0 && ((nodes_of(build, child, nid) & ~nodes) ||
			      nodes_of(build, child, nid) == nodes))
		child--;
	return child;
}

/* CPUs of nodes in the group whose own child domain spans the same nodes. */
static struct hn_cpu_set build_balance_set(const struct hn_domain_build *build, uint32_t level,
					   uint64_t nodes, uint64_t group_nodes)
{
	uint64_t balance = 0;

	for (uint32_t n = 0; n < build->machine->nr_nodes; n++) {
		int32_t child;

		if (!(group_nodes >> n & 1))
			continue;
		child = find_child_level(build, level, n, nodes);
		if (nodes_of(build, child, n) == group_nodes)
			balance |= UINT64_C(1) << n;
	}
	hn_assert(balance);
	return cpus_of_nodes(build, balance);
}

static uint32_t child_flags(const struct hn_domain_build *build, int32_t level, uint32_t nid)
{
	const struct hn_machine *machine = build->machine;

	if (level >= 0)
		return build->numa[(uint32_t)level * machine->nr_nodes + nid]->flags;
	return build->lower[HN_LEVEL_NODE][hn_machine_node_cpus(machine, (hn_nid)nid)[0]]->flags;
}

static void add_group(const struct hn_domain_build *build, struct hn_domain *domain, uint64_t nodes,
		      uint32_t nid, uint64_t *covered)
{
	uint32_t level = domain->level - HN_LEVEL_NUMA;
	int32_t child = find_child_level(build, level, nid, nodes);
	uint64_t group_nodes = nodes_of(build, child, nid);
	struct hn_group *group = &domain->groups[domain->nr_groups++];

	group->span = span_of_level(build, child, nid);
	group->balance = build_balance_set(build, level, nodes, group_nodes);
	hn_group_sum_up(build, group, child_flags(build, child, nid));
	*covered |= group_nodes;
}

/* In the ring of CPU numbers from the node's first CPU on. */
static void build_groups(const struct hn_domain_build *build, uint32_t level, uint32_t nid)
{
	const struct hn_machine *machine = build->machine;
	uint32_t idx = level * machine->nr_nodes + nid;
	struct hn_domain *domain = build->numa[idx];
	uint64_t nodes = build->numa_nodes[idx];
	uint32_t first = (uint32_t)hn_machine_node_cpus(machine, (hn_nid)nid)[0];
	uint64_t covered = 0;

	domain->groups = HN_ARENA_ARRAY(build->arena, struct hn_group,
					__builtin_popcountll(nodes));
	for (uint32_t i = 0; i < machine->nr_cpus; i++) {
		uint32_t cpu_nid = (uint32_t)machine->cpus[(first + i) % machine->nr_cpus].nid;

		if ((nodes & ~covered) >> cpu_nid & 1)
			add_group(build, domain, nodes, cpu_nid, &covered);
	}
}

/* ---- imb_numa_nr ---- */

/* Imbalance that keeps a node's caches equally used: at the first level above the LLC.
 * Source: v5.19 and v6.1 build_sched_domains(). */
static uint32_t allowed_imbalance(const struct hn_domain_build *build, uint32_t nid)
{
	const struct hn_policy *policy = build->policy;
	hn_cpu cpu = hn_machine_node_cpus(build->machine, (hn_nid)nid)[0];
	uint32_t span = build->lower[HN_LEVEL_NODE][cpu]->span.nr;
	uint32_t nr_llcs = span / build->lower[HN_LEVEL_LLC][cpu]->span.nr;
	uint32_t imb = nr_llcs == 1 ? span / policy->imb_numa_nr_div : nr_llcs;

	return imb == 0 && policy->imb_numa_nr_min_one ? 1 : imb;
}

/* Higher levels allow more, by their size against the lowest NUMA level. */
static void set_imb_numa_nr(const struct hn_domain_build *build, uint32_t nid)
{
	const struct hn_machine *machine = build->machine;
	uint32_t imb = allowed_imbalance(build, nid);
	hn_cpu cpu = hn_machine_node_cpus(machine, (hn_nid)nid)[0];
	uint32_t imb_span = 0;

	build->lower[HN_LEVEL_NODE][cpu]->imb_numa_nr = imb;
	for (uint32_t level = 0; level < build->nr_distances; level++) {
		struct hn_domain *domain = build->numa[level * machine->nr_nodes + nid];

		if (!imb_span)
			imb_span = domain->span.nr;
		domain->imb_numa_nr = imb * (domain->span.nr / imb_span);
	}
}

void hn_domain_build_numa(struct hn_domain_build *build)
{
	uint32_t nr_nodes = build->machine->nr_nodes;
	size_t nr = (size_t)build->nr_distances * nr_nodes;

	hn_assert(nr_nodes <= HN_NODES_MAX);
	build->numa = HN_ARENA_ARRAY(build->arena, struct hn_domain *, nr);
	build->numa_nodes = HN_ARENA_ARRAY(build->arena, uint64_t, nr);
	for (uint32_t level = 0; level < build->nr_distances; level++) {
		for (uint32_t n = 0; n < nr_nodes; n++) {
			if (has_cpus(build, n))
				build_domain(build, level, n);
		}
	}
	for (uint32_t n = 0; n < nr_nodes; n++) {
		if (!has_cpus(build, n))
			continue;
		for (uint32_t level = 0; level < build->nr_distances; level++)
			build_groups(build, level, n);
		set_imb_numa_nr(build, n);
	}
}
