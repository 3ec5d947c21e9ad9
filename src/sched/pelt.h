/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pelt.h - per-entity load tracking: sums of time that halve every 32 segments.
 *
 * Time is counted in units of 1024 ns; 1024 units are a segment. A sum S becomes S * y^p plus what
 * the time since then contributed, where p counts the segment boundaries passed and y^32 = 1/2.
 * Always-on signals approach HN_PELT_MAX = 47742 units.
 *
 * Worked example: a sum of 1000 at the start of a segment, the signal on for two segments and
 * 10 units, so p = 2 and y^2 = 0.957603. What was: 1000 * y^2 = 957. What came, in three parts,
 * each rounded down: the first segment 1024 * y^2 = 980; the full ones after it
 * 47742 - 47742 * y^2 - 1024 = 1001; the open one 10. Together 2948.
 *
 * One struct carries the four signals of a queue or a task. Nothing is stored on reading: a
 * reader copies, advances the copy, and divides, so that looking never changes a result.
 *
 * ASSUMES: segments of all CPUs begin at the same instants (multiples of 2^20 ns); then sums
 * of two entities at one instant can be added. The kernel keeps a phase per queue and converts.
 * DEVIATES: averages are computed when read; the kernel stores them at segment boundaries, which
 * differs by less than one unit.
 *
 * Source: v6.1 kernel/sched/pelt.c accumulate_sum(), ___update_load_avg(); the table is
 * Documentation/scheduler/sched-pelt.c's floor((2^32 - 1) * y^n). Tests: test-pelt.c. */
#ifndef HN_SCHED_PELT_H
#define HN_SCHED_PELT_H

#include "base/types.h"

#define HN_PELT_MAX 47742     /* units: limit of an always-on sum */
#define HN_PELT_SEGMENT 1024  /* units */
#define HN_PELT_HALF_LIFE 32  /* segments */

enum hn_pelt_signal {
	HN_PELT_LOAD,     /* runnable, by weight; a queue's includes blocked tasks */
	HN_PELT_QUEUED,   /* queues: the same of runnable tasks only */
	HN_PELT_RUNNABLE, /* runnable, times 1024 */
	HN_PELT_UTIL,     /* running, times 1024 */
	HN_NR_PELT,
};

/* Kernel counterpart: struct sched_avg. */
struct hn_pelt {
	int64_t at_units;          /* sums are of this moment; units of 1024 ns */
	uint64_t sums[HN_NR_PELT];
};

/* What each sum gains per unit of time. */
struct hn_pelt_rate {
	uint64_t per_unit[HN_NR_PELT];
};

/* x * y^nr_segments, rounded down.
 * QUIRK: a multiple of 32 segments multiplies by (2^32 - 1) / 2^32, one less than the half. */
uint64_t hn_pelt_decay(uint64_t x, uint64_t nr_segments);

/* What a signal that is on for the whole span adds: from at_units to now_units. */
uint32_t hn_pelt_contribution(int64_t at_units, int64_t now_units);

/* Brings the sums from at_units to now_ns; time never goes back. */
void hn_pelt_advance(struct hn_pelt *pelt, hn_time_ns now_ns, const struct hn_pelt_rate *rate);

/* The divisor that turns sums of this moment into averages: 46718 .. 47741. */
uint32_t hn_pelt_divider(int64_t at_units);

/* Adds or removes the sums of an entity of the same moment; removal stops at zero. */
void hn_pelt_add(struct hn_pelt *pelt, enum hn_pelt_signal signal, uint64_t sum);
void hn_pelt_sub(struct hn_pelt *pelt, enum hn_pelt_signal signal, uint64_t sum);

static inline int64_t hn_pelt_units(hn_time_ns now_ns)
{
	return now_ns >> 10;
}

static inline uint64_t hn_pelt_avg(const struct hn_pelt *pelt, enum hn_pelt_signal signal)
{
	return pelt->sums[signal] ? pelt->sums[signal] / hn_pelt_divider(pelt->at_units) : 0;
}

#endif
