/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: what everything stands on does what its headers say. Method: small cases by hand; for
 * the random streams, properties that do not depend on the generator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/diag.h"
#include "base/digest.h"
#include "base/heap.h"
#include "base/rng.h"
#include "base/strbuf.h"

static int setup(void **state)
{
	struct hn_arena *arena = test_calloc(1, sizeof(*arena));

	hn_arena_init(arena);
	*state = arena;
	return 0;
}

static int teardown(void **state)
{
	hn_arena_fini(*state);
	test_free(*state);
	return 0;
}

static void test_arena__blocks_are_zeroed_and_aligned(void **state)
{
	struct hn_arena *arena = *state;

	for (size_t bytes = 0; bytes < 300000; bytes = bytes * 3 + 1) {
		char *block = hn_arena_alloc(arena, bytes);

		assert_int_equal((uintptr_t)block % 64, 0);
		for (size_t i = 0; i < bytes; i++)
			assert_int_equal(block[i], 0);
		memset(block, 0xff, bytes);
	}
	assert_true(arena->used_bytes > 0);
	hn_arena_reset(arena);
	assert_int_equal(arena->used_bytes, 0);
	assert_string_equal(hn_arena_strdup(arena, "text"), "text");
}

/* in:  slot 0 at 30, 1 at 10, 2 at 10 (later order), 3 at 20; then 1 moves to 40 and 3 is taken out
 * out: 2, 0, 1 */
static void test_heap__orders_by_time_then_order(void **state)
{
	static const uint32_t expected[] = { 2, 0, 1 };
	struct hn_heap heap;

	hn_heap_init(&heap, *state, 4);
	assert_int_equal(hn_heap_first(&heap), UINT32_MAX);
	hn_heap_set(&heap, 0, (struct hn_heap_key){ 30, 0 });
	hn_heap_set(&heap, 1, (struct hn_heap_key){ 10, 1 });
	hn_heap_set(&heap, 2, (struct hn_heap_key){ 10, 2 });
	hn_heap_set(&heap, 3, (struct hn_heap_key){ 20, 3 });
	assert_int_equal(hn_heap_first(&heap), 1);
	hn_heap_set(&heap, 1, (struct hn_heap_key){ 40, 1 });
	hn_heap_remove(&heap, 3);
	hn_heap_remove(&heap, 3);
	for (size_t i = 0; i < HN_ARRAY_LEN(expected); i++) {
		assert_int_equal(hn_heap_first(&heap), expected[i]);
		assert_true(hn_heap_has(&heap, expected[i]));
		hn_heap_remove(&heap, expected[i]);
		assert_false(hn_heap_has(&heap, expected[i]));
	}
}

/* A thousand random keys come out in order. */
static void test_heap__many(void **state)
{
	struct hn_heap heap;
	struct hn_rng rng;
	int64_t last = -1;

	hn_rng_init(&rng, 1, "heap", 0);
	hn_heap_init(&heap, *state, 1000);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t s = 0; s < 1000; s++)
			hn_heap_set(&heap, s, (struct hn_heap_key){
				(hn_time_ns)hn_rng_below(&rng, 500), s });
	}
	for (uint32_t s = 0; s < 1000; s++) {
		uint32_t first = hn_heap_first(&heap);

		assert_true(heap.keys[first].at_ns >= last);
		last = heap.keys[first].at_ns;
		hn_heap_remove(&heap, first);
	}
	assert_int_equal(hn_heap_first(&heap), UINT32_MAX);
}

static void test_rng__streams_are_their_own(void **state)
{
	struct hn_rng a, b, c, d;

	(void)state;
	hn_rng_init(&a, 7, "x", 0);
	hn_rng_init(&b, 7, "x", 0);
	hn_rng_init(&c, 7, "x", 1);
	hn_rng_init(&d, 7, "y", 0);
	for (int i = 0; i < 100; i++) {
		uint64_t draw = hn_rng_u64(&a);

		assert_int_equal(draw, hn_rng_u64(&b));
		assert_int_not_equal(draw, hn_rng_u64(&c));
		assert_int_not_equal(draw, hn_rng_u64(&d));
	}
}

/* 60000 draws below 6: each face 10000 times, standard deviation 91; five of them are allowed. */
static void test_rng__below_is_uniform(void **state)
{
	uint32_t faces[6] = { 0 };
	struct hn_rng rng;

	(void)state;
	hn_rng_init(&rng, 1, "dice", 0);
	for (int i = 0; i < 60000; i++)
		faces[hn_rng_below(&rng, 6)]++;
	for (int f = 0; f < 6; f++)
		assert_in_range(faces[f], 10000 - 455, 10000 + 455);
	assert_int_equal(hn_rng_below(&rng, 1), 0);
}

