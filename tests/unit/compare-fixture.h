/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare-fixture.h - the situations that tests of one node's CPUs start from.
 *
 * Task 0 ("A") on CPU 0 of node 0 wants to node 1 (CPUs 4 .. 7). Unless said otherwise its faults
 * are 200 : 800, so a plain move gains 600 permille. B, C, D are tasks 1, 2, 3. */
#ifndef HN_TESTS_COMPARE_FIXTURE_H
#define HN_TESTS_COMPARE_FIXTURE_H

#include "search-fixture.h"

#define A 0
#define B 1
#define C 2
#define D 3
#define ONLY_CPU(cpu) (UINT64_C(1) | UINT64_C(1) << (cpu))

/* Starts the core with A's faults at 200 : 800. */
void compare_start(struct search_fixture *s);
/* Two more tasks on the source node: src 3072, so one task may go over to 1024. */
void compare_load_source(struct search_fixture *s);
/* before node0 [A . . .] node1 [B . . .]: moving A makes 0 : 2 out of 1 : 1, so may_move is
 * off. B (0 : 1000) loses 1000 by coming, 600 - 1000 < 0. */
void compare_start_worse_balance(struct search_fixture *s);
/* B (0 : 1000) would lose: swap -400, move 600. A may use CPU 4 only, so it goes over B. */
void compare_start_move_over_swap(struct search_fixture *s);

void compare_assert_move(const struct hn_decision *d, hn_cpu cpu, int64_t imp, enum hn_why why);
void compare_assert_swap(const struct hn_decision *d, hn_task_id other, int64_t imp,
			 enum hn_why why);

#endif
