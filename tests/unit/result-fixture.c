/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "result-fixture.h"

#include <string.h>

#include "base/assert.h"
#include "report/table.h"

void result_fixture_init(struct result_fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	hn_arena_init(&fixture->arena);
	fixture->set.runs = HN_ARENA_ARRAY(&fixture->arena, struct hn_result_run,
					   FIXTURE_RUNS_MAX);
	fixture->set.program_version = "0.1.0";
}

void result_fixture_fini(struct result_fixture *fixture)
{
	hn_arena_fini(&fixture->arena);
}

struct hn_result_run *result_fixture_add(struct result_fixture *fixture, const char *policy)
{
	struct hn_result_run *run;
	uint32_t number = 0;

	hn_assert(fixture->set.nr_runs < FIXTURE_RUNS_MAX);
	for (uint32_t r = 0; r < fixture->set.nr_runs; r++)
		number += !strcmp(fixture->set.runs[r].record.policy, policy);
	run = &fixture->set.runs[fixture->set.nr_runs++];
	run->record.scenario = "numa01";
	run->record.machine = "2n";
	run->record.policy = policy;
	run->record.run = number;
	run->record.seed = 1 + number;
	run->machine_model = "2n";
	run->program_version = "0.1.0";
	return run;
}

struct hn_result_run *result_fixture_add_time(struct result_fixture *fixture, const char *policy,
					      double elsp_s)
{
	struct hn_result_run *run = result_fixture_add(fixture, policy);

	hn_record_add_metric(&run->record, "elsp-NUMA01", elsp_s, HN_BETTER_LOWER);
	return run;
}

const char *result_fixture_text(struct result_fixture *fixture)
{
	struct hn_result_group *groups;
	struct hn_table table;
	struct hn_strbuf buf;
	uint32_t nr_groups;

	hn_result_group(&fixture->arena, &fixture->set, &groups, &nr_groups);
	hn_assert(nr_groups > 0);
	hn_table_build(&fixture->arena, &groups[0], NULL, &table);
	hn_strbuf_init(&buf, &fixture->arena);
	hn_table_text(&table, &buf);
	return buf.text;
}
