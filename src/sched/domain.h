/* SPDX-License-Identifier: GPL-2.0-or-later */
/* domain.h - scheduling domains: which CPUs balance with which, level by level.
 *
 * Levels, low to high: SMT siblings, cluster, last-level cache, node ("package"), then one per
 * distinct distance between nodes with CPUs: all CPUs of nodes at most that far. A level that
 * adds no CPU to the one below, or has one CPU only, is left out.
 *
 *   2 sockets, 1 LLC each, 2 cores x SMT2       2 nodes of 2 LLCs
 *   CPU 0: SMT {0,1}      groups {0}{1}         CPU 0: LLC {0,1}       groups {0}{1}
 *          LLC {0-3}      groups {0,1}{2,3}            node {0-3}      groups {0,1}{2,3}
 *          NUMA {0-7}     groups {0-3}{4-7}            NUMA {0-7}      groups {0-3}{4-7}
 *
 * Groups are the spans of the level below, in ring order; a CPU's own group is its first. Where
 * distances do not nest, NUMA groups overlap, and only the CPUs whose own lower domain is the
 * group's span act for it (its balance CPUs).
 *
 * What is the same for all CPUs of a span is stored once; NUMA domains once per node. Built at
 * creation, constant afterwards but for is_imbalanced and the per-CPU states.
 *
 * ASSUMES: a node's groups at NUMA levels start from its lowest CPU, where the kernel starts from
 * each CPU itself; this differs only where node numbers and CPU numbers interleave.
 * ASSUMES: caches and clusters end at node borders, as on x86 with sub-NUMA clustering.
 * DEVIATES: clusters are a level in all policies; the kernel has it since v5.16.
 *
 * Source: v6.1 kernel/sched/topology.c sd_init(), build_sched_groups(),
 * build_overlap_sched_groups(), build_sched_domains(). Tests: test-domain.c. */
#ifndef HN_SCHED_DOMAIN_H
#define HN_SCHED_DOMAIN_H

#include "base/arena.h"
#include "model/machine.h"
#include "policy/policy.h"

enum hn_domain_flag {
	HN_DOMAIN_SHARE_CAPACITY = 1 << 0, /* SMT */
	HN_DOMAIN_SHARE_LLC = 1 << 1,
	HN_DOMAIN_PREFER_SIBLING = 1 << 2, /* read by the level above: spread over its groups */
	HN_DOMAIN_NUMA = 1 << 3,           /* passes are serialised as well */
	HN_DOMAIN_EXEC = 1 << 4,
	HN_DOMAIN_FORK = 1 << 5,
	HN_DOMAIN_WAKE_AFFINE = 1 << 6,
};

enum hn_domain_level {
	HN_LEVEL_SMT,
	HN_LEVEL_CLUSTER,
	HN_LEVEL_LLC,
	HN_LEVEL_NODE,
	HN_LEVEL_NUMA, /* and above: by distance */
};

/* CPUs in ascending order; borrowed from the arena. */
struct hn_cpu_set {
	const hn_cpu *cpus;
	uint32_t nr;
};

/* Kernel counterpart: struct sched_group and struct sched_group_capacity. */
struct hn_group {
	struct hn_cpu_set span;
	struct hn_cpu_set balance;   /* who acts for the group; the first: group_balance_cpu() */
	uint32_t nr_cores;
	uint32_t child_flags;        /* of the level that the group is a span of */
	uint64_t capacity;           /* sum over CPUs */
	bool is_imbalanced;          /* pinned tasks stood in the way below */
};

/* Kernel counterpart: struct sched_domain, the part that CPUs of one span have in common. */
struct hn_domain {
	uint32_t level;              /* enum hn_domain_level, NUMA levels counting up */
	uint32_t flags;              /* enum hn_domain_flag */
	uint16_t distance;           /* NUMA: CPUs of nodes at most that far */
	uint32_t imbalance_pct;
	uint32_t cache_nice_tries;
	uint32_t imb_numa_nr;
	struct hn_cpu_set span;
	struct hn_group *groups;
	uint32_t nr_groups;
};

/* Kernel counterpart: struct sched_domain, the part that each CPU has for itself. */
struct hn_domain_state {
	int64_t last_balance_ticks;
	uint32_t balance_interval_ms;
	uint32_t nr_balance_failed;
	int64_t newidle_cost_ns_max;
	int64_t next_decay_ticks;
	int64_t avg_scan_cost_ns;    /* LLC: of idle searches */
	uint32_t local_group;        /* index of the CPU's own group */
};

struct hn_domains {
	uint32_t nr_levels_max;
	uint32_t *nr_levels;             /* by CPU */
	struct hn_domain **of_cpu;       /* [cpu * nr_levels_max + level], low to high */
	struct hn_domain_state *states;  /* the same index */
	int32_t *llc_level;              /* by CPU: level of the LLC domain; -1: none */
	int32_t *numa_level;             /* lowest NUMA domain; -1: none */
	uint32_t nr_llcs;
	uint32_t *llc_of;                /* by CPU: cache within the node, dense */
	struct hn_cpu_set *llc_cpus;     /* by llc_of */
	struct hn_cpu_set *core_cpus;    /* by machine core */
	bool has_smt;
};

void hn_domains_init(struct hn_domains *domains, struct hn_arena *arena,
		     const struct hn_machine *machine, const struct hn_policy *policy);

/* Capacity of a CPU: 1024, or its share of a core in kernels that counted SMT power. */
uint32_t hn_domain_cpu_capacity(const struct hn_domains *domains, const struct hn_machine *machine,
				const struct hn_policy *policy, hn_cpu cpu);

static inline struct hn_domain *hn_domain_of(const struct hn_domains *domains, hn_cpu cpu,
					     uint32_t level)
{
	return domains->of_cpu[(uint32_t)cpu * domains->nr_levels_max + level];
}

static inline struct hn_domain_state *hn_domain_state(const struct hn_domains *domains, hn_cpu cpu,
						      uint32_t level)
{
	return &domains->states[(uint32_t)cpu * domains->nr_levels_max + level];
}

/* Whether two CPUs share a last-level cache. */
static inline bool hn_domain_share_llc(const struct hn_domains *domains, hn_cpu a, hn_cpu b)
{
	return domains->llc_of[a] == domains->llc_of[b];
}

/* Whether the span of a domain has the CPU; spans are ascending. */
bool hn_cpu_set_has(const struct hn_cpu_set *set, hn_cpu cpu);

#endif
