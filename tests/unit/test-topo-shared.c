/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: every recorded machine of the shared collection is read, or refused in one sentence.
 * Method: XML files and unpacked sysfs trees are held against the collection's own index of nodes
 * and CPUs; `numactl -H` texts are written from its list of machines. Needs HN_SHARED. */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>
#include <jansson.h>

#include "base/strbuf.h"
#include "topo/topo.h"

#define PATH_BYTES 1024
#define FIELDS_MAX 24

struct fixture {
	struct hn_arena arena;
	struct hn_diag diag;
	const char *topologies; /* NULL: skip */
	char dir[64];
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));
	const char *shared = getenv("HN_SHARED");
	struct hn_strbuf path;

	assert_non_null(f);
	hn_arena_init(&f->arena);
	hn_strbuf_init(&path, &f->arena);
	if (shared) {
		hn_strbuf_addf(&path, "%s/data/topologies", shared);
		f->topologies = path.text;
	}
	snprintf(f->dir, sizeof(f->dir), "/tmp/hn-test-shared-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	*state = f;
	return 0;
}

static void run(const char *command)
{
	if (system(command))
		fail_msg("failed: %s", command);
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char command[PATH_BYTES];

	snprintf(command, sizeof(command), "chmod -R u+rwX '%s' && rm -rf '%s'", f->dir, f->dir);
	run(command);
	hn_arena_fini(&f->arena);
	test_free(f);
	return 0;
}

static bool is_skipped(const struct fixture *f)
{
	if (!f->topologies)
		print_message("SKIPPED: HN_SHARED is not set, no recorded machine was read\n");
	return !f->topologies;
}

/* Success, or a refusal that is one line of text. NULL for a refusal. */
static const struct hn_machine *read_or_refuse(struct fixture *f, const char *spec)
{
	struct hn_machine *m = NULL;

	hn_diag_reset(&f->diag);
	if (hn_topo_read(&f->arena, f->topologies, spec, NULL, &m, &f->diag)) {
		assert_true(f->diag.text[0] != '\0');
		assert_null(strchr(f->diag.text, '\n'));
		return NULL;
	}
	hn_machine_check(m);
	return m;
}

static const struct hn_machine *read_or_fail(struct fixture *f, const char *spec)
{
	const struct hn_machine *m = read_or_refuse(f, spec);

	if (!m)
		fail_msg("%s: %s", spec, f->diag.text);
	return m;
}

/* One line of the index: fields may be in double quotes. Returns how many there are. */
static uint32_t split_csv(char *line, char **fields)
{
	uint32_t nr = 0;
	char *p = line;

	while (nr < FIELDS_MAX) {
		bool is_quoted = *p == '"';
		char *end;

		p += is_quoted;
		fields[nr++] = p;
		end = p + strcspn(p, is_quoted ? "\"" : ",\r\n");
		p = is_quoted && *end ? end + 1 : end;
		if (*p != ',') {
			*end = '\0';
			break;
		}
		*p++ = '\0';
		*end = '\0';
	}
	return nr;
}

struct row {
	char name[128]; /* without .xml */
	uint32_t nr_nodes;
	uint32_t nr_cpus;
};

enum { FIELD_FILE = 0, FIELD_NODES = 4, FIELD_COMPLETE = 6, FIELD_CPUS = 10 };

/* Nodes that hwloc hides stand in the column of the complete nodeset. */
static bool parse_row(char *line, struct row *row)
{
	char *fields[FIELDS_MAX] = { NULL };
	uint32_t nr = split_csv(line, fields), complete;

	if (nr <= FIELD_CPUS || !strstr(fields[FIELD_FILE], ".xml"))
		return false;
	snprintf(row->name, sizeof(row->name), "%s", fields[FIELD_FILE]);
	*strstr(row->name, ".xml") = '\0';
	row->nr_nodes = (uint32_t)strtoul(fields[FIELD_NODES], NULL, 10);
	complete = (uint32_t)strtoul(fields[FIELD_COMPLETE], NULL, 10);
	if (complete > row->nr_nodes)
		row->nr_nodes = complete;
	row->nr_cpus = (uint32_t)strtoul(fields[FIELD_CPUS], NULL, 10);
	return true;
}

static FILE *open_index(const struct fixture *f)
{
	char path[PATH_BYTES];
	FILE *file;

	snprintf(path, sizeof(path), "%s/index.csv", f->topologies);
	file = fopen(path, "r");
	assert_non_null(file);
	return file;
}

