/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model-internal.h - the parts of the model reader, for one another. */
#ifndef HN_TOPO_MODEL_INTERNAL_H
#define HN_TOPO_MODEL_INTERNAL_H

#include "topo/layout.h"
#include "topo/machine-model.h"

#define HN_MODEL_PROVENANCE_MAX 40

/* A list of provenance entries that grows to HN_MODEL_PROVENANCE_MAX. */
struct hn_model_sources {
	struct hn_provenance *entries; /* room for HN_MODEL_PROVENANCE_MAX */
	uint32_t nr;
};

void hn_model_add_source(struct hn_model_sources *sources, const char *what, const char *source);

/* The mapping under `topology:`, as a machine without figures. */
int HN_MUST_CHECK hn_model_read_topology(struct hn_arena *arena, const struct hn_yaml_node *map,
					 struct hn_machine **ret_machine, struct hn_diag *diag);

/* The mapping under `figures:`; adds one provenance entry a figure. */
int HN_MUST_CHECK hn_model_read_figures(struct hn_arena *arena, const struct hn_yaml_node *map,
					struct hn_machine *m, struct hn_model_sources *sources,
					struct hn_diag *diag);

/* The mapping under `kernel_costs:`, NULL for the defaults. */
int HN_MUST_CHECK hn_model_read_costs(struct hn_arena *arena, const struct hn_yaml_node *map,
				      struct hn_machine *m, struct hn_model_sources *sources,
				      struct hn_diag *diag);

/* A figure is a mapping {value, kind, source}: checks it and writes its provenance text. */
int HN_MUST_CHECK hn_model_read_source(struct hn_arena *arena, const struct hn_yaml_node *figure,
				       const struct hn_yaml_node **ret_value,
				       const char **ret_source, struct hn_diag *diag);

/* Link bandwidths by the rule for derived figures, from the node bandwidths. */
void hn_model_derive_links(struct hn_machine *m);

/* Rows of nodes without CPUs take what others see of them. */
void hn_model_fill_far_rows(struct hn_machine *m);

#endif
