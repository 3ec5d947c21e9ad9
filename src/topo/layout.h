/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.h - a machine's topology while it is being read, in the system's own numbers.
 *
 * Every reader of this folder adds the nodes and CPUs that it finds, in any order; finishing
 * sorts them, gives them dense indexes, and checks what no reader should have to: limits,
 * numbers that stand twice, nodes that a CPU names and nobody described, distances out of range.
 *
 * Labels say which CPUs share something: equal labels of one kind mean shared, the values mean
 * nothing else. Distances are stored by the order in which nodes were added; 0 is "not told".
 *
 * What is missing is assumed, and each assumption is added to the machine's origin in words:
 *	no distance		10 local, 20 remote
 *	a CPU without node	the node with most CPUs of its package, else the first one
 *	no memory size told	HN_LAYOUT_MEM_ASSUMED_BYTES
 *
 * Latency, bandwidth and costs are not known here. The arena is borrowed. */
#ifndef HN_TOPO_LAYOUT_H
#define HN_TOPO_LAYOUT_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "model/machine.h"

#define HN_LAYOUT_MEM_UNKNOWN UINT64_MAX
#define HN_LAYOUT_MEM_ASSUMED_BYTES (UINT64_C(32) << 30)
#define HN_LAYOUT_MEM_MAX_BYTES (UINT64_C(1) << 50)
#define HN_LAYOUT_DISTANCE_REMOTE 20 /* where none is told; the kernel's REMOTE_DISTANCE */
#define HN_LAYOUT_DISTANCE_MAX 255   /* ACPI SLIT entries are bytes */
#define HN_LAYOUT_NID_NONE (-1)

struct hn_layout_node {
	int32_t os_id;
	uint64_t mem_bytes; /* 0: none; HN_LAYOUT_MEM_UNKNOWN: not told */
	bool is_fast;       /* top tier although it has no CPUs */
};

struct hn_layout_cpu {
	int32_t os_id;
	int32_t node_os_id; /* HN_LAYOUT_NID_NONE: not told */
	uint64_t core, cluster, llc, pkg; /* labels */
};

struct hn_layout {
	struct hn_arena *arena;
	struct hn_strbuf origin; /* one sentence in the making, without its full stop */
	uint32_t nr_nodes, nr_cpus, cap_cpus;
	struct hn_layout_node nodes[HN_NODES_MAX];
	struct hn_layout_cpu *cpus;
	uint32_t distance[HN_NODES_MAX][HN_NODES_MAX]; /* by order of adding; 0: not told */
	uint64_t llc_bytes;  /* of one last-level cache; 0: not told */
	uint32_t line_bytes; /* 0: not told */
};

/* `origin` is where it is read from, e.g. "numactl text 'x.txt'". */
void hn_layout_init(struct hn_layout *layout, struct hn_arena *arena, const char *origin);

/* -E2BIG beyond HN_NODES_MAX; -EINVAL for a number that stands twice or is out of range. */
int HN_MUST_CHECK hn_layout_add_node(struct hn_layout *layout, int32_t os_id, uint64_t mem_bytes,
				     struct hn_diag *diag);

int HN_MUST_CHECK hn_layout_add_cpu(struct hn_layout *layout, const struct hn_layout_cpu *cpu,
				    struct hn_diag *diag);

/* The order number of a node, or -1. */
int32_t hn_layout_find_node(const struct hn_layout *layout, int32_t os_id);

/* Adds a clause to the origin: "; <text>". */
void hn_layout_note(struct hn_layout *layout, const char *fmt, ...) HN_PRINTF(2, 3);

/* Builds the machine's topology. Figures (latencies, bandwidths, costs, name) are still zero,
 * llc_bytes and line_bytes are zero where nobody told. */
int HN_MUST_CHECK hn_layout_finish(struct hn_layout *layout, struct hn_machine **ret_machine,
				   struct hn_diag *diag);

#endif
