/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "topo/model-internal.h"

#define BYTES_PER_GB 1e9
#define LATENCY_NS_MAX 1e6
#define BANDWIDTH_GBS_MIN 0.1
#define BANDWIDTH_GBS_MAX 1e5
#define LLC_BYTES_MIN (UINT64_C(1) << 10)
#define LLC_BYTES_MAX (UINT64_C(1) << 40)

static const char *const kinds[] = { "measured", "firmware", "vendor", "estimate" };

void hn_model_add_source(struct hn_model_sources *sources, const char *what, const char *source)
{
	hn_assert(sources->nr < HN_MODEL_PROVENANCE_MAX);
	sources->entries[sources->nr++] = (struct hn_provenance){ .what = what, .source = source };
}

struct figure {
	const struct hn_yaml_node *value;
	uint32_t kind;
	const char *source;
};

static const struct hn_yaml_field figure_fields[] = {
	{ .key = "value", .type = HN_YAML_NODE, .is_required = true,
	  .offset = offsetof(struct figure, value) },
	{ .key = "kind", .type = HN_YAML_CHOICE, .is_required = true, .names = kinds,
	  .nr_names = HN_ARRAY_LEN(kinds), .offset = offsetof(struct figure, kind) },
	{ .key = "source", .type = HN_YAML_STRING, .is_required = true,
	  .offset = offsetof(struct figure, source) },
};

int hn_model_read_source(struct hn_arena *arena, const struct hn_yaml_node *node,
			 const struct hn_yaml_node **ret_value, const char **ret_source,
			 struct hn_diag *diag)
{
	struct figure figure = { 0 };
	struct hn_strbuf text;
	int err = hn_yaml_read_fields(node, figure_fields, HN_ARRAY_LEN(figure_fields), &figure,
				      diag);

	if (err)
		return err;
	hn_strbuf_init(&text, arena);
	hn_strbuf_addf(&text, "%s: %s", kinds[figure.kind], figure.source);
	*ret_value = figure.value;
	*ret_source = text.text;
	return 0;
}

/* Where a matrix of figures goes and which values it takes. */
struct target {
	struct hn_machine *m;
	double *cells;      /* row-major over all nodes */
	double scale;       /* file unit to ours */
	double min, max;    /* in the file's unit */
};

static size_t cell(const struct hn_machine *m, uint32_t from, uint32_t to)
{
	return (size_t)from * m->nr_nodes + to;
}

static int read_cell(const struct target *t, const struct hn_yaml_node *node, size_t at,
		     struct hn_diag *diag)
{
	double value;
	int err = hn_yaml_as_double(node, t->min, t->max, &value, diag);

	if (!err)
		t->cells[at] = value * t->scale;
	return err;
}

static int read_row(const struct target *t, const struct hn_yaml_node *row, uint32_t from,
		    struct hn_diag *diag)
{
	uint32_t to = 0;
	int err = hn_yaml_check_kind(row, HN_YAML_SEQ, diag);

	if (!err && row->nr_children != t->m->nr_nodes)
		err = hn_yaml_complain(row, -EINVAL, diag, "the row has %u values, expected %u",
				       row->nr_children, t->m->nr_nodes);
	if (err)
		return err;
	hn_yaml_for_each(item, row) {
		err = read_cell(t, item, cell(t->m, from, to++), diag);
		if (err)
			return err;
	}
	return 0;
}

/* One row a node with CPUs, in the order of the nodes: the others issue no accesses. */
static int read_matrix(const struct target *t, const struct hn_yaml_node *matrix,
		       struct hn_diag *diag)
{
	uint32_t from = 0, nr_rows = 0;

