/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/table.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "report/table-internal.h"

/* A header line longer than this is broken at its '='. */
#define HEADER_CHARS_MAX 30

const char *hn_table_column_label(struct hn_arena *arena, const struct hn_result_column *column)
{
	struct hn_strbuf label;

	if (!column->file)
		return column->policy;
	hn_strbuf_init(&label, arena);
	hn_strbuf_addf(&label, "%s:%s", column->file, column->policy);
	return label.text;
}

/* The column whose label or, where that is unique enough to be the first match, policy is
 * `name`; 0 where there is none. */
static uint32_t find_baseline(struct hn_arena *arena, const struct hn_result_group *group,
			      const char *name)
{
	for (uint32_t c = 0; name && c < group->nr_columns; c++) {
		if (!strcmp(hn_table_column_label(arena, &group->columns[c]), name))
			return c;
	}
	for (uint32_t c = 0; name && c < group->nr_columns; c++) {
		if (!strcmp(group->columns[c].policy, name))
			return c;
	}
	return 0;
}

static void order_columns(struct table_build *build, const struct hn_result_group *group)
{
	uint32_t baseline = find_baseline(build->arena, group, build->options.baseline);

	build->columns = HN_ARENA_ARRAY(build->arena, const struct hn_result_column *,
					group->nr_columns);
	build->columns[build->nr_columns++] = &group->columns[baseline];
	for (uint32_t c = 0; c < group->nr_columns; c++) {
		if (c != baseline)
			build->columns[build->nr_columns++] = &group->columns[c];
	}
}

static const char *copy_part(struct hn_arena *arena, const char *text, size_t len)
{
	struct hn_strbuf part;

	hn_strbuf_init(&part, arena);
	hn_strbuf_add_bytes(&part, text, len);
	return part.text;
}

/* One change of a policy, in two lines where it is long. */
static void add_change(struct hn_arena *arena, struct table_lines *lines, const char *text,
		       size_t len)
{
	const char *equals = memchr(text, '=', len);

	if (len <= HEADER_CHARS_MAX || !equals) {
		lines->list[lines->nr++] = copy_part(arena, text, len);
		return;
	}
	lines->list[lines->nr++] = copy_part(arena, text, (size_t)(equals - text) + 1);
	lines->list[lines->nr++] = copy_part(arena, equals + 1, len - (size_t)(equals - text) - 1);
}

/* "v4.19-rc1" gives v4.19, rc1; "v4.19-rc1+a=b+c=d" gives v4.19-rc1, a=b, c=d. */
static void split_policy(struct hn_arena *arena, const char *policy, struct table_lines *lines)
{
	const char *plus = strchr(policy, '+');
	const char *dash = strchr(policy, '-');

	if (!plus && (!dash || dash == policy)) {
		lines->list[lines->nr++] = policy;
		return;
	}
	if (!plus) {
		lines->list[lines->nr++] = copy_part(arena, policy, (size_t)(dash - policy));
		lines->list[lines->nr++] = dash + 1;
		return;
	}
	lines->list[lines->nr++] = copy_part(arena, policy, (size_t)(plus - policy));
	while (plus) {
		const char *change = plus + 1;

		plus = strchr(change, '+');
		add_change(arena, lines, change, plus ? (size_t)(plus - change) : strlen(change));
	}
}

/* Upper bound of the lines that a policy's name gives. */
static uint32_t count_header_lines(const char *policy)
{
	uint32_t nr = 3; /* file, name, and what follows '-' */

	for (; *policy; policy++)
		nr += *policy == '+' ? 2 : 0;
	return nr;
}

static void add_columns(struct table_build *build)
{
	struct hn_table *table = &build->table;
	struct table_lines *headers = HN_ARENA_ARRAY(build->arena, struct table_lines,
						     build->nr_columns);
	uint32_t nr_max = 2;

	table->nr_columns = build->nr_columns;
	table->columns = HN_ARENA_ARRAY(build->arena, struct hn_table_column, build->nr_columns);
	for (uint32_t c = 0; c < build->nr_columns; c++)
		nr_max = (uint32_t)hn_max_u64(nr_max,
					      count_header_lines(build->columns[c]->policy));
	table->nr_header_rows = 2;
	for (uint32_t c = 0; c < build->nr_columns; c++) {
		const struct hn_result_column *column = build->columns[c];

		headers[c].list = HN_ARENA_ARRAY(build->arena, const char *, nr_max);
		for (uint32_t h = 0; h < nr_max; h++)
			headers[c].list[h] = "";
		if (column->file)
			headers[c].list[headers[c].nr++] = column->file;
		split_policy(build->arena, column->policy, &headers[c]);
		hn_assert(headers[c].nr <= nr_max);
		table->nr_header_rows = (uint32_t)hn_max_u64(table->nr_header_rows,
							     headers[c].nr);
		table->columns[c].label = hn_table_column_label(build->arena, column);
		table->columns[c].header = headers[c].list;
		table->columns[c].nr_runs = column->nr_runs;
	}
}

void hn_table_build(struct hn_arena *arena, const struct hn_result_group *group,
		    const struct hn_table_options *options, struct hn_table *ret_table)
{
	struct table_build build = { .arena = arena };

	if (options)
		build.options = *options;
	order_columns(&build, group);
	add_columns(&build);
	build.nr_rows_max = table_count_rows(&build);
	build.table.rows = HN_ARENA_ARRAY(arena, struct hn_table_row, build.nr_rows_max);
	table_add_rows(&build);
	table_add_intro(&build);
	table_add_notes(&build);
	*ret_table = build.table;
}

bool hn_table_row_judges(const struct hn_table_row *row)
{
	return row->is_mean && strncmp(row->name, "syst-", 5) && strncmp(row->name, "user-", 5);
}
