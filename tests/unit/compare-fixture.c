/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare-fixture.h"

void compare_start(struct search_fixture *s)
{
	search_fixture_start(s);
	search_fixture_fault(s, A, 200, 800);
}

void compare_load_source(struct search_fixture *s)
{
	search_fixture_run(s, 1, 5);
	search_fixture_run(s, 2, 6);
}

void compare_assert_move(const struct hn_decision *d, hn_cpu cpu, int64_t imp, enum hn_why why)
{
	assert_int_equal(d->kind, HN_DECIDE_MOVE);
	assert_int_equal(d->dst_cpu, cpu);
	assert_int_equal(d->imp, imp);
	assert_int_equal(d->why, why);
	assert_int_equal(d->other, HN_TASK_NONE);
}

void compare_assert_swap(const struct hn_decision *d, hn_task_id other, int64_t imp,
			 enum hn_why why)
{
	assert_int_equal(d->kind, HN_DECIDE_SWAP);
	assert_int_equal(d->other, other);
	assert_int_equal(d->imp, imp);
	assert_int_equal(d->why, why);
}

void compare_start_worse_balance(struct search_fixture *s)
{
	compare_start(s);
	search_fixture_run(s, 4, B);
	search_fixture_fault(s, B, 0, 1000);
}

void compare_start_move_over_swap(struct search_fixture *s)
{
	compare_start(s);
	compare_load_source(s);
	search_fixture_run(s, 4, B);
	search_fixture_fault(s, B, 0, 1000);
	search_fixture_allow(s, ONLY_CPU(4));
}
