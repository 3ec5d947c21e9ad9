/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Batteries: lists of scenarios that belong together. */
#include "sim/scenario.h"

#include <errno.h>
#include <string.h>

#include "base/nearest.h"
#include "base/strbuf.h"
#include "sim/scenario-internal.h"

#define LIST_MAX 1024
#define RUNS_MAX 1000
#define PREFIX "battery:"

struct battery_nodes {
	const char *summary;
	const struct hn_yaml_node *scenarios, *machines, *policies, *published;
	const char *source;
	uint32_t nr_runs;
};

#define BATTERY(member) offsetof(struct battery_nodes, member)

static const struct hn_yaml_field fields[] = {
	{ .key = "summary", .type = HN_YAML_STRING, .is_required = true,
	  .offset = BATTERY(summary) },
	{ .key = "scenarios", .type = HN_YAML_NODE, .is_required = true,
	  .offset = BATTERY(scenarios) },
	{ .key = "machines", .type = HN_YAML_NODE, .offset = BATTERY(machines) },
	{ .key = "policies", .type = HN_YAML_NODE, .offset = BATTERY(policies) },
	{ .key = "published", .type = HN_YAML_NODE, .offset = BATTERY(published) },
	{ .key = "source", .type = HN_YAML_STRING, .offset = BATTERY(source) },
	{ .key = "runs", .type = HN_YAML_U32, .min = 1, .max = RUNS_MAX,
	  .offset = BATTERY(nr_runs) },
};

static int read_list(struct hn_arena *arena, const struct hn_yaml_node *seq,
		     const char ***ret_texts, uint32_t *ret_nr, struct hn_diag *diag)
{
	const char **texts;
	uint32_t nr = 0;
	int err = hn_yaml_check_kind(seq, HN_YAML_SEQ, diag);

	if (err)
		return err;
	if (!seq->nr_children || seq->nr_children > LIST_MAX)
		return hn_yaml_complain(seq, -ERANGE, diag, "%u entries, expected 1 to %d",
					seq->nr_children, LIST_MAX);
	texts = HN_ARENA_ARRAY(arena, const char *, seq->nr_children);
	hn_yaml_for_each(node, seq) {
		err = hn_yaml_as_string(node, &texts[nr++], diag);
		if (err)
			return err;
	}
	*ret_texts = texts;
	*ret_nr = nr;
	return 0;
}

#define PUBLISHED(member) offsetof(struct hn_published, member)

static const struct hn_yaml_field published_fields[] = {
	{ .key = "scenario", .type = HN_YAML_STRING, .is_required = true,
	  .offset = PUBLISHED(scenario) },
	{ .key = "machine", .type = HN_YAML_STRING, .is_required = true,
	  .offset = PUBLISHED(machine) },
	{ .key = "policy", .type = HN_YAML_STRING, .is_required = true,
	  .offset = PUBLISHED(policy) },
	{ .key = "metric", .type = HN_YAML_STRING, .is_required = true,
	  .offset = PUBLISHED(metric) },
	{ .key = "gain", .type = HN_YAML_DOUBLE, .is_required = true, .min = -1e6, .max = 1e6,
	  .offset = PUBLISHED(gain_pct) },
};

static int read_published(struct hn_arena *arena, const struct hn_yaml_node *seq,
			  struct hn_battery *battery, struct hn_diag *diag)
{
	struct hn_published *list;
	uint32_t nr = 0;
	int err = hn_yaml_check_kind(seq, HN_YAML_SEQ, diag);

	if (err)
		return err;
	if (seq->nr_children > LIST_MAX)
		return hn_yaml_complain(seq, -ERANGE, diag, "%u entries, expected at most %d",
					seq->nr_children, LIST_MAX);
	list = HN_ARENA_ARRAY(arena, struct hn_published, seq->nr_children);
	hn_yaml_for_each(node, seq) {
		err = hn_yaml_read_fields(node, published_fields, HN_ARRAY_LEN(published_fields),
					  &list[nr++], diag);
		if (err)
			return err;
	}
	battery->published = list;
	battery->nr_published = nr;
	return 0;
}

/* A scenario that is not there is found now, with its place, and not after an hour of runs. */
static int check_scenarios(struct hn_arena *arena, const char *data_dir,
			   const struct hn_yaml_node *seq, struct hn_diag *diag)
{
	hn_yaml_for_each(node, seq) {
		struct hn_diag found;
		struct scn_spec spec;
		int err;

		hn_diag_reset(&found);
		err = scn_spec_parse(arena, data_dir, node->text, &spec, &found);
		if (err)
			return hn_yaml_complain(node, err, diag, "%s", found.text);
	}
	return 0;
}

static int find_battery(struct hn_arena *arena, const char *data_dir, const char *name,
			const char **ret_path, struct hn_diag *diag)
{
	char hint[HN_NEAREST_HINT_BYTES];
	struct hn_strbuf path;
	const char **names;
	uint32_t nr;
	int err;

	hn_strbuf_init(&path, arena);
	hn_strbuf_addf(&path, "%s/scenarios/batteries", data_dir);
	err = scn_list_names(arena, path.text, &names, &nr, diag);
	if (err)
		return err;
	hn_strbuf_addf(&path, "/%s.yaml", name);
	for (uint32_t n = 0; n < nr; n++) {
		if (strcmp(names[n], name))
			continue;
		*ret_path = path.text;
		return 0;
	}
	return hn_diag_set(diag, -ENOENT, "unknown battery '%.200s'%s", name,
			   hn_nearest_hint(hint, name, names, nr));
}

static int read_battery(struct hn_arena *arena, const char *data_dir, const char *path,
			struct hn_battery *battery, struct hn_diag *diag)
{
	struct battery_nodes nodes = { 0 };
	const struct hn_yaml_node *root;
	int err = hn_yaml_load(arena, path, &root, diag);

	if (!err)
		err = hn_yaml_read_fields(root, fields, HN_ARRAY_LEN(fields), &nodes, diag);
	if (err)
		return err;
	battery->summary = nodes.summary;
	battery->nr_runs = nodes.nr_runs;
	err = read_list(arena, nodes.scenarios, &battery->scenarios, &battery->nr_scenarios,
			diag);
	if (!err)
		err = check_scenarios(arena, data_dir, nodes.scenarios, diag);
	if (!err && nodes.machines)
		err = read_list(arena, nodes.machines, &battery->machines,
				&battery->nr_machines, diag);
	if (!err && nodes.policies)
		err = read_list(arena, nodes.policies, &battery->policies,
				&battery->nr_policies, diag);
	if (!err && nodes.published)
		err = read_published(arena, nodes.published, battery, diag);
	return err;
}

int hn_battery_read(struct hn_arena *arena, const char *data_dir, const char *name,
		    const struct hn_battery **ret_battery, struct hn_diag *diag)
{
	struct hn_battery *battery = HN_ARENA_NEW(arena, struct hn_battery);
	const char *path = NULL;
	int err;

	if (!strncmp(name, PREFIX, strlen(PREFIX)))
		name += strlen(PREFIX);
	err = find_battery(arena, data_dir, name, &path, diag);
	if (!err)
		err = read_battery(arena, data_dir, path, battery, diag);
	if (err)
		return err;
	battery->name = hn_arena_strdup(arena, name);
	*ret_battery = battery;
	return 0;
}
