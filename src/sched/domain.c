/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/domain.h"

#include "sched/domain-internal.h"

#define DISTANCE_RECLAIM 30       /* v3.8 .. v7.2 RECLAIM_DISTANCE */
#define DISTANCE_RECLAIM_EPYC 32  /* v5.4 arch/x86/kernel/cpu/amd.c init_amd_zn() */
#define SMT_POWER 1178            /* v3.13 SD_SIBLING_INIT smt_gain */
#define PCT_SMT 110
#define PCT_LLC 117

bool hn_cpu_set_has(const struct hn_cpu_set *set, hn_cpu cpu)
{
	uint32_t lo = 0, hi = set->nr;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (set->cpus[mid] < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < set->nr && set->cpus[lo] == cpu;
}

uint32_t hn_domain_cpu_capacity(const struct hn_domains *domains, const struct hn_machine *machine,
				const struct hn_policy *policy, hn_cpu cpu)
{
	uint32_t nr_siblings = domains->core_cpus[machine->cpus[cpu].core].nr;

	/* the group scan is that of v3.13 and v3.19, the kernels with SMT power */
	if (policy->idle_search == HN_IDLE_SEARCH_GROUP_SCAN && nr_siblings > 1)
		return SMT_POWER / nr_siblings;
	return 1024;
}

/* ---- fields ---- */

/* ASSUMES: distances of 31 and 32 occur on EPYC only, where kernels since v5.4 raise the limit;
 * policies that balance by group types (v5.5) stand for those. */
static uint16_t distance_limit(const struct hn_policy *policy)
{
	return policy->balance == HN_BALANCE_RULE_GROUP_TYPES ? DISTANCE_RECLAIM_EPYC :
								DISTANCE_RECLAIM;
}

void hn_domain_set_fields(const struct hn_domain_build *build, struct hn_domain *domain)
{
	const uint32_t wide = HN_DOMAIN_EXEC | HN_DOMAIN_FORK | HN_DOMAIN_WAKE_AFFINE;

	domain->flags = wide | HN_DOMAIN_PREFER_SIBLING;
	domain->imbalance_pct = build->policy->numa_imbalance_pct;
	domain->cache_nice_tries = 1;
	if (domain->level == HN_LEVEL_SMT) {
		domain->flags |= HN_DOMAIN_SHARE_CAPACITY | HN_DOMAIN_SHARE_LLC;
		domain->imbalance_pct = PCT_SMT;
		domain->cache_nice_tries = 0;
	} else if (domain->level <= HN_LEVEL_LLC) {
		domain->flags |= HN_DOMAIN_SHARE_LLC;
		domain->imbalance_pct = PCT_LLC;
	} else if (domain->level >= HN_LEVEL_NUMA) {
		domain->flags = wide | HN_DOMAIN_NUMA;
		domain->cache_nice_tries = 2;
		if (domain->distance > distance_limit(build->policy))
			domain->flags = HN_DOMAIN_NUMA;
	}
}

void hn_group_sum_up(const struct hn_domain_build *build, struct hn_group *group,
		     uint32_t child_flags)
{
	group->child_flags = child_flags;
	for (uint32_t i = 0; i < group->span.nr; i++) {
		hn_cpu cpu = group->span.cpus[i];
		int32_t core = build->machine->cpus[cpu].core;

		group->capacity += hn_domain_cpu_capacity(build->domains, build->machine,
							  build->policy, cpu);
		group->nr_cores += build->domains->core_cpus[core].cpus[0] == cpu;
	}
	/* a sibling alone: the core's first CPU is in another group */
	if (!group->nr_cores)
		group->nr_cores = 1;
}

/* ---- levels up to the node ---- */

/* Whether two CPUs of one node belong together at a level. */
static bool is_together(const struct hn_machine *machine, enum hn_domain_level level, hn_cpu a,
			hn_cpu b)
{
	const struct hn_cpu_place *pa = &machine->cpus[a];
	const struct hn_cpu_place *pb = &machine->cpus[b];

	switch (level) {
	case HN_LEVEL_SMT:
		return pa->core == pb->core;
	case HN_LEVEL_CLUSTER:
		return pa->cluster == pb->cluster;
	case HN_LEVEL_LLC:
		return pa->llc == pb->llc;
	case HN_LEVEL_NODE:
	case HN_LEVEL_NUMA:
		break;
	}
	return true;
}

static struct hn_cpu_set collect(const struct hn_domain_build *build, enum hn_domain_level level,
				 hn_cpu first)
{
	const struct hn_machine *machine = build->machine;
	hn_nid nid = hn_machine_nid(machine, first);
	const hn_cpu *cpus = hn_machine_node_cpus(machine, nid);
	uint32_t nr_node = machine->nodes[nid].nr_cpus;
	uint32_t nr = 0;
	hn_cpu *members;

	for (uint32_t i = 0; i < nr_node; i++)
		nr += is_together(machine, level, first, cpus[i]);
	members = HN_ARENA_ARRAY(build->arena, hn_cpu, nr);
	nr = 0;
	for (uint32_t i = 0; i < nr_node; i++) {
		if (is_together(machine, level, first, cpus[i]))
			members[nr++] = cpus[i];
	}
	return (struct hn_cpu_set){ members, nr };
}

/* The domain of each CPU at the level, in the order of their lowest CPUs. */
static void build_lower_level(struct hn_domain_build *build, enum hn_domain_level level)
{
	uint32_t nr_cpus = build->machine->nr_cpus;

	build->lower[level] = HN_ARENA_ARRAY(build->arena, struct hn_domain *, nr_cpus);
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		struct hn_domain *domain;

		if (build->lower[level][cpu])
			continue;
		domain = HN_ARENA_NEW(build->arena, struct hn_domain);
		domain->level = level;
		domain->span = collect(build, level, (hn_cpu)cpu);
		hn_domain_set_fields(build, domain);
		for (uint32_t i = 0; i < domain->span.nr; i++)
			build->lower[level][domain->span.cpus[i]] = domain;
	}
}

