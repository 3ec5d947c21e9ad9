/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: every policy can be named, changed field by field, and told from every other; rows say what
 * their kernel does. Expected values of rows come from the published behaviour of the releases
 * (docs/policies/rules.md), written down here a second time, by rule and not by row. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
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

	if (hn_policy_parse(&f->arena, spec, &policy, &f->diag))
		fail_msg("'%s': %s", spec, f->diag.text);
	return policy;
}

static void assert_refused(struct fixture *f, const char *spec, int err, const char *message)
{
	const struct hn_policy *policy = NULL;

	hn_diag_reset(&f->diag);
	assert_int_equal(hn_policy_parse(&f->arena, spec, &policy, &f->diag), err);
	assert_null(policy);
	assert_string_equal(f->diag.text, message);
}

static uint32_t find_field(const char *name)
{
	for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
		if (!strcmp(hn_policy_get_field(i)->name, name))
			return i;
	}
	fail_msg("no field '%s'", name);
	return 0;
}

static void assert_value(const struct hn_policy *policy, const char *field, const char *value)
{
	char digits[HN_POLICY_VALUE_BYTES];
	const char *found = hn_policy_value_text(policy, find_field(field), digits);

	if (strcmp(found, value))
		fail_msg("%s: %s is %s, expected %s", policy->name, field, found, value);
}

/* ---- names ---- */

static void test_parse__every_row_by_its_name(void **state)
{
	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++) {
		const struct hn_policy *row = hn_policy_get_row(r);

		assert_ptr_equal(parse(*state, row->name), row);
		assert_true(row->summary[0] && row->source[0]);
	}
}

static void test_table__no_name_is_there_twice(void **state)
{
	(void)state;
	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++) {
		const char *name = hn_policy_get_row(r)->name;

		for (uint32_t other = 0; other < r; other++)
			assert_string_not_equal(name, hn_policy_get_row(other)->name);
		for (uint32_t a = 0; a < hn_policy_nr_aliases(); a++)
			assert_string_not_equal(name, hn_policy_get_alias(a)->name);
	}
}

static void test_parse__alias_is_the_row_and_takes_its_name(void **state)
{
	for (uint32_t a = 0; a < hn_policy_nr_aliases(); a++) {
		const struct hn_policy_alias *alias = hn_policy_get_alias(a);

		assert_string_equal(parse(*state, alias->name)->name, alias->row);
	}
	assert_string_equal(parse(*state, "latest")->name, "v7.2");
	assert_string_equal(parse(*state, "default+small_imp=7")->name, "v6.12+small_imp=7");
}

/* "v6.13" is one letter from v3.13, v6.1 and v6.12; the first in the table wins. "hardbind" lacks
 * one of the nine letters of its name. */
static void test_parse__unknown_name_gets_the_nearest(void **state)
{
	assert_refused(*state, "v6.13", -ENOENT,
		       "unknown policy 'v6.13' (did you mean 'v3.13'?); see 'homenode list "
		       "policies'");
	assert_refused(*state, "hardbind", -ENOENT,
		       "unknown policy 'hardbind' (did you mean 'hard-bind'?); see 'homenode list "
		       "policies'");
	assert_refused(*state, "qqqqqqqq", -ENOENT,
		       "unknown policy 'qqqqqqqq'; see 'homenode list policies'");
	assert_refused(*state, "", -ENOENT, "unknown policy ''; see 'homenode list policies'");
}

/* A name ends before the first "+word=", so that a '+' of its own belongs to it; the begin of a
 * name is near to it at any length. */
static void test_parse__plus_in_a_name(void **state)
{
	assert_string_equal(parse(*state, "v6.3+fc137c0ddab2")->name, "v6.3+fc137c0ddab2");
	assert_string_equal(parse(*state, "v6.3+fc137c0ddab2+small_imp=1")->name,
			    "v6.3+fc137c0ddab2+small_imp=1");
	assert_refused(*state, "v6.3+fc137", -ENOENT,
		       "unknown policy 'v6.3+fc137' (did you mean 'v6.3+fc137c0ddab2'?); see "
		       "'homenode list policies'");
}

/* ---- fields ---- */

static void test_parse__canonical_name_is_in_field_order(void **state)
{
	assert_string_equal(parse(*state, "v6.12+sis=prop+stop_at_idle=off+scan_size_mb=512")->name,
			    "v6.12+scan_size_mb=512+stop_at_idle=off+sis=prop");
}

