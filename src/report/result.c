/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/result.h"

#include <string.h>

static bool is_same(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return !strcmp(a, b);
}

/* Two files may have come to a machine by different ways; inside one a name alone could mean
 * two machines. */
static bool is_same_group(const struct hn_result_run *a, const struct hn_result_run *b)
{
	if (!is_same(a->record.scenario, b->record.scenario) ||
	    !is_same(a->record.machine, b->record.machine))
		return false;
	return !is_same(a->file, b->file) || (is_same(a->machine_spec, b->machine_spec) &&
					      is_same(a->machine_model, b->machine_model));
}

static bool is_same_column(const struct hn_result_run *a, const struct hn_result_run *b)
{
	return is_same(a->file, b->file) && is_same(a->record.policy, b->record.policy);
}

/* Puts the runs of `members` that have the policy and file of the first one into a column. */
static void fill_column(struct hn_arena *arena, const struct hn_result_run **members,
			uint32_t nr_members, struct hn_result_column *column)
{
	column->file = members[0]->file;
	column->policy = members[0]->record.policy;
	column->runs = HN_ARENA_ARRAY(arena, const struct hn_result_run *, nr_members);
	for (uint32_t m = 0; m < nr_members; m++) {
		if (is_same_column(members[0], members[m]))
			column->runs[column->nr_runs++] = members[m];
	}
}

static bool has_column(const struct hn_result_group *group, const struct hn_result_run *run)
{
	for (uint32_t c = 0; c < group->nr_columns; c++) {
		if (is_same_column(group->columns[c].runs[0], run))
			return true;
	}
	return false;
}

static uint32_t count_columns(const struct hn_result_run **members, uint32_t nr_members)
{
	uint32_t nr_columns = 0;

	for (uint32_t m = 0; m < nr_members; m++) {
		uint32_t earlier = 0;

		while (earlier < m && !is_same_column(members[earlier], members[m]))
			earlier++;
		nr_columns += earlier == m;
	}
	return nr_columns;
}

static void fill_group(struct hn_arena *arena, const struct hn_result_run **members,
		       uint32_t nr_members, struct hn_result_group *group)
{
	group->scenario = members[0]->record.scenario;
	group->machine = members[0]->record.machine;
	group->columns = HN_ARENA_ARRAY(arena, struct hn_result_column,
					count_columns(members, nr_members));
	for (uint32_t m = 0; m < nr_members; m++) {
		if (has_column(group, members[m]))
			continue;
		fill_column(arena, members + m, nr_members - m,
			    &group->columns[group->nr_columns]);
		group->nr_columns++;
	}
}

/* For each run, the index of its group; groups are numbered by their first run. */
static uint32_t number_groups(const struct hn_result_set *set, uint32_t *group_of,
			      uint32_t *first_of)
{
	uint32_t nr_groups = 0;

	for (uint32_t r = 0; r < set->nr_runs; r++) {
		uint32_t g = 0;

		while (g < nr_groups && !is_same_group(&set->runs[first_of[g]], &set->runs[r]))
			g++;
		if (g == nr_groups)
			first_of[nr_groups++] = r;
		group_of[r] = g;
	}
	return nr_groups;
}

void hn_result_group(struct hn_arena *arena, const struct hn_result_set *set,
		     struct hn_result_group **ret_groups, uint32_t *ret_nr_groups)
{
	uint32_t *group_of = HN_ARENA_ARRAY(arena, uint32_t, set->nr_runs);
	uint32_t *first_of = HN_ARENA_ARRAY(arena, uint32_t, set->nr_runs);
	uint32_t nr_groups = number_groups(set, group_of, first_of);
	struct hn_result_group *groups = HN_ARENA_ARRAY(arena, struct hn_result_group, nr_groups);
	const struct hn_result_run **members =
		HN_ARENA_ARRAY(arena, const struct hn_result_run *, set->nr_runs);

	for (uint32_t g = 0; g < nr_groups; g++) {
		uint32_t nr_members = 0;

		for (uint32_t r = first_of[g]; r < set->nr_runs; r++) {
			if (group_of[r] == g)
				members[nr_members++] = &set->runs[r];
		}
		fill_group(arena, members, nr_members, &groups[g]);
	}
	*ret_groups = groups;
	*ret_nr_groups = nr_groups;
}

void hn_result_describe_policy(struct hn_arena *arena, const struct hn_policy *policy,
			       struct hn_result_run *run)
{
	uint32_t nr = hn_policy_nr_fields();
	struct hn_result_field *fields = HN_ARENA_ARRAY(arena, struct hn_result_field, nr);

	for (uint32_t f = 0; f < nr; f++) {
		const struct hn_policy_field *field = hn_policy_get_field(f);
		char digits[HN_POLICY_VALUE_BYTES];

		fields[f].name = field->name;
		fields[f].kind = field->kind;
		fields[f].value = hn_arena_strdup(arena, hn_policy_value_text(policy, f, digits));
	}
	run->fields = fields;
	run->nr_fields = nr;
}

static const struct hn_result_field *find_field(const struct hn_result_run *run, const char *name)
{
	for (uint32_t f = 0; f < run->nr_fields; f++) {
		if (!strcmp(run->fields[f].name, name))
			return &run->fields[f];
	}
	return NULL;
}

uint32_t hn_result_differing_fields(const struct hn_result_run *a, const struct hn_result_run *b,
				    const char **names)
{
	uint32_t nr = 0;

	for (uint32_t f = 0; f < a->nr_fields; f++) {
		const struct hn_result_field *other = find_field(b, a->fields[f].name);

		if (!other || strcmp(other->value, a->fields[f].value))
			names[nr++] = a->fields[f].name;
	}
	for (uint32_t f = 0; f < b->nr_fields; f++) {
		if (!find_field(a, b->fields[f].name))
			names[nr++] = b->fields[f].name;
	}
	return nr;
}
