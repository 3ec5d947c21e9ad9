/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a spec to a scenario: the top of a file, its regions, and the list of all scenarios. */
#include "sim/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "sim/scenario-internal.h"

/* ---- regions ---- */

struct region_nodes {
	const struct hn_yaml_node *size, *huge, *bind, *interleave;
	const char *source;
	uint32_t scope, memory;
};

static const char *const scope_names[] = { "process", "thread", "global" };
static const char *const memory_names[] = { "anon", "shm", "file", "file-dirty", "text" };

static const struct hn_yaml_field region_fields[] = {
	{ .key = "scope", .type = HN_YAML_CHOICE, .names = scope_names,
	  .nr_names = HN_ARRAY_LEN(scope_names), .offset = offsetof(struct region_nodes, scope) },
	{ .key = "memory", .type = HN_YAML_CHOICE, .names = memory_names,
	  .nr_names = HN_ARRAY_LEN(memory_names),
	  .offset = offsetof(struct region_nodes, memory) },
	{ .key = "size", .type = HN_YAML_NODE, .is_required = true,
	  .offset = offsetof(struct region_nodes, size) },
	{ .key = "huge", .type = HN_YAML_NODE, .offset = offsetof(struct region_nodes, huge) },
	{ .key = "bind", .type = HN_YAML_NODE, .offset = offsetof(struct region_nodes, bind) },
	{ .key = "interleave", .type = HN_YAML_NODE,
	  .offset = offsetof(struct region_nodes, interleave) },
	{ .key = "source", .type = HN_YAML_STRING,
	  .offset = offsetof(struct region_nodes, source) },
};

static uint64_t machine_bytes(const struct hn_machine *machine)
{
	uint64_t total = 0;

	for (uint32_t n = 0; n < machine->nr_nodes; n++)
		total += machine->nodes[n].mem_bytes;
	return total;
}

static int check_region(struct scn_reader *rd, const struct region_nodes *nodes,
			const struct hn_scn_region *region)
{
	uint64_t total = machine_bytes(rd->machine);

	if (region->bytes > total)
		return hn_yaml_complain(nodes->size, -ENOMEM, rd->diag,
					"region '%s' of %llu MiB is larger than the memory of "
					"machine '%s', %llu MiB", region->name,
					(unsigned long long)(region->bytes >> 20),
					rd->machine->name, (unsigned long long)(total >> 20));
	if (region->bind_nid == HN_NID_NONE)
		return 0;
	if (region->is_interleaved)
		return hn_yaml_complain_key(nodes->interleave, -EINVAL, rd->diag,
					    "region '%s' is both bound and interleaved",
					    region->name);
	if (region->bytes > rd->machine->nodes[region->bind_nid].mem_bytes)
		return hn_yaml_complain(nodes->bind, -ENOMEM, rd->diag,
					"region '%s' of %llu MiB does not fit node %d",
					region->name, (unsigned long long)(region->bytes >> 20),
					region->bind_nid);
	return 0;
}

static int read_region(struct scn_reader *rd, const struct hn_yaml_node *node,
		       struct hn_scn_region *region)
{
	struct region_nodes nodes = { 0 };
	int err = scn_check_new_name(rd, node);

	if (!err)
		err = hn_yaml_read_fields(node, region_fields, HN_ARRAY_LEN(region_fields),
					  &nodes, rd->diag);
	if (err)
		return err;
	region->name = node->key;
	region->scope = (enum hn_scn_scope)nodes.scope;
	region->memory = (enum hn_scn_memory)nodes.memory;
	region->bind_nid = HN_NID_NONE;
	err = scn_read_bytes(rd, nodes.size, 1, SCN_BYTES_MAX, &region->bytes);
	if (!err && nodes.huge)
		err = scn_read_switch(rd, nodes.huge, &region->is_huge);
	if (!err && nodes.bind)
		err = scn_read_nid(rd, nodes.bind, &region->bind_nid);
	if (!err && nodes.interleave)
		err = scn_read_switch(rd, nodes.interleave, &region->is_interleaved);
	return err ? err : check_region(rd, &nodes, region);
}

