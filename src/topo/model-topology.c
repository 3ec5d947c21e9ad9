/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "topo/id-list.h"
#include "topo/model-internal.h"

/* The regular shape of a machine as the YAML tells it; irregular parts are lists. */
struct shape {
	uint32_t nr_packages;
	uint32_t nodes_per_package;
	uint32_t cores_per_node;
	uint32_t smt;
	uint32_t cores_per_llc;     /* 0: one LLC a node */
	uint32_t nodes_per_llc;
	uint32_t cores_per_cluster;
	uint32_t numbering;         /* enum numbering */
	const struct hn_yaml_node *memory;
	const struct hn_yaml_node *node_ids;
	const struct hn_yaml_node *far_nodes;
	const struct hn_yaml_node *distances;
	const char *source;
};

enum numbering { SIBLINGS_LAST, SIBLINGS_ADJACENT };

static const char *const numbering_names[] = { "siblings-last", "siblings-adjacent" };

static const struct hn_yaml_field shape_fields[] = {
	{ .key = "packages", .type = HN_YAML_U32, .is_required = true, .min = 1,
	  .max = HN_NODES_MAX, .offset = offsetof(struct shape, nr_packages) },
	{ .key = "nodes_per_package", .type = HN_YAML_U32, .min = 1, .max = HN_NODES_MAX,
	  .offset = offsetof(struct shape, nodes_per_package) },
	{ .key = "cores_per_node", .type = HN_YAML_U32, .is_required = true, .min = 1,
	  .max = HN_CPUS_MAX, .offset = offsetof(struct shape, cores_per_node) },
	{ .key = "smt", .type = HN_YAML_U32, .min = 1, .max = 16,
	  .offset = offsetof(struct shape, smt) },
	{ .key = "cores_per_llc", .type = HN_YAML_U32, .min = 1, .max = HN_CPUS_MAX,
	  .offset = offsetof(struct shape, cores_per_llc) },
	{ .key = "nodes_per_llc", .type = HN_YAML_U32, .min = 1, .max = HN_NODES_MAX,
	  .offset = offsetof(struct shape, nodes_per_llc) },
	{ .key = "cores_per_cluster", .type = HN_YAML_U32, .min = 1, .max = HN_CPUS_MAX,
	  .offset = offsetof(struct shape, cores_per_cluster) },
	{ .key = "numbering", .type = HN_YAML_CHOICE, .names = numbering_names,
	  .nr_names = HN_ARRAY_LEN(numbering_names), .offset = offsetof(struct shape, numbering) },
	{ .key = "memory", .type = HN_YAML_NODE, .is_required = true,
	  .offset = offsetof(struct shape, memory) },
	{ .key = "node_ids", .type = HN_YAML_NODE, .offset = offsetof(struct shape, node_ids) },
	{ .key = "far_nodes", .type = HN_YAML_NODE, .offset = offsetof(struct shape, far_nodes) },
	{ .key = "distances", .type = HN_YAML_NODE, .offset = offsetof(struct shape, distances) },
	{ .key = "source", .type = HN_YAML_STRING, .is_required = true,
	  .offset = offsetof(struct shape, source) },
};

static uint32_t nr_near_nodes(const struct shape *s)
{
	return s->nr_packages * s->nodes_per_package;
}

static int check_shape(const struct hn_yaml_node *map, const struct shape *s,
		       struct hn_diag *diag)
{
	uint64_t nr_cpus = (uint64_t)nr_near_nodes(s) * s->cores_per_node * s->smt;

	if (nr_near_nodes(s) > HN_NODES_MAX)
		return hn_yaml_complain(map, -E2BIG, diag, "%u nodes, the limit is %d",
					nr_near_nodes(s), HN_NODES_MAX);
	if (nr_cpus > HN_CPUS_MAX)
		return hn_yaml_complain(map, -E2BIG, diag, "%llu CPUs, the limit is %d",
					(unsigned long long)nr_cpus, HN_CPUS_MAX);
	if (s->cores_per_llc && s->nodes_per_llc > 1)
		return hn_yaml_complain(map, -EINVAL, diag,
					"'cores_per_llc' and 'nodes_per_llc' exclude each other");
	return 0;
}

/* The item for node `index`: of a list, its own; a single value stands for all. */
static const struct hn_yaml_node *item_of(const struct hn_yaml_node *node, uint32_t index)
{
	uint32_t i = 0;

	if (!node || node->kind != HN_YAML_SEQ)
		return node;
	hn_yaml_for_each(child, node) {
		if (i++ == index)
			return child;
	}
	return NULL;
}

static int check_length(const struct hn_yaml_node *list, uint32_t expected, struct hn_diag *diag)
{
	if (list->kind != HN_YAML_SEQ || list->nr_children == expected)
		return 0;
	return hn_yaml_complain(list, -EINVAL, diag, "the list has %u entries, expected %u",
				list->nr_children, expected);
}

