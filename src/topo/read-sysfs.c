/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "topo/id-list.h"
#include "topo/readers.h"

#define PATH_BYTES 4096
#define ATTR_BYTES_MAX ((size_t)64 << 10)
#define CACHES_MAX 16 /* cache/index0 .. index15 of one CPU */

/* Source: the kernel's Documentation/ABI/stable/sysfs-devices-node and sysfs-devices-system-cpu.
 * Attributes are missing in old kernels and in recordings that were cut down; each question
 * below falls back to an older attribute, and at last to the plainest answer. */
struct reader {
	struct hn_layout *layout;
	struct hn_diag *diag;
	const char *root;
	struct hn_arena scratch;   /* reset after each file */
	struct hn_id_set *online;  /* CPUs to take */
	struct hn_id_set *in_node; /* CPUs that a node named */
	struct hn_id_set *set;     /* scratch */
};

/* The text of an attribute below root, or NULL where it is not there or unreadable.
 * Lives until the next call. */
static const char *read_attr(struct reader *r, const char *fmt, ...) HN_PRINTF(2, 3);

static const char *read_attr(struct reader *r, const char *fmt, ...)
{
	char path[PATH_BYTES];
	struct hn_file_text text;
	va_list args;
	int len = snprintf(path, sizeof(path), "%s/sys/devices/system/", r->root);

	va_start(args, fmt);
	if (len > 0 && (size_t)len < sizeof(path))
		len += vsnprintf(path + len, sizeof(path) - (size_t)len, fmt, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(path))
		return NULL;
	hn_arena_reset(&r->scratch);
	if (hn_file_read(&r->scratch, path, ATTR_BYTES_MAX, &text, NULL))
		return NULL;
	return text.bytes;
}

/* Errors name the attribute; where the root lies, the caller's message tells. */
static int parse_list(struct reader *r, const char *text, const char *what,
		      struct hn_id_set *set)
{
	memset(set, 0, sizeof(*set));
	return hn_id_list_parse(text, what, set, r->diag);
}

/* Numbers of the directories NAME<number> in a folder. */
static int list_dirs(struct reader *r, const char *folder, const char *name,
		     struct hn_id_set *set)
{
	size_t name_len = strlen(name);
	char path[PATH_BYTES];
	struct dirent *entry;
	DIR *dir;

	memset(set, 0, sizeof(*set));
	snprintf(path, sizeof(path), "%s/sys/devices/system/%s", r->root, folder);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		const char *digits = entry->d_name + name_len;
		size_t nr_digits;

		if (strncmp(entry->d_name, name, name_len))
			continue;
		nr_digits = strspn(digits, "0123456789");
		if (nr_digits && nr_digits <= 5 && !digits[nr_digits] &&
		    strtoul(digits, NULL, 10) < HN_ID_MAX)
			hn_bitmap_add(set->words, (uint32_t)strtoul(digits, NULL, 10));
	}
	closedir(dir);
	return 0;
}

/* "Node 0 MemTotal:  6000000 kB"; unknown keys and odd lines are passed over. */
static uint64_t find_mem_total(const char *text)
{
	const char *at = text ? strstr(text, "MemTotal:") : NULL;
	unsigned long long kib;
	char *end;

	if (!at)
		return HN_LAYOUT_MEM_UNKNOWN;
	at += strlen("MemTotal:");
	at += strspn(at, " \t");
	if (*at < '0' || *at > '9')
		return HN_LAYOUT_MEM_UNKNOWN;
	kib = strtoull(at, &end, 10);
	if (kib > HN_LAYOUT_MEM_MAX_BYTES >> 10)
		return HN_LAYOUT_MEM_UNKNOWN;
	return (uint64_t)kib << 10;
}

static int read_online_cpus(struct reader *r)
{
	const char *text = read_attr(r, "cpu/online");
	int err;

	if (text)
		return parse_list(r, text, "cpu/online", r->online);
	err = list_dirs(r, "cpu", "cpu", r->online);
	if (err)
		return hn_diag_set(r->diag, err, "there is no folder sys/devices/system/cpu");
	hn_bitmap_for_each(id, r->online->words, HN_ID_MAX) {
		text = read_attr(r, "cpu/cpu%u/online", id);
		if (text && text[0] == '0')
			hn_bitmap_remove(r->online->words, id);
	}
	return 0;
}

