/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json-read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/strbuf.h"

/* The reader of one document. */
struct reader {
	struct hn_arena *arena;
	const char *file;
	uint32_t run; /* being read, for messages */
	struct hn_diag *diag;
};

static int complain(const struct reader *reader, const char *key, const char *expected)
{
	return hn_diag_at(reader->diag, -EINVAL, reader->file, 0, 0,
			  "run %u of the file: '%.100s' is missing or wrong: expected %s",
			  reader->run + 1, key, expected);
}

static bool is_wanted(const json_t *value, json_type type)
{
	return value && json_typeof(value) == type;
}

/* The value of a key that the frame has; NULL, with the complaint made, where it is not there. */
static const json_t *need_value(const struct reader *reader, const json_t *from, const char *key,
				json_type type)
{
	const json_t *value = json_object_get(from, key);

	if (is_wanted(value, type))
		return value;
	complain(reader, key, type == JSON_OBJECT ? "an object" : "an array");
	return NULL;
}

/* Names reach the terminal: nothing that could steer it, and no line ends. */
static bool is_printable(const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	}
	return true;
}

static int get_text(const struct reader *reader, const json_t *from, const char *key,
		    const char **ret_text)
{
	const json_t *value = json_object_get(from, key);

	if (!is_wanted(value, JSON_STRING) ||
	    strlen(json_string_value(value)) != json_string_length(value) ||
	    json_string_length(value) == 0 ||
	    json_string_length(value) > HN_RESULT_NAME_BYTES_MAX ||
	    !is_printable(json_string_value(value)))
		return complain(reader, key, "a printable text of 1 to 4096 bytes");
	*ret_text = hn_arena_strdup(reader->arena, json_string_value(value));
	return 0;
}

/* A text, or NULL where the key is absent or null. */
static int get_optional_text(const struct reader *reader, const json_t *from, const char *key,
			     const char **ret_text)
{
	const json_t *value = json_object_get(from, key);

	if (!value || json_is_null(value))
		return 0;
	return get_text(reader, from, key, ret_text);
}

static int get_whole(const struct reader *reader, const json_t *from, const char *key,
		     int64_t max, uint64_t *ret_number)
{
	const json_t *value = json_object_get(from, key);

	if (!is_wanted(value, JSON_INTEGER) || json_integer_value(value) < 0 ||
	    json_integer_value(value) > max)
		return complain(reader, key, "a whole number that is not negative");
	*ret_number = (uint64_t)json_integer_value(value);
	return 0;
}

/* A number, or null for one that is not known. */
static bool read_real(const json_t *value, double *ret_real)
{
	if (!value || !(json_is_number(value) || json_is_null(value)))
		return false;
	*ret_real = json_is_null(value) ? NAN : json_number_value(value);
	return true;
}

static bool read_digest(const json_t *value, uint64_t *ret_digest)
{
	const char *text = json_string_value(value);
	size_t len = text ? strlen(text) : 0;

	if (len < 1 || len > 16 || strspn(text, "0123456789abcdef") != len)
		return false;
	*ret_digest = strtoull(text, NULL, 16);
	return true;
}

static int read_field(const struct reader *reader, const char *name, const json_t *value,
		      struct hn_result_field *field)
{
	struct hn_strbuf digits;

