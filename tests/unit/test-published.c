/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: a simulated gain is put beside the published one of its row, and judged by direction.
 * Method: two runs a policy with round numbers: 100 s against 90 s is a gain of 10 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "report/published.h"

static void test_agrees__same_sign_beyond_noise(void **state)
{
	(void)state;
	assert_true(hn_published_agrees(39, 11));
	assert_true(hn_published_agrees(-5, -1));
	assert_false(hn_published_agrees(5, -5));
}

/* Within one percent is no change: agrees with no change only. The boundary itself is a change. */
static void test_agrees__small_only_with_small(void **state)
{
	(void)state;
	assert_true(hn_published_agrees(0.99, -0.99));
	assert_false(hn_published_agrees(0.99, 1.0));
	assert_false(hn_published_agrees(1.0, 0.99));
	assert_true(hn_published_agrees(1.0, 1.0));
}

static struct hn_result_run make_run(const char *policy, double elapsed_s)
{
	struct hn_result_run run = { .record = { .scenario = "s", .machine = "m",
						 .policy = policy } };

	hn_record_add_metric(&run.record, "elsp-S", elapsed_s, HN_BETTER_LOWER);
	return run;
}

static void print(struct hn_arena *arena, const struct hn_published *published,
		  struct hn_strbuf *buf)
{
	struct hn_result_run runs[] = { make_run("a", 100), make_run("b", 90) };
	struct hn_result_set set = { .runs = runs, .nr_runs = 2 };
	struct hn_result_group *groups;
	uint32_t nr_groups;

	hn_result_group(arena, &set, &groups, &nr_groups);
	hn_strbuf_init(buf, arena);
	hn_strbuf_add(buf, "");
	hn_published_text(published, 1, groups, nr_groups, buf);
}

static void test_text__row_of_a_run(void **state)
{
	struct hn_published published = { "s", "m", "b", "elsp-S", 20 };
	struct hn_arena arena;
	struct hn_strbuf buf;

	(void)state;
	hn_arena_init(&arena);
	print(&arena, &published, &buf);
	assert_non_null(strstr(buf.text, "20.00     10.00  agrees"));
	assert_non_null(strstr(buf.text, "1 of 1 agree"));
	hn_arena_fini(&arena);
}

static void test_text__nothing_without_a_counterpart(void **state)
{
	struct hn_published published = { "s", "other", "b", "elsp-S", 20 };
	struct hn_arena arena;
	struct hn_strbuf buf;

	(void)state;
	hn_arena_init(&arena);
	print(&arena, &published, &buf);
	assert_string_equal(buf.text, "");
	hn_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agrees__same_sign_beyond_noise),
		cmocka_unit_test(test_agrees__small_only_with_small),
		cmocka_unit_test(test_text__row_of_a_run),
		cmocka_unit_test(test_text__nothing_without_a_counterpart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
