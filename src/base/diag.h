/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diag.h - one error, told to a person: what is wrong, where, and what was expected.
 *
 * Every function that reads a person's file, a trace or the system takes a
 * `struct hn_diag *`, last and optional (NULL is fine). It is untouched on success. The
 * first report wins: a caller may add context in front but never replaces the cause.
 * Messages are lower case, without a full stop, cause first, names in single quotes.
 * Library code fills a diagnostic; only cli/ and lab/ print one. */
#ifndef HN_BASE_DIAG_H
#define HN_BASE_DIAG_H

#include "base/types.h"

#define HN_DIAG_TEXT_BYTES 512
#define HN_DIAG_FILE_BYTES 256

struct hn_diag {
	char text[HN_DIAG_TEXT_BYTES]; /* the message; empty: nothing reported */
	char file[HN_DIAG_FILE_BYTES]; /* file the message is about; may be empty */
	uint32_t line;                 /* 1-based; 0: unknown */
	uint32_t column;               /* 1-based; 0: unknown */
};

void hn_diag_reset(struct hn_diag *diag);

/* Records a message without a place. Returns `err` (a negative errno), so that a function
 * can report and return in one statement. A diagnostic that is already set stays as it is. */
int hn_diag_set(struct hn_diag *diag, int err, const char *fmt, ...) HN_PRINTF(3, 4);

/* The same with a place. `line` and `column` are 1-based, 0 where unknown. */
int hn_diag_at(struct hn_diag *diag, int err, const char *file, uint32_t line, uint32_t column,
	       const char *fmt, ...) HN_PRINTF(6, 7);

/* Writes "file:line:column: text" (leaving out what is unknown) into buf, always terminated. */
void hn_diag_format(const struct hn_diag *diag, char *buf, size_t buf_bytes);

#endif
