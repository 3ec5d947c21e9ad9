/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topo/layout.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/id-list.h"

#define NOTE_BYTES 512

void hn_layout_init(struct hn_layout *layout, struct hn_arena *arena, const char *origin)
{
	memset(layout, 0, sizeof(*layout));
	layout->arena = arena;
	hn_strbuf_init(&layout->origin, arena);
	hn_strbuf_add(&layout->origin, origin);
}

void hn_layout_note(struct hn_layout *layout, const char *fmt, ...)
{
	char text[NOTE_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	hn_strbuf_addf(&layout->origin, "; %s", text);
}

int32_t hn_layout_find_node(const struct hn_layout *layout, int32_t os_id)
{
	for (uint32_t n = 0; n < layout->nr_nodes; n++) {
		if (layout->nodes[n].os_id == os_id)
			return (int32_t)n;
	}
	return -1;
}

int hn_layout_add_node(struct hn_layout *layout, int32_t os_id, uint64_t mem_bytes,
		       struct hn_diag *diag)
{
	struct hn_layout_node *node;

	if (os_id < 0 || os_id >= HN_ID_MAX)
		return hn_diag_set(diag, -EINVAL, "node number %d is out of range", os_id);
	if (hn_layout_find_node(layout, os_id) >= 0)
		return hn_diag_set(diag, -EINVAL, "node %d is described twice", os_id);
	if (layout->nr_nodes >= HN_NODES_MAX)
		return hn_diag_set(diag, -E2BIG, "the machine has more than %d nodes, the limit",
				   HN_NODES_MAX);
	if (mem_bytes > HN_LAYOUT_MEM_MAX_BYTES && mem_bytes != HN_LAYOUT_MEM_UNKNOWN)
		return hn_diag_set(diag, -E2BIG, "node %d claims more than 1 PiB of memory",
				   os_id);
	node = &layout->nodes[layout->nr_nodes++];
	node->os_id = os_id;
	node->mem_bytes = mem_bytes;
	return 0;
}

static void grow_cpus(struct hn_layout *layout)
{
	uint32_t cap = layout->cap_cpus ? layout->cap_cpus * 2 : 64;
	struct hn_layout_cpu *wider = HN_ARENA_ARRAY(layout->arena, struct hn_layout_cpu, cap);

	if (layout->nr_cpus)
		memcpy(wider, layout->cpus, layout->nr_cpus * sizeof(*wider));
	layout->cpus = wider;
	layout->cap_cpus = cap;
}

int hn_layout_add_cpu(struct hn_layout *layout, const struct hn_layout_cpu *cpu,
		      struct hn_diag *diag)
{
	if (cpu->os_id < 0 || cpu->os_id >= HN_ID_MAX)
		return hn_diag_set(diag, -EINVAL, "CPU number %d is out of range", cpu->os_id);
	if (layout->nr_cpus >= HN_CPUS_MAX)
		return hn_diag_set(diag, -E2BIG, "the machine has more than %d CPUs, the limit",
				   HN_CPUS_MAX);
	if (layout->nr_cpus == layout->cap_cpus)
		grow_cpus(layout);
	layout->cpus[layout->nr_cpus++] = *cpu;
	return 0;
}

/* Order numbers of the nodes in ascending order of os_id; numbers are unique by then. */
static void sort_nodes(const struct hn_layout *layout, uint32_t *order)
{
	for (uint32_t n = 0; n < layout->nr_nodes; n++) {
		uint32_t rank = 0;

		for (uint32_t k = 0; k < layout->nr_nodes; k++)
			rank += layout->nodes[k].os_id < layout->nodes[n].os_id;
		order[rank] = n;
	}
}

static int compare_cpus(const void *a, const void *b)
{
	int32_t left = ((const struct hn_layout_cpu *)a)->os_id;
	int32_t right = ((const struct hn_layout_cpu *)b)->os_id;

	return (left > right) - (left < right);
}

/* Equal numbers are refused right after, so their order among themselves does not matter. */
static int sort_cpus(struct hn_layout *layout, struct hn_diag *diag)
{
	qsort(layout->cpus, layout->nr_cpus, sizeof(*layout->cpus), compare_cpus);
	for (uint32_t c = 1; c < layout->nr_cpus; c++) {
		if (layout->cpus[c].os_id == layout->cpus[c - 1].os_id)
			return hn_diag_set(diag, -EINVAL, "CPU %d is described twice",
					   layout->cpus[c].os_id);
	}
	return 0;
}

static int32_t node_index(const struct hn_machine *m, int32_t os_id)
{
	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		if (m->nodes[n].os_id == os_id)
			return (int32_t)n;
	}
	return -1;
}

