/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which mappings a scan leaves out because the scanning task did not touch them: v6.4
 * (RECENT_PIDS), v6.7 (PARTIAL), v6.12 (SEQ_THRESHOLD).
 *
 * The scanning task has pid 1, whose bit is 24 (section 11, 7). "Old" mappings were seen by scans
 * long ago and nobody touched them since. Tick 251 begins at 1000 ms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "walk-fixture.h"

#define AT HN_NS_PER_S
#define MS(x) ((x) * HN_NS_PER_MS)
#define ALL WALK_ALL
#define BIT_OF_PID_1 (UINT64_C(1) << 24)
#define RECENT_PIDS HN_VMA_SCAN_RULE_RECENT_PIDS
#define PARTIAL HN_VMA_SCAN_RULE_PARTIAL
#define SEQ_THRESHOLD HN_VMA_SCAN_RULE_SEQ_THRESHOLD

/* The address space has completed `seq` passes. */
static void set_up(struct walk *w, enum hn_vma_scan_rule rule, int32_t seq)
{
	walk_init(w, rule);
	hn_core_get_task(w->base.core, 0)->pid = 1;
	w->base.core->mms[0].scan_seq = seq;
}

static struct hn_core_vma *get_vma(struct walk *w, hn_vma_id vma)
{
	return &w->base.core->vmas[vma];
}

/* A mapping that was first seen in pass 0 and last scanned in the pass before the present one. */
static void map_old(struct walk *w, hn_vma_id vma, uint64_t start_mb, uint64_t size_mb)
{
	struct hn_core_vma *v = get_vma(w, vma);

	walk_map(w, vma, start_mb, size_mb, ALL);
	v->has_state = true;
	v->start_scan_seq = 0;
	v->prev_scan_seq = w->base.core->mms[0].scan_seq - 1;
	v->pid_reset_ticks = INT64_MAX;
}

static uint64_t count(const struct walk *w, enum hn_why why)
{
	return w->base.core->reasons[why];
}

/* ---- the bits ---- */

/* h(1) = 0x61c88647 >> 26 = 24; h(2) = 0xc3910c8e >> 26 = 48; 3 * 0x61c88647 = 0x1255992d5,
 * without the 33rd bit 0x255992d5 >> 26 = 9. */
static void test_pid_bit__by_hash(void **state)
{
	static const uint32_t bits[][2] = { { 1, 24 }, { 2, 48 }, { 3, 9 }, { 0, 0 } };
	struct walk w = { 0 };

	(void)state;
	set_up(&w, RECENT_PIDS, 5);
	map_old(&w, 0, 1000, 100);
	for (size_t i = 0; i < HN_ARRAY_LEN(bits); i++) {
		get_vma(&w, 0)->pids[1] = 0;
		hn_walk_note_access(w.base.core, 0, bits[i][0]);
		assert_true(get_vma(&w, 0)->pids[1] == UINT64_C(1) << bits[i][1]);
		assert_int_equal(get_vma(&w, 0)->pids[0], 0);
	}
	core_fixture_fini(&w.base);
}

static void test_pid_bit__adds_to_the_others(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	hn_walk_note_access(w.base.core, 0, 1);
	hn_walk_note_access(w.base.core, 0, 2);
	assert_true(get_vma(&w, 0)->pids[1] == (BIT_OF_PID_1 | UINT64_C(1) << 48));
	core_fixture_fini(&w.base);
}

static void test_pid_bit__needs_state_and_rule(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	walk_map(&w, 0, 1000, 100, ALL);
	hn_walk_note_access(w.base.core, 0, 1);
	assert_int_equal(get_vma(&w, 0)->pids[1], 0);
	get_vma(&w, 0)->has_state = true;
	w.base.policy.vma_scan_rule = HN_VMA_SCAN_RULE_ALL;
	hn_walk_note_access(w.base.core, 0, 1);
	assert_int_equal(get_vma(&w, 0)->pids[1], 0);
	core_fixture_fini(&w.base);
}

