/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: tables have the layout and the numbers of MMTests. Expected lines are written by hand
 * from the rules in report/table.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/regression.h"
#include "report/table.h"
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

static void assert_line(struct result_fixture *fixture, const char *line)
{
	const char *text = result_fixture_text(fixture);
	const char *found = strstr(text, line);

	if (!found || (found != text && found[-1] != '\n') || found[strlen(line)] != '\n')
		fail_msg("no line '%s' in:\n%s", line, text);
}

static void assert_no_text(struct result_fixture *fixture, const char *part)
{
	if (strstr(result_fixture_text(fixture), part))
		fail_msg("'%s' should not be in:\n%s", part, result_fixture_text(fixture));
}

static struct hn_table build_first(struct result_fixture *fixture,
				   const struct hn_table_options *options)
{
	struct hn_result_group *groups;
	struct hn_table table;
	uint32_t nr_groups;

	hn_result_group(&fixture->arena, &fixture->set, &groups, &nr_groups);
	hn_table_build(&fixture->arena, &groups[0], options, &table);
	return table;
}

static void set_duration(struct hn_result_run *run, double user_s, double system_s,
			 double elapsed_s)
{
	run->record.user_s = user_s;
	run->record.system_s = system_s;
	run->record.elapsed_s = elapsed_s;
}

/* 118.4 120.5 122.6: mean 120.5, deviation 2.1. 97.4 101.3 105.2: mean 101.3, deviation 3.9.
 * The change 19.2 is larger than 4.30265 * (2.1 + 3.9) / sqrt(3) = 14.9. */
static void add_mmtests_example(struct result_fixture *fixture)
{
	for (int r = -1; r <= 1; r++)
		set_duration(result_fixture_add_time(fixture, "base-vanilla", 120.5 + 2.1 * r),
			     900.1, 14.2, 121);
	for (int r = -1; r <= 1; r++)
		set_duration(result_fixture_add_time(fixture, "policy-a-r1", 101.3 + 3.9 * r),
			     870.4, 19.9, 102);
}

/* The example of a comparison that MMTests prints, with Min and Max added:
 * Min 1 - 97.4 / 118.4 = 17.74 %, Max 1 - 105.2 / 122.6 = 14.19 %. */
static void test_text__mmtests_example(void **state)
{
	struct result_fixture *fixture = *state;

	add_mmtests_example(fixture);
	assert_line(fixture, "                                        base                 policy");
	assert_line(fixture, "                                     vanilla                   a-r1");
	assert_line(fixture, "Min       elsp-NUMA01      118.40 (   0.00%)       97.40 (  17.74%)");
	assert_line(fixture, "Amean     elsp-NUMA01      120.50 (   0.00%)      101.30 *  15.93%*");
	assert_line(fixture, "Stddev    elsp-NUMA01        2.10 (   0.00%)        3.90 ( -85.71%)");
	assert_line(fixture, "CoeffVar  elsp-NUMA01        1.74 (   0.00%)        3.85 (-120.91%)");
	assert_line(fixture, "Max       elsp-NUMA01      122.60 (   0.00%)      105.20 (  14.19%)");
	assert_line(fixture, "Duration  User             900.10                 870.40");
	assert_line(fixture, "Duration  System            14.20                  19.90");
	assert_line(fixture, "Duration  Elapsed          121.00                 102.00");
}

/* Statistics one after another, each over all metrics, in the order Min to Max. */
static void test_rows__order(void **state)
{
	static const char *const labels[] = { "Min", "Min", "Amean", "Hmean", "Stddev", "Stddev",
					      "CoeffVar", "CoeffVar", "Max", "Max", "Duration" };
	struct result_fixture *fixture = *state;
	struct hn_table table;

	for (int r = 0; r < 2; r++)
		hn_record_add_metric(&result_fixture_add_time(fixture, "none", 5 + r)->record,
				     "tput-8", 100, HN_BETTER_HIGHER);
	table = build_first(fixture, NULL);
	for (uint32_t i = 0; i < HN_ARRAY_LEN(labels); i++)
		assert_string_equal(table.rows[i].label, labels[i]);
	assert_string_equal(table.rows[2].name, "elsp-NUMA01");
	assert_string_equal(table.rows[3].name, "tput-8");
}

static void add_rate(struct result_fixture *fixture, const char *policy, double rate)
{
	struct hn_result_run *run = result_fixture_add(fixture, policy);

	hn_record_add_metric(&run->record, "tput-8", rate, HN_BETTER_HIGHER);
}

