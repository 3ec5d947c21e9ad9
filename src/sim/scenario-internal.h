/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario-internal.h - what the files that read scenarios offer one another.
 *
 *   scenario-read.c     hn_scenario_read: from a spec to a scenario; the top of a file; regions
 *   scenario-spec.c     specs, files and folders
 *   scenario-params.c   facts of the machine, parameters and their values
 *   scenario-value.c    values of a file as numbers, through scenario-expr.h
 *   scenario-process.c  processes and roles
 *   scenario-steps.c    programs: lists of steps
 *   scenario-access.c   accesses and first touches
 *   scenario-check.c    what only the whole scenario shows: whether it ends, threads and memory
 *   scenario-battery.c  batteries
 *
 * Names are found in this order: those of the role (threads, instances), regions (their size),
 * parameters, facts of the machine. No name may be given twice. */
#ifndef HN_SIM_SCENARIO_INTERNAL_H
#define HN_SIM_SCENARIO_INTERNAL_H

#include "base/yaml-tree.h"
#include "sim/scenario-expr.h"
#include "sim/scenario.h"

#define SCN_PARAMS_MAX 16
#define SCN_FACTS_MAX 16
#define SCN_NAME_CHARS_MAX 48
#define SCN_BYTES_MAX (UINT64_C(1) << 50)
#define SCN_SPAN_NS_MAX (INT64_C(1000000) * HN_NS_PER_S)
#define SCN_LIMIT_NS_DEFAULT (INT64_C(3600) * HN_NS_PER_S)

/* A spec taken apart: "dir/a.yaml:x=1,y=2". Strings live in the arena. */
struct scn_given {
	const char *key;
	const char *value;
	bool is_used;
};

struct scn_spec {
	const char *name;       /* without folder and .yaml: "a" */
	const char *path;       /* of the file */
	struct scn_given given[SCN_PARAMS_MAX];
	uint32_t nr_given;
};

struct scn_param {
	const char *text;       /* the value as it is shown: "8", "on", "2 GiB" */
	bool is_switch;         /* on or off */
	bool is_given;          /* by the spec, not the default */
};

/* Where a spawn step stood, for complaints about the whole. */
struct scn_spawn {
	const struct hn_scn_step *step;
	const struct hn_yaml_node *node;
	struct scn_spawn *next;
};

/* A file being read. */
struct scn_reader {
	struct hn_arena *arena;
	const struct hn_machine *machine;
	struct scn_spec *spec;
	struct hn_diag *diag;
	struct hn_scenario *scn;
	const struct hn_yaml_node *root;

	const struct hn_expr_scope *scope;  /* innermost one now */
	struct hn_expr_name facts[SCN_FACTS_MAX];
	struct hn_expr_scope fact_scope;
	struct hn_expr_name param_names[SCN_PARAMS_MAX];
	struct scn_param params[SCN_PARAMS_MAX];
	struct hn_expr_scope param_scope;
	struct hn_expr_name region_names[HN_SCN_REGIONS_MAX];
	struct hn_expr_scope region_scope;
	const char *process_names[HN_SCN_PROCESSES_MAX];
	struct scn_spawn *spawns;           /* newest first */
};

/* ---- scenario-read.c ---- */

/* hn_scenario_read() for a tree that is there already. `spec` is changed: used parameters are
 * marked. */
int HN_MUST_CHECK scn_read_tree(struct hn_arena *arena, struct scn_spec *spec,
				const struct hn_yaml_node *root, const struct hn_machine *machine,
				const struct hn_scenario **ret_scenario, struct hn_diag *diag);

/* ---- scenario-spec.c ---- */

/* Takes a spec apart and finds its file. A name that no file has is refused, with the nearest. */
int HN_MUST_CHECK scn_spec_parse(struct hn_arena *arena, const char *data_dir, const char *text,
				 struct scn_spec *ret_spec, struct hn_diag *diag);

/* The names of the .yaml files of a folder, without ".yaml", ascending. */
int HN_MUST_CHECK scn_list_names(struct hn_arena *arena, const char *dir, const char ***ret_names,
				 uint32_t *ret_nr, struct hn_diag *diag);