static void assert_sizes(const struct hn_machine *m, const struct row *row)
{
	if (m->nr_nodes != row->nr_nodes || m->nr_cpus != row->nr_cpus)
		fail_msg("%s: %u nodes and %u CPUs, expected %u and %u", row->name, m->nr_nodes,
			 m->nr_cpus, row->nr_nodes, row->nr_cpus);
}

static void test_xml__all_of_the_index(void **state)
{
	struct fixture *f = *state;
	uint32_t nr_files = 0;
	char line[4096];
	struct row row;
	FILE *file;

	if (is_skipped(f))
		skip();
	file = open_index(f);
	while (fgets(line, sizeof(line), file)) {
		char path[PATH_BYTES];

		if (!parse_row(line, &row))
			continue;
		snprintf(path, sizeof(path), "%s/xml/%s.xml", f->topologies, row.name);
		assert_sizes(read_or_fail(f, path), &row);
		nr_files++;
	}
	fclose(file);
	assert_true(nr_files > 0);
}

/* 2990WX: nodes 1 and 3 have CPUs and no memory, hwloc shows nodes 0 and 2 only. */
static void test_xml__hidden_nodes_come_back(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;
	char path[PATH_BYTES];

	if (is_skipped(f))
		skip();
	snprintf(path, sizeof(path), "%s/xml/4n-threadripper-2990wx-memoryless-nodes.xml",
		 f->topologies);
	m = read_or_fail(f, path);
	for (uint32_t n = 0; n < 4; n++) {
		assert_int_equal(m->nodes[n].os_id, n);
		assert_int_equal(m->nodes[n].nr_cpus, 16);
		assert_int_equal(m->nodes[n].mem_bytes > 0, n % 2 == 0);
	}
	assert_non_null(strstr(m->origin, "2 nodes without memory, which hwloc hides"));
}

/* Looks the tree's row up by the name of the tarball, which is that of its XML. */
static bool find_row(const struct fixture *f, const char *name, struct row *row)
{
	FILE *file = open_index(f);
	bool is_found = false;
	char line[4096];

	while (!is_found && fgets(line, sizeof(line), file))
		is_found = parse_row(line, row) && !strcmp(row->name, name);
	fclose(file);
	return is_found;
}

/* The folder that holds sys/, at most three levels down. */
static bool find_root(const char *dir, uint32_t levels, char *ret_root)
{
	struct dirent *entry;
	struct stat st;
	char path[PATH_BYTES];
	bool is_found;
	DIR *d;

	snprintf(path, sizeof(path), "%s/sys/devices/system", dir);
	if (!stat(path, &st)) {
		snprintf(ret_root, PATH_BYTES, "%s", dir);
		return true;
	}
	d = levels ? opendir(dir) : NULL;
	if (!d)
		return false;
	for (is_found = false; !is_found && (entry = readdir(d));) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%.700s/%.255s", dir, entry->d_name);
		is_found = find_root(path, levels - 1, ret_root);
	}
	closedir(d);
	return is_found;
}

static void check_tarball(struct fixture *f, const char *file)
{
	char command[4 * PATH_BYTES], dir[PATH_BYTES], root[PATH_BYTES];
	const struct hn_machine *m;
	struct row row;

	snprintf(dir, sizeof(dir), "%s/%s", f->dir, file);
	snprintf(command, sizeof(command), "mkdir '%s' && tar -C '%s' -xf '%s/sysfs/%s' && "
		 "chmod -R u+rwX '%s'", dir, dir, f->topologies, file, dir);
	run(command);
	assert_true(find_root(dir, 3, root));
	m = read_or_fail(f, root);
	snprintf(dir, sizeof(dir), "%s", file);
	*strstr(dir, ".tar") = '\0';
	if (find_row(f, dir, &row))
		assert_sizes(m, &row);
}

static void test_sysfs__all_tarballs(void **state)
{
	struct fixture *f = *state;
	uint32_t nr_files = 0;
	struct dirent *entry;
	char path[PATH_BYTES];
	DIR *d;

	if (is_skipped(f))
		skip();
	snprintf(path, sizeof(path), "%s/sysfs", f->topologies);
	d = opendir(path);
	assert_non_null(d);
	while ((entry = readdir(d))) {
		if (!strstr(entry->d_name, ".tar."))
			continue;
		check_tarball(f, entry->d_name);
		nr_files++;
	}
	closedir(d);
	assert_true(nr_files > 0);
}

