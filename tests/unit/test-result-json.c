/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: results survive being written and read, equal results give equal bytes, and files that
 * are wrong are refused with one true line. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/json-read.h"
#include "report/json-write.h"
#include "result-fixture.h"

static int set_up(void **state)
{
	static struct result_fixture fixture;

	result_fixture_init(&fixture);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	result_fixture_fini(*state);
	return 0;
}

static const struct hn_result_field fields[] = {
	{ "numa", "normal", HN_FIELD_CHOICE }, { "groups", "on", HN_FIELD_SWITCH },
	{ "early", "off", HN_FIELD_SWITCH }, { "scan_ms", "1000", HN_FIELD_NUMBER },
};

/* One run with a value in everything. */
static struct hn_result_run *add_full_run(struct result_fixture *fixture)
{
	struct hn_result_run *run = result_fixture_add_time(fixture, "v6.12", 3.5);

	hn_record_add_metric(&run->record, "tput-8", 0.1, HN_BETTER_HIGHER);
	run->record.counters[HN_COUNT_NUMA_PTE_UPDATES] = 512;
	run->record.reasons[HN_WHY_PAGE_LOCAL] = 7;
	run->record.windows = HN_ARENA_ARRAY(&fixture->arena, struct hn_window, 2);
	run->record.windows[0] = (struct hn_window){ 1000000000, 0.25, 0xab };
	run->record.windows[1] = (struct hn_window){ 2000000000, 1.0 / 3, 0xcd };
	run->record.nr_windows = 2;
	run->record.digest = UINT64_C(0xfedcba9876543210);
	run->record.user_s = 12.5;
	run->record.nr_events = 99;
	run->fields = fields;
	run->nr_fields = HN_ARRAY_LEN(fields);
	run->machine_spec = "pack:2 [numa]";
	run->is_model_derived = true;
	return run;
}

static const char *write_set(struct result_fixture *fixture)
{
	struct hn_strbuf buf;

	hn_strbuf_init(&buf, &fixture->arena);
	hn_result_write_json(&fixture->set, &buf);
	return buf.text;
}

static int read_text(struct result_fixture *fixture, const char *text,
		     struct hn_result_set *ret_set, char *message, size_t message_bytes)
{
	struct hn_diag diag = { 0 };
	int err = hn_result_parse_json(&fixture->arena, "x.json", text, strlen(text), ret_set,
				       &diag);

