/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "topo/id-list.h"
#include "topo/readers.h"

#define LINE_BYTES_MAX 65536
#define CPU_WORD_BYTES 32

/* Source: numactl 2.0.14, numactl.c, hardware() and print_distances(), for the lines:
 *	available: 2 nodes (0-1)
 *	node 0 cpus: 0 1 2 3
 *	node 0 size: 15977 MB
 *	node distances:
 *	node   0   1
 *	  0:  10  20
 * Lines of other forms ("policy:", "node 0 free:", newer kinds) are passed over. */
struct reader {
	struct hn_layout *layout;
	struct hn_diag *diag;
	const char *file;
	uint32_t line_nr;
	bool is_in_matrix;
	uint32_t nr_columns;
	int32_t columns[HN_NODES_MAX]; /* os ids of the matrix's columns */
	struct hn_id_set *cpus;        /* all seen so far */
	struct hn_id_set *word_cpus;   /* scratch */
};

#define refuse(r, err, ...) hn_diag_at((r)->diag, (err), (r)->file, (r)->line_nr, 0, __VA_ARGS__)

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r");
}

/* A number at *at, which is moved behind it and the blanks after; -1 where there is none. */
static int64_t scan_number(const char **at)
{
	const char *p = *at;
	int64_t value = 0;

	if (*p < '0' || *p > '9')
		return -1;
	for (; *p >= '0' && *p <= '9'; p++) {
		value = value * 10 + (*p - '0');
		if (value > INT64_C(1) << 40)
			return -1;
	}
	*at = skip_blanks(p);
	return value;
}

/* The node's order number; a node is added when a line names it first. */
static int find_or_add_node(struct reader *r, int64_t os_id, int32_t *ret_index)
{
	struct hn_diag inner = { 0 };
	int32_t index;
	int err;

	if (os_id < 0 || os_id >= HN_ID_MAX)
		return refuse(r, -EINVAL, "expected the number of a node");
	index = hn_layout_find_node(r->layout, (int32_t)os_id);
	if (index < 0) {
		err = hn_layout_add_node(r->layout, (int32_t)os_id, HN_LAYOUT_MEM_UNKNOWN, &inner);
		if (err)
			return refuse(r, err, "%s", inner.text);
		index = (int32_t)r->layout->nr_nodes - 1;
	}
	*ret_index = index;
	return 0;
}

static int add_cpu(struct reader *r, int32_t node_os_id, int32_t cpu_id)
{
	struct hn_layout_cpu cpu = {
		.os_id = cpu_id,
		.node_os_id = node_os_id,
		.core = (uint64_t)cpu_id,
		.cluster = (uint64_t)cpu_id,
		.llc = (uint64_t)node_os_id,
		.pkg = (uint64_t)node_os_id,
	};
	struct hn_diag inner = { 0 };
	int err;

	if (hn_id_set_has(r->cpus, cpu_id))
		return refuse(r, -EINVAL, "CPU %d stands twice", cpu_id);
	hn_bitmap_add(r->cpus->words, (uint32_t)cpu_id);
	err = hn_layout_add_cpu(r->layout, &cpu, &inner);
	return err ? refuse(r, err, "%s", inner.text) : 0;
}

/* One member of a list of CPUs: "7", or "0-3" as people write who shorten the output. */
static int take_cpu_word(struct reader *r, int32_t node_os_id, const char *word)
{
	struct hn_diag inner = { 0 };
	int err;

	memset(r->word_cpus, 0, sizeof(*r->word_cpus));
	err = hn_id_list_parse(word, "CPU list", r->word_cpus, &inner);
	if (err)
		return refuse(r, err, "%s", inner.text);
	hn_bitmap_for_each(id, r->word_cpus->words, HN_ID_MAX) {
		err = add_cpu(r, node_os_id, (int32_t)id);
		if (err)
			return err;
	}
	return 0;
}

static int take_cpus(struct reader *r, int32_t node_os_id, const char *text)
{
	static const char separators[] = " \t\r,";

	for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
		size_t len = strcspn(text, separators);
		char word[CPU_WORD_BYTES] = "";
		int err;

		if (len >= sizeof(word))
			return refuse(r, -EINVAL, "'%.20s...' is not a CPU number", text);
		memcpy(word, text, len);
		err = take_cpu_word(r, node_os_id, word);
		if (err)
			return err;
		text += len;
	}
	return 0;
}