/* The CPUs that share something: read from the first of the attributes that is there. A name
 * with "list" in it holds a list, others hold a mask. The label is the set's lowest member. */
static int32_t read_shared(struct reader *r, uint32_t cpu, const char *const *names, size_t nr)
{
	for (size_t n = 0; n < nr; n++) {
		const char *text = read_attr(r, "cpu/cpu%u/%s", cpu, names[n]);
		int err;

		if (!text)
			continue;
		memset(r->set, 0, sizeof(*r->set));
		err = strstr(names[n], "list") ?
		      hn_id_list_parse(text, names[n], r->set, NULL) :
		      hn_id_mask_parse(text, names[n], r->set, NULL);
		if (!err && hn_id_set_has(r->set, (int32_t)cpu))
			return hn_id_set_first(r->set);
	}
	return -1;
}

struct llc {
	uint32_t level;
	uint32_t index;
};

/* The highest level of a cache that holds data. */
static bool find_llc(struct reader *r, uint32_t cpu, struct llc *ret_llc)
{
	struct llc best = { 0 };

	for (uint32_t i = 0; i < CACHES_MAX; i++) {
		const char *text = read_attr(r, "cpu/cpu%u/cache/index%u/level", cpu, i);
		uint32_t level;

		if (!text || text[0] < '1' || text[0] > '9')
			continue;
		level = (uint32_t)(text[0] - '0');
		text = read_attr(r, "cpu/cpu%u/cache/index%u/type", cpu, i);
		if (text && !strncmp(text, "Instruction", 11))
			continue;
		if (level > best.level)
			best = (struct llc){ .level = level, .index = i };
	}
	*ret_llc = best;
	return best.level > 0;
}

static int32_t read_llc_label(struct reader *r, uint32_t cpu, const struct llc *llc)
{
	char list[64], map[64];
	const char *names[] = { list, map };

	snprintf(list, sizeof(list), "cache/index%u/shared_cpu_list", llc->index);
	snprintf(map, sizeof(map), "cache/index%u/shared_cpu_map", llc->index);
	return read_shared(r, cpu, names, HN_ARRAY_LEN(names));
}

/* ASSUMES: last-level caches are alike; the first CPU's with a size stands for all. */
static void read_llc_size(struct reader *r, uint32_t cpu, const struct llc *llc)
{
	const char *text = read_attr(r, "cpu/cpu%u/cache/index%u/size", cpu, llc->index);
	unsigned long long size;
	char *end;

	if (r->layout->llc_bytes || !text || text[0] < '0' || text[0] > '9')
		return;
	size = strtoull(text, &end, 10);
	if (size == 0 || size > 1ULL << 30)
		return;
	if (*end == 'K')
		r->layout->llc_bytes = (uint64_t)size << 10;
	else if (*end == 'M')
		r->layout->llc_bytes = (uint64_t)size << 20;
	text = read_attr(r, "cpu/cpu%u/cache/index%u/coherency_line_size", cpu, llc->index);
	if (text)
		r->layout->line_bytes = (uint32_t)strtoul(text, NULL, 10);
}

static uint64_t label_or(int32_t label, uint64_t fallback)
{
	return label >= 0 ? (uint64_t)label : fallback;
}

/* Labels of packages whose number alone is told lie above all CPU numbers. */
static uint64_t read_package(struct reader *r, uint32_t cpu)
{
	static const char *const names[] = {
		"topology/package_cpus_list", "topology/core_siblings_list",
		"topology/core_siblings",
	};
	const char *text = read_attr(r, "cpu/cpu%u/topology/physical_package_id", cpu);

	if (text && text[0] >= '0' && text[0] <= '9')
		return HN_ID_MAX + (uint64_t)strtoul(text, NULL, 10);
	return label_or(read_shared(r, cpu, names, HN_ARRAY_LEN(names)), 0);
}