	if (!is_printable(name))
		return complain(reader, "fields", "printable names");
	field->name = hn_arena_strdup(reader->arena, name);
	if (json_is_boolean(value)) {
		field->kind = HN_FIELD_SWITCH;
		field->value = json_is_true(value) ? "on" : "off";
	} else if (json_is_integer(value)) {
		hn_strbuf_init(&digits, reader->arena);
		hn_strbuf_addf(&digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		field->kind = HN_FIELD_NUMBER;
		field->value = digits.text;
	} else if (json_is_string(value) && is_printable(json_string_value(value))) {
		field->kind = HN_FIELD_CHOICE;
		field->value = hn_arena_strdup(reader->arena, json_string_value(value));
	} else {
		return complain(reader, name, "true, false, a whole number or a text");
	}
	return 0;
}

static int read_fields(const struct reader *reader, const json_t *from, struct hn_result_run *run)
{
	struct hn_result_field *fields;
	const json_t *object = need_value(reader, from, "fields", JSON_OBJECT);
	const json_t *value;
	const char *name;

	if (!object)
		return -EINVAL;
	if (json_object_size(object) > HN_RESULT_FIELDS_MAX)
		return complain(reader, "fields", "at most 1024 fields");
	fields = HN_ARENA_ARRAY(reader->arena, struct hn_result_field, json_object_size(object));
	json_object_foreach((json_t *)object, name, value) {
		int err = read_field(reader, name, value, &fields[run->nr_fields]);

		if (err)
			return err;
		run->nr_fields++;
	}
	run->fields = fields;
	return 0;
}

static int read_better(const struct reader *reader, const json_t *from, const char *name,
		       enum hn_better *ret_better)
{
	const json_t *value = json_object_get(json_object_get(from, "better"), name);
	const char *text = json_string_value(value);

	if (!value)
		*ret_better = strncmp(name, "tput-", 5) ? HN_BETTER_LOWER : HN_BETTER_HIGHER;
	else if (text && !strcmp(text, "higher"))
		*ret_better = HN_BETTER_HIGHER;
	else if (text && !strcmp(text, "lower"))
		*ret_better = HN_BETTER_LOWER;
	else
		return complain(reader, "better", "\"higher\" or \"lower\" for each metric");
	return 0;
}

static int read_metrics(const struct reader *reader, const json_t *from,
			struct hn_run_record *record)
{
	const json_t *object = need_value(reader, from, "metrics", JSON_OBJECT);
	const json_t *value;
	const char *name;

	if (!object)
		return -EINVAL;
	if (json_object_size(object) > HN_METRICS_MAX)
		return complain(reader, "metrics", "at most 64 metrics");
	json_object_foreach((json_t *)object, name, value) {
		enum hn_better better = HN_BETTER_LOWER;
		double real;
		int err;

		if (strlen(name) < 1 || strlen(name) >= HN_METRIC_NAME_BYTES ||
		    !is_printable(name))
			return complain(reader, "metrics", "printable names of 1 to 47 bytes");
		if (!read_real(value, &real))
			return complain(reader, name, "a number");
		err = read_better(reader, from, name, &better);
		if (err)
			return err;
		hn_record_add_metric(record, name, real, better);
	}
	return 0;
}

/* Numbers of an object by known names; the others are of another version and ignored. */
static int read_counts(const struct reader *reader, const json_t *from, const char *key,
		       const char *(*name_of)(uint32_t idx), uint32_t nr, uint64_t *counts)
{
	const json_t *object = need_value(reader, from, key, JSON_OBJECT);
	int err = object ? 0 : -EINVAL;

	for (uint32_t i = 0; !err && i < nr; i++) {
		if (json_object_get(object, name_of(i)))
			err = get_whole(reader, object, name_of(i), INT64_MAX, &counts[i]);
	}
	return err;
}

static const char *counter_name(uint32_t idx)
{
	return hn_counter_name((enum hn_counter)idx);
}

static const char *reason_name(uint32_t idx)
{
	return hn_why_name((enum hn_why)idx);
}

/* [[end in ns, share], ...], with the times ascending and the shares in 0 .. 1 or null. */
static bool read_window(const json_t *pair, hn_time_ns after_ns, struct hn_window *window)
{
	const json_t *end = json_array_get(pair, 0);

	if (json_array_size(pair) != 2 || !is_wanted(end, JSON_INTEGER) ||
	    !read_real(json_array_get(pair, 1), &window->local_share))
		return false;
	window->end_ns = json_integer_value(end);
	return window->end_ns > after_ns &&
	       (isnan(window->local_share) ||
		(window->local_share >= 0 && window->local_share <= 1));
}

static int read_windows(const struct reader *reader, const json_t *from,
			struct hn_run_record *record)
{
	const json_t *array = need_value(reader, from, "local_share", JSON_ARRAY);
	hn_time_ns after_ns = 0;
	size_t nr;

