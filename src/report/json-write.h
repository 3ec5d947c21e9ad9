/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json-write.h - a set of runs as JSON, schema "homenode-result/1" (docs/formats/result.md).
 *
 * One line per run, keys always in the same order, numbers with as many digits as it takes to
 * read the same value back: equal results give equal bytes. A value that is not finite is null.
 * Text that is not UTF-8 has its offending bytes replaced by '?'.
 * Tests: tests/unit/test-result-json.c. */
#ifndef HN_REPORT_JSON_WRITE_H
#define HN_REPORT_JSON_WRITE_H

#include "base/strbuf.h"
#include "report/result.h"

/* Appends the whole document, with a line feed at its end. */
void hn_result_write_json(const struct hn_result_set *set, struct hn_strbuf *buf);

#endif