static int add_cpu(struct reader *r, uint32_t id, int32_t node_os_id)
{
	static const char *const core_names[] = {
		"topology/core_cpus_list", "topology/thread_siblings_list",
		"topology/thread_siblings",
	};
	static const char *const cluster_names[] = { "topology/cluster_cpus_list" };
	struct hn_layout_cpu cpu = { .os_id = (int32_t)id, .node_os_id = node_os_id };
	struct llc llc;

	cpu.core = label_or(read_shared(r, id, core_names, HN_ARRAY_LEN(core_names)), id);
	cpu.cluster = label_or(read_shared(r, id, cluster_names, HN_ARRAY_LEN(cluster_names)),
			       cpu.core);
	cpu.pkg = read_package(r, id);
	cpu.llc = cpu.core;
	if (find_llc(r, id, &llc)) {
		cpu.llc = label_or(read_llc_label(r, id, &llc), cpu.core);
		read_llc_size(r, id, &llc);
	}
	hn_bitmap_add(r->in_node->words, id);
	return hn_layout_add_cpu(r->layout, &cpu, r->diag);
}

static int read_node_cpus(struct reader *r, uint32_t node, struct hn_id_set *cpus)
{
	const char *text = read_attr(r, "node/node%u/cpulist", node);
	char what[64];

	snprintf(what, sizeof(what), "node%u/cpulist", node);
	if (text)
		return parse_list(r, text, what, cpus);
	memset(cpus, 0, sizeof(*cpus));
	text = read_attr(r, "node/node%u/cpumap", node);
	return text ? hn_id_mask_parse(text, what, cpus, r->diag) : 0;
}

static int add_node(struct reader *r, uint32_t node, struct hn_id_set *cpus)
{
	uint64_t mem_bytes = find_mem_total(read_attr(r, "node/node%u/meminfo", node));
	int err = hn_layout_add_node(r->layout, (int32_t)node, mem_bytes, r->diag);

	if (!err)
		err = read_node_cpus(r, node, cpus);
	if (err)
		return err;
	hn_bitmap_for_each(id, cpus->words, HN_ID_MAX) {
		if (!hn_id_set_has(r->online, (int32_t)id))
			continue;
		if (hn_id_set_has(r->in_node, (int32_t)id))
			return hn_diag_set(r->diag, -EINVAL, "CPU %u stands in two nodes", id);
		err = add_cpu(r, id, (int32_t)node);
		if (err)
			return err;
	}
	return 0;
}

/* The numbers of a text into values[0 .. HN_NODES_MAX-1]; more are only counted. */
static int read_numbers(struct reader *r, const char *text, int32_t os_id, uint32_t *values,
			uint32_t *ret_nr)
{
	uint32_t nr = 0;

	for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
		char *end;
		unsigned long value = strtoul(text, &end, 10);

		if (end == text || value > UINT16_MAX)
			return hn_diag_set(r->diag, -EINVAL, "node%d/distance holds '%.20s', "
					   "expected numbers", os_id, text);
		if (nr < HN_NODES_MAX)
			values[nr] = (uint32_t)value;
		nr++;
		text = end;
	}
	*ret_nr = nr;
	return 0;
}

/* Columns are the online nodes in ascending order, as they were added.
 * QUIRK: a kernel whose node 0 went offline was recorded (hwloc's offline-cpu0-node0) with a
 * column for each possible node instead; columns are then matched by those numbers. */
static int take_distance_row(struct reader *r, uint32_t row, const uint32_t *values, uint32_t nr)
{
	struct hn_layout *layout = r->layout;
	const char *possible = read_attr(r, "node/possible");
	uint32_t column = 0;

	memset(r->set, 0, sizeof(*r->set));
	if (nr == layout->nr_nodes || nr > HN_NODES_MAX || !possible ||
	    hn_id_list_parse(possible, "node/possible", r->set, NULL) ||
	    hn_bitmap_count(r->set->words, HN_ID_MAX) != nr) {
		if (nr != layout->nr_nodes)
			return hn_diag_set(r->diag, -EINVAL, "cannot read distance of node %d: "
					   "expected %u values, found %u",
					   layout->nodes[row].os_id, layout->nr_nodes, nr);
		memcpy(layout->distance[row], values, nr * sizeof(*values));
		return 0;
	}
	hn_bitmap_for_each(os_id, r->set->words, HN_ID_MAX) {
		int32_t to = hn_layout_find_node(layout, (int32_t)os_id);

		if (to >= 0)
			layout->distance[row][to] = values[column];
		column++;
	}
	return 0;
}