/* What `numactl -H` prints of one node; what is not known is left out. */
static void add_node_text(struct hn_strbuf *text, json_t *node)
{
	json_int_t id = json_integer_value(json_object_get(node, "id"));
	json_t *cpus = json_object_get(node, "cpus"), *mem = json_object_get(node, "mem_mib");

	if (json_is_string(cpus))
		hn_strbuf_addf(text, "node %lld cpus: %s\n", (long long)id,
			       json_string_value(cpus));
	if (json_is_integer(mem))
		hn_strbuf_addf(text, "node %lld size: %lld MB\n", (long long)id,
			       (long long)json_integer_value(mem));
}

static bool has_null(json_t *rows)
{
	size_t i, k;
	json_t *row, *value;

	json_array_foreach(rows, i, row) {
		json_array_foreach(row, k, value) {
			if (!json_is_integer(value))
				return true;
		}
	}
	return false;
}

static void add_distance_text(struct hn_strbuf *text, json_t *nodes, json_t *rows)
{
	size_t i, k;
	json_t *row, *value, *node;

	if (!json_is_array(rows) || has_null(rows))
		return;
	hn_strbuf_add(text, "node distances:\nnode ");
	json_array_foreach(nodes, i, node)
		hn_strbuf_addf(text, "%3lld ",
			       (long long)json_integer_value(json_object_get(node, "id")));
	hn_strbuf_add(text, "\n");
	json_array_foreach(rows, i, row) {
		node = json_array_get(nodes, i);
		hn_strbuf_addf(text, "%3lld: ",
			       (long long)json_integer_value(json_object_get(node, "id")));
		json_array_foreach(row, k, value)
			hn_strbuf_addf(text, "%3lld ", (long long)json_integer_value(value));
		hn_strbuf_add(text, "\n");
	}
}

static bool has_cpus_and_memory(json_t *nodes)
{
	bool has_cpus = false, has_memory = false;
	size_t i;
	json_t *node;

	json_array_foreach(nodes, i, node) {
		json_t *cpus = json_object_get(node, "cpus");
		json_t *mem = json_object_get(node, "mem_mib");

		has_cpus |= json_is_string(cpus) && json_string_length(cpus);
		has_memory |= !json_is_integer(mem) || json_integer_value(mem);
	}
	return has_cpus && has_memory;
}

/* A list without CPUs or without memory anywhere must be refused, all others be read. */
static void check_numactl(struct fixture *f, json_t *entry)
{
	json_t *nodes = json_object_get(entry, "nodes");
	json_t *rows = json_object_get(entry, "distances");
	const char *id = json_string_value(json_object_get(entry, "id"));
	const struct hn_machine *m;
	struct hn_strbuf text, path;
	size_t i;
	json_t *node;
	FILE *file;

	hn_strbuf_init(&text, &f->arena);
	hn_strbuf_init(&path, &f->arena);
	json_array_foreach(nodes, i, node)
		add_node_text(&text, node);
	add_distance_text(&text, nodes, rows);
	hn_strbuf_addf(&path, "%s/%s.txt", f->dir, id);
	file = fopen(path.text, "w");
	assert_non_null(file);
	fwrite(text.text, 1, text.len_bytes, file);
	fclose(file);
	m = read_or_refuse(f, path.text);
	if (!!m != has_cpus_and_memory(nodes))
		fail_msg("%s: %s", id, m ? "read, expected a refusal" : f->diag.text);
	if (m && json_is_array(rows) && !has_null(rows))
		assert_int_equal(m->nr_nodes, json_array_size(nodes));
}

static void test_numactl__all_machines_of_the_list(void **state)
{
	struct fixture *f = *state;
	char path[PATH_BYTES];
	json_t *list, *entry;
	json_error_t error;
	size_t i;

	if (is_skipped(f))
		skip();
	snprintf(path, sizeof(path), "%s/numactl/machines.json", f->topologies);
	list = json_load_file(path, 0, &error);
	if (!list)
		fail_msg("%s: %s", path, error.text);
	assert_true(json_array_size(list) > 0);
	json_array_foreach(list, i, entry)
		check_numactl(f, entry);
	json_decref(list);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_xml__all_of_the_index),
		T(test_xml__hidden_nodes_come_back),
		T(test_sysfs__all_tarballs),
		T(test_numactl__all_machines_of_the_list),
	};

	if (!getenv("HN_SHARED")) {
		puts("SKIPPED: HN_SHARED is not set, no recorded machine was read");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