/* ---- state of a mapping ---- */

/* First visit at tick 251, delay 250 ticks: next_scan 501, pid_reset 4 * 250 later. */
static void test_state__starts_at_the_first_visit(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 7);
	walk_map(&w, 0, 1000, 100, ALL);
	walk_attempt(&w, AT, 0);
	assert_true(get_vma(&w, 0)->has_state);
	assert_int_equal(get_vma(&w, 0)->next_scan_ticks, 501);
	assert_int_equal(get_vma(&w, 0)->pid_reset_ticks, 1501);
	assert_int_equal(get_vma(&w, 0)->start_scan_seq, 7);
	assert_int_equal(get_vma(&w, 0)->prev_scan_seq, 6);
	core_fixture_fini(&w.base);
}

static void test_state__none_for_unsuitable_mappings(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 7);
	walk_map(&w, 0, 1000, 100, ALL);
	get_vma(&w, 0)->map.flags |= HN_VMA_SPECIAL;
	walk_attempt(&w, AT, 0);
	assert_false(get_vma(&w, 0)->has_state);
	core_fixture_fini(&w.base);
}

/* ---- too young ---- */

/* In the first pass new mappings are scanned at once. */
static void test_delay__not_in_the_first_pass(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, RECENT_PIDS, 0);
	walk_map(&w, 0, 1000, 100, ALL);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 });
	core_fixture_fini(&w.base);
}

/* Later they wait a second from the visit at tick 251: up to tick 500, which ends at 2000 ms. */
static void test_delay__one_second_later(void **state)
{
	static const enum hn_vma_scan_rule rules[] = { RECENT_PIDS, PARTIAL, SEQ_THRESHOLD };

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(rules); i++) {
		struct walk w = { 0 };

		set_up(&w, rules[i], 1);
		walk_map(&w, 0, 1000, 100, ALL);
		walk_attempt(&w, AT, 0);
		assert_int_equal(w.nr_ranges, 0);
		w.base.core->mms[0].scan_seq = 1;
		walk_attempt(&w, MS(2000) - 1, 0);
		assert_int_equal(w.nr_ranges, 0);
		assert_int_equal(count(&w, HN_WHY_VMA_SCAN_DELAY), 2);
		w.base.core->mms[0].scan_seq = 1;
		EXPECT_WALK(&w, MS(2000), { 0, 1000, 1100 });
		assert_int_equal(get_vma(&w, 0)->next_scan_ticks, 501);
		core_fixture_fini(&w.base);
	}
}

/* ---- the filter ---- */

struct access_case {
	enum hn_vma_scan_rule rule;
	int32_t seq, start_seq, prev_seq;
	uint64_t offset_mb;      /* the mapping begins at 1000 */
	uint64_t pids[2];
	uint32_t nr_threads;
	bool is_accessed;
	enum hn_why told;        /* a reason that is counted for going in; or NONE */
};

static void check_access(const struct access_case *c)
{
	struct walk w = { 0 };

	set_up(&w, c->rule, c->seq);
	map_old(&w, 0, 1000, 100);
	get_vma(&w, 0)->start_scan_seq = c->start_seq;
	get_vma(&w, 0)->prev_scan_seq = c->prev_seq;
	get_vma(&w, 0)->pids[0] = c->pids[0];
	get_vma(&w, 0)->pids[1] = c->pids[1];
	w.base.core->mms[0].scan_offset = c->offset_mb * MB;
	w.nr_threads = c->nr_threads;
	walk_attempt(&w, AT, 0);
	assert_int_equal(count(&w, HN_WHY_VMA_PID_INACTIVE), !c->is_accessed);
	assert_int_equal(count(&w, HN_WHY_VMA_IGNORE_PID), c->told == HN_WHY_VMA_IGNORE_PID);
	assert_int_equal(count(&w, HN_WHY_VMA_SEQ_THRESHOLD), c->told == HN_WHY_VMA_SEQ_THRESHOLD);
	/* What is traced: skips, and partial mappings that are finished. */
	assert_int_equal(w.base.core->counters[HN_COUNT_SCHED_SKIP_VMA_NUMA],
			 c->rule != RECENT_PIDS &&
				 (!c->is_accessed || c->told == HN_WHY_VMA_IGNORE_PID));
	core_fixture_fini(&w.base);
}

