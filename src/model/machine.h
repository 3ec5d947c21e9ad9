/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - a machine with several memory nodes, as plain data.
 *
 * Filled by topo/ (or by a test), then constant. Nodes and CPUs have dense indexes, in
 * ascending order of the system's own numbers, which stay beside them as os_id. A node may
 * lack CPUs or memory, distances may be asymmetric, caches may span any set of CPUs.
 *
 * Two kinds of figures meet here. The topology (who sits where, SLIT distances) is what the
 * firmware says and what the kernel's rules read. The model (latency, bandwidth, costs) is
 * what was measured and what the simulator's physics reads; where nobody measured, it is
 * derived from the distances by the rule in topo/machine-model.h and `is_model_derived` says so.
 *
 * All arrays live in the arena that built the machine. Matrices are row-major:
 * [from * nr_nodes + to], where "from" is the node of the CPU and "to" that of the memory. */
#ifndef HN_MODEL_MACHINE_H
#define HN_MODEL_MACHINE_H

#include "base/types.h"

#define HN_NODES_MAX 64      /* limit of a machine that homenode reads */
#define HN_CPUS_MAX 4096
#define HN_DISTANCE_LOCAL 10 /* ACPI SLIT: distance of a node to itself */

struct hn_node {
	int32_t os_id;
	uint32_t nr_cpus;
	uint32_t cpu_first;    /* index into machine.node_cpus of the node's first CPU */
	uint64_t mem_bytes;    /* 0: a node without memory */
	double bw_bytes_per_s; /* peak of the node's memory controllers, reads; > 0 */
	bool is_top_tier;      /* fast memory; all nodes with CPUs are */
};

struct hn_cpu_place {
	int32_t os_id;
	hn_nid nid;
	int32_t core;    /* dense index over the machine: CPUs that share a core are SMT siblings */
	/* CPUs that share an L2 or L3 tag slice; equals core where there are none */
	int32_t cluster;
	int32_t llc;     /* CPUs that share the last-level cache */
	int32_t pkg;
};

/* What kernel work costs on this machine, in ns of one CPU. Origins stand in the YAML model. */
struct hn_kernel_costs {
	uint32_t scan_pte_ns;          /* looking at one base entry in a scan */
	uint32_t scan_pmd_ns;          /* looking at one huge entry */
	uint32_t tlb_flush_ns;         /* local part of one flush */
	uint32_t ipi_ns;               /* sent and acknowledged by one remote CPU */
	uint32_t fault_ns;             /* entry, walk and return of one hinting fault */
	uint32_t migrate_page_ns;      /* isolate, unmap, remap of one page, without the copy */
	uint32_t copy_page_ns;         /* copying 4 KiB between two idle nodes */
	uint32_t alloc_page_ns;        /* first-touch fault of a base page, zeroing included */
	uint32_t alloc_huge_ns;        /* first-touch fault of a huge page, zeroing included */
	uint32_t search_cpu_ns;        /* looking at one other CPU's run queue (a cache miss) */
	uint32_t move_task_ns;         /* stopper wake-up and move of a running task */
	uint32_t context_switch_ns;
	uint32_t tick_ns;
	uint32_t idle_exit_ns;         /* shallow idle state to first instruction */
};

/* One figure and where it comes from, for --verbose output and the JSON header. */
struct hn_provenance {
	const char *what;   /* e.g. "latency" */
	const char *source; /* citation or rule */
};

struct hn_machine {
	const char *name;          /* as the user chose it, or derived from the input */
	const char *origin;        /* one sentence: where the topology was read */
	const char *model_name;    /* machine model in use; "derived" where there is none */
	bool is_model_derived;     /* latencies follow from distances, nobody measured them */
	uint32_t nr_nodes;
	uint32_t nr_cpus;
	uint32_t nr_cores;
	uint32_t nr_clusters;
	uint32_t nr_llcs;
	uint32_t nr_pkgs;
	struct hn_node *nodes;
	struct hn_cpu_place *cpus;
	hn_cpu *node_cpus;         /* all CPUs, grouped by node, ascending inside one */
	uint16_t *distance;        /* SLIT, row-major; diagonal 10 */
	double *latency_ns;        /* idle load-to-use, row-major, > 0 */
	double *link_bw_bytes_per_s; /* reads by "from" of memory on "to"; diagonal unused (0) */
	uint64_t llc_bytes;        /* of one LLC; > 0 */
	double freq_ghz;           /* sustained all-core clock */
	/* throughput of a core with two busy siblings, 100 = one thread alone */
	uint32_t smt_total_pct;
	uint32_t line_bytes;       /* cache line, the unit of a miss */
	struct hn_kernel_costs costs;
	const struct hn_provenance *provenance;
	uint32_t nr_provenance;
};

static inline uint16_t hn_machine_distance(const struct hn_machine *m, hn_nid from, hn_nid to)
{
	return m->distance[(size_t)from * m->nr_nodes + (size_t)to];
}

static inline hn_nid hn_machine_nid(const struct hn_machine *m, hn_cpu cpu)
{
	return m->cpus[cpu].nid;
}

/* The node's CPUs in ascending order; nr in nodes[nid].nr_cpus. */
static inline const hn_cpu *hn_machine_node_cpus(const struct hn_machine *m, hn_nid nid)
{
	return m->node_cpus + m->nodes[nid].cpu_first;
}

/* Asserts the invariants above. */
void hn_machine_check(const struct hn_machine *m);

/* Builds node_cpus and each node's nr_cpus and cpu_first from cpus[].nid.
 * node_cpus must have room for nr_cpus entries. */
void hn_machine_index_cpus(struct hn_machine *m);

#endif