	if (!array)
		return -EINVAL;
	nr = json_array_size(array);
	if (nr > HN_RESULT_WINDOWS_MAX)
		return complain(reader, "local_share", "fewer entries");
	record->windows = HN_ARENA_ARRAY(reader->arena, struct hn_window, nr);
	for (size_t w = 0; w < nr; w++) {
		if (!read_window(json_array_get(array, w), after_ns, &record->windows[w]))
			return complain(reader, "local_share",
					"pairs of an ascending time in ns and a share of 0 to 1");
		after_ns = record->windows[w].end_ns;
	}
	record->nr_windows = (uint32_t)nr;
	return 0;
}

static int read_window_digests(const struct reader *reader, const json_t *from,
			       struct hn_run_record *record)
{
	const json_t *array = json_object_get(from, "window_digests");

	if (!array)
		return 0;
	if (!json_is_array(array) || json_array_size(array) != record->nr_windows)
		return complain(reader, "window_digests", "one for each entry of local_share");
	for (uint32_t w = 0; w < record->nr_windows; w++) {
		if (!read_digest(json_array_get(array, w), &record->windows[w].digest))
			return complain(reader, "window_digests", "hexadecimal digits");
	}
	return 0;
}

static int read_duration(const struct reader *reader, const json_t *from,
			 struct hn_run_record *record)
{
	const json_t *object = json_object_get(from, "duration_s");

	if (!object) {
		record->user_s = NAN;
		record->system_s = NAN;
		record->elapsed_s = NAN;
		return 0;
	}
	if (!read_real(json_object_get(object, "user"), &record->user_s) ||
	    !read_real(json_object_get(object, "system"), &record->system_s) ||
	    !read_real(json_object_get(object, "elapsed"), &record->elapsed_s))
		return complain(reader, "duration_s", "numbers 'user', 'system', 'elapsed'");
	return 0;
}

static int read_names(const struct reader *reader, const json_t *from, struct hn_result_run *run)
{
	struct hn_run_record *record = &run->record;
	uint64_t number = 0;
	int err = get_text(reader, from, "scenario", &record->scenario);

	if (!err)
		err = get_text(reader, from, "machine", &record->machine);
	if (!err)
		err = get_text(reader, from, "policy", &record->policy);
	if (!err)
		err = get_whole(reader, from, "run", UINT32_MAX, &number);
	if (!err)
		err = get_whole(reader, from, "seed", INT64_MAX, &record->seed);
	if (err)
		return err;
	record->run = (uint32_t)number;
	if (!read_digest(json_object_get(from, "digest"), &record->digest))
		return complain(reader, "digest", "1 to 16 hexadecimal digits");
	return 0;
}

static int read_extras(const struct reader *reader, const json_t *from, struct hn_result_run *run)
{
	int err = read_duration(reader, from, &run->record);

	if (!err)
		err = get_optional_text(reader, from, "scenario_spec", &run->scenario_spec);
	if (!err)
		err = get_optional_text(reader, from, "machine_spec", &run->machine_spec);
	if (!err)
		err = get_optional_text(reader, from, "model_spec", &run->model_spec);
	if (!err)
		err = get_optional_text(reader, from, "machine_model", &run->machine_model);
	if (!err && json_object_get(from, "nr_events"))
		err = get_whole(reader, from, "nr_events", INT64_MAX, &run->record.nr_events);
	if (!err)
		err = read_window_digests(reader, from, &run->record);
	run->is_model_derived = json_is_true(json_object_get(from, "is_model_derived"));
	return err;
}

static int read_run(const struct reader *reader, const json_t *from, struct hn_result_run *run)
{
	int err;

	if (!json_is_object(from))
		return hn_diag_at(reader->diag, -EINVAL, reader->file, 0, 0,
				  "run %u of the file is not an object", reader->run + 1);
	err = read_names(reader, from, run);
	if (!err)
		err = read_fields(reader, from, run);
	if (!err)
		err = read_metrics(reader, from, &run->record);
	if (!err)
		err = read_counts(reader, from, "counters", counter_name, HN_NR_COUNTERS,
				  run->record.counters);
	if (!err)
		err = read_counts(reader, from, "reasons", reason_name, HN_NR_WHY,
				  run->record.reasons);
	if (!err)
		err = read_windows(reader, from, &run->record);
	if (!err)
		err = read_extras(reader, from, run);
	return err;
}

static int read_runs(struct reader *reader, const json_t *runs, struct hn_result_set *set)
{
	size_t nr = json_array_size(runs);

	if (nr == 0)
		return hn_diag_at(reader->diag, -EINVAL, reader->file, 0, 0, "no runs in it");
	if (nr > HN_RESULT_RUNS_MAX)
		return hn_diag_at(reader->diag, -E2BIG, reader->file, 0, 0,
				  "%zu runs, at most %d", nr, HN_RESULT_RUNS_MAX);
	set->runs = HN_ARENA_ARRAY(reader->arena, struct hn_result_run, nr);
	for (size_t r = 0; r < nr; r++) {
		int err;

		reader->run = (uint32_t)r;
		err = read_run(reader, json_array_get(runs, r), &set->runs[r]);
		if (err)
			return err;
		set->runs[r].program_version = set->program_version;
	}
	set->nr_runs = (uint32_t)nr;
	return 0;
}

static int read_document(struct reader *reader, const json_t *root, struct hn_result_set *ret_set)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const char *version = json_string_value(json_object_get(root, "version"));
	const json_t *runs = json_object_get(root, "runs");
	struct hn_result_set set = { 0 };
	int err;

