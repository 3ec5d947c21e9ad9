/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: an expression gives the value that its text means, with its unit, and a wrong one is
 * refused at the character that is wrong. Method: tables of text and expectation, worked by hand
 * from the grammar in scenario-expr.h. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sim/scenario-expr.h"

static const struct hn_expr_name outer_names[] = {
	{ "cpus", { .number = 48 } },
	{ "memory", { .number = 1024, .bytes = 1 } },
	{ "hidden", { .number = 1 } },
};
static const struct hn_expr_scope outer = { outer_names, 3, NULL };
static const struct hn_expr_name names[] = {
	{ "hidden", { .number = 2 } },
	{ "pause", { .number = 5e6, .time = 1 } },
};
static const struct hn_expr_scope scope = { names, 2, &outer };
/* As if the text stood in column 10 of line 3. */
static const struct hn_expr_place place = { "f.yaml", 3, 10 };

struct value_case {
	const char *text;
	double number;
	int8_t bytes, time;
};

static void check_values(const struct value_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct hn_diag diag = { 0 };
		struct hn_expr_value value;

		if (hn_expr_eval(cases[i].text, &scope, &place, &value, &diag))
			fail_msg("'%s': %s", cases[i].text, diag.text);
		if (value.number != cases[i].number)
			fail_msg("'%s' is %.17g, expected %.17g", cases[i].text, value.number,
				 cases[i].number);
		assert_int_equal(value.bytes, cases[i].bytes);
		assert_int_equal(value.time, cases[i].time);
	}
}

static void test_eval__numbers(void **state)
{
	static const struct value_case cases[] = {
		{ "0", 0, 0, 0 }, { "7", 7, 0, 0 }, { "0.5", 0.5, 0, 0 }, { ".25", 0.25, 0, 0 },
		{ "1e3", 1000, 0, 0 }, { "25e-2", 0.25, 0, 0 }, { "1.5E+2", 150, 0, 0 },
		{ "9007199254740992", 9007199254740992.0, 0, 0 }, /* 2^53 */
	};

	(void)state;
	check_values(cases, HN_ARRAY_LEN(cases));
}

static void test_eval__units(void **state)
{
	static const struct value_case cases[] = {
		{ "3 GiB", 3221225472.0, 1, 0 }, { "3GiB", 3221225472.0, 1, 0 },
		{ "2k", 2048, 1, 0 }, { "2 kB", 2000, 1, 0 }, { "1.5 MiB", 1572864, 1, 0 },
		{ "8 B", 8, 1, 0 }, { "250 ms", 250e6, 0, 1 }, { "2s", 2e9, 0, 1 },
		{ "1 us", 1000, 0, 1 }, { "4 KiB / 64 B", 64, 0, 0 },
		{ "2 * 5 ms", 10e6, 0, 1 }, { "1 MiB / 2 s", 0.000524288, 1, -1 },
	};

	(void)state;
	check_values(cases, HN_ARRAY_LEN(cases));
}

static void test_eval__operators_and_their_order(void **state)
{
	static const struct value_case cases[] = {
		{ "1 + 2 * 3", 7, 0, 0 }, { "(1 + 2) * 3", 9, 0, 0 },
		{ "8 - 3 - 2", 3, 0, 0 },  /* from the left: (8 - 3) - 2 */
		{ "8 / 4 / 2", 1, 0, 0 },  /* from the left: (8 / 4) / 2 */
		{ "-2 * 3", -6, 0, 0 }, { "2 - -3", 5, 0, 0 }, { "7 / 2", 3.5, 0, 0 },
		{ "162*162*162", 4251528, 0, 0 },
	};

	(void)state;
	check_values(cases, HN_ARRAY_LEN(cases));
}

static void test_eval__names_of_inner_scopes_come_first(void **state)
{
	static const struct value_case cases[] = {
		{ "cpus / 2", 24, 0, 0 }, { "memory / 4", 256, 1, 0 }, { "pause", 5e6, 0, 1 },
		{ "hidden", 2, 0, 0 },
	};

	(void)state;
	check_values(cases, HN_ARRAY_LEN(cases));
}

static void test_eval__functions(void **state)
{
	static const struct value_case cases[] = {
		{ "min(3, 1, 2)", 1, 0, 0 }, { "max(1, cpus / 2)", 24, 0, 0 },
		{ "max(7)", 7, 0, 0 }, { "min(1 KiB, 2 KiB)", 1024, 1, 0 },
		{ "floor(2.5)", 2, 0, 0 }, { "floor(-2.5)", -3, 0, 0 },
		{ "ceil(2.5)", 3, 0, 0 }, { "ceil(2)", 2, 0, 0 },
		{ "pow2(24)", 16, 0, 0 }, { "pow2(16)", 16, 0, 0 }, { "pow2(1)", 1, 0, 0 },
	};

	(void)state;
	check_values(cases, HN_ARRAY_LEN(cases));
}

struct error_case {
	const char *text;
	uint32_t column; /* in the file, where the text starts in 10 */
	const char *words;
};

static void check_errors(const struct error_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct hn_expr_value value = { .number = 77 };
		struct hn_diag diag = { 0 };
		int err = hn_expr_eval(cases[i].text, &scope, &place, &value, &diag);

		assert_int_equal(err, -EINVAL);
		if (!strstr(diag.text, cases[i].words))
			fail_msg("'%s': message '%s', expected '%s'", cases[i].text, diag.text,
				 cases[i].words);
		if (diag.line != 3 || diag.column != cases[i].column)
			fail_msg("'%s': place %u:%u, expected 3:%u", cases[i].text, diag.line,
				 diag.column, cases[i].column);
		assert_string_equal(diag.file, "f.yaml");
		assert_true(value.number == 77);
	}
}

