/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: a text becomes the tree that it says, and each refusal names place and reason. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/strbuf.h"
#include "base/yaml-tree.h"

struct fixture {
	struct hn_arena arena;
	struct hn_diag diag;
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	assert_non_null(f);
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

static const struct hn_yaml_node *parse(struct fixture *f, const char *text)
{
	const struct hn_yaml_node *root = NULL;

	assert_int_equal(hn_yaml_parse(&f->arena, "t.yaml", text, strlen(text), &root, &f->diag),
			 0);
	return root;
}

static void assert_said(struct fixture *f, const char *expected)
{
	char said[HN_DIAG_TEXT_BYTES + HN_DIAG_FILE_BYTES + 32];

	hn_diag_format(&f->diag, said, sizeof(said));
	assert_string_equal(said, expected);
}

static void assert_refused(struct fixture *f, const char *text, const char *expected)
{
	const struct hn_yaml_node *root = NULL;

	hn_diag_reset(&f->diag);
	assert_true(hn_yaml_parse(&f->arena, "t.yaml", text, strlen(text), &root, &f->diag) < 0);
	assert_null(root);
	assert_said(f, expected);
}

static void test_parse__tree_with_places(void **state)
{
	const struct hn_yaml_node *root = parse(*state, "a: 1\nb:\n  - x\n  - 'y'\n");
	const struct hn_yaml_node *list = hn_yaml_find(root, "b");

	assert_int_equal(root->kind, HN_YAML_MAP);
	assert_int_equal(root->nr_children, 2);
	assert_string_equal(hn_yaml_find(root, "a")->text, "1");
	assert_int_equal(list->kind, HN_YAML_SEQ);
	assert_int_equal(list->nr_children, 2);
	assert_int_equal(list->key_line, 2);
	assert_int_equal(list->first->line, 3);
	assert_int_equal(list->first->column, 5);
	assert_false(list->first->is_quoted);
	assert_true(list->first->next->is_quoted);
	assert_null(hn_yaml_find(root, "c"));
}

static void test_parse__key_twice(void **state)
{
	assert_refused(*state, "a: 1\nb: 2\na: 3\n",
		       "t.yaml:3:1: key 'a' stands twice in one mapping");
}

static void test_parse__anchor_alias_tag(void **state)
{
	assert_refused(*state, "a: &x 1\n", "t.yaml:1:4: anchors ('&x') are not supported");
	assert_refused(*state, "a: *x\n", "t.yaml:1:4: aliases ('*x') are not supported");
	assert_refused(*state, "a: !t 1\n", "t.yaml:1:4: tags ('!t') are not supported");
}

static void test_parse__empty_and_second_document(void **state)
{
	assert_refused(*state, "# nothing\n", "t.yaml: the file is empty");
	assert_refused(*state, "a: 1\n---\nb: 2\n",
		       "t.yaml:2:1: a second document begins, expected one");
}

static void test_parse__key_that_is_a_list(void **state)
{
	assert_refused(*state, "? [a]\n: 1\n", "t.yaml:1:3: a key must be a plain word");
}

static void test_parse__broken_yaml_has_a_place(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = NULL;
	const char *text = "a: [1, 2\nb: 3\n";

	assert_int_equal(hn_yaml_parse(&f->arena, "t.yaml", text, strlen(text), &root, &f->diag),
			 -EINVAL);
	assert_int_equal(f->diag.line, 2);
	assert_non_null(strstr(f->diag.text, "not valid YAML"));
}

/* HN_YAML_DEPTH_MAX lists inside one another are fine, one more is not. */
static void test_parse__depth_at_and_beyond_the_limit(void **state)
{
	char text[2 * HN_YAML_DEPTH_MAX + 3] = "";
	struct fixture *f = *state;
	const struct hn_yaml_node *root;

	memset(text, '[', HN_YAML_DEPTH_MAX);
	memset(text + HN_YAML_DEPTH_MAX, ']', HN_YAML_DEPTH_MAX);
	parse(f, text);
	memset(text, '[', HN_YAML_DEPTH_MAX + 1);
	memset(text + HN_YAML_DEPTH_MAX + 1, ']', HN_YAML_DEPTH_MAX + 1);
	assert_int_equal(hn_yaml_parse(&f->arena, "t.yaml", text, sizeof(text) - 1, &root,
				       &f->diag), -E2BIG);
	assert_said(f, "t.yaml:1:25: nested deeper than 24 levels");
}

static void test_parse__keys_beyond_the_limit(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root;
	struct hn_strbuf text;

	hn_strbuf_init(&text, &f->arena);
	for (int k = 0; k < HN_YAML_KEYS_MAX; k++)
		hn_strbuf_addf(&text, "k%d: 1\n", k);
	assert_int_equal(parse(f, text.text)->nr_children, HN_YAML_KEYS_MAX);
	hn_strbuf_add(&text, "more: 1\n");
	assert_int_equal(hn_yaml_parse(&f->arena, "t.yaml", text.text, text.len_bytes, &root,
				       &f->diag), -E2BIG);
}

static void test_need__missing_key(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "a: 1\n"), *node = NULL;

