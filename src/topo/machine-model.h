/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine-model.h - what a machine's memory and kernel work cost, and from whom we know.
 *
 * A machine model is a YAML file (docs/formats/machine-model.md): a topology, and figures with a
 * source each. Read, it is a complete struct hn_machine. Its figures can be put on another
 * topology (hn_model_project), and a topology without any model gets derived ones
 * (hn_model_derive). Which of the two happened stands in the machine's provenance.
 *
 * The rule for derived figures. d is the SLIT distance, 10 on the diagonal:
 *
 *	latency(d)   = 90 ns * (1 + 0.5 * (d - 10) / 10)
 *	link(d)      = node bandwidth of the target * 10 / d
 *	node         = 4 GB/s a core, at least 10 GB/s; 17.6 GB/s for a node without CPUs,
		       whose device and not the link is what limits: link = node there
 *
 *	d            10    12    20    21    32    40    60
 *	latency ns   90    99   135   139.5 189   225   315
 *	link         1     0.83  0.50  0.48  0.31  0.25  0.17    of the node's
 *
 * Slope: least squares through (1, 1) over the machines of which both SLIT and measured idle
 * latency are known: ten 2-socket Xeons of Haswell to Sapphire Rapids (d 21, ratios 1.37 to
 * 1.84) and an EPYC 9224 (d 12: 1.09, d 32: 1.87) give 0.502; with the EPYC's CXL node (d 50:
 * 2.61, d 60: 3.41) 0.466. Single machines lie up to 25 % beside the line. Local latency: the
 * middle of 61 to 131 ns measured on x86 servers. Links: Xeons measure 0.30 to 0.56 (median
 * 0.45) at d 21, the rule says 0.48; the EPYC measures 1.00 and 0.76 at d 12 and 32, so that
 * the rule is too low for it. A core's share is 3.2 to 8.3 GB/s, 4 being the middle of Xeons.
 * CPU-less: the CXL expander of the EPYC 9224,
 * 17.6 GB/s from the near socket as from the far one.
 * Sources: docs/machines.md names the one of each machine.
 *
 * Projection. Distances of a model fall into classes (10, 21, ...), each with its mean latency
 * and link bandwidth. A distance of the target takes the class of the same distance; else,
 * where both machines have equally many classes, the one of the same rank; else it is
 * interpolated, and beyond the last class it grows as the rule above does.
 *
 * A node without CPUs issues no access; its own row holds what others see of it, so that no
 * figure is zero.
 *
 * Kernel costs. Nobody publishes most of them; the defaults stand in hn_model_default_costs()
 * with the derivation of each, and count as estimates.
 * Tests: tests/unit/test-machine-model.c. */
#ifndef HN_TOPO_MACHINE_MODEL_H
#define HN_TOPO_MACHINE_MODEL_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/yaml-tree.h"
#include "model/machine.h"

#define HN_MODEL_LOCAL_NS 90.0
#define HN_MODEL_SLOPE 0.5
#define HN_MODEL_CORE_BYTES_PER_S 4e9
#define HN_MODEL_NODE_BYTES_PER_S_MIN 10e9
#define HN_MODEL_FAR_NODE_BYTES_PER_S 17.6e9 /* CXL on 2x EPYC 9224, measured with MLC */
#define HN_MODEL_FREQ_GHZ 2.5
#define HN_MODEL_SMT_TOTAL_PCT 125
#define HN_MODEL_LINE_BYTES 64
#define HN_MODEL_LLC_BYTES_PER_CORE (UINT64_C(2) << 20)

struct hn_model {
	const char *name;
	const char *summary;
	struct hn_machine *machine; /* complete */
};

/* Reads a model. Everything lives in the arena. */
int HN_MUST_CHECK hn_model_load(struct hn_arena *arena, const char *path,
				struct hn_model **ret_model, struct hn_diag *diag);

/* The same from a tree that is already parsed. */
int HN_MUST_CHECK hn_model_read(struct hn_arena *arena, const struct hn_yaml_node *root,
				struct hn_model **ret_model, struct hn_diag *diag);

/* Puts the figures of a complete machine on a topology. LLC and line size of the target are
 * kept where they are known (not 0). */
void hn_model_project(struct hn_arena *arena, const struct hn_machine *from,
		      struct hn_machine *to);

/* Gives a topology the derived figures. */
void hn_model_derive(struct hn_arena *arena, struct hn_machine *to);

/* latency(d) of the rule, for a local latency. */
static inline double hn_model_derive_latency_ns(double local_ns, uint32_t distance)
{
	return local_ns * (1 + HN_MODEL_SLOPE * ((double)distance - HN_DISTANCE_LOCAL) / 10);
}

/* link(d) of the rule. */
static inline double hn_model_derive_link(double node_bytes_per_s, uint32_t distance)
{
	return node_bytes_per_s * HN_DISTANCE_LOCAL / (double)distance;
}

/* Costs of an x86-64 server at about 2.5 GHz. */
struct hn_kernel_costs hn_model_default_costs(void);

/* One sentence for the provenance of the default costs. */
#define HN_MODEL_COSTS_SOURCE "estimates for a 2.5 GHz x86-64 server, derivations in model-costs.c"

#endif