#define OTHERS (~BIT_OF_PID_1)

/* Young: fewer than two passes in all. */
static void test_access__v6_4(void **state)
{
	static const struct access_case cases[] = {
		{ RECENT_PIDS, 1, 0, 0, 0, { 0, 0 }, 4, true, 0 },
		{ RECENT_PIDS, 2, 0, 0, 0, { 0, 0 }, 4, false, 0 },
		{ RECENT_PIDS, 2, 2, 0, 0, { 0, 0 }, 4, false, 0 },  /* a new mapping, too */
		{ RECENT_PIDS, 9, 0, 0, 0, { BIT_OF_PID_1, 0 }, 4, true, 0 },
		{ RECENT_PIDS, 9, 0, 0, 0, { 0, BIT_OF_PID_1 }, 4, true, 0 },
		{ RECENT_PIDS, 9, 0, 0, 0, { OTHERS, OTHERS }, 4, false, 0 },
		{ RECENT_PIDS, 9, 0, 8, 1050, { 0, 0 }, 4, false, 0 },
		{ RECENT_PIDS, 9, 0, 0, 0, { 0, 0 }, 1, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++)
		check_access(&cases[i]);
}

/* Young: fewer than two passes since the first visit. Partly scanned: offset > start. */
static void test_access__v6_7(void **state)
{
	static const struct access_case cases[] = {
		{ PARTIAL, 8, 7, 7, 0, { 0, 0 }, 4, true, 0 },
		{ PARTIAL, 8, 6, 7, 0, { 0, 0 }, 4, false, 0 },
		{ PARTIAL, 8, 0, 7, 0, { BIT_OF_PID_1, 0 }, 4, true, 0 },
		{ PARTIAL, 8, 0, 7, 0, { 0, BIT_OF_PID_1 }, 4, true, 0 },
		{ PARTIAL, 8, 0, 7, 0, { OTHERS, OTHERS }, 4, false, 0 },
		{ PARTIAL, 8, 0, 7, 1000, { 0, 0 }, 4, false, 0 },
		{ PARTIAL, 8, 0, 7, 1002, { 0, 0 }, 4, true, HN_WHY_VMA_IGNORE_PID },
		/* A mapping that was touched needs no excuse. */
		{ PARTIAL, 8, 0, 7, 1002, { BIT_OF_PID_1, 0 }, 4, true, 0 },
		{ PARTIAL, 8, 0, 1, 0, { 0, 0 }, 4, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++)
		check_access(&cases[i]);
}

/* And unscanned for more passes than there are threads: seq > prev + T. */
static void test_access__v6_12(void **state)
{
	static const struct access_case cases[] = {
		{ SEQ_THRESHOLD, 8, 0, 4, 0, { 0, 0 }, 4, false, 0 },
		{ SEQ_THRESHOLD, 8, 0, 3, 0, { 0, 0 }, 4, true, HN_WHY_VMA_SEQ_THRESHOLD },
		{ SEQ_THRESHOLD, 8, 0, 7, 0, { 0, 0 }, 1, false, 0 },
		{ SEQ_THRESHOLD, 8, 0, 6, 0, { 0, 0 }, 1, true, HN_WHY_VMA_SEQ_THRESHOLD },
		/* The older excuse comes first. */
		{ SEQ_THRESHOLD, 8, 0, 3, 1002, { 0, 0 }, 4, true, HN_WHY_VMA_IGNORE_PID },
		{ SEQ_THRESHOLD, 8, 7, 3, 0, { 0, 0 }, 4, true, 0 },
		/* Never completed: -1 + 9 = 8, -1 + 8 = 7. */
		{ SEQ_THRESHOLD, 8, 0, -1, 0, { 0, 0 }, 9, false, 0 },
		{ SEQ_THRESHOLD, 8, 0, -1, 0, { 0, 0 }, 8, true, HN_WHY_VMA_SEQ_THRESHOLD },
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++)
		check_access(&cases[i]);
}

/* ---- ageing of the bits ---- */

/* One visit at `now_ns` to a mapping with bits in both halves, whose reset is due after tick 1501
 * (from 6000 ms). */
static struct hn_core_vma visit_with_bits(enum hn_vma_scan_rule rule, int32_t seq,
					  hn_time_ns now_ns, const uint64_t pids[2])
{
	struct walk w = { 0 };
	struct hn_core_vma after;

	set_up(&w, rule, seq);
	map_old(&w, 0, 1000, 100);
	get_vma(&w, 0)->pid_reset_ticks = 1501;
	get_vma(&w, 0)->pids[0] = pids[0];
	get_vma(&w, 0)->pids[1] = pids[1];
	walk_attempt(&w, now_ns, 0);
	after = *get_vma(&w, 0);
	core_fixture_fini(&w.base);
	return after;
}

static void test_ageing__every_four_delays(void **state)
{
	static const uint64_t pids[2] = { 3, BIT_OF_PID_1 };
	static const struct {
		int32_t seq;
		hn_time_ns now_ns;
		uint64_t old, young;
		int64_t reset_ticks;
	} cases[] = {
		{ 9, MS(6004) - 1, 3, BIT_OF_PID_1, 1501 },  /* tick 1501 */
		{ 9, MS(6004), BIT_OF_PID_1, 0, 2501 },
		{ 9, MS(100000), BIT_OF_PID_1, 0, 2501 },    /* one step a visit */
		{ 0, MS(6004), 3, BIT_OF_PID_1, 1501 },      /* not in the first pass */
	};

	(void)state;
	for (size_t i = 0; i < HN_ARRAY_LEN(cases); i++) {
		for (int rule = RECENT_PIDS; rule <= SEQ_THRESHOLD; rule++) {
			struct hn_core_vma v = visit_with_bits((enum hn_vma_scan_rule)rule,
							       cases[i].seq, cases[i].now_ns, pids);

			assert_true(v.pids[0] == cases[i].old);
			assert_true(v.pids[1] == cases[i].young);
			assert_int_equal(v.pid_reset_ticks, cases[i].reset_ticks);
		}
	}
}

/* v6.4: only mappings that pass the filter age, after it; so old bits of others stay. */
static void test_ageing__v6_4_after_the_filter(void **state)
{
	static const uint64_t mine[2] = { BIT_OF_PID_1, 0 };
	static const uint64_t others[2] = { 3, 5 };
	struct hn_core_vma v;

	(void)state;
	v = visit_with_bits(RECENT_PIDS, 9, MS(6004), mine);
	assert_int_equal(v.pids[0] | v.pids[1], 0);
	v = visit_with_bits(RECENT_PIDS, 9, MS(6004), others);
	assert_int_equal(v.pids[0], 3);
	assert_int_equal(v.pid_reset_ticks, 1501);
}

/* v6.7: before the filter, so that a bit in the old half is of no use any more. */
static void test_ageing__v6_7_before_the_filter(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 9);
	map_old(&w, 0, 1000, 100);
	get_vma(&w, 0)->pid_reset_ticks = 1501;
	get_vma(&w, 0)->pids[0] = BIT_OF_PID_1;
	walk_attempt(&w, MS(6004), 0);
	assert_int_equal(count(&w, HN_WHY_VMA_PID_INACTIVE), 1);
	/* One step for the visit, one more for the forced one would need tick 2502. */
	assert_int_equal(get_vma(&w, 0)->pid_reset_ticks, 2501);
	core_fixture_fini(&w.base);
}

/* ---- completion ---- */

static void test_completed__marks_the_pass(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	get_vma(&w, 0)->pids[1] = BIT_OF_PID_1;
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 });
	assert_int_equal(get_vma(&w, 0)->prev_scan_seq, 5);
	walk_expect_at(&w, 0, 6);
	core_fixture_fini(&w.base);
}