/* Mean 1 over 100000 draws, standard error 0.0032; five of them are allowed. */
static void test_rng__exponential_has_mean_one(void **state)
{
	struct hn_rng rng;
	double sum = 0;

	(void)state;
	hn_rng_init(&rng, 1, "exp", 0);
	for (int i = 0; i < 100000; i++) {
		double x = hn_rng_exponential(&rng);

		assert_true(x >= 0);
		sum += x;
	}
	assert_true(sum > 100000 * 0.984);
	assert_true(sum < 100000 * 1.016);
}

static void test_log__known_values(void **state)
{
	static const struct {
		double x, log;
	} known[] = {
		{ 1, 0 }, { 2, 0.69314718055994531 }, { 0.5, -0.69314718055994531 },
		{ 10, 2.3025850929940457 }, { 1e-9, -20.723265836946411 },
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(known); i++) {
		double error = hn_log(known[i].x) - known[i].log;

		assert_true(error < 1e-8);
		assert_true(error > -1e-8);
	}
}

static void test_bitmap__visits_members_in_order(void **state)
{
	static const uint32_t members[] = { 0, 63, 64, 130 };
	uint64_t map[HN_BITMAP_WORDS(131)] = { 0 };
	uint32_t nr = 0;

	(void)state;
	assert_int_equal(hn_bitmap_next(map, 131, 0), 131);
	for (size_t i = 0; i < HN_ARRAY_LEN(members); i++)
		hn_bitmap_add(map, members[i]);
	hn_bitmap_for_each(bit, map, 131)
		assert_int_equal(bit, members[nr++]);
	assert_int_equal(nr, 4);
	assert_int_equal(hn_bitmap_count(map, 131), 4);
	hn_bitmap_remove(map, 63);
	assert_false(hn_bitmap_has(map, 63));
}

/* The first report is the cause and stays; what is unknown about the place is left out. */
static void test_diag__first_report_wins(void **state)
{
	struct hn_diag diag = { 0 };
	char text[256];

	(void)state;
	assert_int_equal(hn_diag_at(&diag, -5, "f.yaml", 3, 7, "bad '%s'", "x"), -5);
	assert_int_equal(hn_diag_set(&diag, -6, "later"), -6);
	hn_diag_format(&diag, text, sizeof(text));
	assert_string_equal(text, "f.yaml:3:7: bad 'x'");
	hn_diag_reset(&diag);
	hn_diag_set(&diag, -1, "plain");
	hn_diag_format(&diag, text, sizeof(text));
	assert_string_equal(text, "plain");
	assert_int_equal(hn_diag_set(NULL, -9, "nobody listens"), -9);
}

static void test_strbuf__grows(void **state)
{
	struct hn_strbuf buf;

	hn_strbuf_init(&buf, *state);
	for (int i = 0; i < 1000; i++)
		hn_strbuf_addf(&buf, "%03d", i);
	assert_int_equal(buf.len_bytes, 3000);
	assert_memory_equal(buf.text, "000001002", 9);
	assert_string_equal(buf.text + 2994, "998999");
}

static void test_digest__order_and_value_matter(void **state)
{
	uint64_t ab = hn_digest_fold(hn_digest_fold(HN_DIGEST_START, 1), 2);
	uint64_t ba = hn_digest_fold(hn_digest_fold(HN_DIGEST_START, 2), 1);
	const uint64_t row[] = { 1, 2 };

	(void)state;
	assert_int_not_equal(ab, ba);
	assert_int_equal(hn_digest_fold_row(HN_DIGEST_START, row, 2), ab);
	/* a change of the highest bit reaches the low half */
	assert_int_not_equal((uint32_t)hn_digest_fold(0, UINT64_C(1) << 63),
			     (uint32_t)hn_digest_fold(0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_arena__blocks_are_zeroed_and_aligned, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_heap__orders_by_time_then_order, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_heap__many, setup, teardown),
		cmocka_unit_test(test_rng__streams_are_their_own),
		cmocka_unit_test(test_rng__below_is_uniform),
		cmocka_unit_test(test_rng__exponential_has_mean_one),
		cmocka_unit_test(test_log__known_values),
		cmocka_unit_test(test_bitmap__visits_members_in_order),
		cmocka_unit_test(test_diag__first_report_wins),
		cmocka_unit_test_setup_teardown(test_strbuf__grows, setup, teardown),
		cmocka_unit_test(test_digest__order_and_value_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
