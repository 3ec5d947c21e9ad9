/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory-curve.h - how long a line waits at a memory controller or link, by its utilisation.
 *
 * With r the utilisation (0 .. 1) and q the wait as a share of the idle time of the path that
 * the queue stands in front of:
 *
 *     q(r) = A * r + B * r / (1 - r)          A = 0.34, B = 0.035
 *
 * A is the slow rise of latency that busy banks and busy channels cause from the first
 * percent of load on; B is the queue in front of a full channel, in the form of a single server's
 * (M/M/1) waiting time.
 *
 *     r            0.25   0.50   0.70   0.80   0.90   0.95
 *     1 + q        1.10   1.21   1.32   1.41   1.62   1.99
 *     measured     1.09   1.20   1.37   1.48   1.69   1.89   median of 20 curves
 *     10th pct     1.05   1.10   1.22   1.31   1.46   1.60
 *     90th pct     1.15   1.25   1.51   1.81   2.32   2.57
 *
 * Source: A and B are the least-squares fit (relative errors, rounded) to the median of 20
 * published curves of latency against load on 18 machines, Ivy Bridge to Granite Rapids, EPYC and
 * Grace: Intel MLC --loaded_latency as stored in VscDocumentation (KU Leuven) and FD.io CSIT,
 * and Mess 2.0 (Esmaili-Dokht et al., MICRO 2024). Utilisation is the share of the largest
 * bandwidth of the same curve. docs/physics.md has the table by machine.
 *
 * Nothing is fitted at saturation: there q goes as far as the readers can keep lines in flight.
 *
 * Plain arithmetic and a square root; knows no machine. Tests: tests/unit/test-memory.c. */
#ifndef HN_SIM_MEMORY_CURVE_H
#define HN_SIM_MEMORY_CURVE_H

#include "base/types.h"

#define HN_CURVE_RISE 0.34   /* A */
#define HN_CURVE_QUEUE 0.035 /* B */

/* q(r); 0 <= r < 1. */
static inline double hn_curve_wait(double r)
{
	return HN_CURVE_RISE * r + HN_CURVE_QUEUE * r / (1 - r);
}

/* dq/dr; 0 <= r < 1. */
static inline double hn_curve_slope(double r)
{
	return HN_CURVE_RISE + HN_CURVE_QUEUE / ((1 - r) * (1 - r));
}

/* The r whose wait is q >= 0: the smaller root of A r^2 - (A + B + q) r + q = 0, in the form
 * that does not cancel. Always below 1. */
static inline double hn_curve_util(double q)
{
	double b = HN_CURVE_RISE + HN_CURVE_QUEUE + q;

	return 2 * q / (b + __builtin_sqrt(b * b - 4 * HN_CURVE_RISE * q));
}

#endif
