/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "topo/model-internal.h"

#define COST_NS_MAX 1e9

struct hn_kernel_costs hn_model_default_costs(void)
{
	struct hn_kernel_costs costs = { 0 };

	/* Source: Huang Ying, "autonuma: Support to scan page table asynchronously" (tiering
	 * tree, tag tiering-0.62): one scan of the default 256 MiB takes "several milliseconds"
	 * on a 2-socket server; 3.3 ms / 65536 entries. */
	costs.scan_pte_ns = 50;
	/* ASSUMES: three times a base entry: page-table lock and compound page besides. */
	costs.scan_pmd_ns = 150;
	/* ASSUMES: 500 cycles; a change of address-space identity, refills not counted. */
	costs.tlb_flush_ns = 200;
	/* ASSUMES: 1250 cycles from interrupt sent to acknowledged, senders not overlapping. */
	costs.ipi_ns = 500;
	/* Source: ddumbying.vercel.app, "Page fault latency measurement" (Linux 6.6): a first-touch
	 * fault takes at least 1842 cycles, 3241 at the median. At 2.5 GHz the least is 737 ns;
	 * a hinting fault zeroes nothing but looks up the page and its policy. */
	costs.fault_ns = 700;
	/* The median of the same at 2.5 GHz. */
	costs.alloc_page_ns = 1300;
	/* ASSUMES: 2 MiB zeroed at 10 GB/s by one core. */
	costs.alloc_huge_ns = 210000;
	/* ASSUMES: 7500 cycles: two walks of the reverse map, two changes of LRU list, one page
	 * allocated and one freed. */
	costs.migrate_page_ns = 3000;
	/* Source: lmbench STREAM copy of one thread to the other socket of a Hygon 7280, 6.29
	 * GB/s (plantegg.github.io, CPU comparison): 4096 / 6.29. */
	costs.copy_page_ns = 650;
	/* ASSUMES: one cache line fetched from another core of the same last-level cache. */
	costs.search_cpu_ns = 60;
	/* ASSUMES: one interrupt and two context switches. */
	costs.move_task_ns = 3500;
	/* ASSUMES: 3750 cycles, switch of address space included, refills not counted. */
	costs.context_switch_ns = 1500;
	/* ASSUMES: 5000 cycles for timer interrupt, accounting and timer wheel. */
	costs.tick_ns = 2000;
	/* Source: v6.6 drivers/idle/intel_idle.c, exit latency of state C1 in the tables from
	 * Haswell on: 2 us. */
	costs.idle_exit_ns = 2000;
	return costs;
}

struct cost_field {
	const char *key;
	size_t offset;
};

#define COST(name) { #name, offsetof(struct hn_kernel_costs, name) }

static const struct cost_field cost_fields[] = {
	COST(scan_pte_ns), COST(scan_pmd_ns), COST(tlb_flush_ns), COST(ipi_ns), COST(fault_ns),
	COST(migrate_page_ns), COST(copy_page_ns), COST(alloc_page_ns), COST(alloc_huge_ns),
	COST(search_cpu_ns), COST(move_task_ns), COST(context_switch_ns), COST(tick_ns),
	COST(idle_exit_ns),
};

static int read_cost(struct hn_arena *arena, const struct hn_yaml_node *figure,
		     uint32_t *ret_ns, struct hn_model_sources *sources, struct hn_diag *diag)
{
	const struct hn_yaml_node *value;
	const char *source;
	uint64_t ns;
	int err = hn_model_read_source(arena, figure, &value, &source, diag);

	if (!err)
		err = hn_yaml_as_u64(value, 0, (uint64_t)COST_NS_MAX, &ns, diag);
	if (err)
		return err;
	*ret_ns = (uint32_t)ns;
	hn_model_add_source(sources, figure->key, source);
	return 0;
}

int hn_model_read_costs(struct hn_arena *arena, const struct hn_yaml_node *map,
			struct hn_machine *m, struct hn_model_sources *sources,
			struct hn_diag *diag)
{
	const char *keys[HN_ARRAY_LEN(cost_fields)];
	int err;

	m->costs = hn_model_default_costs();
	for (size_t f = 0; f < HN_ARRAY_LEN(cost_fields); f++)
		keys[f] = cost_fields[f].key;
	hn_model_add_source(sources, "kernel costs", HN_MODEL_COSTS_SOURCE);
	if (!map)
		return 0;
	err = hn_yaml_check_keys(map, keys, HN_ARRAY_LEN(keys), diag);
	for (size_t f = 0; f < HN_ARRAY_LEN(cost_fields) && !err; f++) {
		const struct hn_yaml_node *figure = hn_yaml_find(map, cost_fields[f].key);

		if (figure)
			err = read_cost(arena, figure, (uint32_t *)(void *)
					((char *)&m->costs + cost_fields[f].offset), sources, diag);
	}
	return err;
}
