/* SPDX-License-Identifier: GPL-2.0-or-later */
/* domain-internal.h - what domain.c and domain-numa.c share while the domains are built. */
#ifndef HN_SCHED_DOMAIN_INTERNAL_H
#define HN_SCHED_DOMAIN_INTERNAL_H

#include "base/assert.h"
#include "base/bitmap.h"
#include "sched/domain.h"

struct hn_domain_build {
	struct hn_domains *domains;
	struct hn_arena *arena;
	const struct hn_machine *machine;
	const struct hn_policy *policy;
	const hn_cpu *identity;      /* identity[i] = i: spans of one CPU */
	uint32_t nr_distances;
	uint16_t distances[HN_NODES_MAX]; /* between nodes with CPUs, above 10, ascending */
	struct hn_domain **lower[HN_LEVEL_NUMA]; /* by level and CPU, nothing left out */
	/* [level * nr_nodes + node], NUMA levels counted from 0 */
	struct hn_domain **numa;
	uint64_t *numa_nodes;        /* the same index: nodes of the span, one bit each */
};

/* Fields that follow from level and distance. */
void hn_domain_set_fields(const struct hn_domain_build *build, struct hn_domain *domain);

/* Sums over the group's span. */
void hn_group_sum_up(const struct hn_domain_build *build, struct hn_group *group,
		     uint32_t child_flags);

/* Collects distances, and builds all NUMA domains with their groups; the lower ones exist. */
void hn_domain_read_distances(struct hn_domain_build *build);
void hn_domain_build_numa(struct hn_domain_build *build);

#endif