/* Regions become names for their size as they are read. */
static int read_regions(struct scn_reader *rd, const struct hn_yaml_node *map)
{
	struct hn_scenario *scn = rd->scn;
	int err = 0;

	rd->region_scope = (struct hn_expr_scope){ .names = rd->region_names,
						   .outer = rd->scope };
	rd->scope = &rd->region_scope;
	if (!map)
		return 0;
	err = hn_yaml_check_kind(map, HN_YAML_MAP, rd->diag);
	if (err)
		return err;
	if (map->nr_children > HN_SCN_REGIONS_MAX)
		return hn_yaml_complain(map, -E2BIG, rd->diag, "%u regions, at most %d",
					map->nr_children, HN_SCN_REGIONS_MAX);
	scn->regions = HN_ARENA_ARRAY(rd->arena, struct hn_scn_region, map->nr_children);
	hn_yaml_for_each(node, map) {
		struct hn_scn_region *region = &scn->regions[scn->nr_regions];

		err = read_region(rd, node, region);
		if (err)
			return err;
		rd->region_names[scn->nr_regions++] = (struct hn_expr_name){
			region->name, { .number = (double)region->bytes, .bytes = 1 },
		};
		rd->region_scope.nr_names = scn->nr_regions;
	}
	return 0;
}

/* ---- the top of a file ---- */

struct top_nodes {
	const struct hn_yaml_node *summary, *row, *source, *params, *duration, *measure_from,
		*limit, *counters, *regions, *processes;
};

#define TOP(member) offsetof(struct top_nodes, member)

static const struct hn_yaml_field top_fields[] = {
	{ .key = "summary", .type = HN_YAML_NODE, .is_required = true, .offset = TOP(summary) },
	{ .key = "row", .type = HN_YAML_NODE, .offset = TOP(row) },
	{ .key = "source", .type = HN_YAML_NODE, .is_required = true, .offset = TOP(source) },
	{ .key = "params", .type = HN_YAML_NODE, .offset = TOP(params) },
	{ .key = "duration", .type = HN_YAML_NODE, .offset = TOP(duration) },
	{ .key = "measure_from", .type = HN_YAML_NODE, .offset = TOP(measure_from) },
	{ .key = "limit", .type = HN_YAML_NODE, .offset = TOP(limit) },
	{ .key = "counters", .type = HN_YAML_NODE, .offset = TOP(counters) },
	{ .key = "regions", .type = HN_YAML_NODE, .offset = TOP(regions) },
	{ .key = "processes", .type = HN_YAML_NODE, .is_required = true,
	  .offset = TOP(processes) },
};

static int read_counters(struct scn_reader *rd, const struct hn_yaml_node *seq)
{
	struct hn_scenario *scn = rd->scn;
	int err = hn_yaml_check_kind(seq, HN_YAML_SEQ, rd->diag);

	if (err)
		return err;
	if (seq->nr_children > HN_SCN_COUNTERS_MAX)
		return hn_yaml_complain(seq, -E2BIG, rd->diag, "%u counters, at most %d",
					seq->nr_children, HN_SCN_COUNTERS_MAX);
	scn->counters = HN_ARENA_ARRAY(rd->arena, const char *, seq->nr_children);
	hn_yaml_for_each(node, seq) {
		const char *name;

		err = hn_yaml_as_string(node, &name, rd->diag);
		if (err)
			return err;
		for (uint32_t c = 0; c < scn->nr_counters; c++) {
			if (!strcmp(scn->counters[c], name))
				return hn_yaml_complain(node, -EINVAL, rd->diag,
							"counter '%.60s' is there twice", name);
		}
		scn->counters[scn->nr_counters++] = name;
	}
	return 0;
}

static int read_times(struct scn_reader *rd, const struct top_nodes *nodes)
{
	struct hn_scenario *scn = rd->scn;
	int err = 0;

	scn->limit_ns = SCN_LIMIT_NS_DEFAULT;
	if (nodes->duration)
		err = scn_read_span(rd, nodes->duration, 1, SCN_SPAN_NS_MAX, &scn->duration_ns);
	if (!err && nodes->measure_from)
		err = scn_read_span(rd, nodes->measure_from, 0, SCN_SPAN_NS_MAX,
				    &scn->measure_from_ns);
	if (!err && nodes->limit)
		err = scn_read_span(rd, nodes->limit, 1, SCN_SPAN_NS_MAX, &scn->limit_ns);
	if (err)
		return err;
	if (scn->duration_ns && scn->measure_from_ns >= scn->duration_ns)
		return hn_yaml_complain(nodes->measure_from, -EINVAL, rd->diag,
					"'measure_from' is not before the end, 'duration'");
	if (scn->duration_ns > scn->limit_ns)
		return hn_yaml_complain(nodes->limit ? nodes->limit : nodes->duration, -EINVAL,
					rd->diag, "'duration' is longer than 'limit'");
	return 0;
}

static int read_texts(struct scn_reader *rd, const struct top_nodes *nodes)
{
	struct hn_scenario *scn = rd->scn;
	int err = scn_fill_in(rd, nodes->summary, &scn->summary);

	scn->name = scn_display_name(rd);
	scn->row = rd->spec->name;
	if (!err && nodes->row)
		err = scn_fill_in(rd, nodes->row, &scn->row);
	if (!err)
		err = hn_yaml_as_string(nodes->source, &scn->source, rd->diag);
	return err;
}

