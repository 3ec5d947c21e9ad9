/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json-write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/assert.h"

#define REAL_BYTES 40
#define DIGITS_SURE 17 /* as many make every double distinct */

static int append(const char *bytes, size_t nr_bytes, void *buf)
{
	hn_strbuf_add_bytes(buf, bytes, nr_bytes);
	return 0;
}

/* A string that jansson takes: bytes above ASCII are replaced when they are not UTF-8. */
static json_t *create_string(const char *text, struct hn_arena *arena)
{
	json_t *string = json_string(text);
	char *copy;

	if (string)
		return string;
	copy = hn_arena_strdup(arena, text);
	for (char *at = copy; *at; at++) {
		if ((unsigned char)*at >= 0x80)
			*at = '?';
	}
	return json_string(copy);
}

static void add_string(struct hn_strbuf *buf, const char *text)
{
	json_t *string = create_string(text, buf->arena);
	int err;

	hn_assert(string);
	err = json_dump_callback(string, append, buf, JSON_ENCODE_ANY);
	hn_assert(err == 0);
	json_decref(string);
}

static void add_text_or_null(struct hn_strbuf *buf, const char *text)
{
	if (text)
		add_string(buf, text);
	else
		hn_strbuf_add(buf, "null");
}

/* The shortest decimal that reads back as the same value; always recognisable as a real. */
static void add_real(struct hn_strbuf *buf, double value)
{
	char text[REAL_BYTES];

	if (!isfinite(value)) {
		hn_strbuf_add(buf, "null");
		return;
	}
	for (int digits = 1; digits <= DIGITS_SURE; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	hn_strbuf_add(buf, text);
	if (!strpbrk(text, ".e"))
		hn_strbuf_add(buf, ".0");
}

static void add_key(struct hn_strbuf *buf, const char *key)
{
	hn_strbuf_addf(buf, ", \"%s\": ", key);
}

static void add_fields(struct hn_strbuf *buf, const struct hn_result_run *run)
{
	add_key(buf, "fields");
	hn_strbuf_add(buf, "{");
	for (uint32_t f = 0; f < run->nr_fields; f++) {
		const struct hn_result_field *field = &run->fields[f];

		hn_strbuf_add(buf, f ? ", " : "");
		add_string(buf, field->name);
		hn_strbuf_add(buf, ": ");
		switch (field->kind) {
		case HN_FIELD_SWITCH:
			hn_strbuf_add(buf, strcmp(field->value, "on") ? "false" : "true");
			break;
		case HN_FIELD_NUMBER:
			hn_strbuf_add(buf, field->value);
			break;
		case HN_FIELD_CHOICE:
			add_string(buf, field->value);
			break;
		}
	}
	hn_strbuf_add(buf, "}");
}

static void add_metrics(struct hn_strbuf *buf, const struct hn_run_record *record)
{
	add_key(buf, "metrics");
	hn_strbuf_add(buf, "{");
	for (uint32_t m = 0; m < record->nr_metrics; m++) {
		hn_strbuf_add(buf, m ? ", " : "");
		add_string(buf, record->metrics[m].name);
		hn_strbuf_add(buf, ": ");
		add_real(buf, record->metrics[m].value);
	}
	hn_strbuf_add(buf, "}");
}

static void add_better(struct hn_strbuf *buf, const struct hn_run_record *record)
{
	add_key(buf, "better");
	hn_strbuf_add(buf, "{");
	for (uint32_t m = 0; m < record->nr_metrics; m++) {
		bool is_higher = record->metrics[m].better == HN_BETTER_HIGHER;

		hn_strbuf_add(buf, m ? ", " : "");
		add_string(buf, record->metrics[m].name);
		hn_strbuf_add(buf, is_higher ? ": \"higher\"" : ": \"lower\"");
	}
	hn_strbuf_add(buf, "}");
}

static void add_counters(struct hn_strbuf *buf, const struct hn_run_record *record)
{
	add_key(buf, "counters");
	for (uint32_t c = 0; c < HN_NR_COUNTERS; c++)
		hn_strbuf_addf(buf, "%s\"%s\": %" PRIu64, c ? ", " : "{",
			       hn_counter_name((enum hn_counter)c), record->counters[c]);
	hn_strbuf_add(buf, "}");
}

static void add_reasons(struct hn_strbuf *buf, const struct hn_run_record *record)
{
	add_key(buf, "reasons");
	for (uint32_t w = 0; w < HN_NR_WHY; w++)
		hn_strbuf_addf(buf, "%s\"%s\": %" PRIu64, w ? ", " : "{",
			       hn_why_name((enum hn_why)w), record->reasons[w]);
	hn_strbuf_add(buf, "}");
}

static void add_local_share(struct hn_strbuf *buf, const struct hn_run_record *record)
{
	add_key(buf, "local_share");
	hn_strbuf_add(buf, "[");
	for (uint32_t w = 0; w < record->nr_windows; w++) {
		hn_strbuf_addf(buf, "%s[%" PRId64 ", ", w ? ", " : "", record->windows[w].end_ns);
		add_real(buf, record->windows[w].local_share);
		hn_strbuf_add(buf, "]");
	}
	hn_strbuf_add(buf, "]");
}

static void add_window_digests(struct hn_strbuf *buf, const struct hn_run_record *record)
{
	add_key(buf, "window_digests");
	hn_strbuf_add(buf, "[");
	for (uint32_t w = 0; w < record->nr_windows; w++)
		hn_strbuf_addf(buf, "%s\"%016" PRIx64 "\"", w ? ", " : "",
			       record->windows[w].digest);
	hn_strbuf_add(buf, "]");
}

static void add_duration(struct hn_strbuf *buf, const struct hn_run_record *record)
{
	add_key(buf, "duration_s");
	hn_strbuf_add(buf, "{\"user\": ");
	add_real(buf, record->user_s);
	add_key(buf, "system");
	add_real(buf, record->system_s);
	add_key(buf, "elapsed");
	add_real(buf, record->elapsed_s);
	hn_strbuf_add(buf, "}");
}

/* The keys that other programs rely on. */
static void add_frame(struct hn_strbuf *buf, const struct hn_result_run *run)
{
	const struct hn_run_record *record = &run->record;

	hn_strbuf_add(buf, "{\"scenario\": ");
	add_string(buf, record->scenario);
	add_key(buf, "machine");
	add_string(buf, record->machine);
	add_key(buf, "policy");
	add_string(buf, record->policy);
	add_fields(buf, run);
	hn_strbuf_addf(buf, ", \"run\": %u, \"seed\": %" PRIu64, record->run, record->seed);
	add_metrics(buf, record);
	add_counters(buf, record);
	add_local_share(buf, record);
	add_reasons(buf, record);
	hn_strbuf_addf(buf, ", \"digest\": \"%016" PRIx64 "\"", record->digest);
}

/* What homenode adds to them. */
static void add_extras(struct hn_strbuf *buf, const struct hn_result_run *run)
{
	add_better(buf, &run->record);
	add_duration(buf, &run->record);
	add_key(buf, "scenario_spec");
	add_text_or_null(buf, run->scenario_spec);
	add_key(buf, "machine_spec");
	add_text_or_null(buf, run->machine_spec);
	add_key(buf, "model_spec");
	add_text_or_null(buf, run->model_spec);
	add_key(buf, "machine_model");
	add_text_or_null(buf, run->machine_model);
	add_key(buf, "is_model_derived");
	hn_strbuf_add(buf, run->is_model_derived ? "true" : "false");
	add_key(buf, "nr_events");
	hn_strbuf_addf(buf, "%" PRIu64, run->record.nr_events);
	add_window_digests(buf, &run->record);
	hn_strbuf_add(buf, "}");
}

void hn_result_write_json(const struct hn_result_set *set, struct hn_strbuf *buf)
{
	hn_strbuf_add(buf, "{\"schema\": \"" HN_RESULT_SCHEMA "\", \"version\": ");
	add_text_or_null(buf, set->program_version);
	hn_strbuf_add(buf, ", \"runs\": [\n");
	for (uint32_t r = 0; r < set->nr_runs; r++) {
		add_frame(buf, &set->runs[r]);
		add_extras(buf, &set->runs[r]);
		hn_strbuf_add(buf, r + 1 < set->nr_runs ? ",\n" : "\n");
	}
	hn_strbuf_add(buf, "]}\n");
}
