/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tick.h - the scheduler tick: 250 Hz, as Debian's kernels are built.
 *
 * Kernel rules that count in ticks ("jiffies") keep that unit, because its rounding shows.
 * Ticks of all CPUs fall on the same instants, multiples of HN_TICK_NS. */
#ifndef HN_MODEL_TICK_H
#define HN_MODEL_TICK_H

#include "base/types.h"

#define HN_TICKS_PER_S 250
#define HN_TICK_NS (HN_NS_PER_S / HN_TICKS_PER_S)

/* The tick count at a moment; starts at 1, since 0 means "not set" in kernel fields. */
static inline int64_t hn_ticks_at(hn_time_ns now_ns)
{
	return now_ns / HN_TICK_NS + 1;
}

/* Milliseconds to ticks, rounded up. */
static inline int64_t hn_ticks_from_ms(int64_t span_ms)
{
	return (span_ms * HN_TICKS_PER_S + 999) / 1000;
}

#endif
