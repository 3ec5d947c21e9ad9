/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: a machine model says what its file says, and what it leaves out follows the stated rule.
 * The models of the repository are read too; HN_DATA_DIR is the folder that holds machines/. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/strbuf.h"
#include "topo/machine-model.h"
#include "topo/topo.h"

struct fixture {
	struct hn_arena arena;
	struct hn_diag diag;
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	assert_non_null(f);
	hn_arena_init(&f->arena);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	hn_arena_fini(&f->arena);
	test_free(f);
	return 0;
}

static int read_text(struct fixture *f, const char *text, struct hn_model **ret_model)
{
	const struct hn_yaml_node *root;
	int err = hn_yaml_parse(&f->arena, "m.yaml", text, strlen(text), &root, &f->diag);

	return err ? err : hn_model_read(&f->arena, root, ret_model, &f->diag);
}

#define HEAD "name: x\nsummary: y\n"
#define TWO "topology: {packages: 2, cores_per_node: 3, smt: 2, memory: 1 GiB, source: s, " \
	    "distances: {other_package: 21}}\n"
#define FIGURE(value) "{value: " value ", kind: measured, source: s}\n"

static struct hn_machine *read_machine(struct fixture *f, const char *text)
{
	struct hn_model *model = NULL;

	if (read_text(f, text, &model))
		fail_msg("refused: %u:%u: %s", f->diag.line, f->diag.column, f->diag.text);
	hn_machine_check(model->machine);
	return model->machine;
}

static void assert_refused(struct fixture *f, const char *text, const char *part)
{
	struct hn_model *model = NULL;
	char said[HN_DIAG_TEXT_BYTES + HN_DIAG_FILE_BYTES + 32];

	hn_diag_reset(&f->diag);
	assert_true(read_text(f, text, &model) < 0);
	assert_null(model);
	hn_diag_format(&f->diag, said, sizeof(said));
	if (!strstr(said, part))
		fail_msg("said '%s', expected '%s' in it", said, part);
}

static bool is_near(double value, double expected)
{
	return value > expected * 0.9999 && value < expected * 1.0001;
}

/* 2 packages x 3 cores x 2 threads; second threads come after all first ones: CPU 0 and 6. */
static void test_topology__siblings_last(void **state)
{
	struct hn_machine *m = read_machine(*state, HEAD TWO "figures: {}\n");

	assert_int_equal(m->nr_cpus, 12);
	assert_int_equal(m->nr_cores, 6);
	assert_int_equal(m->nr_llcs, 2);
	assert_int_equal(m->cpus[0].core, m->cpus[6].core);
	assert_int_equal(hn_machine_nid(m, 6), 0);
	assert_int_equal(hn_machine_nid(m, 9), 1);
	assert_int_equal(hn_machine_distance(m, 0, 1), 21);
}

/* Threads of a core are neighbours: CPU 0-3 are core 0, and node 8 begins at CPU 8. */
static void test_topology__siblings_adjacent_and_sparse_ids(void **state)
{
	struct hn_machine *m = read_machine(*state, HEAD
		"topology: {packages: 2, cores_per_node: 2, smt: 4, numbering: siblings-adjacent,"
		" cores_per_llc: 1, node_ids: [0, 8], memory: [1 GiB, 2 GiB], source: s,"
		" distances: {other_package: 40}}\nfigures: {}\n");

	assert_int_equal(m->cpus[3].core, 0);
	assert_int_equal(m->cpus[4].core, 1);
	assert_int_equal(m->nr_llcs, 4);
	assert_int_equal(m->nodes[1].os_id, 8);
	assert_int_equal(hn_machine_nid(m, 8), 1);
	assert_true(m->nodes[1].mem_bytes == UINT64_C(2) << 30);
}

