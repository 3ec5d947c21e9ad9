/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.h - memory with one lifetime, given back all at once.
 *
 * The home of malloc: everywhere else memory comes from an arena. Three lifetimes are in
 * use: run (a whole simulation or command), window, and scratch. Blocks are zeroed, aligned
 * to 64 bytes, and live until reset or fini. Running out of memory ends the program with one
 * clear line, because no caller could do better; limits on what input may make grow are
 * checked by the readers of that input, long before. */
#ifndef HN_BASE_ARENA_H
#define HN_BASE_ARENA_H

#include "base/types.h"

struct hn_arena_chunk;

struct hn_arena {
	struct hn_arena_chunk *chunks; /* private: newest first, owned */
	uint64_t used_bytes;           /* handed out since init or reset */
};

void hn_arena_init(struct hn_arena *arena);
void hn_arena_fini(struct hn_arena *arena);

/* Gives every block back and poisons it in builds with HN_POISON. */
void hn_arena_reset(struct hn_arena *arena);

/* A zeroed block of `bytes` bytes (0 gives a valid pointer that must not be dereferenced). */
void *hn_arena_alloc(struct hn_arena *arena, size_t bytes);

/* A zeroed array; asserts that nr * elem_bytes does not overflow. */
void *hn_arena_array(struct hn_arena *arena, size_t nr, size_t elem_bytes);

/* A copy of a terminated string. */
char *hn_arena_strdup(struct hn_arena *arena, const char *text);

#define HN_ARENA_NEW(arena, type) ((type *)hn_arena_alloc((arena), sizeof(type)))
#define HN_ARENA_ARRAY(arena, type, nr) ((type *)hn_arena_array((arena), (nr), sizeof(type)))

#endif
