/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands above and below a table: how to make it again, and what to mind when reading it. */
#include "report/table-internal.h"

#include <inttypes.h>
#include <string.h>

#define SHELL_PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@"

/* Appends a word as a shell would read it back. */
static void add_word(struct hn_strbuf *buf, const char *word)
{
	if (word[0] && word[strspn(word, SHELL_PLAIN)] == '\0') {
		hn_strbuf_add(buf, word);
		return;
	}
	hn_strbuf_add(buf, "'");
	for (; *word; word++) {
		if (*word == '\'')
			hn_strbuf_add(buf, "'\\''");
		else
			hn_strbuf_add_bytes(buf, word, 1);
	}
	hn_strbuf_add(buf, "'");
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The policies of all columns that came from the same file. */
static void add_policies(const struct table_build *build, const char *file, struct hn_strbuf *buf)
{
	struct hn_strbuf list;

	hn_strbuf_init(&list, build->arena);
	for (uint32_t c = 0; c < build->nr_columns; c++) {
		if (!is_same_text(build->columns[c]->file, file))
			continue;
		hn_strbuf_addf(&list, "%s%s", list.len_bytes ? "," : "",
			       build->columns[c]->policy);
	}
	add_word(buf, list.text);
}

static uint32_t count_runs(const struct table_build *build, const char *file)
{
	uint32_t nr = 0;

	for (uint32_t c = 0; c < build->nr_columns; c++) {
		if (is_same_text(build->columns[c]->file, file))
			nr = (uint32_t)hn_max_u64(nr, build->columns[c]->nr_runs);
	}
	return nr;
}

/* The line that makes the columns of one source again. */
static const char *format_command(const struct table_build *build,
				  const struct hn_result_column *column)
{
	const struct hn_result_run *run = column->runs[0];
	const struct hn_run_record *record = &run->record;
	struct hn_strbuf buf;

	hn_strbuf_init(&buf, build->arena);
	if (column->file)
		hn_strbuf_addf(&buf, "%s: ", column->file);
	hn_strbuf_addf(&buf, "homenode %s: homenode sim ",
		       run->program_version ? run->program_version : "of unknown version");
	add_word(&buf, run->scenario_spec ? run->scenario_spec : record->scenario);
	hn_strbuf_add(&buf, " --machine ");
	add_word(&buf, run->machine_spec ? run->machine_spec : record->machine);
	if (run->model_spec) {
		hn_strbuf_add(&buf, " --model ");
		add_word(&buf, run->model_spec);
	}
	hn_strbuf_add(&buf, " --policy ");
	add_policies(build, column->file, &buf);
	hn_strbuf_addf(&buf, " --runs %u --seed %" PRIu64, count_runs(build, column->file),
		       record->seed - record->run);
	return buf.text;
}

static bool is_first_of_file(const struct table_build *build, uint32_t c)
{
	for (uint32_t earlier = 0; earlier < c; earlier++) {
		if (is_same_text(build->columns[earlier]->file, build->columns[c]->file))
			return false;
	}
	return true;
}

static const char *format_model(const struct table_build *build)
{
	const struct hn_result_run *run = build->columns[0]->runs[0];
	struct hn_strbuf buf;

	hn_strbuf_init(&buf, build->arena);
	if (run->is_model_derived)
		hn_strbuf_addf(&buf, "machine model: derived; latencies and bandwidths of '%s' "
			       "follow from its distances, nobody measured them",
			       run->record.machine);
	else
		hn_strbuf_addf(&buf, "machine model: %s",
			       run->machine_model ? run->machine_model : "not recorded");
	return buf.text;
}

void table_add_intro(struct table_build *build)
{
	struct table_lines lines = { 0 };

	lines.list = HN_ARENA_ARRAY(build->arena, const char *, build->nr_columns + 1);
	for (uint32_t c = 0; c < build->nr_columns; c++) {
		if (is_first_of_file(build, c))
			lines.list[lines.nr++] = format_command(build, build->columns[c]);
	}
	lines.list[lines.nr++] = format_model(build);
	build->table.intro = lines.list;
	build->table.nr_intro = lines.nr;
}

/* NULL where the comparison changes at most one thing. */
static const char *format_difference(const struct table_build *build, uint32_t c)
{
	const struct hn_result_run *base = build->columns[0]->runs[0];
	const struct hn_result_run *run = build->columns[c]->runs[0];
	const char **names = HN_ARENA_ARRAY(build->arena, const char *,
					    base->nr_fields + run->nr_fields);
	uint32_t nr = hn_result_differing_fields(base, run, names);
	struct hn_strbuf buf;

	if (nr <= 1)
		return NULL;
	hn_strbuf_init(&buf, build->arena);
	hn_strbuf_addf(&buf, "not a like-for-like comparison: %s differs from %s in %u fields: ",
		       build->table.columns[c].label, build->table.columns[0].label, nr);
	for (uint32_t n = 0; n < nr && n < HN_TABLE_FIELDS_MAX; n++)
		hn_strbuf_addf(&buf, "%s%s", n ? ", " : "", names[n]);
	if (nr > HN_TABLE_FIELDS_MAX)
		hn_strbuf_addf(&buf, " and %u more; 'homenode policy diff %s %s' lists them",
			       nr - HN_TABLE_FIELDS_MAX, base->record.policy,
			       run->record.policy);
	return buf.text;
}

/* Common random numbers need the same seeds, run by run. */
static bool has_same_seeds(const struct hn_result_column *a, const struct hn_result_column *b)
{
	if (a->nr_runs != b->nr_runs)
		return false;
	for (uint32_t r = 0; r < a->nr_runs; r++) {
		if (a->runs[r]->record.seed != b->runs[r]->record.seed)
			return false;
	}
	return true;
}

static const char *format_seeds(const struct table_build *build, uint32_t c)
{
	struct hn_strbuf buf;

	if (has_same_seeds(build->columns[0], build->columns[c]))
		return NULL;
	hn_strbuf_init(&buf, build->arena);
	hn_strbuf_addf(&buf, "not on common random numbers: %s has other seeds than %s",
		       build->table.columns[c].label, build->table.columns[0].label);
	return buf.text;
}

/* Runs of two files may share a machine's name and not its figures. */
static const char *format_machine(const struct table_build *build, uint32_t c)
{
	const struct hn_result_run *base = build->columns[0]->runs[0];
	const struct hn_result_run *run = build->columns[c]->runs[0];
	struct hn_strbuf buf;

	if (!base->machine_model || !run->machine_model ||
	    !strcmp(base->machine_model, run->machine_model))
		return NULL;
	hn_strbuf_init(&buf, build->arena);
	hn_strbuf_addf(&buf, "not on the same machine: %s used the machine model %s, %s %s",
		       build->table.columns[c].label, run->machine_model,
		       build->table.columns[0].label, base->machine_model);
	return buf.text;
}

static const char *format_baseline(const struct table_build *build)
{
	const char *wanted = build->options.baseline;
	struct hn_strbuf buf;

	if (!wanted || !strcmp(wanted, build->table.columns[0].label) ||
	    !strcmp(wanted, build->columns[0]->policy))
		return NULL;
	hn_strbuf_init(&buf, build->arena);
	hn_strbuf_addf(&buf, "no runs of baseline '%s' here: compared with %s", wanted,
		       build->table.columns[0].label);
	return buf.text;
}

static void add_line(struct table_lines *lines, const char *line)
{
	if (line)
		lines->list[lines->nr++] = line;
}

void table_add_notes(struct table_build *build)
{
	struct table_lines lines = { 0 };

	lines.list = HN_ARENA_ARRAY(build->arena, const char *, 3 * build->nr_columns + 1);
	add_line(&lines, format_baseline(build));
	for (uint32_t c = 1; c < build->nr_columns; c++) {
		add_line(&lines, format_difference(build, c));
		add_line(&lines, format_machine(build, c));
		add_line(&lines, format_seeds(build, c));
	}
	build->table.notes = lines.list;
	build->table.nr_notes = lines.nr;
}
