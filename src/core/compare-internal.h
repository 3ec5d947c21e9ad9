/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare-internal.h - the parts that looking at one CPU is made of.
 *
 *   compare.c          which order applies; the order since v4.19-rc1
 *   compare-classic.c  the orders up to v3.18 and up to v4.18
 *   compare-gain.c     gain of a swap, balance of loads
 *   compare-assign.c   which CPU an idle move really goes to, and remembering the best
 *
 * Gains ("imp") are permille of the faults of task or group, and may be negative. */
#ifndef HN_CORE_COMPARE_INTERNAL_H
#define HN_CORE_COMPARE_INTERNAL_H

#include "core/core-internal.h"

/* One CPU under examination. */
struct hn_candidate {
	hn_cpu cpu;
	const struct hn_view_cpu *state;
	hn_task_id curr;      /* swap partner; HN_TASK_NONE: plain move */
	int64_t imp;          /* gain of what is considered now */
	int64_t move_imp;     /* gain of a plain move */
	enum hn_why why;      /* the rule that accepts it */
	bool is_idle;         /* nobody runs there, in the rules' sense */
};

/* What follows for the other CPUs of the node. */
enum hn_compare_next { HN_COMPARE_GO_ON, HN_COMPARE_STOP };

/* ---- compare-gain.c ---- */

/* Notes a refusal. */
void hn_compare_refuse(struct hn_search *search, enum hn_why why);
int64_t hn_compare_base_imp(const struct hn_search *search);
/* Gain when the task and cand->curr change places. */
int64_t hn_compare_swap_imp(const struct hn_search *search, const struct hn_candidate *cand);
/* Whether a swap gains too little to be worth it. */
bool hn_compare_is_small(const struct hn_search *search, int64_t imp);
/* Whether the nodes would be too unequally loaded once `load` has gone from source to
 * destination. */
bool hn_compare_is_imbalanced(const struct hn_search *search, int64_t load);
/* Load that a swap with cand->curr moves; a plain move without one. */
int64_t hn_compare_moved_load(const struct hn_search *search, const struct hn_candidate *cand);
/* The rule V1 for an idle CPU; notes the refusal. */
bool hn_compare_accepts_idle(struct hn_search *search, const struct hn_candidate *cand);
/* Turns a swap into a plain move, which gains more. */
void hn_compare_turn_into_move(const struct hn_search *search, struct hn_candidate *cand);

/* ---- compare-assign.c ---- */

/* Remembers the candidate as the best so far, if its CPU can be had. */
enum hn_compare_next hn_compare_assign(struct hn_search *search, struct hn_candidate *cand);
/* The remembered idle CPU of a node with room, without a look at the others. */
void hn_compare_assign_shortcut(struct hn_search *search);
bool hn_compare_is_reserved(const struct hn_search *search, hn_cpu cpu);

/* ---- compare-classic.c ---- */

enum hn_compare_next hn_compare_cpu_v3_13(struct hn_search *search, struct hn_candidate *cand);
enum hn_compare_next hn_compare_cpu_v3_19(struct hn_search *search, struct hn_candidate *cand);

#endif
