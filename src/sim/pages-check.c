/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/pages-internal.h"

#include "base/digest.h"

static uint64_t fold_region(const struct hn_pages *pages, const struct page_region *r,
			    uint64_t digest)
{
	for (uint32_t row = 0; row <= r->desc.nr_slices; row++) {
		const uint32_t *by_node = r->by_node + (size_t)row * pages->nr_nodes;

		digest = hn_digest_fold(digest, r->slice_armed[row]);
		for (uint32_t n = 0; n < pages->nr_nodes; n++)
			digest = hn_digest_fold(digest, by_node[n]);
	}
	return digest;
}

uint64_t hn_pages_digest(const struct hn_pages *pages)
{
	uint64_t digest = HN_DIGEST_START;

	for (uint32_t n = 0; n < pages->nr_nodes; n++)
		digest = hn_digest_fold(digest, pages->nodes[n].nr_free);
	for (uint32_t i = 0; i < pages->nr_regions_max; i++) {
		if (!pages->regions[i].is_in_use)
			continue;
		digest = fold_region(pages, &pages->regions[i], hn_digest_fold(digest, i));
	}
	return digest;
}

static void check_entry(const struct hn_pages *pages, uint32_t value)
{
	if (!(value & ENTRY_PRESENT)) {
		hn_assert(value == 0);
		return;
	}
	hn_assert((value & ENTRY_NODE_MASK) < pages->nr_nodes);
	hn_assert(pages->nodes[value & ENTRY_NODE_MASK].nr_total > 0);
	hn_assert(!(value & ENTRY_TIMED) || !(value & ENTRY_KNOWN));
}

/* The counts of one slice against its entries. */
static void check_slice(const struct hn_pages *pages, const struct page_region *r, uint32_t slice)
{
	const uint32_t *counts = r->by_node + (size_t)slice * pages->nr_nodes;
	uint32_t by_node[HN_NODES_MAX] = { 0 };
	uint32_t nr_armed = 0;
	uint32_t nr_present = 0;

	for (uint32_t e = r->slice_start[slice]; e < r->slice_start[slice + 1]; e++) {
		uint32_t value = r->entries[e];

		hn_assert(pages_slice_of(r, e) == slice);
		check_entry(pages, value);
		hn_assert(e >= r->first_absent || (value & ENTRY_PRESENT));
		if (!(value & ENTRY_PRESENT))
			continue;
		nr_present++;
		by_node[value & ENTRY_NODE_MASK]++;
		nr_armed += value >> ENTRY_ARMED_SHIFT & 1;
	}
	hn_assert(r->slice_armed[slice] == nr_armed);
	hn_assert(r->slice_present[slice] == nr_present);
	for (uint32_t n = 0; n < pages->nr_nodes; n++)
		hn_assert(counts[n] == by_node[n]);
}

/* The row of the region against those of its slices. */
static void check_total(const struct hn_pages *pages, const struct page_region *r)
{
	uint32_t nr_slices = r->desc.nr_slices;
	uint32_t nr_armed = 0;
	uint32_t nr_present = 0;

	for (uint32_t s = 0; s < nr_slices; s++) {
		nr_armed += r->slice_armed[s];
		nr_present += r->slice_present[s];
	}
	hn_assert(r->slice_armed[nr_slices] == nr_armed);
	hn_assert(r->slice_present[nr_slices] == nr_present);
	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		uint32_t nr = 0;

		for (uint32_t s = 0; s < nr_slices; s++)
			nr += r->by_node[(size_t)s * pages->nr_nodes + n];
		hn_assert(r->by_node[(size_t)nr_slices * pages->nr_nodes + n] == nr);
	}
}

/* Each level of counts against the one below. */
static void check_levels(const struct page_region *r)
{
	const struct page_storage *s = r->storage;
	uint32_t block = 0;
	uint32_t group = 0;
	uint32_t super = 0;

	for (uint32_t e = 0; e < r->nr_entries; e++) {
		uint32_t is_armed = r->entries[e] >> ENTRY_ARMED_SHIFT & 1;
		bool is_last = e + 1 == r->nr_entries;

		block += is_armed;
		group += is_armed;
		super += is_armed;
		hn_assert(!is_last && (e + 1) % BLOCK_ENTRIES ? true :
			  s->block_armed[e / BLOCK_ENTRIES] == block);
		hn_assert(!is_last && (e + 1) % GROUP_ENTRIES ? true :
			  s->group_armed[e / GROUP_ENTRIES] == group);
		hn_assert(!is_last && (e + 1) % SUPER_ENTRIES ? true :
			  s->super_armed[e / SUPER_ENTRIES] == super);
		block = (e + 1) % BLOCK_ENTRIES ? block : 0;
		group = (e + 1) % GROUP_ENTRIES ? group : 0;
		super = (e + 1) % SUPER_ENTRIES ? super : 0;
	}
}

/* Free memory of the nodes against what all regions hold. */
static void check_nodes(const struct hn_pages *pages)
{
	uint64_t nr_resident = 0;

	for (uint32_t n = 0; n < pages->nr_nodes; n++) {
		uint64_t nr_held = 0;

		for (uint32_t i = 0; i < pages->nr_regions_max; i++) {
			const struct page_region *r = &pages->regions[i];
			size_t row = (size_t)r->desc.nr_slices * pages->nr_nodes;

			if (r->is_in_use)
				nr_held += (uint64_t)r->by_node[row + n] * r->entry_pages;
		}
		hn_assert(pages->nodes[n].nr_free + nr_held == pages->nodes[n].nr_total);
		nr_resident += nr_held;
	}
	hn_assert(pages->nr_resident == nr_resident);
	hn_assert(pages->nr_resident <= pages->nr_resident_peak);
}

void hn_pages_check(const struct hn_pages *pages)
{
	for (uint32_t i = 0; i < pages->nr_regions_max; i++) {
		const struct page_region *r = &pages->regions[i];

		hn_assert(i >= pages->first_free || r->is_in_use);
		if (!r->is_in_use)
			continue;
		for (uint32_t s = 0; s < r->desc.nr_slices; s++)
			check_slice(pages, r, s);
		check_total(pages, r);
		check_levels(r);
	}
	check_nodes(pages);
}
