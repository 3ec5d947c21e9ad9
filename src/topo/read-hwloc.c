/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <hwloc.h>
#include <limits.h>
#include <string.h>

#include "topo/id-list.h"
#include "topo/readers.h"

/* Source: hwloc 2.9 API. Nodes with CPUs and without memory are dropped by hwloc 2
 * (open-mpi/hwloc issue 438); their numbers survive in the complete nodesets, from where
 * add_hidden_nodes() and node_of_pu() bring them back. */

static bool is_label_cache(hwloc_obj_t obj)
{
	return hwloc_obj_type_is_dcache(obj->type);
}

static uint64_t label_of(hwloc_obj_t obj)
{
	return ((uint64_t)obj->type << 32) | obj->logical_index;
}

/* The outermost data cache above a PU, or NULL. */
static hwloc_obj_t find_llc(hwloc_obj_t pu)
{
	hwloc_obj_t llc = NULL;

	for (hwloc_obj_t obj = pu->parent; obj; obj = obj->parent) {
		if (is_label_cache(obj))
			llc = obj;
	}
	return llc;
}

static hwloc_obj_t find_above(hwloc_obj_t pu, hwloc_obj_type_t type)
{
	hwloc_obj_t obj = pu->parent;

	while (obj && obj->type != type)
		obj = obj->parent;
	return obj;
}

/* What is smaller than an LLC and larger than a core: a group that the kernel calls cluster,
 * else an L2 that several cores share. */
static hwloc_obj_t find_cluster(hwloc_obj_t pu, hwloc_obj_t core)
{
	for (hwloc_obj_t obj = pu->parent; obj; obj = obj->parent) {
		bool is_named = obj->type == HWLOC_OBJ_GROUP && obj->subtype &&
				!strcmp(obj->subtype, "Cluster");

		if (is_named)
			return obj;
		if (obj->type == HWLOC_OBJ_L2CACHE &&
		    hwloc_bitmap_weight(obj->cpuset) > hwloc_bitmap_weight(core->cpuset))
			return obj;
	}
	return core;
}

/* hwloc hands memory-only nodes (persistent memory, MCDRAM, CXL) the CPUs of the nodes that they
 * hang beside. Firmware numbers such nodes last, so the lowest number among the nodes with
 * the fewest CPUs around this one is the CPU's own. */
static hwloc_obj_t find_local_node(hwloc_topology_t topology, hwloc_obj_t pu)
{
	hwloc_obj_t best = NULL, node = NULL;
	int best_weight = INT_MAX;

	while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node))) {
		int weight = hwloc_bitmap_weight(node->cpuset);

		if (!hwloc_bitmap_isset(node->cpuset, pu->os_index))
			continue;
		if (weight < best_weight ||
		    (weight == best_weight && node->os_index < best->os_index)) {
			best = node;
			best_weight = weight;
		}
	}
	return best;
}

/* The one hidden node that the nearest object above names, or HN_LAYOUT_NID_NONE. */
static int32_t find_hidden_node(hwloc_topology_t topology, hwloc_obj_t pu)
{
	hwloc_const_nodeset_t shown = hwloc_topology_get_topology_nodeset(topology);
	hwloc_bitmap_t hidden = hwloc_bitmap_alloc();
	int32_t os_id = HN_LAYOUT_NID_NONE;

	for (hwloc_obj_t obj = pu; hidden && obj && os_id == HN_LAYOUT_NID_NONE;
	     obj = obj->parent) {
		hwloc_bitmap_andnot(hidden, obj->complete_nodeset, shown);
		if (hwloc_bitmap_weight(hidden) > 1)
			break;
		if (hwloc_bitmap_weight(hidden) == 1)
			os_id = hwloc_bitmap_first(hidden);
	}
	hwloc_bitmap_free(hidden);
	return os_id;
}

static int32_t node_of_pu(hwloc_topology_t topology, hwloc_obj_t pu)
{
	hwloc_obj_t node;
	int32_t hidden = find_hidden_node(topology, pu);

	if (hidden != HN_LAYOUT_NID_NONE)
		return hidden;
	node = find_local_node(topology, pu);
	return node ? (int32_t)node->os_index : HN_LAYOUT_NID_NONE;
}

static int add_pu(struct hn_layout *layout, hwloc_topology_t topology, hwloc_obj_t pu,
		  struct hn_diag *diag)
{
	hwloc_obj_t core = find_above(pu, HWLOC_OBJ_CORE);
	hwloc_obj_t pkg = find_above(pu, HWLOC_OBJ_PACKAGE);
	hwloc_obj_t llc = find_llc(pu);
	struct hn_layout_cpu cpu = { .node_os_id = node_of_pu(topology, pu) };