/* Number of groups: CPUs that are the first of their span one level below. */
static uint32_t count_groups(const struct hn_domain *domain, struct hn_domain **below)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < domain->span.nr; i++)
		nr += !below || below[domain->span.cpus[i]]->span.cpus[0] == domain->span.cpus[i];
	return nr;
}

static void build_groups(const struct hn_domain_build *build, struct hn_domain *domain,
			 struct hn_domain **below)
{
	domain->nr_groups = count_groups(domain, below);
	domain->groups = HN_ARENA_ARRAY(build->arena, struct hn_group, domain->nr_groups);
	domain->nr_groups = 0;
	for (uint32_t i = 0; i < domain->span.nr; i++) {
		hn_cpu cpu = domain->span.cpus[i];
		struct hn_group *group;

		if (below && below[cpu]->span.cpus[0] != cpu)
			continue;
		group = &domain->groups[domain->nr_groups++];
		group->span = below ? below[cpu]->span :
				      (struct hn_cpu_set){ &build->identity[cpu], 1 };
		group->balance = group->span;
		hn_group_sum_up(build, group, group->span.nr > 1 ? below[cpu]->flags : 0);
	}
}

/* Each level's groups are the spans of the next lower level that has smaller ones. */
static void build_lower_groups(const struct hn_domain_build *build)
{
	for (uint32_t level = HN_LEVEL_SMT; level <= HN_LEVEL_NODE; level++) {
		for (uint32_t cpu = 0; cpu < build->machine->nr_cpus; cpu++) {
			struct hn_domain *domain = build->lower[level][cpu];
			uint32_t below = level;

			if (domain->groups || domain->span.nr == 1)
				continue;
			while (below > 0 &&
			       build->lower[below - 1][cpu]->span.nr == domain->span.nr)
				below--;
			build_groups(build, domain, below ? build->lower[below - 1] : NULL);
		}
	}
}

/* ---- each CPU's chain ---- */

static void append_level(struct hn_domains *domains, hn_cpu cpu, struct hn_domain *domain)
{
	uint32_t nr = domains->nr_levels[cpu];
	struct hn_domain *below = nr ? hn_domain_of(domains, cpu, nr - 1) : NULL;

	if (domain->span.nr <= (below ? below->span.nr : 1))
		return;
	hn_assert(nr < domains->nr_levels_max);
	domains->of_cpu[(uint32_t)cpu * domains->nr_levels_max + nr] = domain;
	domains->nr_levels[cpu] = nr + 1;
	if (domain->flags & HN_DOMAIN_SHARE_LLC)
		domains->llc_level[cpu] = (int32_t)nr;
	if ((domain->flags & HN_DOMAIN_NUMA) && domains->numa_level[cpu] < 0)
		domains->numa_level[cpu] = (int32_t)nr;
}

static uint32_t find_local_group(const struct hn_domain *domain, hn_cpu cpu)
{
	if (domain->level >= HN_LEVEL_NUMA)
		return 0; /* built from the CPU's own node on */
	for (uint32_t g = 0; g < domain->nr_groups; g++) {
		if (hn_cpu_set_has(&domain->groups[g].span, cpu))
			return g;
	}
	hn_assert(!"a CPU without a group");
	return 0;
}

