/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json-read.h - reads the schema "homenode-result/1" back (docs/formats/result.md).
 *
 * Anybody may write such files, so everything is checked: syntax (refused with line and column),
 * the schema's name, the keys of the fixed frame with their types, and the limits below. The keys
 * that homenode adds to the frame may be absent; keys, counters and reasons that this version does
 * not know are ignored. Where "better" does not name a metric, one that begins with "tput-"
 * counts as a rate and all others as times.
 *
 * Everything returned lives in the arena. Tests: tests/unit/test-result-json.c,
 * tests/fuzz/fuzz-result.c. */
#ifndef HN_REPORT_JSON_READ_H
#define HN_REPORT_JSON_READ_H

#include "report/result.h"

#define HN_RESULT_FILE_BYTES_MAX ((size_t)256 << 20)
#define HN_RESULT_RUNS_MAX 100000
#define HN_RESULT_WINDOWS_MAX 10000000 /* of one run: 115 days of windows of one second */
#define HN_RESULT_FIELDS_MAX 1024      /* of a policy */
#define HN_RESULT_NAME_BYTES_MAX 4096  /* of a scenario, machine, policy or field */

/* Parses a text; `file` is for messages. 0, or -EINVAL, -E2BIG with diag. */
int HN_MUST_CHECK hn_result_parse_json(struct hn_arena *arena, const char *file,
				       const char *bytes, size_t nr_bytes,
				       struct hn_result_set *ret_set, struct hn_diag *diag);

/* The same from a file. */
int HN_MUST_CHECK hn_result_read_json(struct hn_arena *arena, const char *path,
				      struct hn_result_set *ret_set, struct hn_diag *diag);

#endif