static int read_top(struct scn_reader *rd)
{
	struct top_nodes nodes = { 0 };
	int err = hn_yaml_read_fields(rd->root, top_fields, HN_ARRAY_LEN(top_fields), &nodes,
				      rd->diag);

	if (!err)
		err = scn_params_read(rd, nodes.params);
	if (!err)
		err = read_texts(rd, &nodes);
	if (!err)
		err = read_times(rd, &nodes);
	if (!err && nodes.counters)
		err = read_counters(rd, nodes.counters);
	if (!err)
		err = read_regions(rd, nodes.regions);
	if (!err)
		err = scn_processes_read(rd, nodes.processes);
	return err ? err : scn_check(rd);
}

int scn_read_tree(struct hn_arena *arena, struct scn_spec *spec, const struct hn_yaml_node *root,
		  const struct hn_machine *machine, const struct hn_scenario **ret_scenario,
		  struct hn_diag *diag)
{
	struct scn_reader *rd = HN_ARENA_NEW(arena, struct scn_reader);
	int err;

	rd->arena = arena;
	rd->machine = machine;
	rd->spec = spec;
	rd->root = root;
	rd->diag = diag;
	rd->scn = HN_ARENA_NEW(arena, struct hn_scenario);
	scn_facts_init(rd);
	err = read_top(rd);
	if (!err)
		*ret_scenario = rd->scn;
	return err;
}

int hn_scenario_read(struct hn_arena *arena, const char *data_dir, const char *spec_text,
		     const struct hn_machine *machine, const struct hn_scenario **ret_scenario,
		     struct hn_diag *diag)
{
	const struct hn_yaml_node *root;
	struct scn_spec spec;
	int err = scn_spec_parse(arena, data_dir, spec_text, &spec, diag);

	if (!err)
		err = hn_yaml_load(arena, spec.path, &root, diag);
	if (err)
		return err;
	return scn_read_tree(arena, &spec, root, machine, ret_scenario, diag);
}

/* ---- the list ---- */

/* "jvms=1,warehouses=8": the defaults as they stand in the file. */
static int list_params(struct hn_arena *arena, const struct hn_yaml_node *root,
		       const char **ret_params, struct hn_diag *diag)
{
	const struct hn_yaml_node *params = hn_yaml_find(root, "params");
	struct hn_strbuf buf;
	const char *separator = "";

	hn_strbuf_init(&buf, arena);
	hn_strbuf_add(&buf, "");
	if (params) {
		hn_yaml_for_each(node, params) {
			const struct hn_yaml_node *value = hn_yaml_find(node, "default");
			const char *text;
			int err = hn_yaml_as_string(value ? value : node, &text, diag);

			if (err)
				return err;
			hn_strbuf_addf(&buf, "%s%s=%s", separator, node->key ? node->key : "",
				       text);
			separator = ",";
		}
	}
	*ret_params = buf.text;
	return 0;
}

static int list_one(struct hn_arena *arena, const char *dir, struct hn_scenario_entry *entry,
		    struct hn_diag *diag)
{
	const struct hn_yaml_node *root, *summary;
	struct hn_strbuf path;
	int err;

	hn_strbuf_init(&path, arena);
	hn_strbuf_addf(&path, "%s/%s.yaml", dir, entry->name);
	err = hn_yaml_load(arena, path.text, &root, diag);
	if (!err)
		err = hn_yaml_need(root, "summary", &summary, diag);
	if (!err)
		err = hn_yaml_as_string(summary, &entry->summary, diag);
	return err ? err : list_params(arena, root, &entry->params, diag);
}

int hn_scenario_list(struct hn_arena *arena, const char *data_dir,
		     struct hn_scenario_entry **ret_entries, uint32_t *ret_nr,
		     struct hn_diag *diag)
{
	struct hn_scenario_entry *entries;
	struct hn_strbuf dir;
	const char **names;
	uint32_t nr;
	int err;

	hn_strbuf_init(&dir, arena);
	hn_strbuf_addf(&dir, "%s/scenarios", data_dir);
	err = scn_list_names(arena, dir.text, &names, &nr, diag);
	if (err)
		return err;
	entries = HN_ARENA_ARRAY(arena, struct hn_scenario_entry, nr);
	for (uint32_t e = 0; e < nr && !err; e++) {
		entries[e].name = names[e];
		err = list_one(arena, dir.text, &entries[e], diag);
	}
	if (err)
		return err;
	*ret_entries = entries;
	*ret_nr = nr;
	return 0;
}
