/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - a whole file into memory, with a limit.
 *
 * For files that a person names and for procfs and sysfs, whose sizes are not known before
 * they are read. What is read is bytes, terminated by a NUL that is not counted. */
#ifndef HN_BASE_FILE_H
#define HN_BASE_FILE_H

#include "base/arena.h"
#include "base/diag.h"

struct hn_file_text {
	char *bytes;     /* in the arena; bytes[nr_bytes] is NUL */
	size_t nr_bytes;
};

/* Reads `path` into the arena. Refused: directories, files longer than max_bytes.
 * 0, or -ENOENT, -EACCES, -EISDIR, -E2BIG, -EIO ... with `diag` set. */
int HN_MUST_CHECK hn_file_read(struct hn_arena *arena, const char *path, size_t max_bytes,
			       struct hn_file_text *ret_text, struct hn_diag *diag);

#endif