/* A rate from 40 and 60 (Hmean 48) to 48 and 72 (57.6) gained 20 %. */
static void test_rows__rates_are_better_when_higher(void **state)
{
	static const double rates[] = { 40, 60, 48, 72 };
	struct result_fixture *fixture = *state;
	struct hn_table table;

	for (uint32_t r = 0; r < 4; r++)
		add_rate(fixture, r < 2 ? "none" : "v6.12", rates[r]);
	table = build_first(fixture, NULL);
	assert_string_equal(table.rows[1].label, "Hmean");
	assert_float_equal(table.rows[1].cells[0].value, 48, 1e-9);
	assert_float_equal(table.rows[1].cells[1].gain_pct, 20, 1e-9);
}

static void test_rows__single_runs_have_values_only(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_table table;

	result_fixture_add_time(fixture, "none", 10);
	result_fixture_add_time(fixture, "v6.12", 9);
	assert_line(fixture, "Amean     elsp-NUMA01       10.00 (   0.00%)        9.00 (  10.00%)");
	table = build_first(fixture, NULL);
	assert_string_equal(table.rows[0].label, "Amean");
	assert_string_equal(table.rows[1].label, "Duration");
}

/* Below one second two decimals would hide the difference: 0.0123 to 0.0120 is 2.44 %. */
static void test_rows__small_values_have_four_decimals(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add_time(fixture, "none", 0.0123);
	result_fixture_add_time(fixture, "v6.12", 0.0120);
	assert_line(fixture, "Amean     elsp-NUMA01      0.0123 (   0.00%)      0.0120 (   2.44%)");
}

static void test_rows__missing_metric_is_nan(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add_time(fixture, "none", 10);
	result_fixture_add(fixture, "v6.12");
	assert_line(fixture, "Amean     elsp-NUMA01       10.00 (   0.00%)         NaN (    NaN%)");
}

/* From 1: to 10.99 is -999 % and has two decimals, to 11 is -1000 % and has none, to 3001 is
 * -300000 % and has its magnitude, -3e+05. */
static void test_rows__large_gains_keep_their_width(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add_time(fixture, "none", 1);
	result_fixture_add_time(fixture, "v6.12", 10.99);
	result_fixture_add_time(fixture, "v6.6", 11);
	result_fixture_add_time(fixture, "v6.1", 3001);
	assert_line(fixture, "Amean     elsp-NUMA01        1.00 (   0.00%)       10.99 (-999.00%)"
		    "       11.00 (  -1000%)     3001.00 ( -3e+05%)");
}

/* 1000 to 1000.04 lost 0.004 %: nothing that two decimals could show, and no "-0.00". */
static void test_rows__no_negative_zero(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add_time(fixture, "none", 1000);
	result_fixture_add_time(fixture, "v6.12", 1000.04);
	assert_line(fixture, "Amean     elsp-NUMA01     1000.00 (   0.00%)     1000.04 (   0.00%)");
}

/* Means 0 and (1 + 0) / 2; large ones without decimals: (5124 + 5127) / 2 = 5125.5. */
static void test_rows__counters_under_kernel_names(void **state)
{
	static const uint64_t moves[] = { 0, 0, 1, 0 };
	static const uint64_t faults[] = { 5000, 5000, 5124, 5127 };
	struct result_fixture *fixture = *state;

	for (uint32_t r = 0; r < 4; r++) {
		struct hn_result_run *run = result_fixture_add(fixture, r < 2 ? "none" : "v6.12");

		run->record.counters[HN_COUNT_SCHED_MOVE_NUMA] = moves[r];
		run->record.counters[HN_COUNT_NUMA_HINT_FAULTS] = faults[r];
	}
	assert_line(fixture, "Ops       numa_hint_faults        5000                   5126");
	assert_line(fixture, "Ops       sched_move_numa         0.00                   0.50");
	assert_no_text(fixture, "sched_swap_numa");
}

static void test_rows__all_counters_on_request(void **state)
{
	struct hn_table_options options = { .shows_all_counters = true };
	struct result_fixture *fixture = *state;
	struct hn_table table;
	uint32_t nr = 0;

	result_fixture_add(fixture, "none");
	table = build_first(fixture, &options);
	for (uint32_t r = 0; r < table.nr_rows; r++)
		nr += !strcmp(table.rows[r].label, "Ops");
	assert_int_equal(nr, HN_NR_COUNTERS);
}