static int add_near_node(struct hn_layout *layout, const struct shape *s, uint32_t index,
			 struct hn_diag *diag)
{
	const struct hn_yaml_node *id_item = item_of(s->node_ids, index);
	uint64_t mem_bytes, os_id = index;
	int err = hn_yaml_as_bytes(item_of(s->memory, index), 0, HN_LAYOUT_MEM_MAX_BYTES,
				   &mem_bytes, diag);

	if (!err && id_item)
		err = hn_yaml_as_u64(id_item, 0, HN_ID_MAX - 1, &os_id, diag);
	if (err)
		return err;
	return hn_layout_add_node(layout, (int32_t)os_id, mem_bytes, diag);
}

static int add_near_nodes(struct hn_layout *layout, const struct shape *s, struct hn_diag *diag)
{
	uint32_t nr = nr_near_nodes(s);
	int err = check_length(s->memory, nr, diag);

	if (!err && s->node_ids)
		err = hn_yaml_check_kind(s->node_ids, HN_YAML_SEQ, diag);
	if (!err && s->node_ids)
		err = check_length(s->node_ids, nr, diag);
	for (uint32_t n = 0; n < nr && !err; n++)
		err = add_near_node(layout, s, n, diag);
	return err;
}

struct far_node {
	uint64_t id;
	uint64_t mem_bytes;
	bool is_fast;
};

static const struct hn_yaml_field far_fields[] = {
	{ .key = "id", .type = HN_YAML_U64, .is_required = true, .min = 0, .max = HN_ID_MAX - 1,
	  .offset = offsetof(struct far_node, id) },
	{ .key = "memory", .type = HN_YAML_BYTES, .is_required = true, .min = 0,
	  .max = (double)HN_LAYOUT_MEM_MAX_BYTES, .offset = offsetof(struct far_node, mem_bytes) },
	{ .key = "is_fast", .type = HN_YAML_BOOL, .offset = offsetof(struct far_node, is_fast) },
};

static int add_far_nodes(struct hn_layout *layout, const struct shape *s, struct hn_diag *diag)
{
	int err;

	if (!s->far_nodes)
		return 0;
	err = hn_yaml_check_kind(s->far_nodes, HN_YAML_SEQ, diag);
	if (err)
		return err;
	hn_yaml_for_each(item, s->far_nodes) {
		struct far_node far = { 0 };

		err = hn_yaml_read_fields(item, far_fields, HN_ARRAY_LEN(far_fields), &far, diag);
		if (!err)
			err = hn_layout_add_node(layout, (int32_t)far.id, far.mem_bytes, diag);
		if (err)
			return err;
		layout->nodes[layout->nr_nodes - 1].is_fast = far.is_fast;
	}
	return 0;
}

static int add_cpu(struct hn_layout *layout, const struct shape *s, uint32_t core,
		   uint32_t thread, struct hn_diag *diag)
{
	uint32_t node = core / s->cores_per_node;
	uint32_t nr_cores = nr_near_nodes(s) * s->cores_per_node;
	struct hn_layout_cpu cpu = {
		.node_os_id = layout->nodes[node].os_id,
		.core = core,
		.cluster = core / s->cores_per_cluster,
		.pkg = node / s->nodes_per_package,
	};

	if (s->cores_per_llc)
		cpu.llc = ((uint64_t)node << 32) +
			  core % s->cores_per_node / s->cores_per_llc;
	else
		cpu.llc = node / s->nodes_per_llc;
	if (s->numbering == SIBLINGS_LAST)
		cpu.os_id = (int32_t)(thread * nr_cores + core);
	else
		cpu.os_id = (int32_t)(core * s->smt + thread);
	return hn_layout_add_cpu(layout, &cpu, diag);
}

static int add_cpus(struct hn_layout *layout, const struct shape *s, struct hn_diag *diag)
{
	uint32_t nr_cores = nr_near_nodes(s) * s->cores_per_node;

	for (uint32_t core = 0; core < nr_cores; core++) {
		for (uint32_t thread = 0; thread < s->smt; thread++) {
			int err = add_cpu(layout, s, core, thread, diag);

			if (err)
				return err;
		}
	}
	return 0;
}

static int read_distance_row(struct hn_layout *layout, const struct hn_yaml_node *row,
			     uint32_t from, struct hn_diag *diag)
{
	uint32_t to = 0;
	int err = hn_yaml_check_kind(row, HN_YAML_SEQ, diag);

	if (!err)
		err = check_length(row, layout->nr_nodes, diag);
	if (err)
		return err;
	hn_yaml_for_each(item, row) {
		bool is_local = from == to;
		uint64_t value;

		err = hn_yaml_as_u64(item, HN_DISTANCE_LOCAL,
				     is_local ? HN_DISTANCE_LOCAL : HN_LAYOUT_DISTANCE_MAX, &value,
				     diag);
		if (err)
			return err;
		layout->distance[from][to++] = (uint32_t)value;
	}
	return 0;
}