	for (uint32_t n = 0; n < t->m->nr_nodes; n++)
		nr_rows += t->m->nodes[n].nr_cpus > 0;
	if (matrix->nr_children != nr_rows)
		return hn_yaml_complain(matrix, -EINVAL, diag,
					"the matrix has %u rows, expected %u (nodes with CPUs)",
					matrix->nr_children, nr_rows);
	hn_yaml_for_each(row, matrix) {
		int err;

		while (!t->m->nodes[from].nr_cpus)
			from++;
		err = read_row(t, row, from++, diag);
		if (err)
			return err;
	}
	return 0;
}

static int read_class(const struct target *t, const struct hn_yaml_node *map, uint32_t from,
		      uint32_t to, struct hn_diag *diag)
{
	uint32_t distance = hn_machine_distance(t->m, (hn_nid)from, (hn_nid)to);
	const struct hn_yaml_node *item;
	char key[8];

	snprintf(key, sizeof(key), "%u", distance);
	item = hn_yaml_find(map, key);
	if (!item)
		return hn_yaml_complain(map, -EINVAL, diag, "there is no value for distance %u",
					distance);
	return read_cell(t, item, cell(t->m, from, to), diag);
}

/* {10: 90, 21: 131}: by distance. has_local: is the diagonal wanted too? */
static int read_classes(const struct target *t, const struct hn_yaml_node *map, bool has_local,
			struct hn_diag *diag)
{
	for (uint32_t from = 0; from < t->m->nr_nodes; from++) {
		if (!t->m->nodes[from].nr_cpus)
			continue;
		for (uint32_t to = 0; to < t->m->nr_nodes; to++) {
			int err;

			if (from == to && !has_local)
				continue;
			err = read_class(t, map, from, to, diag);
			if (err)
				return err;
		}
	}
	return 0;
}

static int read_latency(const struct hn_yaml_node *value, struct hn_machine *m,
			struct hn_diag *diag)
{
	struct target t = { .m = m, .cells = m->latency_ns, .scale = 1, .min = 1,
			    .max = LATENCY_NS_MAX };

	if (value->kind == HN_YAML_SEQ)
		return read_matrix(&t, value, diag);
	if (value->kind == HN_YAML_MAP)
		return read_classes(&t, value, /* has_local */ true, diag);
	return hn_yaml_complain(value, -EINVAL, diag,
				"latencies must be a matrix or a mapping from distance to ns");
}

/* A matrix has each node's own bandwidth on the diagonal, as MLC prints it; a node without
 * CPUs can deliver what the best-placed other node measured. */
static void take_node_bandwidths(struct hn_machine *m)
{
	for (uint32_t to = 0; to < m->nr_nodes; to++) {
		double best = m->link_bw_bytes_per_s[cell(m, to, to)];

		for (uint32_t from = 0; from < m->nr_nodes && !m->nodes[to].nr_cpus; from++) {
			if (m->link_bw_bytes_per_s[cell(m, from, to)] > best)
				best = m->link_bw_bytes_per_s[cell(m, from, to)];
		}
		m->nodes[to].bw_bytes_per_s = best;
	}
}

static int read_link_bandwidth(const struct hn_yaml_node *value, struct hn_machine *m,
			       struct hn_diag *diag)
{
	struct target t = { .m = m, .cells = m->link_bw_bytes_per_s, .scale = BYTES_PER_GB,
			    .min = BANDWIDTH_GBS_MIN, .max = BANDWIDTH_GBS_MAX };
	int err = 0;

	if (value->kind == HN_YAML_MAP)
		return read_classes(&t, value, /* has_local */ false, diag);
	if (value->kind == HN_YAML_SEQ) {
		err = read_matrix(&t, value, diag);
		if (!err)
			take_node_bandwidths(m);
		return err;
	}
	for (size_t at = 0; at < (size_t)m->nr_nodes * m->nr_nodes && !err; at++)
		err = read_cell(&t, value, at, diag);
	return err;
}

static int read_node_bandwidth(const struct hn_yaml_node *value, struct hn_machine *m,
			       struct hn_diag *diag)
{
	const struct hn_yaml_node *item = value->first;