/* Budget and mapping end together: the mark is left out, and the offset lies behind. */
static void test_completed__not_when_the_budget_ends_with_it(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 256);
	get_vma(&w, 0)->pids[1] = BIT_OF_PID_1;
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 });
	assert_int_equal(get_vma(&w, 0)->prev_scan_seq, 4);
	walk_expect_at(&w, 1256, 5);
	core_fixture_fini(&w.base);
}

/* v6.4 keeps no such mark. */
static void test_completed__not_in_v6_4(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, RECENT_PIDS, 5);
	map_old(&w, 0, 1000, 100);
	get_vma(&w, 0)->pids[1] = BIT_OF_PID_1;
	get_vma(&w, 0)->prev_scan_seq = 5;
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 });
	assert_int_equal(count(&w, HN_WHY_VMA_SEQ_COMPLETED), 0);
	core_fixture_fini(&w.base);
}

/* A mapping that was completed in this pass is skipped, though it was touched. */
static void test_completed__is_skipped(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	map_old(&w, 1, 2000, 512);
	get_vma(&w, 0)->prev_scan_seq = 5;
	get_vma(&w, 0)->pids[1] = BIT_OF_PID_1;
	get_vma(&w, 1)->pids[1] = BIT_OF_PID_1;
	EXPECT_WALK(&w, AT, { 1, 2000, 2256 });
	assert_int_equal(count(&w, HN_WHY_VMA_SEQ_COMPLETED), 1);
	walk_expect_at(&w, 2256, 5);
	core_fixture_fini(&w.base);
}