	if (pu->os_index >= HN_ID_MAX)
		return hn_diag_set(diag, -EINVAL, "CPU number %u is out of range", pu->os_index);
	if (!core)
		core = pu;
	cpu.os_id = (int32_t)pu->os_index;
	cpu.core = label_of(core);
	cpu.cluster = label_of(find_cluster(pu, core));
	cpu.llc = label_of(llc ? llc : core);
	cpu.pkg = pkg ? label_of(pkg) : 0;
	return hn_layout_add_cpu(layout, &cpu, diag);
}

static int add_nodes(struct hn_layout *layout, hwloc_topology_t topology, struct hn_diag *diag)
{
	hwloc_obj_t node = NULL;

	while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node))) {
		uint64_t mem_bytes = node->attr ? node->attr->numanode.local_memory : 0;
		int err;

		if (node->os_index >= HN_ID_MAX)
			return hn_diag_set(diag, -EINVAL, "node number %u is out of range",
					   node->os_index);
		err = hn_layout_add_node(layout, (int32_t)node->os_index, mem_bytes, diag);
		if (err)
			return err;
	}
	return 0;
}

/* After the CPUs, so that only nodes that a CPU was found on come back. */
static int add_hidden_nodes(struct hn_layout *layout, struct hn_diag *diag)
{
	uint32_t nr_hidden = 0;

	for (uint32_t c = 0; c < layout->nr_cpus; c++) {
		int32_t os_id = layout->cpus[c].node_os_id;
		int err;

		if (os_id == HN_LAYOUT_NID_NONE || hn_layout_find_node(layout, os_id) >= 0)
			continue;
		err = hn_layout_add_node(layout, os_id, 0, diag);
		if (err)
			return err;
		nr_hidden++;
	}
	if (nr_hidden)
		hn_layout_note(layout, "%u nodes without memory, which hwloc hides, were restored "
			       "from the node numbers that their CPUs name", nr_hidden);
	return 0;
}

/* A topology of CPUs only (a CPUID dump) has hwloc's own node without memory. */
static void assume_memory(struct hn_layout *layout)
{
	for (uint32_t n = 0; n < layout->nr_nodes; n++) {
		if (layout->nodes[n].mem_bytes)
			return;
	}
	for (uint32_t n = 0; n < layout->nr_nodes; n++)
		layout->nodes[n].mem_bytes = HN_LAYOUT_MEM_UNKNOWN;
}

static bool is_slit_value(hwloc_uint64_t value, bool is_local)
{
	return is_local ? value == HN_DISTANCE_LOCAL :
	       value >= HN_DISTANCE_LOCAL && value <= HN_LAYOUT_DISTANCE_MAX;
}

static bool is_slit(const struct hwloc_distances_s *distances)
{
	for (unsigned i = 0; i < distances->nbobjs; i++) {
		for (unsigned k = 0; k < distances->nbobjs; k++) {
			if (!is_slit_value(distances->values[i * distances->nbobjs + k], i == k))
				return false;
		}
	}
	return true;
}

static void take_matrix(struct hn_layout *layout, const struct hwloc_distances_s *distances)
{
	for (unsigned i = 0; i < distances->nbobjs; i++) {
		for (unsigned k = 0; k < distances->nbobjs; k++) {
			hwloc_obj_t from_obj = distances->objs[i], to_obj = distances->objs[k];
			int32_t from, to;

			if (!from_obj || !to_obj)
				continue;
			from = hn_layout_find_node(layout, (int32_t)from_obj->os_index);
			to = hn_layout_find_node(layout, (int32_t)to_obj->os_index);
			if (from >= 0 && to >= 0)
				layout->distance[from][to] =
					(uint32_t)distances->values[i * distances->nbobjs + k];
		}
	}
}

/* Matrices that are no SLIT (hwloc 1 scaled some, benchmarks add their own) are passed over. */
static void add_distances(struct hn_layout *layout, hwloc_topology_t topology)
{
	struct hwloc_distances_s *matrices[8] = { NULL };
	unsigned nr = HN_ARRAY_LEN(matrices), nr_passed = 0;
	bool is_taken = false;

	if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &nr, matrices,
					HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0))
		return;
	if (nr > HN_ARRAY_LEN(matrices))
		nr = HN_ARRAY_LEN(matrices);
	for (unsigned m = 0; m < nr; m++) {
		if (!is_taken && is_slit(matrices[m])) {
			take_matrix(layout, matrices[m]);
			is_taken = true;
		} else {
			nr_passed++;
		}
		hwloc_distances_release(topology, matrices[m]);
	}
	if (nr_passed && !is_taken)
		hn_layout_note(layout, "a matrix of distances there is not in SLIT units and was "
			       "passed over");
}

