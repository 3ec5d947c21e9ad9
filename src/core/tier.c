/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tier.c - promotion of pages from slow memory.
 *
 * A scan stamps pages on slow nodes with the time. A page touched within a threshold after that is
 * hot. The threshold adapts so that candidates come at about the allowed rate; beyond the rate
 * nothing is promoted in that second. While the fast node has plenty of free memory, everything
 * goes.
 *
 * Limit 65536 MB/s, adjusted each 60 s: 65536 * 256 * 60 pages are the reference. Fewer candidates
 * than nine tenths of it: threshold 1000 -> 1125 ms, at most 2000. More than eleven tenths: 875 ms,
 * at least 125.
 *
 * Source: v6.12 kernel/sched/fair.c should_numa_migrate_memory(),
 * numa_promotion_adjust_threshold(), numa_promotion_rate_limit(), pgdat_free_space_enough().
 * Tests: test-tier.c. */
#include "core/core-internal.h"

#define PAGES_PER_MB 256
#define ADJUST_STEPS 16
/* The time of marking is kept in 20 bits of ms. */
#define TIME_MASK_MS UINT32_C(0xfffff)
#define PAGES_PER_GIB UINT64_C(262144)

/* ASSUMES: the promotion watermark itself is small beside the room asked for above it. */
static bool has_plenty(const struct hn_fault_event *event)
{
	return event->dst_free_pages >= hn_max_u64(PAGES_PER_GIB, event->dst_pages / 16);
}

static void adjust_threshold(const struct hn_core *core, struct hn_core_node *node,
			     uint32_t now_ms)
{
	uint32_t def_ms = core->policy->hot_threshold_ms;
	uint32_t span_ms = core->policy->scan_period_ms_max;
	uint64_t limit_pages = (uint64_t)core->policy->promote_rate_limit_mbps * PAGES_PER_MB;
	uint64_t reference = limit_pages * span_ms / 1000;
	uint32_t unit_ms = def_ms * 2 / ADJUST_STEPS; /* 0 below 8 ms: never adjusted */
	uint32_t threshold_ms = node->promo_threshold_ms ? node->promo_threshold_ms : def_ms;
	uint64_t nr_new;

	if (now_ms - node->promo_adjust_ms <= span_ms)
		return;
	node->promo_adjust_ms = now_ms;
	nr_new = node->promo_candidates - node->promo_adjust_base;
	node->promo_adjust_base = node->promo_candidates;
	if (nr_new > reference * 11 / 10)
		threshold_ms = (uint32_t)hn_max_i64((int64_t)threshold_ms - unit_ms, unit_ms);
	else if (nr_new < reference * 9 / 10)
		threshold_ms = (uint32_t)hn_min_u64(threshold_ms + unit_ms, (uint64_t)def_ms * 2);
	node->promo_threshold_ms = threshold_ms;
}

static bool is_over_rate(struct hn_core *core, struct hn_core_node *node,
			 const struct hn_fault_event *event, uint32_t now_ms)
{
	uint64_t limit_pages = (uint64_t)core->policy->promote_rate_limit_mbps * PAGES_PER_MB;

	node->promo_candidates += event->nr_pages;
	core->counters[HN_COUNT_PGPROMOTE_CANDIDATE] += event->nr_pages;
	if (now_ms - node->promo_rate_start_ms > 1000) {
		node->promo_rate_start_ms = now_ms;
		node->promo_rate_base = node->promo_candidates;
	}
	return node->promo_candidates - node->promo_rate_base >= limit_pages;
}

static enum hn_why judge(struct hn_core *core, const struct hn_fault_event *event, hn_nid dst_nid)
{
	struct hn_core_node *node = &core->nodes[dst_nid];
	uint32_t now_ms = (uint32_t)(event->now_ns / HN_NS_PER_MS);
	uint32_t latency_ms = (now_ms - event->access_time_ms) & TIME_MASK_MS;
	uint32_t threshold_ms;

	if (has_plenty(event)) {
		node->promo_threshold_ms = 0; /* starts over once room gets scarce */
		return HN_WHY_TIER_FREE;
	}
	adjust_threshold(core, node, now_ms);
	threshold_ms = node->promo_threshold_ms ? node->promo_threshold_ms
						: core->policy->hot_threshold_ms;
	if (!(event->flags & HN_FAULT_TIMED) || latency_ms >= threshold_ms)
		return HN_WHY_TIER_COLD;
	return is_over_rate(core, node, event, now_ms) ? HN_WHY_TIER_RATE_LIMIT : HN_WHY_TIER_HOT;
}

void hn_tier_decide(struct hn_core *core, const struct hn_fault_event *event, hn_nid dst_nid,
		    struct hn_fault_verdict *ret_verdict)
{
	enum hn_why why = judge(core, event, dst_nid);

	ret_verdict->why = why;
	if ((why == HN_WHY_TIER_FREE || why == HN_WHY_TIER_HOT) && dst_nid != event->page_nid)
		ret_verdict->target_nid = dst_nid;
}