/* Four nodes on two packages, one LLC for the two nodes of a package. */
static void test_topology__llc_over_nodes(void **state)
{
	struct hn_machine *m = read_machine(*state, HEAD
		"topology: {packages: 2, nodes_per_package: 2, cores_per_node: 1, memory: 1g,"
		" nodes_per_llc: 2, source: s, distances: {same_package: 12, other_package: 21}}\n"
		"figures: {}\n");

	assert_int_equal(m->nr_nodes, 4);
	assert_int_equal(m->nr_llcs, 2);
	assert_int_equal(m->cpus[0].llc, m->cpus[1].llc);
	assert_int_equal(hn_machine_distance(m, 0, 1), 12);
	assert_int_equal(hn_machine_distance(m, 1, 2), 21);
}

static const char far_model[] = HEAD
	"topology: {packages: 2, cores_per_node: 4, memory: 1 GiB, source: s,"
	" far_nodes: [{id: 2, memory: 4 GiB}],"
	" distances: [[10, 21, 30], [21, 10, 40], [30, 40, 10]]}\n"
	"figures:\n"
	"  latency_ns: " FIGURE("[[80, 130, 250], [140, 84, 350]]")
	"  link_bandwidth_gb_per_s: " FIGURE("[[50, 20, 8], [21, 52, 7]]");

static void test_figures__matrix_with_a_node_without_cpus(void **state)
{
	struct hn_machine *m = read_machine(*state, far_model);

	assert_true(m->latency_ns[0 * 3 + 1] == 130);
	assert_true(m->latency_ns[1 * 3 + 0] == 140);
	assert_true(m->latency_ns[1 * 3 + 2] == 350);
	assert_true(m->nodes[0].bw_bytes_per_s == 50e9);
	assert_true(m->nodes[1].bw_bytes_per_s == 52e9);
	assert_true(m->link_bw_bytes_per_s[0 * 3 + 1] == 20e9);
	assert_true(m->link_bw_bytes_per_s[0] == 0);
	assert_false(m->nodes[2].is_top_tier);
	assert_false(m->is_model_derived);
}

/* The far node's bandwidth is the best that was measured from outside, its row what others see. */
static void test_figures__row_of_a_node_without_cpus(void **state)
{
	struct hn_machine *m = read_machine(*state, far_model);

	assert_true(m->nodes[2].bw_bytes_per_s == 8e9);
	assert_true(m->latency_ns[2 * 3 + 0] == 250);
	assert_true(m->latency_ns[2 * 3 + 1] == 350);
	assert_true(m->latency_ns[2 * 3 + 2] == 250);
}

static void test_figures__by_distance(void **state)
{
	struct hn_machine *m = read_machine(*state, HEAD TWO
		"figures:\n  latency_ns: " FIGURE("{10: 90, 21: 150}")
		"  node_bandwidth_gb_per_s: " FIGURE("40")
		"  link_bandwidth_gb_per_s: " FIGURE("{21: 18}"));

	assert_true(m->latency_ns[0] == 90);
	assert_true(m->latency_ns[1] == 150);
	assert_true(m->nodes[1].bw_bytes_per_s == 40e9);
	assert_true(m->link_bw_bytes_per_s[1] == 18e9);
}

/* 90 * 1.55; 3 cores x 4 GB/s = 12 GB/s; 12 * 10 / 21. */
static void test_figures__left_out_are_derived(void **state)
{
	struct hn_machine *m = read_machine(*state, HEAD TWO "figures: {}\n");

	assert_true(is_near(m->latency_ns[1], 139.5));
	assert_true(is_near(m->nodes[0].bw_bytes_per_s, 12e9));
	assert_true(is_near(m->link_bw_bytes_per_s[1], 12e9 * 10 / 21));
	assert_true(m->is_model_derived);
	assert_int_equal(m->costs.copy_page_ns, hn_model_default_costs().copy_page_ns);
}