/* v4.19-rc1 has stop_at_idle off and small_imp 0. */
static void test_parse__canonical_name_drops_what_the_row_has(void **state)
{
	assert_string_equal(parse(*state, "v4.19-rc1+stop_at_idle=off+small_imp=0")->name,
			    "v4.19-rc1");
	assert_string_equal(parse(*state, "v4.19-rc1+stop_at_idle=off+small_imp=1")->name,
			    "v4.19-rc1+small_imp=1");
	assert_string_equal(parse(*state, "v4.19-rc1+small_imp=007")->name,
			    "v4.19-rc1+small_imp=7");
}

static void test_parse__last_value_of_a_field_counts(void **state)
{
	assert_string_equal(parse(*state, "v4.19-rc1+small_imp=5+small_imp=9")->name,
			    "v4.19-rc1+small_imp=9");
}

static void test_parse__changed_copy_leaves_the_row_alone(void **state)
{
	const struct hn_policy *row = parse(*state, "v4.19-rc1");

	assert_true(parse(*state, "v4.19-rc1+stop_at_idle=on")->stop_at_idle);
	assert_false(row->stop_at_idle);
}

static void test_parse__unknown_field_gets_the_nearest(void **state)
{
	assert_refused(*state, "v6.12+stop_at_idel=on", -EINVAL,
		       "policy 'v6.12' has no field 'stop_at_idel' (did you mean 'stop_at_idle'?); "
		       "see 'homenode policy show v6.12'");
	assert_refused(*state, "v6.12+=on", -EINVAL,
		       "policy 'v6.12' has no field ''; see 'homenode policy show v6.12'");
}

static void test_parse__part_without_a_value(void **state)
{
	assert_refused(*state, "v6.12+small_imp=1+stop_at_idle", -EINVAL,
		       "policy 'v6.12': expected field=value, found 'stop_at_idle'");
	assert_refused(*state, "v6.12+small_imp=1+", -EINVAL,
		       "policy 'v6.12': expected field=value, found ''");
}

static void test_parse__bad_switch(void **state)
{
	assert_refused(*state, "v6.12+stop_at_idle=perhaps", -EINVAL,
		       "field 'stop_at_idle': expected on or off, found 'perhaps'");
	assert_refused(*state, "v6.12+stop_at_idle=1", -EINVAL,
		       "field 'stop_at_idle': expected on or off, found '1'");
}

static void test_parse__bad_choice_gets_the_list(void **state)
{
	assert_refused(*state, "v6.12+idle_cpu_rule=MAYMOVE", -EINVAL,
		       "field 'idle_cpu_rule': expected one of classic, best_imp, maymove, "
		       "maymove_best, found 'MAYMOVE'");
}

/* small_imp goes from 0 to 1000, nr_latency from 1 to 64. */
static void test_parse__number_at_and_beyond_its_range(void **state)
{
	static const char *const bad[] = { "1001", "4294967296", "99999999999999999999", "-1",
					   "+1", "1x", " 1", "0x10", "" };

	assert_int_equal(parse(*state, "v6.12+small_imp=0")->small_imp, 0);
	assert_int_equal(parse(*state, "v6.12+small_imp=1000")->small_imp, 1000);
	assert_int_equal(parse(*state, "v6.12+nr_latency=1")->nr_latency, 1);
	assert_refused(*state, "v6.12+nr_latency=0", -EINVAL,
		       "field 'nr_latency': expected a number from 1 to 64, found '0'");
	for (size_t b = 0; b < HN_ARRAY_LEN(bad); b++) {
		const struct hn_policy *policy = NULL;
		struct fixture *f = *state;
		char spec[64];

		snprintf(spec, sizeof(spec), "v6.12+small_imp=%s", bad[b]);
		assert_int_equal(hn_policy_parse(&f->arena, spec, &policy, NULL), -EINVAL);
		assert_null(policy);
	}
}

/* 2048 characters are read: "v6.12" and 2043 of "+small_imp=000...0"; one more is refused. */
static void test_parse__length_limit(void **state)
{
	char spec[2050];

	memset(spec, '0', sizeof(spec));
	memcpy(spec, "v6.12+small_imp=", 16);
	spec[2048] = '\0';
	assert_int_equal(parse(*state, spec)->small_imp, 0);
	spec[2048] = '0';
	spec[2049] = '\0';
	assert_refused(*state, spec, -EINVAL, "policy of more than 2048 characters");
}