/* ASSUMES: last-level caches are alike; the first CPU's stands for all. */
static void add_llc_size(struct hn_layout *layout, hwloc_topology_t topology)
{
	hwloc_obj_t pu = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
	hwloc_obj_t llc = pu ? find_llc(pu) : NULL;

	if (!llc || !llc->attr)
		return;
	layout->llc_bytes = llc->attr->cache.size;
	layout->line_bytes = llc->attr->cache.linesize;
}

static int fill_layout(struct hn_layout *layout, hwloc_topology_t topology, struct hn_diag *diag)
{
	hwloc_obj_t pu = NULL;
	int err = add_nodes(layout, topology, diag);

	if (err)
		return err;
	while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu))) {
		err = add_pu(layout, topology, pu, diag);
		if (err)
			return err;
	}
	err = add_hidden_nodes(layout, diag);
	if (err)
		return err;
	assume_memory(layout);
	add_distances(layout, topology);
	add_llc_size(layout, topology);
	return 0;
}

/* Loads what the caller has set as source of `topology`, and destroys it. */
static int load_and_fill(struct hn_layout *layout, hwloc_topology_t topology, const char *what,
			 struct hn_diag *diag)
{
	int err;

	if (hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) ||
	    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) ||
	    hwloc_topology_load(topology))
		err = hn_diag_set(diag, -EINVAL, "hwloc cannot load the %s", what);
	else
		err = fill_layout(layout, topology, diag);
	hwloc_topology_destroy(topology);
	return err;
}

int hn_topo_read_xml(struct hn_layout *layout, const char *bytes, size_t nr_bytes,
		     struct hn_diag *diag)
{
	hwloc_topology_t topology;
	int err;

	if (nr_bytes >= INT_MAX)
		return hn_diag_set(diag, -E2BIG, "the XML is too long");
	err = hn_topo_check_xml(bytes, diag);
	if (err)
		return err;
	if (hwloc_topology_init(&topology))
		return hn_diag_set(diag, -ENOMEM, "hwloc cannot start");
	/* hwloc counts the terminating NUL. */
	if (hwloc_topology_set_xmlbuffer(topology, bytes, (int)nr_bytes + 1)) {
		hwloc_topology_destroy(topology);
		return hn_diag_set(diag, -EINVAL, "the XML is not an hwloc topology");
	}
	return load_and_fill(layout, topology, "XML", diag);
}

/* An upper bound of the CPUs that a synthetic description asks for: the product of its numbers
 * outside parentheses. hwloc builds whatever is asked, so this is checked before it does. */
static uint64_t bound_cpus(const char *text)
{
	uint64_t product = 1;
	uint32_t depth = 0;
	char before = ' ';

	for (const char *p = text; *p; before = *p++) {
		uint64_t value = 0;

		depth += *p == '(';
		depth -= depth && *p == ')';
		if (depth || *p < '0' || *p > '9' || (before != ':' && before != ' '))
			continue;
		for (; *p >= '0' && *p <= '9'; p++)
			value = hn_min_u64(value * 10 + (uint64_t)(*p - '0'), UINT32_MAX);
		product = hn_min_u64(product * hn_max_u64(value, 1), UINT32_MAX);
		p--;
	}
	return product;
}

int hn_topo_read_synthetic(struct hn_layout *layout, const char *text, struct hn_diag *diag)
{
	hwloc_topology_t topology;

	if (bound_cpus(text) > HN_CPUS_MAX)
		return hn_diag_set(diag, -E2BIG, "the machine has more than %d CPUs, the limit",
				   HN_CPUS_MAX);
	if (hwloc_topology_init(&topology))
		return hn_diag_set(diag, -ENOMEM, "hwloc cannot start");
	if (hwloc_topology_set_synthetic(topology, text)) {
		hwloc_topology_destroy(topology);
		return hn_diag_set(diag, -EINVAL, "'%.200s' is not an hwloc synthetic description",
				   text);
	}
	return load_and_fill(layout, topology, "synthetic description", diag);
}

/* hwloc wants PUs as the last level, unless there are only numbers; asking it about a text
 * without any leaks memory in 2.9. */
bool hn_topo_is_synthetic(const char *text)
{
	bool is_plain = text[0] && !text[strspn(text, "0123456789 ")];
	hwloc_topology_t topology;
	bool is_valid;

	if (!is_plain && !strcasestr(text, "pu:"))
		return false;
	if (hwloc_topology_init(&topology))
		return false;
	is_valid = hwloc_topology_set_synthetic(topology, text) == 0;
	hwloc_topology_destroy(topology);
	return is_valid;
}
