/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of a scenario, and the roles of their threads. */
#include "sim/scenario-internal.h"

#include <errno.h>
#include <string.h>

struct role_nodes {
	const struct hn_yaml_node *threads, *steps;
};

static const struct hn_yaml_field role_fields[] = {
	{ .key = "threads", .type = HN_YAML_NODE,
	  .offset = offsetof(struct role_nodes, threads) },
	{ .key = "steps", .type = HN_YAML_NODE, .is_required = true,
	  .offset = offsetof(struct role_nodes, steps) },
};

struct process_nodes {
	const struct hn_yaml_node *instances, *start, *stagger, *setup, *roles;
};

#define PROCESS(member) offsetof(struct process_nodes, member)

static const struct hn_yaml_field process_fields[] = {
	{ .key = "instances", .type = HN_YAML_NODE, .offset = PROCESS(instances) },
	{ .key = "start", .type = HN_YAML_NODE, .offset = PROCESS(start) },
	{ .key = "stagger", .type = HN_YAML_NODE, .offset = PROCESS(stagger) },
	{ .key = "setup", .type = HN_YAML_NODE, .offset = PROCESS(setup) },
	{ .key = "roles", .type = HN_YAML_NODE, .is_required = true, .offset = PROCESS(roles) },
};

static struct hn_expr_name plain(const char *name, uint32_t number)
{
	return (struct hn_expr_name){ name, { .number = number } };
}

static int read_role(struct scn_reader *rd, const struct hn_yaml_node *node,
		     uint32_t nr_instances, struct hn_scn_role *role)
{
	const struct hn_expr_scope *outer = rd->scope;
	struct role_nodes nodes = { 0 };
	struct hn_expr_name names[2];
	struct hn_expr_scope scope = { names, HN_ARRAY_LEN(names), outer };
	int err = hn_yaml_read_fields(node, role_fields, HN_ARRAY_LEN(role_fields), &nodes,
				      rd->diag);

	role->name = node->key;
	role->nr_threads = 1;
	if (!err && nodes.threads)
		err = scn_read_count(rd, nodes.threads, 1, HN_SCN_TASKS_MAX, &role->nr_threads);
	if (err)
		return err;
	names[0] = plain("threads", role->nr_threads);
	names[1] = plain("instances", nr_instances);
	rd->scope = &scope;
	err = scn_program_read(rd, nodes.steps, false, &role->program);
	rd->scope = outer;
	return err;
}

static int read_roles(struct scn_reader *rd, const struct hn_yaml_node *map,
		      struct hn_scn_process *process)
{
	int err = hn_yaml_check_kind(map, HN_YAML_MAP, rd->diag);

	if (err)
		return err;
	if (!map->nr_children || map->nr_children > HN_SCN_ROLES_MAX)
		return hn_yaml_complain(map, -ERANGE, rd->diag, "%u roles, expected 1 to %d",
					map->nr_children, HN_SCN_ROLES_MAX);
	process->roles = HN_ARENA_ARRAY(rd->arena, struct hn_scn_role, map->nr_children);
	hn_yaml_for_each(node, map) {
		err = read_role(rd, node, process->nr_instances,
				&process->roles[process->nr_roles]);
		if (err)
			return err;
		process->nr_roles++;
	}
	return 0;
}

static int read_setup(struct scn_reader *rd, const struct hn_yaml_node *seq,
		      struct hn_scn_process *process)
{
	const struct hn_expr_scope *outer = rd->scope;
	struct hn_expr_name names[2] = { plain("threads", 1),
					 plain("instances", process->nr_instances) };
	struct hn_expr_scope scope = { names, HN_ARRAY_LEN(names), outer };
	int err;

	rd->scope = &scope;
	err = scn_program_read(rd, seq, true, &process->setup);
	rd->scope = outer;
	return err;
}

static int read_process(struct scn_reader *rd, const struct hn_yaml_node *node,
			struct hn_scn_process *process)
{
	struct process_nodes nodes = { 0 };
	int err = hn_yaml_read_fields(node, process_fields, HN_ARRAY_LEN(process_fields), &nodes,
				      rd->diag);

	process->name = node->key;
	process->nr_instances = 1;
	if (!err && nodes.instances)
		err = scn_read_count(rd, nodes.instances, 0, HN_SCN_TASKS_MAX,
				     &process->nr_instances);
	if (!err && nodes.start)
		err = scn_read_span(rd, nodes.start, 0, SCN_SPAN_NS_MAX, &process->start_ns);
	if (!err && nodes.stagger)
		err = scn_read_span(rd, nodes.stagger, 0, SCN_SPAN_NS_MAX,
				    &process->stagger_ns);
	if (!err && nodes.setup)
		err = read_setup(rd, nodes.setup, process);
	return err ? err : read_roles(rd, nodes.roles, process);
}

int scn_processes_read(struct scn_reader *rd, const struct hn_yaml_node *map)
{
	struct hn_scenario *scn = rd->scn;
	int err = hn_yaml_check_kind(map, HN_YAML_MAP, rd->diag);

	if (err)
		return err;
	if (!map->nr_children || map->nr_children > HN_SCN_PROCESSES_MAX)
		return hn_yaml_complain(map, -ERANGE, rd->diag, "%u processes, expected 1 to %d",
					map->nr_children, HN_SCN_PROCESSES_MAX);
	scn->processes = HN_ARENA_ARRAY(rd->arena, struct hn_scn_process, map->nr_children);
	/* All names first: a process may spawn one that stands below it. */
	hn_yaml_for_each(node, map)
		rd->process_names[scn->nr_processes++] = node->key;
	for (uint32_t p = 0; p < scn->nr_processes && !err; p++) {
		const struct hn_yaml_node *node = hn_yaml_find(map, rd->process_names[p]);

		err = read_process(rd, node, &scn->processes[p]);
	}
	return err;
}