/* ---- forced ---- */

/* Three mappings that nobody touched: one is completed in each attempt; after the last one a pass
 * is complete, and the first is forced again. */
static void test_forced__one_mapping_an_attempt(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	map_old(&w, 1, 2000, 100);
	map_old(&w, 2, 3000, 100);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 });
	walk_expect_at(&w, 1100, 5);
	assert_int_equal(get_vma(&w, 0)->prev_scan_seq, 5);
	EXPECT_WALK(&w, AT, { 1, 2000, 2100 });
	EXPECT_WALK(&w, AT, { 2, 3000, 3100 });
	walk_expect_at(&w, 3100, 5);
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 });
	walk_expect_at(&w, 1100, 6);
	/* Skipped for want of access: 3 + 2 + 1 + 3 times. */
	assert_int_equal(count(&w, HN_WHY_VMA_PID_INACTIVE), 9);
	core_fixture_fini(&w.base);
}

/* v6.4: a list of inactive mappings is a pass without any work. */
static void test_forced__not_in_v6_4(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, RECENT_PIDS, 5);
	map_old(&w, 0, 1000, 100);
	walk_attempt(&w, AT, 0);
	assert_int_equal(w.nr_ranges, 0);
	walk_expect_at(&w, 0, 6);
	core_fixture_fini(&w.base);
}

/* Mapping 0 was touched, 1 was not: 0 is done, then the restart skips it as completed and does 1
 * with what is left of the budget, 256 - 100 = 156 MB. */
static void test_forced__restart_keeps_the_budget(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	map_old(&w, 1, 2000, 500);
	get_vma(&w, 0)->pids[1] = BIT_OF_PID_1;
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 }, { 1, 2000, 2156 });
	assert_int_equal(count(&w, HN_WHY_VMA_SEQ_COMPLETED), 1);
	walk_expect_at(&w, 2156, 5);
	/* It is partly scanned now, and finished whoever runs: 344 MB more, the pass is
	 * complete. */
	EXPECT_WALK(&w, AT, { 1, 2156, 2412 });
	EXPECT_WALK(&w, AT, { 1, 2412, 2500 });
	assert_int_equal(count(&w, HN_WHY_VMA_IGNORE_PID), 2);
	walk_expect_at(&w, 0, 6);
	core_fixture_fini(&w.base);
}

