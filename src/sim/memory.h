/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - how fast tasks get on, given where their cache lines come from.
 *
 * Each running task is a flow: a unit of its work costs core time plus lines from nodes. Lines
 * wait for the memory controller of their node and the link between the nodes; how long
 * depends on utilisation, which depends on how fast all flows get on: a fixed point, found by
 * damped iteration from the last solution (a bounded number of steps, which depends on nothing
 * but the flows, so that it is a pure function of the call sequence). Throughput never exceeds
 * capacity.
 *
 *   unit time = core_ns / speed + sum over nodes: lines[n] * latency(src, n) / mlp
 *   latency(i, j) = idle(i, j) + wait(controller j) + wait(link i<-j)
 *
 * Floating point with + - * / and square roots only. The method and a worked example stand in
 * memory.c, the loaded-latency curve with its sources in memory-curve.h, the model as a whole
 * in docs/physics.md. */
#ifndef HN_SIM_MEMORY_H
#define HN_SIM_MEMORY_H

#include "base/arena.h"
#include "model/machine.h"

struct hn_memory;

/* One running task. */
struct hn_flow {
	hn_nid src_nid;          /* node of the CPU */
	/* per unit, at the CPU's speed (SMT share applied by the caller) */
	double core_ns;
	double *lines;           /* per unit and node, misses of the last-level cache; borrowed */
	double *stall_weight;    /* per node: lines / mlp; borrowed */
	double unit_ns;          /* in: last solution or 0; out: time of a unit, > 0 */
};

struct hn_memory *hn_memory_create(struct hn_arena *arena, const struct hn_machine *machine);

/* Solves for the unit times of all flows. */
void hn_memory_solve(struct hn_memory *memory, struct hn_flow *flows, uint32_t nr_flows);

/* After solve: load-to-use now, utilisation (0..1) of a controller and of a link. */
double hn_memory_latency_ns(const struct hn_memory *memory, hn_nid src, hn_nid dst);
double hn_memory_node_util(const struct hn_memory *memory, hn_nid nid);
double hn_memory_link_util(const struct hn_memory *memory, hn_nid src, hn_nid dst);

#endif