	if (!json_is_object(root) || !schema)
		return hn_diag_at(reader->diag, -EINVAL, reader->file, 0, 0,
				  "no 'schema' in it: expected \"" HN_RESULT_SCHEMA "\"");
	if (strcmp(schema, HN_RESULT_SCHEMA))
		return hn_diag_at(reader->diag, -EINVAL, reader->file, 0, 0,
				  "schema '%.100s': expected \"" HN_RESULT_SCHEMA "\"",
				  is_printable(schema) ? schema : "(not printable)");
	if (!json_is_array(runs))
		return hn_diag_at(reader->diag, -EINVAL, reader->file, 0, 0,
				  "no 'runs' in it: expected an array");
	if (version && is_printable(version))
		set.program_version = hn_arena_strdup(reader->arena, version);
	err = read_runs(reader, runs, &set);
	if (!err)
		*ret_set = set;
	return err;
}

/* jansson quotes the text near an error, which may hold anything. */
static int complain_syntax(const struct reader *reader, const json_error_t *error)
{
	char text[JSON_ERROR_TEXT_LENGTH];

	snprintf(text, sizeof(text), "%s", error->text);
	for (char *at = text; *at; at++) {
		if ((unsigned char)*at < ' ' || (unsigned char)*at >= 0x7f)
			*at = '?';
	}
	return hn_diag_at(reader->diag, -EINVAL, reader->file,
			  error->line > 0 ? (uint32_t)error->line : 0,
			  error->column > 0 ? (uint32_t)error->column : 0, "not JSON: %s", text);
}

int hn_result_parse_json(struct hn_arena *arena, const char *file, const char *bytes,
			 size_t nr_bytes, struct hn_result_set *ret_set, struct hn_diag *diag)
{
	struct reader reader = { .arena = arena, .file = file, .diag = diag };
	json_error_t error;
	json_t *root = json_loadb(bytes, nr_bytes, JSON_REJECT_DUPLICATES, &error);
	int err;

	if (!root)
		return complain_syntax(&reader, &error);
	err = read_document(&reader, root, ret_set);
	json_decref(root);
	return err;
}

int hn_result_read_json(struct hn_arena *arena, const char *path, struct hn_result_set *ret_set,
			struct hn_diag *diag)
{
	struct hn_file_text text;
	int err = hn_file_read(arena, path, HN_RESULT_FILE_BYTES_MAX, &text, diag);

	if (err)
		return err;
	return hn_result_parse_json(arena, path, text.bytes, text.nr_bytes, ret_set, diag);
}