static void init_state(struct hn_domains *domains, hn_cpu cpu, uint32_t level)
{
	const struct hn_domain *domain = hn_domain_of(domains, cpu, level);
	struct hn_domain_state *state = hn_domain_state(domains, cpu, level);

	state->last_balance_ticks = 1; /* the tick count at time 0 */
	state->balance_interval_ms = domain->span.nr;
	state->local_group = find_local_group(domain, cpu);
}

static void build_chain(const struct hn_domain_build *build, hn_cpu cpu)
{
	struct hn_domains *domains = build->domains;
	hn_nid nid = hn_machine_nid(build->machine, cpu);

	for (uint32_t level = HN_LEVEL_SMT; level <= HN_LEVEL_NODE; level++)
		append_level(domains, cpu, build->lower[level][cpu]);
	for (uint32_t level = 0; level < build->nr_distances; level++)
		append_level(domains, cpu,
			     build->numa[level * build->machine->nr_nodes + (uint32_t)nid]);
	for (uint32_t level = 0; level < domains->nr_levels[cpu]; level++)
		init_state(domains, cpu, level);
}

static void number_llcs(const struct hn_domain_build *build)
{
	struct hn_domains *domains = build->domains;

	for (uint32_t cpu = 0; cpu < build->machine->nr_cpus; cpu++) {
		const struct hn_cpu_set *span = &build->lower[HN_LEVEL_LLC][cpu]->span;

		if (span->cpus[0] != (hn_cpu)cpu)
			continue;
		domains->llc_cpus[domains->nr_llcs] = *span;
		for (uint32_t i = 0; i < span->nr; i++)
			domains->llc_of[span->cpus[i]] = domains->nr_llcs;
		domains->nr_llcs++;
	}
}

static void allocate(struct hn_domains *domains, struct hn_arena *arena,
		     const struct hn_domain_build *build)
{
	uint32_t nr_cpus = build->machine->nr_cpus;
	size_t nr_states;

	domains->nr_levels_max = HN_LEVEL_NUMA + build->nr_distances;
	nr_states = (size_t)nr_cpus * domains->nr_levels_max;
	domains->nr_levels = HN_ARENA_ARRAY(arena, uint32_t, nr_cpus);
	domains->of_cpu = HN_ARENA_ARRAY(arena, struct hn_domain *, nr_states);
	domains->states = HN_ARENA_ARRAY(arena, struct hn_domain_state, nr_states);
	domains->llc_level = HN_ARENA_ARRAY(arena, int32_t, nr_cpus);
	domains->numa_level = HN_ARENA_ARRAY(arena, int32_t, nr_cpus);
	domains->llc_of = HN_ARENA_ARRAY(arena, uint32_t, nr_cpus);
	domains->llc_cpus = HN_ARENA_ARRAY(arena, struct hn_cpu_set, nr_cpus);
	domains->core_cpus = HN_ARENA_ARRAY(arena, struct hn_cpu_set, build->machine->nr_cores);
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		domains->llc_level[cpu] = -1;
		domains->numa_level[cpu] = -1;
	}
}

static const hn_cpu *create_identity(struct hn_arena *arena, uint32_t nr_cpus)
{
	hn_cpu *identity = HN_ARENA_ARRAY(arena, hn_cpu, nr_cpus);

	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++)
		identity[cpu] = (hn_cpu)cpu;
	return identity;
}

void hn_domains_init(struct hn_domains *domains, struct hn_arena *arena,
		     const struct hn_machine *machine, const struct hn_policy *policy)
{
	struct hn_domain_build build = { .domains = domains, .arena = arena, .machine = machine,
					 .policy = policy };

	build.identity = create_identity(arena, machine->nr_cpus);
	hn_domain_read_distances(&build);
	allocate(domains, arena, &build);
	for (uint32_t level = HN_LEVEL_SMT; level <= HN_LEVEL_NODE; level++)
		build_lower_level(&build, level);
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++) {
		const struct hn_cpu_set *core = &build.lower[HN_LEVEL_SMT][cpu]->span;

		domains->core_cpus[machine->cpus[cpu].core] = *core;
		domains->has_smt |= core->nr > 1;
	}
	build_lower_groups(&build);
	hn_domain_build_numa(&build);
	number_llcs(&build);
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		build_chain(&build, (hn_cpu)cpu);
}