	hn_diag_format(&diag, message, message_bytes);
	return err;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

/* The frame that other programs read: these keys, in this order. */
static void test_write__frame(void **state)
{
	struct result_fixture *fixture = *state;
	const char *text;

	add_full_run(fixture);
	text = write_set(fixture);
	assert_has(text, "{\"schema\": \"homenode-result/1\", \"version\": \"0.1.0\", \"runs\": [\n"
		   "{\"scenario\": \"numa01\", \"machine\": \"2n\", \"policy\": \"v6.12\", "
		   "\"fields\": {\"numa\": \"normal\", \"groups\": true, \"early\": false, "
		   "\"scan_ms\": 1000}, \"run\": 0, \"seed\": 1, "
		   "\"metrics\": {\"elsp-NUMA01\": 3.5, \"tput-8\": 0.1}, "
		   "\"counters\": {\"numa_pte_updates\": 512, ");
	assert_has(text, ", \"local_share\": [[1000000000, 0.25], "
		   "[2000000000, 0.3333333333333333]], \"reasons\": {\"none\": 0, "
		   "\"page_local\": 7, ");
	assert_has(text, "}, \"digest\": \"fedcba9876543210\", ");
}

/* Whole values stay reals, extremes keep all their digits. */
static void test_write__reals_round_trip(void **state)
{
	static const double values[] = { 3, 1e300, 5e-324, 0.1, 1.0 / 3, 123456789.12345679, 0 };
	struct result_fixture *fixture = *state;
	struct hn_result_set back;
	char message[256];

	for (uint32_t v = 0; v < HN_ARRAY_LEN(values); v++)
		result_fixture_add_time(fixture, "none", values[v]);
	assert_has(write_set(fixture), "\"elsp-NUMA01\": 3.0}");
	assert_int_equal(read_text(fixture, write_set(fixture), &back, message, 256), 0);
	for (uint32_t v = 0; v < HN_ARRAY_LEN(values); v++)
		assert_true(back.runs[v].record.metrics[0].value == values[v]);
}

static void test_write__unknown_value_is_null(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_result_set back;
	char message[256];

	result_fixture_add_time(fixture, "none", NAN);
	assert_has(write_set(fixture), "\"elsp-NUMA01\": null}");
	assert_int_equal(read_text(fixture, write_set(fixture), &back, message, 256), 0);
	assert_true(isnan(back.runs[0].record.metrics[0].value));
}

static void test_write__text_that_is_not_utf8(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add(fixture, "none")->record.machine = "a\"\xff" "b";
	assert_has(write_set(fixture), "\"machine\": \"a\\\"?b\"");
}

static void test_read__everything_comes_back(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_result_set back = { 0 };
	const struct hn_result_run *run;
	char message[256];

	add_full_run(fixture);
	assert_int_equal(read_text(fixture, write_set(fixture), &back, message, 256), 0);
	assert_int_equal(back.nr_runs, 1);
	run = &back.runs[0];
	assert_string_equal(run->record.policy, "v6.12");
	assert_string_equal(run->machine_spec, "pack:2 [numa]");
	assert_null(run->scenario_spec);
	assert_true(run->is_model_derived);
	assert_int_equal(run->nr_fields, HN_ARRAY_LEN(fields));
	assert_string_equal(run->fields[2].value, "off");
	assert_int_equal(run->record.metrics[1].better, HN_BETTER_HIGHER);
	assert_int_equal(run->record.counters[HN_COUNT_NUMA_PTE_UPDATES], 512);
	assert_int_equal(run->record.reasons[HN_WHY_PAGE_LOCAL], 7);
	assert_int_equal(run->record.windows[1].digest, 0xcd);
	assert_true(run->record.digest == UINT64_C(0xfedcba9876543210));
}

static void test_read__written_again_gives_same_bytes(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_result_set back;
	struct hn_strbuf again;
	char message[256];

	add_full_run(fixture);
	add_full_run(fixture);
	assert_int_equal(read_text(fixture, write_set(fixture), &back, message, 256), 0);
	hn_strbuf_init(&again, &fixture->arena);
	hn_result_write_json(&back, &again);
	assert_string_equal(again.text, write_set(fixture));
}

/* The frame alone, as another program may write it, with a key that nobody knows. */
#define FRAME(before, metrics) \
	"{\"schema\": \"homenode-result/1\", \"runs\": [{\"scenario\": \"a\", \"machine\": \"b\"," \
	" \"policy\": \"c\", \"fields\": {}, \"run\": 0, \"seed\": 1, " before \
	"\"metrics\": " metrics ", \"counters\": {\"of_tomorrow\": 1}, \"local_share\": [], " \
	"\"reasons\": {}, \"digest\": \"0\", \"of_tomorrow\": []}]}"

static void test_read__frame_alone(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_result_set back;
	char message[256];

	assert_int_equal(read_text(fixture, FRAME("", "{\"tput-1\": 1, \"elsp-X\": 2}"), &back,
				   message, 256), 0);
	assert_int_equal(back.runs[0].record.metrics[0].better, HN_BETTER_HIGHER);
	assert_int_equal(back.runs[0].record.metrics[1].better, HN_BETTER_LOWER);
	assert_null(back.program_version);
}

/* Every wrong file, and what is said about it. */
static void test_read__refusals(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "", "x.json:1: not JSON" },
		{ "{\"schema\": \"homenode-result/1\",\n \"runs\": [}", "x.json:2:" },
		{ "[]", "x.json: no 'schema' in it: expected \"homenode-result/1\"" },
		{ "{\"schema\": \"homenode-result/2\", \"runs\": []}",
		  "x.json: schema 'homenode-result/2': expected \"homenode-result/1\"" },
		{ "{\"schema\": \"homenode-result/1\"}",
		  "x.json: no 'runs' in it: expected an array" },
		{ "{\"schema\": \"homenode-result/1\", \"runs\": []}", "x.json: no runs in it" },
		{ "{\"schema\": \"homenode-result/1\", \"runs\": [1]}",
		  "x.json: run 1 of the file is not an object" },
		{ "{\"schema\": \"homenode-result/1\", \"runs\": [{\"scenario\": \"a\"}]}",
		  "x.json: run 1 of the file: 'machine' is missing or wrong" },
		{ FRAME("", "{\"elsp-X\": \"fast\"}"),
		  "x.json: run 1 of the file: 'elsp-X' is missing or wrong: expected a number" },
		{ FRAME("", "[]"), "x.json: run 1 of the file: 'metrics' is missing or wrong" },
		{ FRAME("\"better\": {\"elsp-X\": \"more\"}, ", "{\"elsp-X\": 1}"),
		  "x.json: run 1 of the file: 'better' is missing or wrong" },
		{ FRAME("\"duration_s\": {\"user\": 1}, ", "{}"),
		  "x.json: run 1 of the file: 'duration_s' is missing or wrong" },
		{ FRAME("\"seed\": 1, ", "{}"), "duplicate object key" },
		{ FRAME("\"machine_spec\": \"\\u001b[2J\", ", "{}"),
		  "x.json: run 1 of the file: 'machine_spec' is missing or wrong" },
		{ FRAME("\"window_digests\": [\"0\"], ", "{}"),
		  "x.json: run 1 of the file: 'window_digests' is missing or wrong" },
	};
	struct result_fixture *fixture = *state;

	for (uint32_t c = 0; c < HN_ARRAY_LEN(cases); c++) {
		struct hn_result_set back;
		char message[600];

		assert_int_equal(read_text(fixture, cases[c].text, &back, message,
					   sizeof(message)), -EINVAL);
		assert_has(message, cases[c].message);
		assert_null(strchr(message, '\n'));
	}
}