	if (value->kind == HN_YAML_SEQ && value->nr_children != m->nr_nodes)
		return hn_yaml_complain(value, -EINVAL, diag, "the list has %u values, expected %u",
					value->nr_children, m->nr_nodes);
	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		double gbs;
		int err = hn_yaml_as_double(value->kind == HN_YAML_SEQ ? item : value,
					    BANDWIDTH_GBS_MIN, BANDWIDTH_GBS_MAX, &gbs, diag);

		if (err)
			return err;
		m->nodes[n].bw_bytes_per_s = gbs * BYTES_PER_GB;
		item = item ? item->next : NULL;
	}
	return 0;
}

static int read_llc(const struct hn_yaml_node *value, struct hn_machine *m, struct hn_diag *diag)
{
	return hn_yaml_as_bytes(value, LLC_BYTES_MIN, LLC_BYTES_MAX, &m->llc_bytes, diag);
}

static int read_freq(const struct hn_yaml_node *value, struct hn_machine *m,
		     struct hn_diag *diag)
{
	return hn_yaml_as_double(value, 0.1, 20, &m->freq_ghz, diag);
}

static int read_u32(const struct hn_yaml_node *value, uint64_t min, uint64_t max,
		    uint32_t *ret_value, struct hn_diag *diag)
{
	uint64_t wide;
	int err = hn_yaml_as_u64(value, min, max, &wide, diag);

	if (!err)
		*ret_value = (uint32_t)wide;
	return err;
}

static int read_smt(const struct hn_yaml_node *value, struct hn_machine *m, struct hn_diag *diag)
{
	return read_u32(value, 100, 800, &m->smt_total_pct, diag);
}

static int read_line(const struct hn_yaml_node *value, struct hn_machine *m, struct hn_diag *diag)
{
	return read_u32(value, 16, 4096, &m->line_bytes, diag);
}

struct reader {
	const char *key;
	int (*read)(const struct hn_yaml_node *value, struct hn_machine *m, struct hn_diag *diag);
};

/* Links before nodes: a node's own figure replaces what the diagonal of a matrix said. */
static const struct reader readers[] = {
	{ "latency_ns", read_latency },
	{ "link_bandwidth_gb_per_s", read_link_bandwidth },
	{ "node_bandwidth_gb_per_s", read_node_bandwidth },
	{ "llc_bytes", read_llc },
	{ "freq_ghz", read_freq },
	{ "smt_total_pct", read_smt },
	{ "line_bytes", read_line },
};

static int read_figure(struct hn_arena *arena, const struct hn_yaml_node *map,
		       const struct reader *reader, struct hn_machine *m,
		       struct hn_diag *diag)
{
	const struct hn_yaml_node *node = hn_yaml_find(map, reader->key), *value;
	const char *source;
	int err;

	if (!node)
		return 0;
	err = hn_model_read_source(arena, node, &value, &source, diag);
	if (!err)
		err = reader->read(value, m, diag);
	return err;
}

int hn_model_read_figures(struct hn_arena *arena, const struct hn_yaml_node *map,
			  struct hn_machine *m, struct hn_model_sources *sources,
			  struct hn_diag *diag)
{
	const char *keys[HN_ARRAY_LEN(readers)];
	int err;

	for (size_t r = 0; r < HN_ARRAY_LEN(readers); r++)
		keys[r] = readers[r].key;
	err = hn_yaml_check_keys(map, keys, HN_ARRAY_LEN(keys), diag);
	for (size_t r = 0; r < HN_ARRAY_LEN(readers) && !err; r++)
		err = read_figure(arena, map, &readers[r], m, diag);
	if (err)
		return err;
	hn_yaml_for_each(figure, map) {
		const struct hn_yaml_node *value;
		const char *source;

		err = hn_model_read_source(arena, figure, &value, &source, diag);
		if (err)
			return err;
		hn_model_add_source(sources, figure->key, source);
	}
	return 0;
}
