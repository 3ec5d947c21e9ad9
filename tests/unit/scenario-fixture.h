/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario-fixture.h - machines and files for tests that read scenarios.
 *
 * Files are written into a folder of the test's own under /tmp; it is removed at the end. */
#ifndef HN_TEST_SCENARIO_FIXTURE_H
#define HN_TEST_SCENARIO_FIXTURE_H

#include "base/arena.h"
#include "base/diag.h"
#include "sim/scenario.h"

struct scenario_fixture {
	struct hn_arena arena;
	struct hn_diag diag;
	char dir[64];                     /* data folder: has scenarios/ and scenarios/batteries/ */
	const struct hn_machine *machine; /* two nodes of 4 CPUs, 2 cores of SMT2, 4 GiB each */
	const struct hn_scenario *scn;    /* of the last successful scenario_read() */
};

/* Nodes with `cpus_per_node` CPUs each (pairs share a core), one last-level cache a node. */
struct hn_machine *scenario_machine(struct hn_arena *arena, uint32_t nr_nodes,
				    uint32_t cpus_per_node, uint64_t node_bytes);

int scenario_setup(void **state);
int scenario_teardown(void **state);

/* Writes dir/scenarios/NAME (with its suffix); removed at the end. */
void scenario_write(struct scenario_fixture *f, const char *name, const char *text);

/* Writes the text as scenario "s" and reads "s" followed by `params` ("" or ":k=v"). */
int scenario_read(struct scenario_fixture *f, const char *text, const char *params);

/* The text must be refused at line:column of its file with a message that has `words` in it. */
void scenario_refused(struct scenario_fixture *f, const char *text, uint32_t line,
		      uint32_t column, const char *words);

#endif