static int read_distance(struct reader *r, uint32_t row)
{
	uint32_t values[HN_NODES_MAX] = { 0 }, nr = 0;
	int32_t os_id = r->layout->nodes[row].os_id;
	const char *text = read_attr(r, "node/node%d/distance", os_id);
	int err;

	if (!text)
		return 0;
	err = read_numbers(r, text, os_id, values, &nr);
	return err ? err : take_distance_row(r, row, values, nr);
}

/* A kernel or sandbox without node folders: one node with everything. */
static int add_only_node(struct reader *r)
{
	char path[PATH_BYTES];
	struct hn_file_text text = { 0 };
	uint64_t mem_bytes = HN_LAYOUT_MEM_UNKNOWN;

	snprintf(path, sizeof(path), "%s/proc/meminfo", r->root);
	hn_arena_reset(&r->scratch);
	if (!hn_file_read(&r->scratch, path, ATTR_BYTES_MAX, &text, NULL))
		mem_bytes = find_mem_total(text.bytes);
	hn_layout_note(r->layout, "no memory nodes are told there, so all CPUs and memory count as "
		       "node 0");
	return hn_layout_add_node(r->layout, 0, mem_bytes, r->diag);
}

/* Directories are trusted; `online` only takes away those that are not online. */
static int list_nodes(struct reader *r, struct hn_id_set *nodes)
{
	const char *text;
	int err = list_dirs(r, "node", "node", nodes);

	if (err)
		memset(nodes, 0, sizeof(*nodes));
	text = read_attr(r, "node/online");
	if (!text)
		return 0;
	err = parse_list(r, text, "node/online", r->set);
	if (err)
		return err;
	for (size_t w = 0; w < HN_ARRAY_LEN(nodes->words); w++)
		nodes->words[w] &= r->set->words[w];
	return 0;
}

static int add_all_nodes(struct reader *r)
{
	struct hn_id_set *nodes = HN_ARENA_NEW(r->layout->arena, struct hn_id_set);
	struct hn_id_set *cpus = HN_ARENA_NEW(r->layout->arena, struct hn_id_set);
	int err = list_nodes(r, nodes);

	if (err)
		return err;
	if (hn_id_set_first(nodes) < 0)
		return add_only_node(r);
	hn_bitmap_for_each(node, nodes->words, HN_ID_MAX) {
		err = add_node(r, node, cpus);
		if (err)
			return err;
	}
	for (uint32_t row = 0; row < r->layout->nr_nodes; row++) {
		err = read_distance(r, row);
		if (err)
			return err;
	}
	return 0;
}

static int add_homeless_cpus(struct reader *r)
{
	int32_t only = r->layout->nr_nodes == 1 ? r->layout->nodes[0].os_id : HN_LAYOUT_NID_NONE;

	hn_bitmap_for_each(id, r->online->words, HN_ID_MAX) {
		int err;

		if (hn_id_set_has(r->in_node, (int32_t)id))
			continue;
		err = add_cpu(r, id, only);
		if (err)
			return err;
	}
	return 0;
}

int hn_topo_read_sysfs(struct hn_layout *layout, const char *root, struct hn_diag *diag)
{
	struct reader r = { .layout = layout, .diag = diag, .root = root };
	int err;

	r.online = HN_ARENA_NEW(layout->arena, struct hn_id_set);
	r.in_node = HN_ARENA_NEW(layout->arena, struct hn_id_set);
	r.set = HN_ARENA_NEW(layout->arena, struct hn_id_set);
	hn_arena_init(&r.scratch);
	err = read_online_cpus(&r);
	if (!err)
		err = add_all_nodes(&r);
	if (!err)
		err = add_homeless_cpus(&r);
	hn_arena_fini(&r.scratch);
	return err;
}
