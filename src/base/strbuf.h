/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strbuf.h - text that grows, in an arena; always terminated. */
#ifndef HN_BASE_STRBUF_H
#define HN_BASE_STRBUF_H

#include "base/arena.h"

struct hn_strbuf {
	struct hn_arena *arena; /* borrowed for the buffer's life */
	char *text;             /* terminated; lives as long as the arena */
	size_t len_bytes;
	size_t cap_bytes;
};

void hn_strbuf_init(struct hn_strbuf *buf, struct hn_arena *arena);
void hn_strbuf_add(struct hn_strbuf *buf, const char *text);
void hn_strbuf_addf(struct hn_strbuf *buf, const char *fmt, ...) HN_PRINTF(2, 3);

/* Appends bytes, which may contain NUL. */
void hn_strbuf_add_bytes(struct hn_strbuf *buf, const void *bytes, size_t nr_bytes);

#endif