/* Windows of 10 s with 50 % and 10 s with 90 %: the middle still lies in the first; mean 70 %. */
static void test_rows__local_share_over_time(void **state)
{
	struct hn_window windows[] = {
		{ .end_ns = 10 * HN_NS_PER_S, .local_share = 0.5 },
		{ .end_ns = 20 * HN_NS_PER_S, .local_share = 0.9 },
	};
	struct result_fixture *fixture = *state;
	struct hn_result_run *run = result_fixture_add(fixture, "none");

	run->record.windows = windows;
	run->record.nr_windows = 2;
	assert_line(fixture, "Local%    at-10%        50.00");
	assert_line(fixture, "Local%    at-50%        50.00");
	assert_line(fixture, "Local%    at-75%        90.00");
	assert_line(fixture, "Local%    at-100%       90.00");
	assert_line(fixture, "Local%    mean          70.00");
}

/* Windows of 30 s with 20 % and 10 s with 60 %: (30 * 20 + 10 * 60) / 40 = 30 %. */
static void test_rows__mean_share_is_weighted_by_time(void **state)
{
	struct hn_window windows[] = {
		{ .end_ns = 30 * HN_NS_PER_S, .local_share = 0.2 },
		{ .end_ns = 40 * HN_NS_PER_S, .local_share = 0.6 },
	};
	struct result_fixture *fixture = *state;
	struct hn_result_run *run = result_fixture_add(fixture, "none");

	run->record.windows = windows;
	run->record.nr_windows = 2;
	assert_line(fixture, "Local%    mean          30.00");
}

static void test_rows__no_shares_without_windows(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add(fixture, "none");
	assert_no_text(fixture, "Local%");
}

static void assert_header(struct result_fixture *fixture, const char *policy,
			  const char *const *lines, uint32_t nr)
{
	struct hn_table table;

	result_fixture_add(fixture, policy);
	table = build_first(fixture, NULL);
	assert_int_equal(table.nr_header_rows, nr);
	for (uint32_t h = 0; h < nr; h++)
		assert_string_equal(table.columns[0].header[h], lines[h]);
}

static void test_header__split_at_first_dash(void **state)
{
	static const char *const lines[] = { "v4.19", "rc1" };

	assert_header(*state, "v4.19-rc1", lines, 2);
}

static void test_header__name_without_dash(void **state)
{
	static const char *const lines[] = { "none", "" };

	assert_header(*state, "none", lines, 2);
}

static void test_header__changes_one_below_the_other(void **state)
{
	static const char *const lines[] = { "v4.19-rc1", "idle_cpu_rule=maymove",
					     "stop_at_idle=on" };

	assert_header(*state, "v4.19-rc1+idle_cpu_rule=maymove+stop_at_idle=on", lines, 3);
}

/* 31 letters are one too many for a line. */
static void test_header__long_change_is_broken(void **state)
{
	static const char *const lines[] = { "v6.12", "imbalance_allowance=", "imb_numa_nr" };

	assert_header(*state, "v6.12+imbalance_allowance=imb_numa_nr", lines, 3);
}

static void test_header__file_above_policy(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_table table;

	result_fixture_add(fixture, "v6.12")->file = "old";
	table = build_first(fixture, NULL);
	assert_string_equal(table.columns[0].header[0], "old");
	assert_string_equal(table.columns[0].header[1], "v6.12");
	assert_string_equal(table.columns[0].label, "old:v6.12");
}

/* All columns are as wide as the widest header and a space: 29 + 1, 18 + 12. */
static void test_header__wide_one_keeps_columns_aligned(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add_time(fixture, "none", 10);
	result_fixture_add_time(fixture, "v6.12+faults_cpu_weight=cpu_share2x", 9);
	assert_line(fixture, "                                               none"
		    "                         v6.12");
	assert_line(fixture, "                                                   "
		    " faults_cpu_weight=cpu_share2x");
	assert_line(fixture, "Amean     elsp-NUMA01              10.00 (   0.00%)"
		    "               9.00 (  10.00%)");
}

static void test_baseline__moves_to_the_front(void **state)
{
	struct hn_table_options options = { .baseline = "v6.12" };
	struct result_fixture *fixture = *state;
	struct hn_table table;

	result_fixture_add_time(fixture, "none", 8);
	result_fixture_add_time(fixture, "v6.12", 10);
	table = build_first(fixture, &options);
	assert_string_equal(table.columns[0].label, "v6.12");
	assert_float_equal(table.rows[0].cells[1].gain_pct, 20, 1e-9);
	assert_int_equal(table.nr_notes, 0);
}

