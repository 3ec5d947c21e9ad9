/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topo/machine-model.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "topo/model-internal.h"

struct document {
	const char *name;
	const char *summary;
	const struct hn_yaml_node *topology;
	const struct hn_yaml_node *figures;
	const struct hn_yaml_node *kernel_costs;
};

static const struct hn_yaml_field document_fields[] = {
	{ .key = "name", .type = HN_YAML_STRING, .is_required = true,
	  .offset = offsetof(struct document, name) },
	{ .key = "summary", .type = HN_YAML_STRING, .is_required = true,
	  .offset = offsetof(struct document, summary) },
	{ .key = "topology", .type = HN_YAML_NODE, .is_required = true,
	  .offset = offsetof(struct document, topology) },
	{ .key = "figures", .type = HN_YAML_NODE, .is_required = true,
	  .offset = offsetof(struct document, figures) },
	{ .key = "kernel_costs", .type = HN_YAML_NODE,
	  .offset = offsetof(struct document, kernel_costs) },
};

static bool is_told(const struct hn_yaml_node *figures, const char *key)
{
	return hn_yaml_find(figures, key) != NULL;
}

/* Figures that the file leaves out get the derived ones; the file's are read over them. */
static int read_figures(struct hn_arena *arena, const struct document *doc, struct hn_machine *m,
			struct hn_model_sources *sources, struct hn_diag *diag)
{
	bool has_links = is_told(doc->figures, "link_bandwidth_gb_per_s");
	int err;

	hn_model_derive(arena, m);
	m->model_name = doc->name;
	m->is_model_derived = !is_told(doc->figures, "latency_ns");
	err = hn_model_read_figures(arena, doc->figures, m, sources, diag);
	if (err)
		return err;
	if (!has_links)
		hn_model_derive_links(m);
	for (uint32_t n = 0; n < m->nr_nodes; n++)
		m->link_bw_bytes_per_s[(size_t)n * m->nr_nodes + n] = 0;
	hn_model_fill_far_rows(m);
	return 0;
}

static void add_derived_sources(const struct document *doc, const struct hn_machine *derived,
				struct hn_model_sources *sources)
{
	for (uint32_t p = 0; p < derived->nr_provenance; p++) {
		const struct hn_provenance *entry = &derived->provenance[p];

		if (!is_told(doc->figures, entry->what) && strcmp(entry->what, "kernel costs"))
			hn_model_add_source(sources, entry->what, entry->source);
	}
}

int hn_model_read(struct hn_arena *arena, const struct hn_yaml_node *root,
		  struct hn_model **ret_model, struct hn_diag *diag)
{
	struct hn_model *model = HN_ARENA_NEW(arena, struct hn_model);
	struct hn_model_sources sources = { 0 };
	struct document doc = { 0 };
	struct hn_machine *m;
	int err = hn_yaml_read_fields(root, document_fields, HN_ARRAY_LEN(document_fields), &doc,
				      diag);

	if (!err)
		err = hn_yaml_check_kind(doc.figures, HN_YAML_MAP, diag);
	if (!err)
		err = hn_model_read_topology(arena, doc.topology, &m, diag);
	if (err)
		return err;
	sources.entries = HN_ARENA_ARRAY(arena, struct hn_provenance, HN_MODEL_PROVENANCE_MAX);
	err = read_figures(arena, &doc, m, &sources, diag);
	if (err)
		return err;
	add_derived_sources(&doc, m, &sources);
	err = hn_model_read_costs(arena, doc.kernel_costs, m, &sources, diag);
	if (err)
		return err;
	m->name = doc.name;
	m->provenance = sources.entries;
	m->nr_provenance = sources.nr;
	*model = (struct hn_model){ .name = doc.name, .summary = doc.summary, .machine = m };
	*ret_model = model;
	return 0;
}

int hn_model_load(struct hn_arena *arena, const char *path, struct hn_model **ret_model,
		  struct hn_diag *diag)
{
	const struct hn_yaml_node *root;
	int err = hn_yaml_load(arena, path, &root, diag);

	return err ? err : hn_model_read(arena, root, ret_model, diag);
}