static void assert_share_refused(struct result_fixture *fixture, const char *share)
{
	struct hn_result_set back;
	char text[600], message[256];

	snprintf(text, sizeof(text), "{\"schema\": \"homenode-result/1\", \"runs\": [{"
		 "\"scenario\": \"a\", \"machine\": \"b\", \"policy\": \"c\", \"fields\": {}, "
		 "\"run\": 0, \"seed\": 1, \"metrics\": {}, \"counters\": {}, "
		 "\"local_share\": %s, \"reasons\": {}, \"digest\": \"0\"}]}", share);
	assert_int_equal(read_text(fixture, text, &back, message, sizeof(message)), -EINVAL);
	assert_has(message, "'local_share' is missing or wrong");
}

static void test_read__bad_local_share(void **state)
{
	assert_share_refused(*state, "{}");
	assert_share_refused(*state, "[1]");
	assert_share_refused(*state, "[[1]]");
	assert_share_refused(*state, "[[1, 0.5], [1, 0.5]]");
	assert_share_refused(*state, "[[1, 1.5]]");
	assert_share_refused(*state, "[[1.5, 0.5]]");
}

static void test_read__file_that_is_not_there(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_result_set back;
	struct hn_diag diag = { 0 };

	assert_int_equal(hn_result_read_json(&fixture->arena, "/no/such/file", &back, &diag),
			 -ENOENT);
	assert_has(diag.text, "'/no/such/file'");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_write__frame),
		TEST(test_write__reals_round_trip),
		TEST(test_write__unknown_value_is_null),
		TEST(test_write__text_that_is_not_utf8),
		TEST(test_read__everything_comes_back),
		TEST(test_read__written_again_gives_same_bytes),
		TEST(test_read__frame_alone),
		TEST(test_read__refusals),
		TEST(test_read__bad_local_share),
		TEST(test_read__file_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