static void test_baseline__unknown_is_told(void **state)
{
	struct hn_table_options options = { .baseline = "v5.4" };
	struct result_fixture *fixture = *state;
	struct hn_table table;

	result_fixture_add_time(fixture, "none", 8);
	table = build_first(fixture, &options);
	assert_int_equal(table.nr_notes, 1);
	assert_string_equal(table.notes[0], "no runs of baseline 'v5.4' here: compared with none");
}

static void test_intro__command_reproduces(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add(fixture, "none")->machine_spec = "pack:2 [numa] core:12";
	result_fixture_add(fixture, "none")->machine_spec = "pack:2 [numa] core:12";
	result_fixture_add(fixture, "v6.12")->machine_spec = "pack:2 [numa] core:12";
	assert_line(fixture, "homenode 0.1.0: homenode sim numa01 "
		    "--machine 'pack:2 [numa] core:12' --policy none,v6.12 --runs 2 --seed 1");
	assert_line(fixture, "machine model: 2n");
}

static void test_intro__derived_model_is_told(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add(fixture, "none")->is_model_derived = true;
	assert_line(fixture, "machine model: derived; latencies and bandwidths of '2n' follow from "
		    "its distances, nobody measured them");
}

static const struct hn_result_field fields_a[] = {
	{ "numa", "off", HN_FIELD_CHOICE }, { "groups", "off", HN_FIELD_SWITCH },
	{ "scan_ms", "100", HN_FIELD_NUMBER },
};
static const struct hn_result_field fields_b[] = {
	{ "numa", "normal", HN_FIELD_CHOICE }, { "groups", "off", HN_FIELD_SWITCH },
	{ "scan_ms", "1000", HN_FIELD_NUMBER },
};
static const struct hn_result_field fields_c[] = {
	{ "numa", "off", HN_FIELD_CHOICE }, { "groups", "on", HN_FIELD_SWITCH },
	{ "scan_ms", "100", HN_FIELD_NUMBER },
};

static void add_with_fields(struct result_fixture *fixture, const char *policy,
			    const struct hn_result_field *fields)
{
	struct hn_result_run *run = result_fixture_add(fixture, policy);

	run->fields = fields;
	run->nr_fields = 3;
}

static void test_notes__two_fields_differ(void **state)
{
	struct result_fixture *fixture = *state;

	add_with_fields(fixture, "none", fields_a);
	add_with_fields(fixture, "v6.12", fields_b);
	assert_line(fixture, "not a like-for-like comparison: v6.12 differs from none in 2 fields: "
		    "numa, scan_ms");
}

static void test_notes__one_field_is_a_fair_comparison(void **state)
{
	struct result_fixture *fixture = *state;

	add_with_fields(fixture, "none", fields_a);
	add_with_fields(fixture, "none+groups=on", fields_c);
	assert_no_text(fixture, "like-for-like");
}

/* Ten fields: eight are named, two are counted. The third line has
 * 4 + 23 + 23 + 21 + 29 = 100 columns, which is the most. */
static void test_notes__long_list_is_cut_and_wrapped(void **state)
{
	static struct hn_result_field fields[2][10];
	static char names[10][24];
	struct result_fixture *fixture = *state;

	for (uint32_t f = 0; f < 10; f++) {
		snprintf(names[f], sizeof(names[f]), "a_rather_long_field_%u", f);
		for (uint32_t p = 0; p < 2; p++)
			fields[p][f] = (struct hn_result_field){ names[f], p ? "on" : "off",
								 HN_FIELD_SWITCH };
	}
	for (uint32_t p = 0; p < 2; p++) {
		struct hn_result_run *run = result_fixture_add(fixture, p ? "v6.12" : "none");

		run->fields = fields[p];
		run->nr_fields = 10;
	}
	assert_line(fixture, "not a like-for-like comparison: "
		    "v6.12 differs from none in 10 fields: a_rather_long_field_0,");
	assert_line(fixture, "    a_rather_long_field_1, a_rather_long_field_2, "
		    "a_rather_long_field_3, a_rather_long_field_4,");
	assert_line(fixture, "    a_rather_long_field_5, a_rather_long_field_6, "
		    "a_rather_long_field_7 and 2 more; 'homenode policy");
	assert_line(fixture, "    diff none v6.12' lists them");
}

static void test_notes__other_seeds(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add(fixture, "none");
	result_fixture_add(fixture, "v6.12")->record.seed = 7;
	assert_line(fixture, "not on common random numbers: v6.12 has other seeds than none");
}

