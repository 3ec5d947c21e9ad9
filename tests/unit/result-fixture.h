/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result-fixture.h - sets of runs for the tests of reports, built call by call. */
#ifndef HN_TESTS_RESULT_FIXTURE_H
#define HN_TESTS_RESULT_FIXTURE_H

#include "report/result.h"

#define FIXTURE_RUNS_MAX 16

struct result_fixture {
	struct hn_arena arena;
	struct hn_result_set set;
};

void result_fixture_init(struct result_fixture *fixture);
void result_fixture_fini(struct result_fixture *fixture);

/* Appends a run of scenario numa01 on machine 2n with seed 1 + run; the run's number is that of
 * earlier runs of the policy. Everything else is zero or empty. */
struct hn_result_run *result_fixture_add(struct result_fixture *fixture, const char *policy);

/* The same with one metric, lower is better. */
struct hn_result_run *result_fixture_add_time(struct result_fixture *fixture, const char *policy,
					      double elsp_s);

/* The text of the table of the set's first group. */
const char *result_fixture_text(struct result_fixture *fixture);

#endif