/* The node with most told CPUs of the package `pkg`; ties to the lower index; else node 0. */
static int32_t node_of_package(const struct hn_layout *layout, const struct hn_machine *m,
			       uint64_t pkg)
{
	uint32_t nr_cpus[HN_NODES_MAX] = { 0 };
	int32_t best = 0;

	for (uint32_t c = 0; c < layout->nr_cpus; c++) {
		int32_t nid = node_index(m, layout->cpus[c].node_os_id);

		if (nid >= 0 && layout->cpus[c].pkg == pkg)
			nr_cpus[nid]++;
	}
	for (uint32_t n = 1; n < m->nr_nodes; n++) {
		if (nr_cpus[n] > nr_cpus[best])
			best = (int32_t)n;
	}
	return best;
}

static int place_cpus(struct hn_layout *layout, struct hn_machine *m, struct hn_diag *diag)
{
	uint32_t nr_homeless = 0;

	for (uint32_t c = 0; c < layout->nr_cpus; c++) {
		const struct hn_layout_cpu *cpu = &layout->cpus[c];
		int32_t nid = node_index(m, cpu->node_os_id);

		if (nid < 0 && cpu->node_os_id != HN_LAYOUT_NID_NONE)
			return hn_diag_set(diag, -EINVAL,
					   "CPU %d is on node %d, which is not described",
					   cpu->os_id, cpu->node_os_id);
		if (nid < 0) {
			nid = node_of_package(layout, m, cpu->pkg);
			nr_homeless++;
		}
		m->cpus[c].os_id = cpu->os_id;
		m->cpus[c].nid = (hn_nid)nid;
	}
	if (nr_homeless)
		hn_layout_note(layout, "%u CPUs have no node there and were put on the node of "
			       "their package, or on the first where it has none", nr_homeless);
	return 0;
}

enum label { LABEL_CORE, LABEL_CLUSTER, LABEL_LLC, LABEL_PKG };

static uint64_t get_label(const struct hn_layout_cpu *cpu, enum label label)
{
	switch (label) {
	case LABEL_CORE:
		return cpu->core;
	case LABEL_CLUSTER:
		return cpu->cluster;
	case LABEL_LLC:
		return cpu->llc;
	case LABEL_PKG:
		return cpu->pkg;
	}
	return 0;
}

static int32_t *label_slot(struct hn_cpu_place *cpu, enum label label)
{
	switch (label) {
	case LABEL_CORE:
		return &cpu->core;
	case LABEL_CLUSTER:
		return &cpu->cluster;
	case LABEL_LLC:
		return &cpu->llc;
	case LABEL_PKG:
		return &cpu->pkg;
	}
	return NULL;
}

/* Dense indexes in the order of each label's first CPU. Returns how many there are.
 * Quadratic in the worst case, for at most HN_CPUS_MAX CPUs, once a run. */
static uint32_t number_labels(const struct hn_layout *layout, struct hn_machine *m,
			      enum label label)
{
	uint32_t *first_cpu = HN_ARENA_ARRAY(layout->arena, uint32_t, layout->nr_cpus);
	uint32_t nr_labels = 0;

	for (uint32_t c = 0; c < layout->nr_cpus; c++) {
		uint64_t value = get_label(&layout->cpus[c], label);
		uint32_t k = 0;

		while (k < nr_labels && get_label(&layout->cpus[first_cpu[k]], label) != value)
			k++;
		if (k == nr_labels)
			first_cpu[nr_labels++] = c;
		*label_slot(&m->cpus[c], label) = (int32_t)k;
	}
	return nr_labels;
}

static int fill_distance(const struct hn_layout *layout, struct hn_machine *m,
			 const uint32_t *order, struct hn_diag *diag)
{
	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		for (uint32_t k = 0; k < m->nr_nodes; k++) {
			uint32_t told = layout->distance[order[n]][order[k]];
			uint32_t assumed = n == k ? HN_DISTANCE_LOCAL : HN_LAYOUT_DISTANCE_REMOTE;

			if (told && (told < HN_DISTANCE_LOCAL || told > HN_LAYOUT_DISTANCE_MAX ||
				     (n == k && told != HN_DISTANCE_LOCAL)))
				return hn_diag_set(diag, -EINVAL,
						   "the distance of node %d to node %d is %u, "
						   "expected %s",
						   m->nodes[n].os_id, m->nodes[k].os_id, told,
						   n == k ? "10" : "10 to 255");
			m->distance[(size_t)n * m->nr_nodes + k] =
				(uint16_t)(told ? told : assumed);
		}
	}
	return 0;
}

