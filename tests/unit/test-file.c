/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: a file arrives whole or not at all, and what is no regular file is refused at once. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"

struct fixture {
	struct hn_arena arena;
	struct hn_diag diag;
	char path[64];
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));
	int fd;

	assert_non_null(f);
	hn_arena_init(&f->arena);
	snprintf(f->path, sizeof(f->path), "/tmp/hn-test-file-XXXXXX");
	fd = mkstemp(f->path);
	assert_true(fd >= 0);
	close(fd);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	hn_arena_fini(&f->arena);
	test_free(f);
	return 0;
}

static void fill(struct fixture *f, size_t nr_bytes)
{
	FILE *file = fopen(f->path, "w");

	assert_non_null(file);
	for (size_t i = 0; i < nr_bytes; i++)
		fputc('a' + (int)(i % 26), file);
	assert_int_equal(fclose(file), 0);
}

/* Lengths around the first room (4096 bytes) and its growth (16384). */
static void test_read__lengths_around_the_steps(void **state)
{
	static const size_t lengths[] = { 0, 1, 4095, 4096, 4097, 16384, 16385, 70000 };
	struct fixture *f = *state;

	for (size_t i = 0; i < HN_ARRAY_LEN(lengths); i++) {
		struct hn_file_text text = { 0 };

		fill(f, lengths[i]);
		assert_int_equal(hn_file_read(&f->arena, f->path, 1 << 20, &text, &f->diag), 0);
		assert_int_equal(text.nr_bytes, lengths[i]);
		assert_int_equal(text.bytes[lengths[i]], '\0');
		if (lengths[i])
			assert_int_equal(text.bytes[lengths[i] - 1],
					 'a' + (int)((lengths[i] - 1) % 26));
	}
}

static void test_read__at_and_beyond_the_limit(void **state)
{
	struct fixture *f = *state;
	struct hn_file_text text = { 0 };

	fill(f, 5000);
	assert_int_equal(hn_file_read(&f->arena, f->path, 5000, &text, &f->diag), 0);
	text.nr_bytes = 7;
	assert_int_equal(hn_file_read(&f->arena, f->path, 4999, &text, &f->diag), -E2BIG);
	assert_int_equal(text.nr_bytes, 7);
	assert_non_null(strstr(f->diag.text, "is longer than 4999 bytes"));
}

static void test_read__missing_folder_and_fifo(void **state)
{
	struct fixture *f = *state;
	struct hn_file_text text;

	assert_int_equal(hn_file_read(&f->arena, "/tmp", 10, &text, NULL), -EISDIR);
	unlink(f->path);
	assert_int_equal(hn_file_read(&f->arena, f->path, 10, &text, &f->diag), -ENOENT);
	assert_int_equal(mkfifo(f->path, 0600), 0);
	assert_int_equal(hn_file_read(&f->arena, f->path, 10, &text, NULL), -EINVAL);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_read__lengths_around_the_steps),
		T(test_read__at_and_beyond_the_limit),
		T(test_read__missing_folder_and_fifo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
