/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: each way to name a machine gives the machine meant, or one sentence that says why not.
 * Method: small inputs, written into a temporary folder where a file is needed. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "topo/id-list.h"
#include "topo/topo.h"

#define PATH_BYTES 512

struct fixture {
	struct hn_arena arena;
	struct hn_diag diag;
	char dir[64];
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	assert_non_null(f);
	hn_arena_init(&f->arena);
	snprintf(f->dir, sizeof(f->dir), "/tmp/hn-test-topo-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char command[PATH_BYTES];

	snprintf(command, sizeof(command), "rm -rf '%s'", f->dir);
	assert_int_equal(system(command), 0);
	hn_arena_fini(&f->arena);
	test_free(f);
	return 0;
}

static const char *path_in(struct fixture *f, const char *name)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%s", f->dir, name);
	return hn_arena_strdup(&f->arena, path);
}

/* Writes dir/name and the folders above it. */
static void put(struct fixture *f, const char *name, const char *text)
{
	char *path = hn_arena_strdup(&f->arena, path_in(f, name));
	FILE *file;

	for (char *p = path + strlen(f->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fputs(text, file) >= 0, 1);
	assert_int_equal(fclose(file), 0);
}

static const struct hn_machine *read_machine(struct fixture *f, const char *spec)
{
	struct hn_machine *m = NULL;

	if (hn_topo_read(&f->arena, f->dir, spec, NULL, &m, &f->diag))
		fail_msg("refused: %s", f->diag.text);
	hn_machine_check(m);
	return m;
}

static void assert_refused(struct fixture *f, const char *spec, int err, const char *part)
{
	struct hn_machine *m = NULL;
	char said[HN_DIAG_TEXT_BYTES + HN_DIAG_FILE_BYTES + 32];

	hn_diag_reset(&f->diag);
	assert_int_equal(hn_topo_read(&f->arena, f->dir, spec, NULL, &m, &f->diag), err);
	assert_null(m);
	hn_diag_format(&f->diag, said, sizeof(said));
	if (!strstr(said, part))
		fail_msg("said '%s', expected '%s' in it", said, part);
}

static void assert_has_origin(const struct hn_machine *m, const char *part)
{
	if (!strstr(m->origin, part))
		fail_msg("origin is '%s', expected '%s' in it", m->origin, part);
}

/* numactl */

static const char two_nodes[] = "available: 2 nodes (0-1)\n"
				"node 0 cpus: 0 1 4 5\n"
				"node 0 size: 1024 MB\n"
				"node 0 free: 1000 MB\n"
				"node 1 cpus: 2 3 6 7\n"
				"node 1 size: 2048 MB\n"
				"node 1 free: 2000 MB\n"
				"node distances:\n"
				"node   0   1 \n"
				"  0:  10  21 \n"
				"  1:  21  10 \n";

static void test_numactl__two_nodes(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put(f, "two.txt", two_nodes);
	m = read_machine(f, path_in(f, "two.txt"));
	assert_string_equal(m->name, "two");
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(m->nr_cpus, 8);
	assert_int_equal(m->nodes[1].nr_cpus, 4);
	assert_int_equal(hn_machine_node_cpus(m, 1)[0], 2);
	assert_int_equal(hn_machine_nid(m, 6), 1);
	assert_true(m->nodes[1].mem_bytes == UINT64_C(2048) << 20);
	assert_int_equal(hn_machine_distance(m, 0, 1), 21);
	assert_true(m->is_model_derived);
	assert_string_equal(m->model_name, "derived");
}

/* 90 * (1 + 0.5 * 1.1) = 139.5; a node has 4 CPUs, taken for cores: 16 GB/s, link 16 * 10 / 21. */
static void test_numactl__derived_figures(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put(f, "two.txt", two_nodes);
	m = read_machine(f, path_in(f, "two.txt"));
	assert_true(m->latency_ns[0] == 90);
	assert_true(m->latency_ns[1] > 139.49 && m->latency_ns[1] < 139.51);
	assert_true(m->nodes[0].bw_bytes_per_s == 16e9);
	assert_true(m->link_bw_bytes_per_s[1] > 7.61e9 && m->link_bw_bytes_per_s[1] < 7.63e9);
	assert_true(m->link_bw_bytes_per_s[0] == 0);
}

static void test_numactl__node_without_cpus_and_node_without_memory(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put(f, "odd.txt", "node 0 cpus: 0-1\nnode 0 size: 0 MB\n"
			  "node 2 cpus:\nnode 2 size: 64 MB\n");
	m = read_machine(f, path_in(f, "odd.txt"));
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(m->nodes[1].os_id, 2);
	assert_true(m->nodes[0].mem_bytes == 0);
	assert_true(m->nodes[0].is_top_tier);
	assert_int_equal(m->nodes[1].nr_cpus, 0);
	assert_false(m->nodes[1].is_top_tier);
	assert_int_equal(hn_machine_distance(m, 0, 1), 20);
	assert_has_origin(m, "distances are assumed: 10 local, 20 remote");
}

static void test_numactl__asymmetric_distances_are_kept(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put(f, "a.txt", "node 0 cpus: 0\nnode 0 size: 1 MB\nnode 1 cpus: 1\nnode 1 size: 1 MB\n"
			"node distances:\nnode 0 1\n 0: 10 28\n 1: 21 10\n");
	m = read_machine(f, path_in(f, "a.txt"));
	assert_int_equal(hn_machine_distance(m, 0, 1), 28);
	assert_int_equal(hn_machine_distance(m, 1, 0), 21);
	assert_true(m->latency_ns[1] > m->latency_ns[2]);
}

static void test_numactl__memory_not_told(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put(f, "n.txt", "node 0 cpus: 0 1\n");
	m = read_machine(f, path_in(f, "n.txt"));
	assert_true(m->nodes[0].mem_bytes == UINT64_C(32) << 30);
	assert_has_origin(m, "memory is not told for 1 nodes and assumed to be 32 GiB");
}

static void test_numactl__refusals_name_the_line(void **state)
{
	struct fixture *f = *state;

	put(f, "r.txt", "node 0 cpus: 0 1\nnode 1 cpus: 1 2\n");
	assert_refused(f, path_in(f, "r.txt"), -EINVAL, "r.txt:2: CPU 1 stands twice");
	put(f, "r.txt", "node 0 cpus: 0 x\n");
	assert_refused(f, path_in(f, "r.txt"), -EINVAL, "r.txt:1: CPU list 'x'");
	put(f, "r.txt", "node 0 cpus: 0\nnode 1 cpus: 1\nnode 0 1\n0: 10 20 30\n");
	assert_refused(f, path_in(f, "r.txt"), -EINVAL,
		       "r.txt:4: node 0 has more than 2 distances");
	put(f, "r.txt", "node 0 cpus: 0\nnode 1 cpus: 1\nnode 0 1\n0: 10\n");
	assert_refused(f, path_in(f, "r.txt"), -EINVAL, "node 0 has 1 distances, expected 2");
	put(f, "r.txt", "node 0 cpus:\nnode 0 size: 5 MB\n");
	assert_refused(f, path_in(f, "r.txt"), -EINVAL, "the machine has no CPUs");
	put(f, "r.txt", "node 0 cpus: 0\nnode 1 cpus: 1\nnode 0 1\n0: 10 9\n1: 20 10\n");
	assert_refused(f, path_in(f, "r.txt"), -EINVAL,
		       "the distance of node 0 to node 1 is 9, expected 10 to 255");
}

static void test_numactl__nodes_at_and_beyond_the_limit(void **state)
{
	struct fixture *f = *state;
	char text[4096] = "";
	size_t len = 0;

	for (int n = 0; n < HN_NODES_MAX; n++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "node %d cpus: %d\n", n, n);
	put(f, "l.txt", text);
	assert_int_equal(read_machine(f, path_in(f, "l.txt"))->nr_nodes, HN_NODES_MAX);
	snprintf(text + len, sizeof(text) - len, "node 64 cpus: 64\n");
	put(f, "l.txt", text);
	assert_refused(f, path_in(f, "l.txt"), -E2BIG,
		       "l.txt:65: the machine has more than 64 nodes");
}

static void test_numactl__cpus_at_and_beyond_the_limit(void **state)
{
	struct fixture *f = *state;

	put(f, "c.txt", "node 0 cpus: 0-4095\n");
	assert_int_equal(read_machine(f, path_in(f, "c.txt"))->nr_cpus, HN_CPUS_MAX);
	put(f, "c.txt", "node 0 cpus: 0-4096\n");
	assert_refused(f, path_in(f, "c.txt"), -E2BIG, "more than 4096 CPUs");
}

/* sysfs */

#define NODE "sys/devices/system/node/"
#define CPU "sys/devices/system/cpu/"

static void put_cpu(struct fixture *f, const char *cpu, const char *siblings, const char *pkg)
{
	char name[PATH_BYTES];

	snprintf(name, sizeof(name), CPU "%s/topology/core_cpus_list", cpu);
	put(f, name, siblings);
	snprintf(name, sizeof(name), CPU "%s/topology/physical_package_id", cpu);
	put(f, name, pkg);
	snprintf(name, sizeof(name), CPU "%s/cache/index0/level", cpu);
	put(f, name, "3\n");
	snprintf(name, sizeof(name), CPU "%s/cache/index0/type", cpu);
	put(f, name, "Unified\n");
	snprintf(name, sizeof(name), CPU "%s/cache/index0/shared_cpu_list", cpu);
	put(f, name, siblings);
	snprintf(name, sizeof(name), CPU "%s/cache/index0/size", cpu);
	put(f, name, "2048K\n");
}

/* Nodes 4, 5 and 9; node 5 has memory only, node 9 CPUs only; CPU 3 is offline. */
static void put_tree(struct fixture *f)
{
	put(f, CPU "online", "0-2\n");
	put_cpu(f, "cpu0", "0-1\n", "0\n");
	put_cpu(f, "cpu1", "0-1\n", "0\n");
	put_cpu(f, "cpu2", "2\n", "1\n");
	put(f, CPU "cpu3/online", "0\n");
	put(f, NODE "online", "4-5,9\n");
	put(f, NODE "node4/cpulist", "0-1\n");
	put(f, NODE "node4/meminfo", "\nNode 4 NewThing: 12 kB\nNode 4 MemTotal:  1024 kB\n");
	put(f, NODE "node4/distance", "10 17 20\n");
	put(f, NODE "node5/cpulist", "\n");
	put(f, NODE "node5/meminfo", "Node 5 MemTotal: 4096 kB\n");
	put(f, NODE "node5/distance", "17 10 28\n");
	put(f, NODE "node9/cpulist", "2\n");
	put(f, NODE "node9/meminfo", "Node 9 MemTotal: 0 kB\n");
	put(f, NODE "node9/distance", "20 28 10\n");
}

static void test_sysfs__sparse_memory_only_and_memory_less_nodes(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put_tree(f);
	m = read_machine(f, f->dir);
	assert_int_equal(m->nr_nodes, 3);
	assert_int_equal(m->nr_cpus, 3);
	assert_int_equal(m->nodes[0].os_id, 4);
	assert_int_equal(m->nodes[2].os_id, 9);
	assert_true(m->nodes[0].mem_bytes == 1048576);
	assert_int_equal(m->nodes[1].nr_cpus, 0);
	assert_true(m->nodes[2].mem_bytes == 0);
	assert_int_equal(hn_machine_distance(m, 1, 2), 28);
	assert_int_equal(m->nr_cores, 2);
	assert_int_equal(m->nr_llcs, 2);
	assert_int_equal(m->nr_pkgs, 2);
	assert_int_equal(m->cpus[0].core, m->cpus[1].core);
	assert_true(m->llc_bytes == UINT64_C(2) << 20);
}

static void test_sysfs__distance_row_of_another_length(void **state)
{
	struct fixture *f = *state;

	put_tree(f);
	put(f, NODE "node9/distance", "20 10\n");
	assert_refused(f, f->dir, -EINVAL,
		       "cannot read distance of node 9: expected 3 values, found 2");
}

static void test_sysfs__online_without_a_folder_is_no_node(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put(f, CPU "online", "0\n");
	put(f, NODE "online", "0-1\n");
	put(f, NODE "node0/cpulist", "0\n");
	put(f, NODE "node0/meminfo", "Node 0 MemTotal: 4096 kB\n");
	m = read_machine(f, f->dir);
	assert_int_equal(m->nr_nodes, 1);
}

static void test_sysfs__no_node_folder(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m;

	put(f, CPU "online", "0-3\n");
	put(f, "proc/meminfo", "MemTotal:  8192 kB\n");
	m = read_machine(f, f->dir);
	assert_int_equal(m->nr_nodes, 1);
	assert_int_equal(m->nr_cpus, 4);
	assert_true(m->nodes[0].mem_bytes == UINT64_C(8) << 20);
	assert_has_origin(m, "no memory nodes are told there");
}

static void test_sysfs__empty_folder(void **state)
{
	struct fixture *f = *state;

	assert_refused(f, f->dir, -ENOENT, "there is no folder sys/devices/system/cpu");
}

/* hwloc */

static void test_synthetic__shape(void **state)
{
	struct fixture *f = *state;
	const struct hn_machine *m = read_machine(f,
		"pack:2 [numa(memory=1GB)] l3:2(size=4MB) core:3 pu:2");

	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(m->nr_cpus, 24);
	assert_int_equal(m->nr_cores, 12);
	assert_int_equal(m->nr_llcs, 4);
	assert_int_equal(m->nr_pkgs, 2);
	assert_int_equal(m->cpus[0].core, m->cpus[1].core);
	assert_has_origin(m, "distances are assumed");
}

static void test_synthetic__beyond_the_limits(void **state)
{
	struct fixture *f = *state;

	assert_refused(f, "numa:65 pu:1", -E2BIG, "more than 64 nodes");
	assert_refused(f, "pack:1000 core:1000 pu:1000", -E2BIG, "more than 4096 CPUs");
	assert_refused(f, "pack:2 core:x pu:1", -EINVAL, "is not an hwloc synthetic description");
}

static void test_xml__not_a_topology(void **state)
{
	struct fixture *f = *state;

	put(f, "x.xml", "<?xml version=\"1.0\"?>\n<html></html>\n");
	assert_refused(f, path_in(f, "x.xml"), -EINVAL, "hwloc");
}

/* hwloc 2.9 reads through a null pointer where a set's complete form is missing. */
static void test_xml__set_without_its_complete_form(void **state)
{
	struct fixture *f = *state;

	put(f, "x.xml", "<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n"
			"<object type=\"Machine\" cpuset=\"0x1\" nodeset=\"0x1\""
			" complete_nodeset=\"0x1\">\n</object></topology>\n");
	assert_refused(f, path_in(f, "x.xml"), -EINVAL,
		       "the object on line 3 has only one of cpuset and complete_cpuset");
}

/* names */

static const char model[] =
	"name: two-node\nsummary: A small one.\n"
	"topology: {packages: 2, cores_per_node: 2, memory: 1 GiB, source: invented,"
	" distances: {other_package: 21}}\n"
	"figures:\n"
	"  latency_ns: {value: [[80, 130], [140, 84]], kind: measured, source: invented}\n";

static void test_names__list_is_sorted(void **state)
{
	struct fixture *f = *state;
	struct hn_topo_entry *entries;
	uint32_t nr;

	put(f, "machines/zz.yaml", model);
	put(f, "machines/aa.yaml", model);
	put(f, "machines/README", "not a model");
	assert_int_equal(hn_topo_list(&f->arena, f->dir, &entries, &nr, &f->diag), 0);
	assert_int_equal(nr, 2);
	assert_string_equal(entries[0].name, "aa");
	assert_string_equal(entries[1].name, "zz");
	assert_string_equal(entries[0].summary, "A small one.");
}

static void test_names__unknown_is_answered_with_the_nearest(void **state)
{
	struct fixture *f = *state;

	put(f, "machines/two-node.yaml", model);
	assert_refused(f, "tow-node", -ENOENT, "unknown machine 'tow-node'");
	assert_refused(f, "tow-node", -ENOENT, "(did you mean 'two-node'?)");
	assert_refused(f, "", -EINVAL, "the name of the machine is empty");
}

/* The text's distances are those of the model, so its classes apply: local (80 + 84) / 2,
 * remote (130 + 140) / 2. */
static void test_names__model_for_another_topology(void **state)
{
	struct fixture *f = *state;
	struct hn_machine *m = NULL;

	put(f, "machines/two-node.yaml", model);
	put(f, "two.txt", two_nodes);
	assert_int_equal(hn_topo_read(&f->arena, f->dir, path_in(f, "two.txt"), "two-node", &m,
				      &f->diag), 0);
	assert_string_equal(m->model_name, "two-node");
	assert_false(m->is_model_derived);
	assert_int_equal(m->nr_cpus, 8);
	assert_true(m->latency_ns[0] == 82);
	assert_true(m->latency_ns[3] == 82);
	assert_true(m->latency_ns[1] == 135);
	assert_int_equal(hn_topo_read(&f->arena, f->dir, path_in(f, "two.txt"), "tow-node", &m,
				      &f->diag), -ENOENT);
	assert_non_null(strstr(f->diag.text, "unknown machine model 'tow-node'"));
}

static void test_names__file_that_is_nothing(void **state)
{
	struct fixture *f = *state;

	put(f, "poem.txt", "roses are red\n");
	assert_refused(f, path_in(f, "poem.txt"), -EINVAL, "neither hwloc XML nor");
	put(f, "empty.txt", "");
	assert_refused(f, path_in(f, "empty.txt"), -EINVAL, "neither hwloc XML nor");
}

/* lists */

static void test_id_list__strides_and_holes(void **state)
{
	struct hn_id_set set = { 0 };

	(void)state;
	assert_int_equal(hn_id_list_parse(" 0-10:5,13\n", "x", &set, NULL), 0);
	assert_int_equal(hn_bitmap_count(set.words, HN_ID_MAX), 4);
	assert_true(hn_id_set_has(&set, 10));
	assert_true(hn_id_set_has(&set, 13));
}

static void test_id_list__refused_with_position(void **state)
{
	struct hn_id_set set = { 0 };
	struct hn_diag diag = { 0 };

	(void)state;
	assert_int_equal(hn_id_list_parse("0-3,,7", "cpu/online", &set, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "see character 5"));
	assert_int_equal(hn_id_list_parse("7-3", "x", &set, NULL), -EINVAL);
	assert_int_equal(hn_id_list_parse("1,", "x", &set, NULL), -EINVAL);
	assert_int_equal(hn_id_list_parse("65536", "x", &set, NULL), -EINVAL);
	assert_int_equal(hn_id_list_parse("65535", "x", &set, NULL), 0);
}

/* Bits 0 and 1 of the low word, bit 4 of the next: 36. */
static void test_id_mask__words(void **state)
{
	struct hn_id_set set = { 0 };

	(void)state;
	assert_int_equal(hn_id_mask_parse("00000000,00000010,00000003\n", "x", &set, NULL), 0);
	assert_int_equal(hn_bitmap_count(set.words, HN_ID_MAX), 3);
	assert_true(hn_id_set_has(&set, 0));
	assert_true(hn_id_set_has(&set, 36));
	assert_int_equal(hn_id_mask_parse("zz", "x", &set, NULL), -EINVAL);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_numactl__two_nodes),
		T(test_numactl__derived_figures),
		T(test_numactl__node_without_cpus_and_node_without_memory),
		T(test_numactl__asymmetric_distances_are_kept),
		T(test_numactl__memory_not_told),
		T(test_numactl__refusals_name_the_line),
		T(test_numactl__nodes_at_and_beyond_the_limit),
		T(test_numactl__cpus_at_and_beyond_the_limit),
		T(test_sysfs__sparse_memory_only_and_memory_less_nodes),
		T(test_sysfs__distance_row_of_another_length),
		T(test_sysfs__online_without_a_folder_is_no_node),
		T(test_sysfs__no_node_folder),
		T(test_sysfs__empty_folder),
		T(test_synthetic__shape),
		T(test_synthetic__beyond_the_limits),
		T(test_xml__not_a_topology),
		T(test_xml__set_without_its_complete_form),
		T(test_names__list_is_sorted),
		T(test_names__unknown_is_answered_with_the_nearest),
		T(test_names__model_for_another_topology),
		T(test_names__file_that_is_nothing),
		T(test_id_list__strides_and_holes),
		T(test_id_list__refused_with_position),
		T(test_id_mask__words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