static void test_figures__provenance_names_each_source(void **state)
{
	struct hn_machine *m = read_machine(*state, HEAD TWO
		"figures:\n  freq_ghz: {value: 2.1, kind: vendor, source: data sheet}\n"
		"kernel_costs:\n  fault_ns: {value: 900, kind: estimate, source: guess}\n");
	const char *freq = NULL, *fault = NULL, *latency = NULL;

	for (uint32_t p = 0; p < m->nr_provenance; p++) {
		if (!strcmp(m->provenance[p].what, "freq_ghz"))
			freq = m->provenance[p].source;
		if (!strcmp(m->provenance[p].what, "fault_ns"))
			fault = m->provenance[p].source;
		if (!strcmp(m->provenance[p].what, "latency_ns"))
			latency = m->provenance[p].source;
	}
	assert_string_equal(freq, "vendor: data sheet");
	assert_string_equal(fault, "estimate: guess");
	assert_int_equal(strncmp(latency, "derived: ", 9), 0);
	assert_int_equal(m->costs.fault_ns, 900);
}

static void test_refused__places(void **state)
{
	struct fixture *f = *state;

	assert_refused(f, HEAD TWO "figures:\n  freq_gz: {}\n",
		       "m.yaml:5:3: unknown key 'freq_gz' (did you mean 'freq_ghz'?)");
	assert_refused(f, HEAD TWO "figures:\n  freq_ghz: {value: 2, kind: measured}\n",
		       "m.yaml:5:13: key 'source' is missing");
	assert_refused(f, HEAD TWO "figures:\n  latency_ns: " FIGURE("[[1, 2]]"),
		       "m.yaml:5:23: the matrix has 1 rows, expected 2");
	assert_refused(f, HEAD TWO "figures:\n  latency_ns: " FIGURE("[[1, 2], [3]]"),
		       "m.yaml:5:32: the row has 1 values, expected 2");
	assert_refused(f, HEAD TWO "figures:\n  latency_ns: " FIGURE("{10: 90}"),
		       "there is no value for distance 21");
	assert_refused(f, HEAD TWO "figures:\n  latency_ns: " FIGURE("[[0, 2], [3, 4]]"),
		       "expected 1 to 1e+06");
	assert_refused(f, HEAD "figures: {}\n", "key 'topology' is missing");
}

static void test_refused__topology(void **state)
{
	struct fixture *f = *state;

	assert_refused(f, HEAD "topology: {packages: 64, nodes_per_package: 2, cores_per_node: 1,"
		       " memory: 1g, source: s}\nfigures: {}\n", "128 nodes, the limit is 64");
	assert_refused(f, HEAD "topology: {packages: 2, cores_per_node: 1025, smt: 2,"
		       " memory: 1g, source: s}\nfigures: {}\n", "4100 CPUs, the limit is 4096");
	assert_refused(f, HEAD "topology: {packages: 2, cores_per_node: 1, memory: [1g],"
		       " source: s}\nfigures: {}\n", "the list has 1 entries, expected 2");
	assert_refused(f, HEAD "topology: {packages: 2, cores_per_node: 1, memory: 1g, source: s,"
		       " node_ids: [3, 3]}\nfigures: {}\n", "node 3 is described twice");
	assert_refused(f, HEAD "topology: {packages: 2, cores_per_node: 1, memory: 1g, source: s,"
		       " node_ids: [3, 1]}\nfigures: {}\n", "expected ascending ids");
	assert_refused(f, HEAD "topology: {packages: 2, cores_per_node: 1, memory: 1g, source: s,"
		       " distances: [[10, 9], [20, 10]]}\nfigures: {}\n", "expected 10 to 255");
}

/* Model: 10 -> 80, 21 -> 135 (means). Target has three classes, so ranks do not match:
 * 16 lies 6/11 of the way, 80 + 55 * 6 / 11 = 110; 32 is beyond: 135 * 2.1 / 1.55. */
static void test_project__interpolates_and_goes_on(void **state)
{
	struct fixture *f = *state;
	struct hn_machine *from = read_machine(f, HEAD TWO
		"figures:\n  latency_ns: " FIGURE("[[80, 130], [140, 80]]"));
	struct hn_machine *to = read_machine(f, HEAD
		"topology: {packages: 2, nodes_per_package: 2, cores_per_node: 1, memory: 1g,"
		" source: s, distances: {same_package: 16, other_package: 32}}\nfigures: {}\n");

	hn_model_project(&f->arena, from, to);
	assert_true(is_near(to->latency_ns[0], 80));
	assert_true(is_near(to->latency_ns[1], 110));
	assert_true(is_near(to->latency_ns[2], 135 * 2.1 / 1.55));
}