static int read_distance_matrix(struct hn_layout *layout, const struct hn_yaml_node *matrix,
				struct hn_diag *diag)
{
	uint32_t from = 0;
	int err = check_length(matrix, layout->nr_nodes, diag);

	hn_yaml_for_each(row, matrix) {
		if (!err)
			err = read_distance_row(layout, row, from++, diag);
	}
	return err;
}

struct two_distances {
	uint32_t same_package;
	uint32_t other_package;
};

static const struct hn_yaml_field two_fields[] = {
	{ .key = "same_package", .type = HN_YAML_U32, .min = HN_DISTANCE_LOCAL,
	  .max = HN_LAYOUT_DISTANCE_MAX, .offset = offsetof(struct two_distances, same_package) },
	{ .key = "other_package", .type = HN_YAML_U32, .is_required = true,
	  .min = HN_DISTANCE_LOCAL, .max = HN_LAYOUT_DISTANCE_MAX,
	  .offset = offsetof(struct two_distances, other_package) },
};

static int read_two_distances(struct hn_layout *layout, const struct shape *s,
			      struct hn_diag *diag)
{
	struct two_distances two = { 0 };
	int err = hn_yaml_read_fields(s->distances, two_fields, HN_ARRAY_LEN(two_fields), &two,
				      diag);

	if (!err && s->far_nodes)
		err = hn_yaml_complain(s->distances, -EINVAL, diag,
				       "with 'far_nodes' the distances must be a full matrix");
	if (!err && s->nodes_per_package > 1 && !two.same_package)
		err = hn_yaml_complain(s->distances, -EINVAL, diag,
				       "key 'same_package' is missing");
	if (err)
		return err;
	for (uint32_t from = 0; from < layout->nr_nodes; from++) {
		for (uint32_t to = 0; to < layout->nr_nodes; to++) {
			bool is_same = from / s->nodes_per_package == to / s->nodes_per_package;

			layout->distance[from][to] = from == to ? HN_DISTANCE_LOCAL :
						     is_same ? two.same_package :
						     two.other_package;
		}
	}
	return 0;
}

static int read_distances(struct hn_layout *layout, const struct shape *s, struct hn_diag *diag)
{
	if (!s->distances)
		return 0;
	if (s->distances->kind == HN_YAML_MAP)
		return read_two_distances(layout, s, diag);
	if (s->distances->kind == HN_YAML_SEQ)
		return read_distance_matrix(layout, s->distances, diag);
	return hn_yaml_complain(s->distances, -EINVAL, diag,
				"'distances' must be a matrix or {same_package, other_package}");
}

/* Puts the place of `map` on a complaint of the layout, which knows no file. */
static int add_place(const struct hn_yaml_node *map, int err, const struct hn_diag *inner,
		     struct hn_diag *diag)
{
	if (!err)
		return 0;
	if (inner->line)
		return hn_diag_at(diag, err, inner->file, inner->line, inner->column, "%s",
				  inner->text);
	return hn_yaml_complain(map, err, diag, "%s", inner->text);
}

static int fill_layout(struct hn_layout *layout, const struct hn_yaml_node *map,
		       struct hn_diag *diag)
{
	struct shape s = { .nodes_per_package = 1, .smt = 1, .nodes_per_llc = 1,
			   .cores_per_cluster = 1 };
	int err = hn_yaml_read_fields(map, shape_fields, HN_ARRAY_LEN(shape_fields), &s, diag);

	if (!err)
		err = check_shape(map, &s, diag);
	if (err)
		return err;
	hn_layout_init(layout, layout->arena, "machine model");
	hn_layout_note(layout, "topology: %.400s", s.source);
	err = add_near_nodes(layout, &s, diag);
	if (!err)
		err = add_far_nodes(layout, &s, diag);
	if (!err)
		err = add_cpus(layout, &s, diag);
	if (!err)
		err = read_distances(layout, &s, diag);
	return err;
}

/* Figures are given in the file's order of nodes, so that must be the order of the indexes. */
static int check_ascending(const struct hn_yaml_node *map, const struct hn_layout *layout,
			   struct hn_diag *diag)
{
	for (uint32_t n = 1; n < layout->nr_nodes; n++) {
		if (layout->nodes[n].os_id < layout->nodes[n - 1].os_id)
			return hn_yaml_complain(map, -EINVAL, diag,
						"node %d comes after node %d, "
						"expected ascending ids",
						layout->nodes[n].os_id,
						layout->nodes[n - 1].os_id);
	}
	return 0;
}

int hn_model_read_topology(struct hn_arena *arena, const struct hn_yaml_node *map,
			   struct hn_machine **ret_machine, struct hn_diag *diag)
{
	struct hn_layout *layout = HN_ARENA_NEW(arena, struct hn_layout);
	struct hn_diag inner = { 0 };
	int err;

	layout->arena = arena;
	err = fill_layout(layout, map, &inner);
	if (!err)
		err = check_ascending(map, layout, &inner);
	if (!err)
		err = hn_layout_finish(layout, ret_machine, &inner);
	return add_place(map, err, &inner, diag);
}
