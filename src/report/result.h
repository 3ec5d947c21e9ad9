/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.h - a set of runs, as it is compared, printed and written: the schema "homenode-result/1".
 *
 * Built from the records of a batch, or read back from JSON (json-read.h); tables know only
 * this. Order is kept: scenarios, machines and policies in the order of their first run.
 *
 * Grouping. One table shows one scenario on one machine; a column holds the runs of one policy,
 * out of one file where several are compared:
 *
 *	numa01 2s-haswell none   0 -.                 group 1: numa01 on 2s-haswell
 *	numa01 2s-haswell v6.12  0  |-- set of runs -->  column none: runs 0 1; column v6.12: 0
 *	numa01 2s-haswell none   1  |                 group 2: numa02 on 2s-haswell
 *	numa02 2s-haswell none   0 -'                    column none: run 0
 *
 * Knows nothing of statistics or text. Tests: tests/unit/test-table.c. */
#ifndef HN_REPORT_RESULT_H
#define HN_REPORT_RESULT_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/record.h"
#include "policy/policy.h"

#define HN_RESULT_SCHEMA "homenode-result/1"

/* A policy field and its value as text, in field order. */
struct hn_result_field {
	const char *name;
	const char *value;              /* "on" and "off" for a switch */
	enum hn_policy_field_kind kind; /* how JSON spells the value */
};

struct hn_result_run {
	struct hn_run_record record;
	const struct hn_result_field *fields; /* of the policy */
	uint32_t nr_fields;

	/* As the user wrote them; what reproduces the run. NULL where not known. */
	const char *scenario_spec;
	const char *machine_spec;
	const char *model_spec;        /* --model; NULL: none was given */
	const char *machine_model;     /* name of the machine model behind the figures */
	bool is_model_derived;         /* latencies follow from distances */

	const char *file;              /* shown above the policy; NULL: only one source */
	const char *program_version;   /* that made the run */
};

struct hn_result_set {
	struct hn_result_run *runs;
	uint32_t nr_runs;
	const char *program_version;
};

struct hn_result_column {
	const char *file;                  /* of its runs; may be NULL */
	const char *policy;
	const struct hn_result_run **runs; /* in the order of the set */
	uint32_t nr_runs;                  /* > 0 */
};

struct hn_result_group {
	const char *scenario;
	const char *machine;
	struct hn_result_column *columns;  /* in the order of their first run */
	uint32_t nr_columns;               /* > 0 */
};

/* Sorts the runs into groups and columns. Everything returned lives in the arena and borrows the
 * set's strings. Two machines of one name but another description are two groups, unless they
 * come from two files. */
void hn_result_group(struct hn_arena *arena, const struct hn_result_set *set,
		     struct hn_result_group **ret_groups, uint32_t *ret_nr_groups);

/* The fields of a policy as text, in the arena. */
void hn_result_describe_policy(struct hn_arena *arena, const struct hn_policy *policy,
			       struct hn_result_run *run);

/* The names of the fields in which two runs' policies differ, in the order of `a`; a field that
 * only one of them has counts. Returns how many; `names` has room for nr_fields of both. */
uint32_t hn_result_differing_fields(const struct hn_result_run *a, const struct hn_result_run *b,
				    const char **names);

#endif