static void note_missing_distances(struct hn_layout *layout)
{
	uint32_t nr_missing = 0, nr_pairs = layout->nr_nodes * (layout->nr_nodes - 1);

	for (uint32_t n = 0; n < layout->nr_nodes; n++) {
		for (uint32_t k = 0; k < layout->nr_nodes; k++)
			nr_missing += n != k && !layout->distance[n][k];
	}
	if (!nr_missing)
		return;
	if (nr_missing == nr_pairs)
		hn_layout_note(layout, "distances are assumed: 10 local, 20 remote");
	else
		hn_layout_note(layout, "%u of %u distances are missing and assumed to be 20",
			       nr_missing, nr_pairs);
}

static void fill_nodes(struct hn_layout *layout, struct hn_machine *m, const uint32_t *order)
{
	uint32_t nr_assumed = 0;

	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		const struct hn_layout_node *from = &layout->nodes[order[n]];

		m->nodes[n].os_id = from->os_id;
		m->nodes[n].mem_bytes = from->mem_bytes;
		m->nodes[n].is_top_tier = from->is_fast;
		if (from->mem_bytes == HN_LAYOUT_MEM_UNKNOWN) {
			m->nodes[n].mem_bytes = HN_LAYOUT_MEM_ASSUMED_BYTES;
			nr_assumed++;
		}
	}
	if (nr_assumed)
		hn_layout_note(layout, "memory is not told for %u nodes and assumed to be 32 GiB "
			       "each", nr_assumed);
}

static struct hn_machine *create_machine(const struct hn_layout *layout)
{
	struct hn_machine *m = HN_ARENA_NEW(layout->arena, struct hn_machine);
	size_t nr_pairs = (size_t)layout->nr_nodes * layout->nr_nodes;

	m->nr_nodes = layout->nr_nodes;
	m->nr_cpus = layout->nr_cpus;
	m->nodes = HN_ARENA_ARRAY(layout->arena, struct hn_node, m->nr_nodes);
	m->cpus = HN_ARENA_ARRAY(layout->arena, struct hn_cpu_place, m->nr_cpus);
	m->node_cpus = HN_ARENA_ARRAY(layout->arena, hn_cpu, m->nr_cpus);
	m->distance = HN_ARENA_ARRAY(layout->arena, uint16_t, nr_pairs);
	m->latency_ns = HN_ARENA_ARRAY(layout->arena, double, nr_pairs);
	m->link_bw_bytes_per_s = HN_ARENA_ARRAY(layout->arena, double, nr_pairs);
	m->llc_bytes = layout->llc_bytes;
	m->line_bytes = layout->line_bytes;
	return m;
}

static int check_not_empty(const struct hn_layout *layout, struct hn_diag *diag)
{
	uint64_t mem_bytes = 0;

	if (!layout->nr_nodes)
		return hn_diag_set(diag, -EINVAL, "the machine has no memory nodes");
	if (!layout->nr_cpus)
		return hn_diag_set(diag, -EINVAL, "the machine has no CPUs");
	for (uint32_t n = 0; n < layout->nr_nodes; n++)
		mem_bytes |= layout->nodes[n].mem_bytes;
	if (!mem_bytes)
		return hn_diag_set(diag, -EINVAL, "no node of the machine has memory");
	return 0;
}

int hn_layout_finish(struct hn_layout *layout, struct hn_machine **ret_machine,
		     struct hn_diag *diag)
{
	uint32_t order[HN_NODES_MAX] = { 0 };
	int err = check_not_empty(layout, diag);
	struct hn_machine *m;

	if (err)
		return err;
	sort_nodes(layout, order);
	err = sort_cpus(layout, diag);
	if (err)
		return err;
	m = create_machine(layout);
	fill_nodes(layout, m, order);
	err = place_cpus(layout, m, diag);
	if (err)
		return err;
	m->nr_cores = number_labels(layout, m, LABEL_CORE);
	m->nr_clusters = number_labels(layout, m, LABEL_CLUSTER);
	m->nr_llcs = number_labels(layout, m, LABEL_LLC);
	m->nr_pkgs = number_labels(layout, m, LABEL_PKG);
	hn_machine_index_cpus(m);
	for (uint32_t n = 0; n < m->nr_nodes; n++)
		m->nodes[n].is_top_tier |= m->nodes[n].nr_cpus > 0;
	note_missing_distances(layout);
	err = fill_distance(layout, m, order, diag);
	if (err)
		return err;
	m->origin = layout->origin.text;
	*ret_machine = m;
	return 0;
}