	assert_int_equal(hn_yaml_need(root, "b", &node, &f->diag), -EINVAL);
	assert_null(node);
	assert_said(f, "t.yaml:1:1: key 'b' is missing");
}

static void test_check_keys__unknown_key_is_answered_with_the_nearest(void **state)
{
	static const char *const keys[] = { "threads", "memory" };
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "memory: 1\nthreds: 2\n");

	assert_int_equal(hn_yaml_check_keys(root, keys, 2, &f->diag), -EINVAL);
	assert_said(f, "t.yaml:2:1: unknown key 'threds' (did you mean 'threads'?)");
}

static void test_u64__range_is_inclusive(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "a: 4\n");
	uint64_t value = 77;

	assert_int_equal(hn_yaml_as_u64(root->first, 4, 4, &value, &f->diag), 0);
	assert_int_equal(value, 4);
	assert_int_equal(hn_yaml_as_u64(root->first, 5, 9, &value, &f->diag), -ERANGE);
	assert_int_equal(value, 4);
	assert_said(f, "t.yaml:1:4: 'a' is '4', expected 5 to 9");
}

/* 2^64 - 1 has twenty digits, more than a mantissa may have, but 1e19 fits and 2e19 not. */
static void test_u64__large_and_not_whole(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "[1e19, 2e19, 1.5, 15e-1, 1.50e1, -1, x, '']");
	static const int expected[] = { 0, -EINVAL, -EINVAL, -EINVAL, 0, -EINVAL, -EINVAL,
					-EINVAL };
	int i = 0;

	hn_yaml_for_each(node, root) {
		uint64_t value;

		assert_int_equal(hn_yaml_as_u64(node, 0, UINT64_MAX, &value, NULL), expected[i]);
		i++;
	}
	assert_int_equal(i, 8);
}

static void test_double__values(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "[0.5, -2, 2.4e3, .25, 1e-3]");
	static const double expected[] = { 0.5, -2, 2400, 0.25, 0.001 };
	int i = 0;

	hn_yaml_for_each(node, root) {
		double value = 0;

		assert_int_equal(hn_yaml_as_double(node, -10, 1e6, &value, &f->diag), 0);
		assert_true(value == expected[i++]);
	}
}

static void test_double__nan_inf_and_hex_are_no_numbers(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "[nan, inf, 0x10, 1e99, '.', 1.2.3]");

	hn_yaml_for_each(node, root) {
		double value;

		assert_int_equal(hn_yaml_as_double(node, -1e300, 1e300, &value, NULL), -EINVAL);
	}
}

static void test_bytes__units(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "[4096, 64k, 1.5 GiB, 2 MB, 3B, 1t]");
	static const uint64_t expected[] = { 4096, 65536, 1610612736, 2000000, 3, 1099511627776 };
	int i = 0;

	hn_yaml_for_each(node, root) {
		uint64_t value = 0;

		assert_int_equal(hn_yaml_as_bytes(node, 0, UINT64_MAX, &value, &f->diag), 0);
		assert_true(value == expected[i++]);
	}
}

static void test_bytes__refused(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "a: 1.0001 KiB\n");
	uint64_t value;

	assert_int_equal(hn_yaml_as_bytes(root->first, 0, 1, &value, &f->diag), -EINVAL);
	assert_said(f, "t.yaml:1:4: 'a' is '1.0001 KiB', expected a whole number of bytes");
	root = parse(f, "a: 16777216 TiB\n");
	assert_int_equal(hn_yaml_as_bytes(root->first, 0, UINT64_MAX, &value, NULL), -EINVAL);
	root = parse(f, "a: 4 pages\n");
	assert_int_equal(hn_yaml_as_bytes(root->first, 0, UINT64_MAX, &value, NULL), -EINVAL);
}

