/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

void hn_strbuf_init(struct hn_strbuf *buf, struct hn_arena *arena)
{
	buf->arena = arena;
	buf->cap_bytes = 256;
	buf->text = hn_arena_alloc(arena, buf->cap_bytes);
	buf->len_bytes = 0;
}

static void make_room(struct hn_strbuf *buf, size_t more_bytes)
{
	size_t need = buf->len_bytes + more_bytes + 1;
	char *text;

	if (need <= buf->cap_bytes)
		return;
	while (buf->cap_bytes < need)
		buf->cap_bytes *= 2;
	text = hn_arena_alloc(buf->arena, buf->cap_bytes);
	memcpy(text, buf->text, buf->len_bytes + 1);
	buf->text = text;
}

void hn_strbuf_add_bytes(struct hn_strbuf *buf, const void *bytes, size_t nr_bytes)
{
	make_room(buf, nr_bytes);
	memcpy(buf->text + buf->len_bytes, bytes, nr_bytes);
	buf->len_bytes += nr_bytes;
	buf->text[buf->len_bytes] = 0;
}

void hn_strbuf_add(struct hn_strbuf *buf, const char *text)
{
	hn_strbuf_add_bytes(buf, text, strlen(text));
}

void hn_strbuf_addf(struct hn_strbuf *buf, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	hn_assert(len >= 0);
	make_room(buf, (size_t)len);
	va_start(args, fmt);
	vsnprintf(buf->text + buf->len_bytes, (size_t)len + 1, fmt, args);
	va_end(args);
	buf->len_bytes += (size_t)len;
}