/* ---- properties of all rows and fields ---- */

static void test_rows__values_are_in_range(void **state)
{
	(void)state;
	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++) {
		for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
			uint32_t value = hn_policy_value(hn_policy_get_row(r), i);

			assert_in_range(value, hn_policy_get_field(i)->lo,
					hn_policy_get_field(i)->hi);
		}
	}
}

static void check_round_trip(struct fixture *f, const struct hn_policy *row, uint32_t idx,
			     uint32_t value)
{
	const char *field = hn_policy_get_field(idx)->name;
	char digits[HN_POLICY_VALUE_BYTES], spec[128];
	struct hn_policy changed = *row;
	const struct hn_policy *policy;

	hn_policy_set_value(&changed, idx, value);
	snprintf(spec, sizeof(spec), "%s+%s=%s", row->name, field,
		 hn_policy_value_text(&changed, idx, digits));
	policy = parse(f, spec);
	assert_int_equal(hn_policy_value(policy, idx), value);
	assert_int_equal(hn_policy_nr_differences(policy, &changed), 0);
	if (value == hn_policy_value(row, idx))
		assert_string_equal(policy->name, row->name);
	else
		assert_string_equal(policy->name, spec);
}

/* Every switch and choice of every field, and of numbers both ends and their neighbours. */
static void test_fields__every_value_round_trips_on_every_row(void **state)
{
	struct fixture *f = *state;

	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++) {
		const struct hn_policy *row = hn_policy_get_row(r);

		for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
			const struct hn_policy_field *field = hn_policy_get_field(i);

			for (uint32_t v = field->lo; v <= field->lo + 1; v++)
				check_round_trip(f, row, i, v);
			for (uint32_t v = 2; v < field->nr_values; v++)
				check_round_trip(f, row, i, v);
			check_round_trip(f, row, i, field->hi - 1);
			check_round_trip(f, row, i, field->hi);
		}
		hn_arena_reset(&f->arena);
	}
}

/* Setting one field must not touch another, whatever their order and widths in the struct. */
static void test_fields__set_changes_that_field_only(void **state)
{
	const struct hn_policy *row = parse(*state, "v6.12");

	for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
		const struct hn_policy_field *field = hn_policy_get_field(i);
		struct hn_policy changed = *row;
		bool is_high = hn_policy_value(row, i) == field->hi;

		hn_policy_set_value(&changed, i, is_high ? field->lo : field->hi);
		assert_int_equal(hn_policy_nr_differences(row, &changed), 1);
	}
}

static void test_fields__names_and_texts(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < hn_policy_nr_fields(); i++) {
		const struct hn_policy_field *field = hn_policy_get_field(i);

		assert_true(field->text[0]);
		assert_int_equal(strcspn(field->name, "+= "), strlen(field->name));
		for (uint32_t v = 0; v < field->nr_values; v++) {
			const char *value = field->values[v];

			assert_true(field->value_texts[v][0]);
			assert_int_equal(strcspn(value, "+= "), strlen(value));
			for (uint32_t w = 0; w < v; w++)
				assert_string_not_equal(value, field->values[w]);
		}
	}
}

/* ---- what the kernels do ---- */

/* The history of one field: each value with the first row that has it. */
struct step {
	const char *field;
	const char *since;
	const char *value;
};

/* The switches V1 .. V20, and the tables of tunables, page decision, node statistics, idle search
 * and balancing, by release. "none" and what follows it in the table are not part of a history. */