/* The last mapping is completed already and moves the offset behind itself. The restart there
 * finds nothing, counts a pass, and forces the first mapping in the new one. */
static void test_forced__restart_is_literal(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	map_old(&w, 1, 2000, 100);
	get_vma(&w, 1)->prev_scan_seq = 5;
	EXPECT_WALK(&w, AT, { 0, 1000, 1100 });
	assert_int_equal(get_vma(&w, 0)->prev_scan_seq, 6);
	walk_expect_at(&w, 1100, 6);
	core_fixture_fini(&w.base);
}

/* Only the filter by access is forced: a mapping that is too young waits, the next one is taken. */
static void test_forced__not_the_too_young(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	map_old(&w, 1, 2000, 100);
	get_vma(&w, 0)->next_scan_ticks = INT64_MAX;
	EXPECT_WALK(&w, AT, { 1, 2000, 2100 });
	assert_int_equal(count(&w, HN_WHY_VMA_SCAN_DELAY), 2);
	walk_expect_at(&w, 2100, 5);
	core_fixture_fini(&w.base);
}

/* Mappings skipped for other reasons do not call for a restart. */
static void test_forced__only_after_a_skip_by_access(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 100);
	get_vma(&w, 0)->next_scan_ticks = INT64_MAX;
	walk_attempt(&w, AT, 0);
	assert_int_equal(w.nr_ranges, 0);
	assert_int_equal(count(&w, HN_WHY_VMA_SCAN_DELAY), 1);
	walk_expect_at(&w, 0, 6);
	core_fixture_fini(&w.base);
}

/* A forced mapping without a change is walked to its end all the same, in as many chunks. */
static void test_forced__walks_the_whole_mapping(void **state)
{
	struct walk w = { 0 };

	(void)state;
	set_up(&w, PARTIAL, 5);
	map_old(&w, 0, 1000, 600);
	map_old(&w, 1, 2000, 100);
	w.nr_updates[0] = 0;
	EXPECT_WALK(&w, AT, { 0, 1000, 1256 }, { 0, 1256, 1512 }, { 0, 1512, 1600 });
	walk_expect_at(&w, 1600, 5);
	core_fixture_fini(&w.base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pid_bit__by_hash),
		cmocka_unit_test(test_pid_bit__adds_to_the_others),
		cmocka_unit_test(test_pid_bit__needs_state_and_rule),
		cmocka_unit_test(test_state__starts_at_the_first_visit),
		cmocka_unit_test(test_state__none_for_unsuitable_mappings),
		cmocka_unit_test(test_delay__not_in_the_first_pass),
		cmocka_unit_test(test_delay__one_second_later),
		cmocka_unit_test(test_access__v6_4),
		cmocka_unit_test(test_access__v6_7),
		cmocka_unit_test(test_access__v6_12),
		cmocka_unit_test(test_ageing__every_four_delays),
		cmocka_unit_test(test_ageing__v6_4_after_the_filter),
		cmocka_unit_test(test_ageing__v6_7_before_the_filter),
		cmocka_unit_test(test_completed__marks_the_pass),
		cmocka_unit_test(test_completed__not_when_the_budget_ends_with_it),
		cmocka_unit_test(test_completed__not_in_v6_4),
		cmocka_unit_test(test_completed__is_skipped),
		cmocka_unit_test(test_forced__one_mapping_an_attempt),
		cmocka_unit_test(test_forced__not_in_v6_4),
		cmocka_unit_test(test_forced__restart_keeps_the_budget),
		cmocka_unit_test(test_forced__restart_is_literal),
		cmocka_unit_test(test_forced__not_the_too_young),
		cmocka_unit_test(test_forced__only_after_a_skip_by_access),
		cmocka_unit_test(test_forced__walks_the_whole_mapping),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
