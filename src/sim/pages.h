/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages.h - where every page lies, who faulted last on it, and which entries are hints.
 *
 * A region is one mapping's pages. Its entries are base pages, or huge ones of 512, and take
 * four bytes each. Beside them stand, per slice of the region (an equal part, see scenario.h),
 * how many entries lie on each node and how many are armed (hints), so that the physics and
 * the timing of faults need no walk. Counts of armed entries on three levels (64, 4096 and
 * 262144 entries) make finding the next one, or a random one, cheap.
 *
 * Knows nothing of tasks, time or policies: marking obeys the rules that come with the range,
 * allocation the memory policy of the region. Costs are the caller's.
 *
 * Allocation order on a full node: by distance, then node index (Linux zonelists). A node is
 * full for migration when its free pages would fall below the high watermark. */
#ifndef HN_SIM_PAGES_H
#define HN_SIM_PAGES_H

#include "base/arena.h"
#include "base/rng.h"
#include "model/machine.h"
#include "model/vma.h"

struct hn_pages;

struct hn_region_desc {
	uint64_t nr_base_pages;  /* > 0; rounded up to whole entries */
	bool is_huge;
	uint32_t nr_slices;      /* >= 1; slice i covers entries i*n/s .. (i+1)*n/s */
	hn_nid bind_nid;         /* HN_NID_NONE: none */
	bool is_interleaved;
	/* Marking traits, the same for all pages of the region. */
	bool is_cow_vma;
	bool is_mapped_once;
	bool has_one_reference;
	bool is_dirty_file;
};

/* What an allocation did, for counters and cost. Counts are base pages. */
struct hn_alloc_result {
	uint64_t nr_hit;        /* on the intended node */
	uint64_t nr_miss;       /* elsewhere */
	uint64_t nr_local;      /* on the toucher's node */
	uint64_t nr_interleave;
	uint32_t nr_entries;    /* entries newly present */
};

/* `nr_regions_max` regions alive at once; entries come from the arena when a region is added
 * and are used again, by size class, after it is removed. */
struct hn_pages *hn_pages_create(struct hn_arena *arena, const struct hn_machine *machine,
				 uint32_t nr_regions_max);

/* Adds an empty region; returns its id, 0 .. nr_regions_max - 1, lowest free first. */
uint32_t hn_pages_add(struct hn_pages *pages, const struct hn_region_desc *desc);
void hn_pages_remove(struct hn_pages *pages, uint32_t region);

uint32_t hn_pages_nr_entries(const struct hn_pages *pages, uint32_t region);
/* First entry of the slice; slice = nr_slices gives the number of entries. */
uint32_t hn_pages_slice_start(const struct hn_pages *pages, uint32_t region, uint32_t slice);

/* First touch of the absent entries in first .. end-1 by a CPU of `nid`. Returns false when the
 * whole machine is full (entries that fitted stay). */
bool hn_pages_touch(struct hn_pages *pages, uint32_t region, uint32_t first, uint32_t end,
		    hn_nid nid, struct hn_alloc_result *ret);

/* At or after `from`, past entries that are known to be present; a hint that saves time. */
uint32_t hn_pages_skip_present(const struct hn_pages *pages, uint32_t region, uint32_t from);

/* Marks present entries in first .. end-1 by the rules; returns updates in base pages, and the
 * number of entries walked (for cost) and of huge entries updated. now_ms stamps slow pages. */
struct hn_mark_result {
	uint64_t nr_updates;      /* base pages */
	uint32_t nr_walked;       /* present entries looked at */
	uint32_t nr_huge_updates;
};
void hn_pages_mark(struct hn_pages *pages, uint32_t region, uint32_t first, uint32_t end,
		   const struct hn_mark_rules *rules, uint32_t now_ms, struct hn_mark_result *ret);

/* Armed entries in a slice; slice HN_PAGES_ALL: the region. */
#define HN_PAGES_ALL UINT32_MAX
uint32_t hn_pages_nr_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice);
/* Present entries in a slice by node: array of nr_nodes, valid until the region is removed. */
const uint32_t *hn_pages_by_node(const struct hn_pages *pages, uint32_t region, uint32_t slice);
uint32_t hn_pages_nr_present(const struct hn_pages *pages, uint32_t region, uint32_t slice);

/* The first armed entry at or after `from` in the slice, going round once; UINT32_MAX: none. */
uint32_t hn_pages_next_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice,
			     uint32_t from);
/* A uniformly chosen armed entry of the slice; UINT32_MAX: none. */
uint32_t hn_pages_pick_armed(const struct hn_pages *pages, uint32_t region, uint32_t slice,
			     struct hn_rng *rng);

hn_nid hn_pages_nid(const struct hn_pages *pages, uint32_t region, uint32_t entry);
bool hn_pages_is_armed(const struct hn_pages *pages, uint32_t region, uint32_t entry);
/* cpupid as in model/event.h; CPUs beyond 4095 do not exist. */
int32_t hn_pages_cpupid(const struct hn_pages *pages, uint32_t region, uint32_t entry);
void hn_pages_set_cpupid(struct hn_pages *pages, uint32_t region, uint32_t entry, int32_t cpupid);
/* For entries stamped by marking (slow memory in tiering mode): low 20 bits of the time in ms. */
bool hn_pages_is_timed(const struct hn_pages *pages, uint32_t region, uint32_t entry);
uint32_t hn_pages_access_ms(const struct hn_pages *pages, uint32_t region, uint32_t entry);

/* Turns the hint back into a plain entry. */
void hn_pages_disarm(struct hn_pages *pages, uint32_t region, uint32_t entry);

/* Moves the entry; false when the target node is nearly full (nothing changed). */
bool hn_pages_migrate(struct hn_pages *pages, uint32_t region, uint32_t entry, hn_nid nid);

uint64_t hn_pages_free(const struct hn_pages *pages, hn_nid nid);   /* base pages */
uint64_t hn_pages_total(const struct hn_pages *pages, hn_nid nid);
/* Base pages present now, and at the peak; bytes held for entries and their counts. */
uint64_t hn_pages_nr_resident(const struct hn_pages *pages);
uint64_t hn_pages_nr_resident_peak(const struct hn_pages *pages);
uint64_t hn_pages_held_bytes(const struct hn_pages *pages);

/* Counts per region, slice and node plus free pages: the cheap digest of every window. */
uint64_t hn_pages_digest(const struct hn_pages *pages);
/* Asserts that counts agree with entries; walks everything. */
void hn_pages_check(const struct hn_pages *pages);

#endif