static const struct step steps[] = {
	{ "idle_cpu_rule", "v3.8", "classic" },
	{ "idle_cpu_rule", "v4.19-rc1", "best_imp" },
	{ "idle_cpu_rule", "v4.19", "maymove_best" },
	{ "stop_at_idle", "v3.8", "off" },
	{ "stop_at_idle", "v5.10", "on" },
	{ "idle_target", "v3.8", "plain" },
	{ "idle_target", "v3.19", "sibling_late" },
	{ "idle_target", "v4.19-rc1", "sibling" },
	{ "idle_target", "v5.10", "node_cached" },
	{ "small_imp", "v3.8", "0" },
	{ "small_imp", "v4.19", "30" },
	{ "move_imp_minus_one", "v3.8", "off" },
	{ "move_imp_minus_one", "v3.19", "on" },
	{ "move_imp_minus_one", "v4.19", "off" },
	{ "swap_gain", "v3.8", "curr_group" },
	{ "swap_gain", "v4.19", "both_groups" },
	{ "too_imbalanced", "v3.8", "pct_simple" },
	{ "too_imbalanced", "v3.19", "pct_capacity" },
	{ "too_imbalanced", "v4.19-rc1", "absolute" },
	{ "numa_migrate_on", "v3.8", "off" },
	{ "numa_migrate_on", "v4.19", "on" },
	{ "placement_at_retry", "v3.8", "off" },
	{ "placement_at_retry", "v4.19-rc1", "on" },
	{ "preferred_update", "v3.8", "always_last_dst" },
	{ "preferred_update", "v3.19", "nid_active" },
	{ "preferred_update", "v4.9", "last_dst_active" },
	{ "preferred_update", "v4.19-rc1", "best_node" },
	{ "scan_reset", "v3.8", "none" },
	{ "scan_reset", "v3.13", "at_numa_move" },
	{ "scan_reset", "v4.19", "at_node_change" },
	{ "page_rate_limit", "v3.8", "on" },
	{ "page_rate_limit", "v4.19", "off" },
	{ "early_migrate", "v3.8", "off" },
	{ "early_migrate", "v4.19", "on" },
	{ "idle_shortcut", "v3.8", "off" },
	{ "idle_shortcut", "v5.10", "on" },
	{ "imbalance_allowance", "v3.8", "none" },
	{ "imbalance_allowance", "v5.10", "two_running" },
	{ "imbalance_allowance", "v5.12", "quarter" },
	{ "imbalance_allowance", "v5.18", "imb_numa_nr" },
	{ "swap_skip_group_spare", "v3.8", "off" },
	{ "swap_skip_group_spare", "v6.1", "on" },
	{ "vma_scan_rule", "v3.8", "all" },
	{ "vma_scan_rule", "v6.3+fc137c0ddab2", "recent_pids" },
	{ "vma_scan_rule", "v6.7", "partial" },
	{ "vma_scan_rule", "v6.12", "seq_threshold" },
	{ "clear_locality_on_stall", "v3.8", "off" },
	{ "children", "v3.8", "spread" },
	{ "children", "v4.17", "local_load" },
	{ "children", "v5.10", "local_idle" },
	{ "children", "v5.12", "local_quarter" },
	{ "children", "v5.18", "local_imb" },
	{ "scan_period_ms_min", "v3.8", "100" },
	{ "scan_period_ms_min", "v3.13", "1000" },
	{ "scan_period_ms_max", "v3.8", "5000" },
	{ "scan_period_ms_max", "v3.13", "60000" },
	{ "scan_delay_ms", "v3.8", "1000" },
	{ "scan_size_mb", "v3.8", "256" },
	{ "period_threshold", "v3.8", "3" },
	{ "period_threshold", "v3.19", "7" },
	{ "migrate_deferred", "v3.8", "0" },
	{ "migrate_deferred", "v3.13", "16" },
	{ "migrate_deferred", "v3.19", "0" },
	{ "fault_filter", "v3.8", "last_nid" },
	{ "fault_filter", "v3.13", "deferred" },
	{ "fault_filter", "v3.19", "active_mask" },
	{ "fault_filter", "v4.9", "cpu_pressure" },
	{ "thp_migration", "v3.8", "native" },
	{ "thp_migration", "v5.18", "generic" },
	{ "node_stats", "v3.8", "scaled_power" },
	{ "node_stats", "v3.19", "smt_tasks" },
	{ "node_stats", "v4.19-rc1", "load" },
	{ "node_stats", "v5.10", "typed" },
	{ "faults_cpu_weight", "v3.8", "none" },
	{ "faults_cpu_weight", "v3.19", "cpu_share" },
	{ "idle_search", "v3.8", "group_scan" },
	{ "idle_search", "v4.9", "core_cpu_smt" },
	{ "idle_search", "v5.12", "one_pass" },
	{ "sis", "v3.8", "none" },
	{ "sis", "v4.9", "avg_cpu" },
	{ "sis", "v4.15", "prop" },
	{ "sis", "v6.1", "util" },
	{ "idle_estimate", "v3.8", "local" },
	{ "idle_estimate", "v5.18", "aged" },
	{ "busy_factor", "v3.8", "32" },
	{ "busy_factor", "v5.10", "16" },
	{ "numa_imbalance_pct", "v3.8", "125" },
	{ "numa_imbalance_pct", "v5.10", "117" },
	{ "order", "v3.8", "cfs" },
	{ "order", "v6.6", "eevdf" },
	{ "base_slice_us", "v3.8", "750" },
	{ "base_slice_us", "v6.12", "700" },
	{ "degrades", "v3.8", "neutral" },
	{ "degrades", "v3.13", "v3_13" },
	{ "degrades", "v3.19", "v3_16" },
	{ "degrades", "v4.9", "v4_9" },
	{ "degrades", "v4.15", "v4_15" },
	{ "degrades", "v4.19-rc1", "v4_19" },
	{ "degrades", "v7.2", "v7_2" },
};

