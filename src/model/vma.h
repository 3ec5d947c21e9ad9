/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vma.h - one mapping of an address space, as the scan rules see it; and scan ranges.
 *
 * Kernel counterpart: struct vm_area_struct. Addresses are bytes, page aligned, end exclusive. */
#ifndef HN_MODEL_VMA_H
#define HN_MODEL_VMA_H

#include "base/types.h"

enum hn_vma_flag {
	HN_VMA_READ = 1 << 0,
	HN_VMA_WRITE = 1 << 1,
	HN_VMA_EXEC = 1 << 2,
	HN_VMA_SHARED = 1 << 3,      /* MAP_SHARED */
	HN_VMA_FILE = 1 << 4,        /* backed by a file */
	HN_VMA_SPECIAL = 1 << 5,     /* I/O, PFN map, DAX: can't be migrated */
	HN_VMA_HUGETLB = 1 << 6,
	HN_VMA_MIXEDMAP = 1 << 7,
	HN_VMA_NO_OWNER = 1 << 8,    /* vdso-like: not owned by the address space */
	HN_VMA_BOUND = 1 << 9,       /* a user's memory policy without migrate-on-fault */
};

struct hn_vma {
	hn_vma_id id;  /* dense over the run; names the per-VMA state in the core */
	hn_mm_id mm;
	uint64_t start;
	uint64_t end;
	uint32_t flags; /* enum hn_vma_flag */
};

/* Which present entries of a range become hints. The core fills it per scan from the policy and
 * the scanning task; the world applies it to each entry with hn_mark_allows().
 * Source: spec of change_protection() with MM_CP_PROT_NUMA, v3.8 .. v7.2 mm/mprotect.c. */
enum hn_mark_cow {
	HN_MARK_COW_ANY,             /* no test */
	HN_MARK_COW_SINGLE_ALL,      /* only pages mapped once, in any VMA (v3.8) */
	HN_MARK_COW_UNSHARED,        /* in copy-on-write VMAs: only pages mapped once */
	HN_MARK_COW_UNREFERENCED,    /* in copy-on-write VMAs: only pages with one reference */
};

struct hn_mark_rules {
	enum hn_mark_cow cow;
	bool skips_dirty_file;
	bool skips_ksm;
	bool applies_to_huge;        /* the tests of base entries also hold for huge ones */
	/* base entries on this node stay as they are; NONE: no such rule */
	hn_nid skip_local_nid;
	hn_nid skip_local_huge_nid;  /* the same for huge entries */
	bool skips_top_tier;         /* NORMAL mode off: only slow memory is watched */
	/* tiering on: an entry on slow memory gets the time of marking */
	bool stamps_slow;
};

struct hn_page_traits {
	hn_nid nid;
	bool is_huge;
	bool is_top_tier;
	bool is_dirty_file;
	bool is_ksm;
	bool is_cow_vma;             /* private and may be written */
	bool is_mapped_once;
	bool has_one_reference;
};

static inline bool hn_mark_allows_cow(enum hn_mark_cow rule, struct hn_page_traits page)
{
	switch (rule) {
	case HN_MARK_COW_ANY:
		return true;
	case HN_MARK_COW_SINGLE_ALL:
		return page.is_mapped_once;
	case HN_MARK_COW_UNSHARED:
		return !page.is_cow_vma || page.is_mapped_once;
	case HN_MARK_COW_UNREFERENCED:
		return !page.is_cow_vma || page.has_one_reference;
	}
	return true;
}

/* Whether a present entry that is no hint yet becomes one. */
static inline bool hn_mark_allows(const struct hn_mark_rules *rules, struct hn_page_traits page)
{
	hn_nid skip_nid = page.is_huge ? rules->skip_local_huge_nid : rules->skip_local_nid;

	if (rules->skips_top_tier && page.is_top_tier)
		return false;
	if (page.nid == skip_nid)
		return false;
	if (page.is_huge && !rules->applies_to_huge)
		return true;
	if (rules->skips_dirty_file && page.is_dirty_file)
		return false;
	if (rules->skips_ksm && page.is_ksm)
		return false;
	return hn_mark_allows_cow(rules->cow, page);
}

/* One call of change_protection: the core asks, the world answers with the updated entries. */
struct hn_scan_range {
	hn_vma_id vma;
	hn_mm_id mm;
	hn_task_id task;   /* who scans, and pays */
	uint64_t start;
	uint64_t end;
	struct hn_mark_rules rules;
};

#endif
