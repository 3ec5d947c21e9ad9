/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: the suggestion of an unknown-name message is the name meant, or none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/nearest.h"

static const char *const names[] = { "latency", "line", "2s-haswell", "4s-haswell" };

static void test_distance__equal_words(void **state)
{
	(void)state;
	assert_int_equal(hn_nearest_distance("latency", "LATENCY"), 0);
}

/* insert c; delete t; replace a by o; exchange cy. */
static void test_distance__one_step_each(void **state)
{
	(void)state;
	assert_int_equal(hn_nearest_distance("lateny", "latency"), 1);
	assert_int_equal(hn_nearest_distance("lattency", "latency"), 1);
	assert_int_equal(hn_nearest_distance("lotency", "latency"), 1);
	assert_int_equal(hn_nearest_distance("latenyc", "latency"), 1);
}

static void test_distance__empty_word_counts_letters(void **state)
{
	(void)state;
	assert_int_equal(hn_nearest_distance("", "line"), 4);
	assert_int_equal(hn_nearest_distance("line", ""), 4);
}

static void test_distance__longer_than_limit(void **state)
{
	char word[HN_NEAREST_LEN_MAX + 2];

	(void)state;
	for (size_t i = 0; i < sizeof(word) - 1; i++)
		word[i] = 'a';
	word[sizeof(word) - 1] = '\0';
	assert_true(hn_nearest_distance(word, "a") == UINT32_MAX);
	assert_null(hn_nearest(word, names, HN_ARRAY_LEN(names)));
	word[HN_NEAREST_LEN_MAX] = '\0';
	assert_int_equal(hn_nearest_distance(word, "a"), HN_NEAREST_LEN_MAX - 1);
}

/* "lat" begins latency, although 4 of 7 letters are missing. */
static void test_nearest__begin_of_a_name(void **state)
{
	(void)state;
	assert_string_equal(hn_nearest("lat", names, HN_ARRAY_LEN(names)), "latency");
}

/* "haswell" is 3 from both machines, 4 are allowed: the first wins. */
static void test_nearest__tie_takes_the_first(void **state)
{
	(void)state;
	assert_string_equal(hn_nearest("haswell", names, HN_ARRAY_LEN(names)), "2s-haswell");
}

/* The longer of the two has 4 letters, so 2 steps are allowed: "lane" 1, "lone" 1, "zzne" 2,
 * "zzze" 3. */
static void test_nearest__boundary_of_a_third(void **state)
{
	(void)state;
	assert_string_equal(hn_nearest("zzne", names, HN_ARRAY_LEN(names)), "line");
	assert_null(hn_nearest("zzze", names, HN_ARRAY_LEN(names)));
}

static void test_hint__text_and_silence(void **state)
{
	char buf[HN_NEAREST_HINT_BYTES];

	(void)state;
	assert_string_equal(hn_nearest_hint(buf, "lateny", names, HN_ARRAY_LEN(names)),
			    " (did you mean 'latency'?)");
	assert_string_equal(hn_nearest_hint(buf, "qqqqqqq", names, HN_ARRAY_LEN(names)), "");
	assert_string_equal(hn_nearest_hint(buf, "latency", names, 0), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance__equal_words),
		cmocka_unit_test(test_distance__one_step_each),
		cmocka_unit_test(test_distance__empty_word_counts_letters),
		cmocka_unit_test(test_distance__longer_than_limit),
		cmocka_unit_test(test_nearest__begin_of_a_name),
		cmocka_unit_test(test_nearest__tie_takes_the_first),
		cmocka_unit_test(test_nearest__boundary_of_a_third),
		cmocka_unit_test(test_hint__text_and_silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