static int take_size(struct reader *r, int32_t index, const char *text)
{
	int64_t value = scan_number(&text);
	uint64_t unit;

	if (value < 0 || value > INT64_C(1) << 30)
		return refuse(r, -EINVAL, "expected a size such as '15977 MB'");
	if (!strncmp(text, "MB", 2) || !strncmp(text, "MiB", 3))
		unit = UINT64_C(1) << 20;
	else if (!strncmp(text, "GB", 2) || !strncmp(text, "GiB", 3))
		unit = UINT64_C(1) << 30;
	else if (!strncmp(text, "kB", 2))
		unit = UINT64_C(1) << 10;
	else
		return refuse(r, -EINVAL, "expected a size in MB, found '%.20s'", text);
	r->layout->nodes[index].mem_bytes = (uint64_t)value * unit;
	if (r->layout->nodes[index].mem_bytes > HN_LAYOUT_MEM_MAX_BYTES)
		return refuse(r, -E2BIG, "more than 1 PiB of memory on one node");
	return 0;
}

static int take_columns(struct reader *r, const char *text)
{
	r->nr_columns = 0;
	while (*text) {
		int64_t os_id = scan_number(&text);
		int32_t index;
		int err = find_or_add_node(r, os_id, &index);

		if (err)
			return err;
		if (r->nr_columns >= HN_NODES_MAX)
			return refuse(r, -E2BIG, "more than %d columns", HN_NODES_MAX);
		r->columns[r->nr_columns++] = (int32_t)os_id;
	}
	r->is_in_matrix = true;
	return 0;
}

static int take_row(struct reader *r, const char *text)
{
	int64_t os_id = scan_number(&text);
	uint32_t nr = 0;
	int32_t from;
	int err = find_or_add_node(r, os_id, &from);

	if (err)
		return err;
	if (*text != ':')
		return refuse(r, -EINVAL, "expected ':' after node %lld", (long long)os_id);
	text = skip_blanks(text + 1);
	while (*text) {
		int64_t distance = scan_number(&text);

		if (distance < 0 || distance > HN_LAYOUT_DISTANCE_MAX)
			return refuse(r, -EINVAL, "expected a distance of 10 to 255");
		if (nr >= r->nr_columns)
			return refuse(r, -EINVAL, "node %lld has more than %u distances",
				      (long long)os_id, r->nr_columns);
		r->layout->distance[from][hn_layout_find_node(r->layout, r->columns[nr++])] =
			(uint32_t)distance;
	}
	if (nr != r->nr_columns)
		return refuse(r, -EINVAL, "node %lld has %u distances, expected %u",
			      (long long)os_id, nr, r->nr_columns);
	return 0;
}

/* "node ..." in its three forms; `text` stands after the word. */
static int take_node_line(struct reader *r, const char *text)
{
	const char *rest = text;
	int64_t os_id = scan_number(&rest);
	int32_t index;
	int err;

	if (os_id < 0)
		return 0;
	if ((*rest >= '0' && *rest <= '9') || !*rest)
		return take_columns(r, text);
	err = find_or_add_node(r, os_id, &index);
	if (err)
		return err;
	if (!strncmp(rest, "cpus:", 5))
		return take_cpus(r, (int32_t)os_id, skip_blanks(rest + 5));
	if (!strncmp(rest, "size:", 5))
		return take_size(r, index, skip_blanks(rest + 5));
	return 0;
}

static int take_line(struct reader *r, const char *line)
{
	const char *p = skip_blanks(line);

	if (!strncmp(p, "node ", 5))
		return take_node_line(r, skip_blanks(p + 5));
	if (r->is_in_matrix && *p >= '0' && *p <= '9')
		return take_row(r, p);
	if (*p)
		r->is_in_matrix = false;
	return 0;
}

int hn_topo_read_numactl(struct hn_layout *layout, const char *file, const char *text,
			 struct hn_diag *diag)
{
	struct reader r = { .layout = layout, .diag = diag, .file = file };

	r.cpus = HN_ARENA_NEW(layout->arena, struct hn_id_set);
	r.word_cpus = HN_ARENA_NEW(layout->arena, struct hn_id_set);
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line;
		int err;

		r.line_nr++;
		if (len > LINE_BYTES_MAX)
			return refuse(&r, -E2BIG, "line is longer than %d bytes", LINE_BYTES_MAX);
		line = hn_arena_alloc(layout->arena, len + 1);
		memcpy(line, text, len);
		err = take_line(&r, line);
		if (err)
			return err;
		text += len + (text[len] == '\n');
	}
	hn_layout_note(layout, "each CPU is taken for a core and each node for a package, since "
		       "the text does not tell");
	return 0;
}
