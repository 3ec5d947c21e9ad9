/* SPDX-License-Identifier: GPL-2.0-or-later */
/* types.h - ids, time, and the small arithmetic that everything shares.
 *
 * Ids are dense indexes into the model (0 .. n-1, in ascending order of the system's own
 * numbers); the system's numbers are kept beside them as `os_id`. Each id type has a NONE.
 * Time is signed 64-bit nanoseconds since the start of the run.
 * Integer helpers state their rounding; none of them evaluates an argument twice. */
#ifndef HN_BASE_TYPES_H
#define HN_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

typedef int16_t hn_nid;      /* memory node, dense index */
typedef int32_t hn_cpu;      /* logical CPU, dense index */
typedef int32_t hn_task_id;  /* task (thread) */
typedef int32_t hn_mm_id;    /* address space */
typedef int32_t hn_vma_id;   /* mapping inside an address space, stable for its life */
typedef int64_t hn_time_ns;

#define HN_NID_NONE ((hn_nid)-1)
#define HN_CPU_NONE ((hn_cpu)-1)
#define HN_TASK_NONE ((hn_task_id)-1)
#define HN_MM_NONE ((hn_mm_id)-1)
#define HN_VMA_NONE ((hn_vma_id)-1)
#define HN_TIME_NEVER INT64_MAX

#define HN_NS_PER_US INT64_C(1000)
#define HN_NS_PER_MS INT64_C(1000000)
#define HN_NS_PER_S INT64_C(1000000000)

#define HN_PAGE_BYTES UINT64_C(4096)
#define HN_HUGE_BYTES (UINT64_C(2) << 20)
#define HN_HUGE_PAGES 512 /* base pages in a huge page */

static inline uint64_t hn_min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t hn_max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline int64_t hn_min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t hn_max_i64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* x limited to lo .. hi; lo wins where the two cross. */
static inline int64_t hn_clamp_i64(int64_t x, int64_t lo, int64_t hi)
{
	return hn_max_i64(hn_min_i64(x, hi), lo);
}

/* a / b rounded up; b > 0. */
static inline uint64_t hn_div_up_u64(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* x rounded up to a multiple of step, a power of two. */
static inline uint64_t hn_round_up_pow2(uint64_t x, uint64_t step)
{
	return (x + step - 1) & ~(step - 1);
}

#endif