static void test_time__units_and_bare_zero(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "[250 ms, 1.5us, 3s, 7 ns, 0]");
	static const hn_time_ns expected[] = { 250000000, 1500, 3000000000, 7, 0 };
	hn_time_ns value;
	int i = 0;

	hn_yaml_for_each(node, root) {
		assert_int_equal(hn_yaml_as_time_ns(node, 0, INT64_MAX, &value, &f->diag), 0);
		assert_true(value == expected[i++]);
	}
	root = parse(f, "a: 5\n");
	assert_int_equal(hn_yaml_as_time_ns(root->first, 0, 9, &value, &f->diag), -EINVAL);
	assert_said(f, "t.yaml:1:4: 'a' is '5', expected a unit of ns, us, ms or s");
}

static void test_bool__words(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "[true, off, maybe]");
	bool value = false;

	assert_int_equal(hn_yaml_as_bool(root->first, &value, &f->diag), 0);
	assert_true(value);
	assert_int_equal(hn_yaml_as_bool(root->first->next, &value, &f->diag), 0);
	assert_false(value);
	assert_int_equal(hn_yaml_as_bool(root->first->next->next, &value, &f->diag), -EINVAL);
}

static void test_choice__unknown_value(void **state)
{
	static const char *const names[] = { "measured", "estimate" };
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "kind: mesured\n");
	uint32_t index = 9;

	assert_int_equal(hn_yaml_as_choice(root->first, names, 2, &index, &f->diag), -EINVAL);
	assert_int_equal(index, 9);
	assert_said(f, "t.yaml:1:7: 'kind' has no value 'mesured' (did you mean 'measured'?)");
}

static void test_kind__list_where_a_value_is_expected(void **state)
{
	struct fixture *f = *state;
	const struct hn_yaml_node *root = parse(f, "a: [1]\n");
	uint64_t value;

	assert_int_equal(hn_yaml_as_u64(root->first, 0, 9, &value, &f->diag), -EINVAL);
	assert_said(f, "t.yaml:1:4: 'a' must be a single value, found a list");
}

struct phase {
	uint32_t nr_threads;
	hn_time_ns pause_ns;
	const char *label;
};

static const struct hn_yaml_field phase_fields[] = {
	{ .key = "threads", .type = HN_YAML_U32, .is_required = true, .min = 1, .max = 8,
	  .offset = offsetof(struct phase, nr_threads) },
	{ .key = "pause", .type = HN_YAML_TIME_NS, .offset = offsetof(struct phase, pause_ns) },
	{ .key = "label", .type = HN_YAML_STRING, .offset = offsetof(struct phase, label) },
};

static void test_fields__defaults_stay(void **state)
{
	struct fixture *f = *state;
	struct phase phase = { .pause_ns = 42 };

	assert_int_equal(hn_yaml_read_fields(parse(f, "threads: 8\nlabel: x\n"), phase_fields, 3,
					     &phase, &f->diag), 0);
	assert_int_equal(phase.nr_threads, 8);
	assert_int_equal(phase.pause_ns, 42);
	assert_string_equal(phase.label, "x");
}

static void test_fields__required_unknown_and_range(void **state)
{
	struct fixture *f = *state;
	struct phase phase = { 0 };

	assert_int_equal(hn_yaml_read_fields(parse(f, "label: x\n"), phase_fields, 3, &phase,
					     &f->diag), -EINVAL);
	assert_said(f, "t.yaml:1:1: key 'threads' is missing");
	assert_int_equal(hn_yaml_read_fields(parse(f, "threads: 9\n"), phase_fields, 3, &phase,
					     NULL), -ERANGE);
	assert_int_equal(hn_yaml_read_fields(parse(f, "threads: 1\nlable: x\n"), phase_fields, 3,
					     &phase, NULL), -EINVAL);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_parse__tree_with_places),
		T(test_parse__key_twice),
		T(test_parse__anchor_alias_tag),
		T(test_parse__empty_and_second_document),
		T(test_parse__key_that_is_a_list),
		T(test_parse__broken_yaml_has_a_place),
		T(test_parse__depth_at_and_beyond_the_limit),
		T(test_parse__keys_beyond_the_limit),
		T(test_need__missing_key),
		T(test_check_keys__unknown_key_is_answered_with_the_nearest),
		T(test_u64__range_is_inclusive),
		T(test_u64__large_and_not_whole),
		T(test_double__values),
		T(test_double__nan_inf_and_hex_are_no_numbers),
		T(test_bytes__units),
		T(test_bytes__refused),
		T(test_time__units_and_bare_zero),
		T(test_bool__words),
		T(test_choice__unknown_value),
		T(test_kind__list_where_a_value_is_expected),
		T(test_fields__defaults_stay),
		T(test_fields__required_unknown_and_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
