/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: policies are found by name, changed by field, and refused with what was expected.
 * Method: the table itself, walked row by row and field by field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "policy/policy-report.h"

struct fixture {
	struct hn_arena arena;
	struct hn_diag diag;
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	hn_arena_init(&f->arena);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	hn_arena_fini(&f->arena);
	test_free(f);
	return 0;
}

static const struct hn_policy *parse(struct fixture *f, const char *spec)
{
	const struct hn_policy *policy = NULL;

	hn_diag_reset(&f->diag);
	if (hn_policy_parse(&f->arena, spec, &policy, &f->diag))
		return NULL;
	return policy;
}

static uint32_t field_index(const char *name)
{
	for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
		if (!strcmp(hn_policy_get_field(i)->name, name))
			return i;
	}
	fail_msg("no field '%s'", name);
	return 0;
}

static void test_rows__parse_by_name_and_keep_their_ranges(void **state)
{
	struct fixture *f = *state;

	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++) {
		const struct hn_policy *row = hn_policy_get_row(r);

		assert_ptr_equal(parse(f, row->name), row);
		assert_true(row->summary[0] && row->source[0]);
		for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
			assert_in_range(hn_policy_value(row, i), hn_policy_get_field(i)->lo,
					hn_policy_get_field(i)->hi);
		}
	}
}

static void test_rows__names_differ(void **state)
{
	(void)state;
	for (uint32_t a = 0; a < hn_policy_nr_rows(); a++) {
		for (uint32_t b = 0; b < a; b++)
			assert_string_not_equal(hn_policy_get_row(a)->name,
						hn_policy_get_row(b)->name);
	}
}

static void test_alias__names_a_row(void **state)
{
	struct fixture *f = *state;

	assert_ptr_equal(parse(f, "default"), parse(f, "v6.12"));
	assert_ptr_equal(parse(f, "latest"), parse(f, "v7.2"));
}

/* Each field set to each of its values (numbers: both ends) comes back from the parsed policy. */
static void test_field__every_value_round_trips(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
		const struct hn_policy_field *field = hn_policy_get_field(i);
		bool is_number = field->kind == HN_FIELD_NUMBER;
		uint32_t step = is_number ? field->hi - field->lo : 1;

		for (uint64_t v = field->lo; v <= field->hi; v += step ? step : 1) {
			struct hn_policy policy = *hn_policy_get_row(0);
			char digits[HN_POLICY_VALUE_BYTES];
			char spec[256];

			hn_policy_set_value(&policy, i, (uint32_t)v);
			snprintf(spec, sizeof(spec), "%s+%s=%s", hn_policy_get_row(0)->name,
				 field->name, hn_policy_value_text(&policy, i, digits));
			assert_non_null(parse(f, spec));
			assert_int_equal(hn_policy_value(parse(f, spec), i), v);
			assert_int_equal(hn_policy_nr_differences(parse(f, spec), &policy), 0);
		}
	}
}

/* idle_cpu_rule stands before stop_at_idle in the list; a value equal to the row's is dropped. */
static void test_name__lists_changes_in_field_order(void **state)
{
	struct fixture *f = *state;
	const struct hn_policy *policy = parse(f, "v4.19-rc1+stop_at_idle=on+idle_cpu_rule=maymove"
						  "+groups=on");

	assert_non_null(policy);
	assert_string_equal(policy->name, "v4.19-rc1+idle_cpu_rule=maymove+stop_at_idle=on");
}

static void test_name__row_with_a_plus(void **state)
{
	struct fixture *f = *state;
	const struct hn_policy *policy = parse(f, "v6.3+fc137c0ddab2+small_imp=10");

	assert_non_null(policy);
	assert_string_equal(policy->name, "v6.3+fc137c0ddab2+small_imp=10");
	assert_int_equal(policy->vma_scan_rule, HN_VMA_SCAN_RULE_RECENT_PIDS);
}

static void assert_refused(struct fixture *f, const char *spec, const char *expected)
{
	assert_null(parse(f, spec));
	if (!strstr(f->diag.text, expected))
		fail_msg("'%s': '%s' lacks '%s'", spec, f->diag.text, expected);
}

static void test_bad__says_what_was_expected(void **state)
{
	struct fixture *f = *state;

	assert_refused(f, "v7.22", "did you mean 'v7.2'");
	assert_refused(f, "", "unknown policy ''");
	assert_refused(f, "v6.12+stop_at_idel=on", "did you mean 'stop_at_idle'");
	assert_refused(f, "v6.12+stop_at_idle=yes", "expected on or off, found 'yes'");
	assert_refused(f, "v6.12+small_imp=1001", "from 0 to 1000, found '1001'");
	assert_refused(f, "v6.12+small_imp=-1", "from 0 to 1000, found '-1'");
	assert_refused(f, "v6.12+small_imp=", "from 0 to 1000, found ''");
	assert_refused(f, "v6.12+idle_cpu_rule=first", "classic, best_imp, maymove, maymove_best");
}

/* Section 8.8 of the rules: what the argument of 2018 was about. */
static void test_history__v4_18_to_v4_19(void **state)
{
	struct fixture *f = *state;
	const struct hn_policy *old = parse(f, "v4.18");
	const struct hn_policy *rc1 = parse(f, "v4.19-rc1");
	const struct hn_policy *merged = parse(f, "v4.19");

	assert_int_equal(old->idle_cpu_rule, HN_IDLE_CPU_RULE_CLASSIC);
	assert_int_equal(rc1->idle_cpu_rule, HN_IDLE_CPU_RULE_BEST_IMP);
	assert_int_equal(merged->idle_cpu_rule, HN_IDLE_CPU_RULE_MAYMOVE_BEST);
	assert_int_equal(old->small_imp, 0);
	assert_int_equal(merged->small_imp, 30);
	assert_true(old->page_rate_limit && rc1->page_rate_limit && !merged->page_rate_limit);
	assert_true(!rc1->numa_migrate_on && merged->numa_migrate_on);
}

static void test_diff__shows_both_values(void **state)
{
	struct fixture *f = *state;
	struct hn_strbuf text;

	hn_strbuf_init(&text, &f->arena);
	hn_policy_report_diff(&text, parse(f, "v6.10"), parse(f, "v6.12"));
	assert_non_null(strstr(text.text, "- vma_scan_rule"));
	assert_non_null(strstr(text.text, "+ vma_scan_rule"));
	assert_null(strstr(text.text, "swap_gain"));
	assert_int_equal(hn_policy_value(parse(f, "v6.12"), field_index("base_slice_us")), 700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows__parse_by_name_and_keep_their_ranges,
						setup, teardown),
		cmocka_unit_test(test_rows__names_differ),
		cmocka_unit_test_setup_teardown(test_alias__names_a_row, setup, teardown),
		cmocka_unit_test_setup_teardown(test_field__every_value_round_trips, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_name__lists_changes_in_field_order, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_name__row_with_a_plus, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad__says_what_was_expected, setup, teardown),
		cmocka_unit_test_setup_teardown(test_history__v4_18_to_v4_19, setup, teardown),
		cmocka_unit_test_setup_teardown(test_diff__shows_both_values, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
