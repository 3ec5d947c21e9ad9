/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario-fixture.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static void fill_nodes(struct hn_arena *arena, struct hn_machine *m, uint64_t node_bytes)
{
	uint32_t nr = m->nr_nodes;

	m->nodes = HN_ARENA_ARRAY(arena, struct hn_node, nr);
	m->distance = HN_ARENA_ARRAY(arena, uint16_t, nr * nr);
	m->latency_ns = HN_ARENA_ARRAY(arena, double, nr * nr);
	m->link_bw_bytes_per_s = HN_ARENA_ARRAY(arena, double, nr * nr);
	for (uint32_t n = 0; n < nr; n++) {
		m->nodes[n] = (struct hn_node){ .os_id = (int32_t)n, .mem_bytes = node_bytes,
						.bw_bytes_per_s = 1e10, .is_top_tier = true };
		for (uint32_t k = 0; k < nr; k++) {
			m->distance[n * nr + k] = n == k ? HN_DISTANCE_LOCAL : 20;
			m->latency_ns[n * nr + k] = n == k ? 100 : 200;
			m->link_bw_bytes_per_s[n * nr + k] = n == k ? 0 : 5e9;
		}
	}
}

struct hn_machine *scenario_machine(struct hn_arena *arena, uint32_t nr_nodes,
				    uint32_t cpus_per_node, uint64_t node_bytes)
{
	struct hn_machine *m = HN_ARENA_NEW(arena, struct hn_machine);
	uint32_t nr_cpus = nr_nodes * cpus_per_node;

	*m = (struct hn_machine){
		.name = "test", .origin = "built by the test", .model_name = "derived",
		.nr_nodes = nr_nodes, .nr_cpus = nr_cpus, .nr_cores = nr_cpus / 2,
		.nr_clusters = nr_cpus / 2, .nr_llcs = nr_nodes, .nr_pkgs = nr_nodes,
		.llc_bytes = 16 << 20, .freq_ghz = 2.0, .smt_total_pct = 125, .line_bytes = 64,
	};
	m->cpus = HN_ARENA_ARRAY(arena, struct hn_cpu_place, nr_cpus);
	m->node_cpus = HN_ARENA_ARRAY(arena, hn_cpu, nr_cpus);
	fill_nodes(arena, m, node_bytes);
	for (uint32_t c = 0; c < nr_cpus; c++) {
		int32_t nid = (int32_t)(c / cpus_per_node);

		m->cpus[c] = (struct hn_cpu_place){ .os_id = (int32_t)c, .nid = (hn_nid)nid,
						    .core = (int32_t)(c / 2),
						    .cluster = (int32_t)(c / 2),
						    .llc = nid, .pkg = nid };
	}
	hn_machine_index_cpus(m);
	hn_machine_check(m);
	return m;
}

int scenario_setup(void **state)
{
	struct scenario_fixture *f = test_calloc(1, sizeof(*f));
	char path[128];

	assert_non_null(f);
	hn_arena_init(&f->arena);
	snprintf(f->dir, sizeof(f->dir), "/tmp/test-scenario-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(path, sizeof(path), "%s/scenarios", f->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/scenarios/batteries", f->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	f->machine = scenario_machine(&f->arena, 2, 4, UINT64_C(4) << 30);
	*state = f;
	return 0;
}

int scenario_teardown(void **state)
{
	struct scenario_fixture *f = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -r '%s'", f->dir);
	assert_int_equal(system(command), 0);
	hn_arena_fini(&f->arena);
	test_free(f);
	return 0;
}

void scenario_write(struct scenario_fixture *f, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/scenarios/%s", f->dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

int scenario_read(struct scenario_fixture *f, const char *text, const char *params)
{
	char spec[256];

	scenario_write(f, "s.yaml", text);
	snprintf(spec, sizeof(spec), "s%s", params);
	hn_diag_reset(&f->diag);
	return hn_scenario_read(&f->arena, f->dir, spec, f->machine, &f->scn, &f->diag);
}

void scenario_refused(struct scenario_fixture *f, const char *text, uint32_t line,
		      uint32_t column, const char *words)
{
	const struct hn_scenario *before = f->scn;
	int err = scenario_read(f, text, "");

	if (!err)
		fail_msg("accepted, expected '%s'", words);
	if (!strstr(f->diag.text, words))
		fail_msg("message '%s', expected '%s' in it", f->diag.text, words);
	if (f->diag.line != line || f->diag.column != column)
		fail_msg("'%s' at %u:%u, expected %u:%u", f->diag.text, f->diag.line,
			 f->diag.column, line, column);
	assert_non_null(strstr(f->diag.file, "/scenarios/s.yaml"));
	assert_null(strchr(f->diag.text, '\n'));
	assert_ptr_equal(f->scn, before);
}