static bool is_release(const struct hn_policy *row)
{
	return row->name[0] == 'v';
}

/* The value that a release has: that of the last step at or before it. Rows of releases stand in
 * the order of time. */
static const char *find_value(const char *field, uint32_t row_idx)
{
	const char *value = NULL;

	for (uint32_t r = 0; r <= row_idx; r++) {
		for (size_t s = 0; s < HN_ARRAY_LEN(steps); s++) {
			if (!strcmp(steps[s].field, field) &&
			    !strcmp(steps[s].since, hn_policy_get_row(r)->name))
				value = steps[s].value;
		}
	}
	return value;
}

static void test_rows__history_of_fields(void **state)
{
	(void)state;
	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++) {
		const struct hn_policy *row = hn_policy_get_row(r);

		for (size_t s = 0; s < HN_ARRAY_LEN(steps) && is_release(row); s++)
			assert_value(row, steps[s].field, find_value(steps[s].field, r));
	}
}

static void assert_differences(struct fixture *f, const char *a, const char *b, const char *fields)
{
	struct hn_strbuf found;

	hn_strbuf_init(&found, &f->arena);
	hn_policy_add_differences(&found, parse(f, a), parse(f, b));
	assert_string_equal(found.len_bytes ? found.text : "", fields);
}

/* Bounds share a scheduler with v6.12 and place by other means. */
static void test_rows__bounds_differ_by_placement_only(void **state)
{
	assert_differences(*state, "v6.12", "none", "numa_mode");
	assert_differences(*state, "none", "hard-bind", "static_placement");
	assert_differences(*state, "none", "inverse-bind", "static_placement");
	assert_differences(*state, "none", "interleave", "static_placement");
}

/* What was posted in 2018 and 2021, hunk by hunk. */
static void test_rows__patches_of_the_list(void **state)
{
	assert_differences(*state, "v4.19-rc1", "list:gorman-2018", "idle_cpu_rule, stop_at_idle");
	assert_differences(*state, "v4.19-rc1", "list:dronamraju-2018", "idle_cpu_rule");
	assert_differences(*state, "v5.13", "list:gorman-2021", "idle_estimate");
	assert_value(parse(*state, "list:gorman-2018"), "idle_cpu_rule", "maymove");
	assert_value(parse(*state, "list:dronamraju-2018"), "idle_cpu_rule", "maymove_best");
	assert_value(parse(*state, "list:gorman-2021"), "idle_estimate", "aged");
}

/* The patch of 2014 halves by a shift (rounds down) and takes the scheduler's averages at first. */
static void test_rows__seed_formula_as_posted(void **state)
{
	const struct hn_policy *policy = parse(*state, "list:faults-cpu-seed");

	assert_value(policy, "faults_cpu_weight", "seed");
	assert_value(policy, "decay_rounds_up", "off");
	assert_value(policy, "first_runtime", "runnable_avg");
	assert_value(policy, "active_nodes", "mask");
	assert_value(policy, "topology_rule", "none");
}

static void test_rows__releases_alike(void **state)
{
	assert_differences(*state, "v5.12", "v5.13", "");
}

/* ---- reports ---- */

static const char *text_of_diff(struct fixture *f, const char *a, const char *b)
{
	struct hn_strbuf text;

	hn_strbuf_init(&text, &f->arena);
	hn_policy_report_diff(&text, parse(f, a), parse(f, b));
	return text.text;
}

static void test_diff__no_difference(void **state)
{
	assert_string_equal(text_of_diff(*state, "v4.18", "v4.18"),
			    "- v4.18: new threads wait two ticks before their first scan\n"
			    "+ v4.18: new threads wait two ticks before their first scan\n"
			    "no field differs\n");
}