/* ---- scenario-params.c ---- */

/* Fills the facts of the machine and makes them the scope. */
void scn_facts_init(struct scn_reader *rd);

/* Reads the parameters a file declares, with the values that the spec gives, as a new scope. */
int HN_MUST_CHECK scn_params_read(struct scn_reader *rd, const struct hn_yaml_node *params);

/* "numa01", "specjbb:warehouses=8": parameters that were given, in the order of the file. */
const char *scn_display_name(const struct scn_reader *rd);

/* The text of a node with each {parameter} replaced by its value. */
int HN_MUST_CHECK scn_fill_in(struct scn_reader *rd, const struct hn_yaml_node *node,
			      const char **ret_text);

/* ---- scenario-value.c ---- */

/* Each refuses another dimension and a value outside min .. max; counts are rounded down. */
int HN_MUST_CHECK scn_read_count(struct scn_reader *rd, const struct hn_yaml_node *node,
				 uint32_t min, uint32_t max, uint32_t *ret_count);
int HN_MUST_CHECK scn_read_real(struct scn_reader *rd, const struct hn_yaml_node *node,
				double min, double max, double *ret_value);
/* Rounded down to whole bytes; a plain number is bytes. */
int HN_MUST_CHECK scn_read_bytes(struct scn_reader *rd, const struct hn_yaml_node *node,
				 uint64_t min, uint64_t max, uint64_t *ret_bytes);
/* Bytes with their fraction, from 0 on. */
int HN_MUST_CHECK scn_read_traffic(struct scn_reader *rd, const struct hn_yaml_node *node,
				   double max, double *ret_bytes);
/* Rounded down to whole nanoseconds; a plain 0 is a time. */
int HN_MUST_CHECK scn_read_span(struct scn_reader *rd, const struct hn_yaml_node *node,
				hn_time_ns min, hn_time_ns max, hn_time_ns *ret_ns);
/* Nanoseconds with their fraction. */
int HN_MUST_CHECK scn_read_ns(struct scn_reader *rd, const struct hn_yaml_node *node, double min,
			      double max, double *ret_ns);
/* on, off, or an expression: anything but 0 is on. */
int HN_MUST_CHECK scn_read_switch(struct scn_reader *rd, const struct hn_yaml_node *node,
				  bool *ret_value);
/* A node of the machine that has memory; -1 gives HN_NID_NONE. */
int HN_MUST_CHECK scn_read_nid(struct scn_reader *rd, const struct hn_yaml_node *node,
			       hn_nid *ret_nid);

/* Refuses a key that cannot be a name in expressions, or that names something already. */
int HN_MUST_CHECK scn_check_new_name(struct scn_reader *rd, const struct hn_yaml_node *node);

/* Index of the node's text in names; refused with the nearest one, as "unknown WHAT 'x'". */
int HN_MUST_CHECK scn_find_name(struct scn_reader *rd, const struct hn_yaml_node *node,
				const char *what, const char *const *names, uint32_t nr,
				uint32_t *ret_index);

/* ---- scenario-process.c ---- */

int HN_MUST_CHECK scn_processes_read(struct scn_reader *rd, const struct hn_yaml_node *map);

/* ---- scenario-steps.c ---- */

/* Reads a list of steps; rd->scope is that of the role. */
int HN_MUST_CHECK scn_program_read(struct scn_reader *rd, const struct hn_yaml_node *seq,
				   bool is_setup, struct hn_scn_program *ret_program);

/* ---- scenario-access.c ---- */

/* One access of a work step. */
int HN_MUST_CHECK scn_access_read(struct scn_reader *rd, const struct hn_yaml_node *map,
				  struct hn_scn_access *access);

/* The value of a touch step. */
int HN_MUST_CHECK scn_touch_read(struct scn_reader *rd, const struct hn_yaml_node *map,
				 struct hn_scn_step *step);

/* ---- scenario-check.c ---- */

/* Refuses what never ends and what the machine cannot hold; fills nr_tasks_max and bytes_max. */
int HN_MUST_CHECK scn_check(struct scn_reader *rd);

#endif
