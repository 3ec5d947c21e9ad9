/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk-fixture.h - one address space whose scans are followed range by range.
 *
 * Task 0 scans address space 0 with 256 MB an attempt. Addresses and sizes are in MB. A test says
 * how many entries each range of a mapping changes, and what ranges it expects. */
#ifndef HN_TESTS_WALK_FIXTURE_H
#define HN_TESTS_WALK_FIXTURE_H

#include "core-fixture.h"

#define MB (UINT64_C(1) << 20)
#define WALK_PAGES_PER_MB 256
#define WALK_RANGES_MAX 32
/* Every page of the range changes. */
#define WALK_ALL UINT64_MAX

struct walk {
	struct core_fixture base;
	uint64_t nr_updates[16];    /* by mapping: entries that each of its ranges changes */
	uint32_t nr_threads;        /* as the scan event tells it */
	struct hn_scan_range ranges[WALK_RANGES_MAX]; /* of the latest attempt */
	uint32_t nr_ranges;
};

struct walk_range {
	hn_vma_id vma;
	uint64_t start_mb, end_mb;
};

static inline void walk_init(struct walk *w, enum hn_vma_scan_rule rule)
{
	core_fixture_init(&w->base, 2);
	w->base.policy.vma_scan_rule = rule;
	w->nr_threads = 1;
	core_fixture_start(&w->base);
	core_fixture_fork(&w->base, 0, HN_TASK_NONE, 0);
}

/* A mapping whose ranges change nr_updates entries each, or all their pages. */
static inline void walk_map(struct walk *w, hn_vma_id vma, uint64_t start_mb, uint64_t size_mb,
			    uint64_t nr_updates)
{
	core_fixture_map(&w->base, vma, 0, start_mb * MB, size_mb * WALK_PAGES_PER_MB);
	w->nr_updates[vma] = nr_updates;
}

static inline uint64_t walk_update(const struct walk *w, const struct hn_scan_range *range)
{
	uint64_t nr_updates = w->nr_updates[range->vma];

	return nr_updates == WALK_ALL ? (range->end - range->start) / HN_PAGE_BYTES : nr_updates;
}

/* One attempt, whether or not the address space is due. */
static inline void walk_attempt(struct walk *w, hn_time_ns now_ns, hn_cpu cpu)
{
	const struct hn_scan_event event = {
		.now_ns = now_ns, .cpu = cpu, .nr_threads = w->nr_threads,
	};
	struct hn_scan_range range;
	uint64_t nr_updates = 0;

	w->nr_ranges = 0;
	w->base.core->mms[0].next_scan_ticks = 1;
	assert_true(hn_core_scan_begin(w->base.core, &event));
	while (hn_core_scan_next(w->base.core, nr_updates, &range)) {
		assert_true(w->nr_ranges < WALK_RANGES_MAX);
		w->ranges[w->nr_ranges++] = range;
		nr_updates = walk_update(w, &range);
	}
	hn_core_scan_charged(w->base.core, 0, 0);
}

static inline void walk_expect(const struct walk *w, const struct walk_range *expected, uint32_t nr)
{
	assert_int_equal(w->nr_ranges, nr);
	for (uint32_t i = 0; i < nr; i++) {
		assert_int_equal(w->ranges[i].vma, expected[i].vma);
		assert_int_equal(w->ranges[i].mm, 0);
		assert_int_equal(w->ranges[i].task, 0);
		assert_int_equal(w->ranges[i].start, expected[i].start_mb * MB);
		assert_int_equal(w->ranges[i].end, expected[i].end_mb * MB);
	}
}

/* One attempt at now_ns that takes exactly these ranges. */
#define EXPECT_WALK(w, now_ns, ...) \
	do { \
		const struct walk_range expected_[] = { __VA_ARGS__ }; \
		walk_attempt(w, now_ns, 0); \
		walk_expect(w, expected_, HN_ARRAY_LEN(expected_)); \
	} while (0)

/* Where the next attempt goes on, and in which pass. */
static inline void walk_expect_at(const struct walk *w, uint64_t offset_mb, uint32_t seq)
{
	assert_int_equal(w->base.core->mms[0].scan_offset, offset_mb * MB);
	assert_int_equal(hn_core_scan_seq(w->base.core, 0), seq);
}

#endif