static void test_eval__refuses_broken_texts(void **state)
{
	static const struct error_case cases[] = {
		{ "", 10, "expected a number, a name or '(', found the end" },
		{ "1 +", 13, "found the end" },
		{ "1 + * 2", 14, "found '*'" },
		{ "(1 + 2", 16, "expected ')', found the end" },
		{ "1 2", 12, "expected an operator, found '2'" },
		{ "1)", 11, "expected an operator, found ')'" },
		{ "min(1, 2", 18, "expected ')'" },
		{ "floor(1, 2)", 17, "expected ')', found ','" },
		{ "cpus % 2", 15, "found '%'" },
		{ ".", 10, "found '.'" },
	};

	(void)state;
	check_errors(cases, HN_ARRAY_LEN(cases));
}

static void test_eval__refuses_unknown_words(void **state)
{
	static const struct error_case cases[] = {
		{ "2 * cpu", 14, "unknown name 'cpu' (did you mean 'cpus'?)" },
		{ "3 Gib", 12, "unknown unit 'Gib'" },
		{ "mx(1)", 10, "unknown name 'mx'" },
	};

	(void)state;
	check_errors(cases, HN_ARRAY_LEN(cases));
}

static void test_eval__refuses_units_that_do_not_go_together(void **state)
{
	static const struct error_case cases[] = {
		{ "1 GiB + 5", 16, "a size and a number do not go together" },
		{ "memory - pause", 17, "a size and a time do not go together" },
		{ "max(1, 2 s)", 17, "a number and a time do not go together" },
	};

	(void)state;
	check_errors(cases, HN_ARRAY_LEN(cases));
}

static void test_eval__refuses_results_out_of_range(void **state)
{
	static const struct error_case cases[] = {
		{ "1 / 0", 12, "division by zero" },
		{ "cpus / (2 - 2)", 15, "division by zero" },
		{ "1e19", 10, "number above 1e18" },
		{ "1e18 * 2", 15, "result above 1e18" },
		{ "1e999", 10, "number above 1e18" },
		{ "pow2(0.5)", 10, "pow2 of less than 1" },
		{ "1B*1B*1B*1B*1B*1B*1B*1B*1B", 33, "too many units" },
	};

	(void)state;
	check_errors(cases, HN_ARRAY_LEN(cases));
}

/* Sixteen parentheses are the limit for what stands in them, the innermost factor included. */
static void test_eval__limits_nesting(void **state)
{
	static const struct value_case fits[] = { { "(((((((((((((((1)))))))))))))))", 1, 0, 0 } };
	static const struct error_case cases[] = {
		{ "((((((((((((((((1))))))))))))))))", 26, "nested too deeply" },
	};

	(void)state;
	check_values(fits, 1);
	check_errors(cases, 1);
}

static void test_eval__limits_length(void **state)
{
	char text[HN_EXPR_TEXT_BYTES_MAX + 2];
	struct hn_expr_value value;
	struct hn_diag diag = { 0 };

	(void)state;
	memset(text, '1', sizeof(text));
	memset(text, ' ', sizeof(text) - 2);
	text[HN_EXPR_TEXT_BYTES_MAX + 1] = '\0';
	assert_int_equal(hn_expr_eval(text, &scope, &place, &value, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "more than 256 characters"));
	assert_int_equal(hn_expr_eval(text + 1, &scope, &place, &value, &diag), 0);
	assert_true(value.number == 1);
}

/* A parameter of the command line has no line. */
static void test_eval__leaves_out_an_unknown_place(void **state)
{
	static const struct hn_expr_place nowhere = { "parameter 'x'", 0, 0 };
	struct hn_expr_value value;
	struct hn_diag diag = { 0 };
	char text[200];

	(void)state;
	assert_int_equal(hn_expr_eval("1 +", &scope, &nowhere, &value, &diag), -EINVAL);
	hn_diag_format(&diag, text, sizeof(text));
	assert_int_equal(strncmp(text, "parameter 'x': expected", 23), 0);
}

static void test_is_name__letters_digits_underscores(void **state)
{
	(void)state;
	assert_true(hn_expr_is_name("a"));
	assert_true(hn_expr_is_name("_a9"));
	assert_false(hn_expr_is_name(""));
	assert_false(hn_expr_is_name("9a"));
	assert_false(hn_expr_is_name("a-b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eval__numbers),
		cmocka_unit_test(test_eval__units),
		cmocka_unit_test(test_eval__operators_and_their_order),
		cmocka_unit_test(test_eval__names_of_inner_scopes_come_first),
		cmocka_unit_test(test_eval__functions),
		cmocka_unit_test(test_eval__refuses_broken_texts),
		cmocka_unit_test(test_eval__refuses_unknown_words),
		cmocka_unit_test(test_eval__refuses_units_that_do_not_go_together),
		cmocka_unit_test(test_eval__refuses_results_out_of_range),
		cmocka_unit_test(test_eval__limits_nesting),
		cmocka_unit_test(test_eval__limits_length),
		cmocka_unit_test(test_eval__leaves_out_an_unknown_place),
		cmocka_unit_test(test_is_name__letters_digits_underscores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
