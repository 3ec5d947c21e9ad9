/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define ALIGN_BYTES 64
#define CHUNK_BYTES_MIN (64 * 1024)

struct hn_arena_chunk {
	struct hn_arena_chunk *next;
	size_t size_bytes; /* payload that follows the header */
	size_t used_bytes;
};

#define HEADER_BYTES ((sizeof(struct hn_arena_chunk) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES)

static HN_NORETURN void out_of_memory(size_t bytes)
{
	fprintf(stderr, "homenode: out of memory: cannot get %zu bytes\n", bytes);
	exit(3);
}

/* calloc, not malloc and memset: large zeroed blocks then come untouched from the kernel,
 * and a page array that is never written costs nothing. */
static struct hn_arena_chunk *chunk_create(size_t payload_bytes)
{
	size_t total = HEADER_BYTES + payload_bytes + ALIGN_BYTES;
	struct hn_arena_chunk *chunk = calloc(1, total);

	if (!chunk)
		out_of_memory(total);
	chunk->size_bytes = payload_bytes;
	return chunk;
}

static char *payload(struct hn_arena_chunk *chunk)
{
	uintptr_t start = (uintptr_t)chunk + HEADER_BYTES;

	return (char *)((start + ALIGN_BYTES - 1) & ~(uintptr_t)(ALIGN_BYTES - 1));
}

void hn_arena_init(struct hn_arena *arena)
{
	memset(arena, 0, sizeof(*arena));
}

void hn_arena_reset(struct hn_arena *arena)
{
	struct hn_arena_chunk *chunk = arena->chunks;

	while (chunk) {
		struct hn_arena_chunk *next = chunk->next;
#ifdef HN_POISON
		memset(payload(chunk), 0xa5, chunk->used_bytes);
#endif
		free(chunk);
		chunk = next;
	}
	hn_arena_init(arena);
}

void hn_arena_fini(struct hn_arena *arena)
{
	hn_arena_reset(arena);
}

/* A block larger than a chunk gets one of its own, put behind the newest so that the
 * newest, with its free rest, stays in front. */
static struct hn_arena_chunk *add_chunk(struct hn_arena *arena, size_t bytes)
{
	bool is_large = bytes > CHUNK_BYTES_MIN / 2;
	struct hn_arena_chunk *chunk = chunk_create(is_large ? bytes : CHUNK_BYTES_MIN);

	if (is_large && arena->chunks) {
		chunk->next = arena->chunks->next;
		arena->chunks->next = chunk;
	} else {
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	return chunk;
}

void *hn_arena_alloc(struct hn_arena *arena, size_t bytes)
{
	size_t need = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
	struct hn_arena_chunk *chunk = arena->chunks;
	char *block;

	hn_assert(need >= bytes);
	if (!chunk || chunk->size_bytes - chunk->used_bytes < need)
		chunk = add_chunk(arena, need);
	block = payload(chunk) + chunk->used_bytes;
	chunk->used_bytes += need;
	arena->used_bytes += need;
	return block;
}

void *hn_arena_array(struct hn_arena *arena, size_t nr, size_t elem_bytes)
{
	size_t bytes;

	hn_assert(!__builtin_mul_overflow(nr, elem_bytes, &bytes));
	return hn_arena_alloc(arena, bytes);
}

char *hn_arena_strdup(struct hn_arena *arena, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = hn_arena_alloc(arena, bytes);

	memcpy(copy, text, bytes);
	return copy;
}