/* Two classes on both sides: the target's 40 takes the model's 21. */
static void test_project__classes_by_rank(void **state)
{
	struct fixture *f = *state;
	struct hn_machine *from = read_machine(f, HEAD TWO
		"figures:\n  latency_ns: " FIGURE("{10: 80, 21: 130}"));
	struct hn_machine *to = read_machine(f, HEAD
		"topology: {packages: 2, cores_per_node: 1, memory: 1g, source: s,"
		" distances: {other_package: 40}}\nfigures: {}\n");

	hn_model_project(&f->arena, from, to);
	assert_true(to->latency_ns[1] == 130);
}

static void test_models__all_of_the_repository(void **state)
{
	struct fixture *f = *state;
	const char *data_dir = getenv("HN_DATA_DIR");
	struct hn_topo_entry *entries;
	uint32_t nr;

	if (!data_dir) {
		print_message("SKIPPED: HN_DATA_DIR is not set\n");
		skip();
	}
	if (hn_topo_list(&f->arena, data_dir, &entries, &nr, &f->diag))
		fail_msg("%s:%u:%u: %s", f->diag.file, f->diag.line, f->diag.column,
			 f->diag.text);
	assert_true(nr > 0);
	for (uint32_t n = 0; n < nr; n++) {
		struct hn_machine *m;

		assert_int_equal(hn_topo_read(&f->arena, data_dir, entries[n].name, NULL, &m,
					      &f->diag), 0);
		assert_string_equal(m->name, entries[n].name);
	}
}

/* The machines that the mailing-list threads name, by what they say of them. */
static void test_models__machines_of_the_threads(void **state)
{
	static const struct {
		const char *name;
		uint32_t nr_nodes, nr_cpus, nr_pkgs;
	} expected[] = {
		{ "2s-haswell", 2, 48, 2 },
		{ "2s-broadwell", 2, 64, 2 },
		{ "2s-thunderx2", 2, 224, 2 },
		{ "2s-320cpu", 2, 320, 2 },
		{ "2s-emr-256cpu", 2, 256, 2 },
		{ "2s-milan", 2, 256, 2 },
		{ "4n-power8", 4, 192, 2 },
		{ "2n-power9", 2, 160, 2 },
		{ "4n-power7", 4, 128, 4 },
		{ "4n-48cpu", 4, 48, 4 },
	};
	struct fixture *f = *state;
	const char *data_dir = getenv("HN_DATA_DIR");

	if (!data_dir) {
		print_message("SKIPPED: HN_DATA_DIR is not set\n");
		skip();
	}
	for (size_t i = 0; i < HN_ARRAY_LEN(expected); i++) {
		struct hn_machine *m;

		assert_int_equal(hn_topo_read(&f->arena, data_dir, expected[i].name, NULL, &m,
					      &f->diag), 0);
		assert_int_equal(m->nr_nodes, expected[i].nr_nodes);
		assert_int_equal(m->nr_cpus, expected[i].nr_cpus);
		assert_int_equal(m->nr_pkgs, expected[i].nr_pkgs);
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_topology__siblings_last),
		T(test_topology__siblings_adjacent_and_sparse_ids),
		T(test_topology__llc_over_nodes),
		T(test_figures__matrix_with_a_node_without_cpus),
		T(test_figures__row_of_a_node_without_cpus),
		T(test_figures__by_distance),
		T(test_figures__left_out_are_derived),
		T(test_figures__provenance_names_each_source),
		T(test_refused__places),
		T(test_refused__topology),
		T(test_project__interpolates_and_goes_on),
		T(test_project__classes_by_rank),
		T(test_models__all_of_the_repository),
		T(test_models__machines_of_the_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