/* A switch has no meaning beside its name, a choice has; a heading for each part, once. */
static void test_diff__one_and_several_fields(void **state)
{
	static const char one[] =
		"1 field differs: thread_scan_stagger\n"
		"\nscan timing\n"
		"  thread_scan_stagger: new threads wait two ticks before their first scan "
		"(v4.18)\n"
		"-   off\n"
		"+   on\n";
	static const char several[] =
		"3 fields differ: stop_at_idle, small_imp, sis\n"
		"\nsearching a CPU\n"
		"  stop_at_idle: V2: the search of a node ends at the first idle CPU taken (2018, "
		"patch 3)\n"
		"-   off\n"
		"+   on\n"
		"  small_imp: V5: least gain of a swap, in permille; half of it over the best; 0: "
		"none\n"
		"-   0\n"
		"+   9\n"
		"\nthe scheduler under it\n"
		"  sis: how deep the search goes\n"
		"-   prop: depth in proportion to the idle time expected\n"
		"+   none: the whole LLC is searched\n";

	assert_non_null(strstr(text_of_diff(*state, "v4.17", "v4.18"), one));
	assert_non_null(strstr(text_of_diff(*state, "v4.19-rc1",
					    "v4.19-rc1+stop_at_idle=on+small_imp=9+sis=none"),
			       several));
}

static uint32_t count_lines(const char *text, const char *begin)
{
	uint32_t nr = 0;

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		nr += !strncmp(line, begin, strlen(begin));
	}
	return nr;
}

/* Ten parts: ten lines begin with a letter other than the first three; one line a field. */
static void test_show__a_line_a_field_under_ten_headings(void **state)
{
	struct fixture *f = *state;
	struct hn_strbuf text;

	hn_strbuf_init(&text, &f->arena);
	hn_policy_report_show(&text, parse(f, "v6.12+stop_at_idle=off"));
	assert_non_null(strstr(text.text, "policy   v6.12+stop_at_idle=off\nsummary  "));
	assert_int_equal(count_lines(text.text, "  "), hn_policy_nr_fields());
	assert_int_equal(count_lines(text.text, "\n"), 10);
	assert_non_null(strstr(text.text, "\n  stop_at_idle             = off  "));
	assert_non_null(strstr(text.text, "\n  small_imp                = 30  "));
	assert_non_null(strstr(text.text, "\n  idle_cpu_rule            = maymove_best  "));
	assert_int_equal(text.text[text.len_bytes - 1], '\n');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse__every_row_by_its_name),
		cmocka_unit_test(test_table__no_name_is_there_twice),
		cmocka_unit_test(test_parse__alias_is_the_row_and_takes_its_name),
		cmocka_unit_test(test_parse__unknown_name_gets_the_nearest),
		cmocka_unit_test(test_parse__plus_in_a_name),
		cmocka_unit_test(test_parse__canonical_name_is_in_field_order),
		cmocka_unit_test(test_parse__canonical_name_drops_what_the_row_has),
		cmocka_unit_test(test_parse__last_value_of_a_field_counts),
		cmocka_unit_test(test_parse__changed_copy_leaves_the_row_alone),
		cmocka_unit_test(test_parse__unknown_field_gets_the_nearest),
		cmocka_unit_test(test_parse__part_without_a_value),
		cmocka_unit_test(test_parse__bad_switch),
		cmocka_unit_test(test_parse__bad_choice_gets_the_list),
		cmocka_unit_test(test_parse__number_at_and_beyond_its_range),
		cmocka_unit_test(test_parse__length_limit),
		cmocka_unit_test(test_rows__values_are_in_range),
		cmocka_unit_test(test_fields__every_value_round_trips_on_every_row),
		cmocka_unit_test(test_fields__set_changes_that_field_only),
		cmocka_unit_test(test_fields__names_and_texts),
		cmocka_unit_test(test_rows__history_of_fields),
		cmocka_unit_test(test_rows__bounds_differ_by_placement_only),
		cmocka_unit_test(test_rows__patches_of_the_list),
		cmocka_unit_test(test_rows__seed_formula_as_posted),
		cmocka_unit_test(test_rows__releases_alike),
		cmocka_unit_test(test_diff__no_difference),
		cmocka_unit_test(test_diff__one_and_several_fields),
		cmocka_unit_test(test_show__a_line_a_field_under_ten_headings),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