static void test_group__machines_of_one_name_stay_apart(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_result_group *groups;
	uint32_t nr_groups;

	result_fixture_add(fixture, "none")->machine_spec = "a/x.xml";
	result_fixture_add(fixture, "none")->machine_spec = "b/x.xml";
	hn_result_group(&fixture->arena, &fixture->set, &groups, &nr_groups);
	assert_int_equal(nr_groups, 2);
}

static void test_group__scenarios_keep_their_order(void **state)
{
	struct result_fixture *fixture = *state;
	struct hn_result_group *groups;
	uint32_t nr_groups;

	result_fixture_add(fixture, "none")->record.scenario = "numa02";
	result_fixture_add(fixture, "none");
	result_fixture_add(fixture, "v6.12")->record.scenario = "numa02";
	hn_result_group(&fixture->arena, &fixture->set, &groups, &nr_groups);
	assert_int_equal(nr_groups, 2);
	assert_string_equal(groups[0].scenario, "numa02");
	assert_int_equal(groups[0].nr_columns, 2);
	assert_int_equal(groups[1].nr_columns, 1);
}

static uint32_t count_regressions(struct result_fixture *fixture, double limit_pct)
{
	struct hn_table table = build_first(fixture, NULL);
	struct hn_regression *list;
	uint32_t nr;

	hn_regression_find(&fixture->arena, &table, limit_pct, &list, &nr);
	return nr;
}

/* 10 to 10.5 is 5 % worse: more than 4.9, not more than 5. */
static void test_regression__limit(void **state)
{
	struct result_fixture *fixture = *state;

	result_fixture_add_time(fixture, "none", 10);
	result_fixture_add_time(fixture, "v6.12", 10.5);
	assert_int_equal(count_regressions(fixture, 4.9), 1);
	assert_int_equal(count_regressions(fixture, 5.1), 0);
}

/* 9 11 and 10 12: 10 % worse, and the intervals overlap. */
static void test_regression__must_be_significant(void **state)
{
	static const double times[] = { 9, 11, 10, 12 };
	struct result_fixture *fixture = *state;

	for (uint32_t r = 0; r < 4; r++)
		result_fixture_add_time(fixture, r < 2 ? "none" : "v6.12", times[r]);
	assert_int_equal(count_regressions(fixture, 5), 0);
}

static void test_regression__system_time_is_not_judged(void **state)
{
	struct result_fixture *fixture = *state;

	hn_record_add_metric(&result_fixture_add_time(fixture, "none", 10)->record,
			     "syst-NUMA01", 1, HN_BETTER_LOWER);
	hn_record_add_metric(&result_fixture_add_time(fixture, "v6.12", 9)->record,
			     "syst-NUMA01", 3, HN_BETTER_LOWER);
	assert_int_equal(count_regressions(fixture, 5), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_text__mmtests_example),
		TEST(test_rows__order),
		TEST(test_rows__rates_are_better_when_higher),
		TEST(test_rows__single_runs_have_values_only),
		TEST(test_rows__small_values_have_four_decimals),
		TEST(test_rows__missing_metric_is_nan),
		TEST(test_rows__large_gains_keep_their_width),
		TEST(test_rows__no_negative_zero),
		TEST(test_rows__counters_under_kernel_names),
		TEST(test_rows__all_counters_on_request),
		TEST(test_rows__local_share_over_time),
		TEST(test_rows__mean_share_is_weighted_by_time),
		TEST(test_rows__no_shares_without_windows),
		TEST(test_header__split_at_first_dash),
		TEST(test_header__name_without_dash),
		TEST(test_header__changes_one_below_the_other),
		TEST(test_header__long_change_is_broken),
		TEST(test_header__file_above_policy),
		TEST(test_header__wide_one_keeps_columns_aligned),
		TEST(test_baseline__moves_to_the_front),
		TEST(test_baseline__unknown_is_told),
		TEST(test_intro__command_reproduces),
		TEST(test_intro__derived_model_is_told),
		TEST(test_notes__two_fields_differ),
		TEST(test_notes__one_field_is_a_fair_comparison),
		TEST(test_notes__long_list_is_cut_and_wrapped),
		TEST(test_notes__other_seeds),
		TEST(test_group__machines_of_one_name_stay_apart),
		TEST(test_group__scenarios_keep_their_order),
		TEST(test_regression__limit),
		TEST(test_regression__must_be_significant),
		TEST(test_regression__system_time_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
