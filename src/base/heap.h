/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heap.h - a priority queue of slots, each of which is in it at most once.
 *
 * Made for the event loop: slot i (a CPU, a timer, a task) has one pending event, keyed by
 * (time, class, sequence number), and re-keying costs log4 of the members. All storage is
 * taken at init; nothing allocates afterwards. Order is total, so that two runs agree. */
#ifndef HN_BASE_HEAP_H
#define HN_BASE_HEAP_H

#include "base/arena.h"

struct hn_heap_key {
	hn_time_ns at_ns;
	uint64_t order; /* class in the top byte, then a sequence number */
};

struct hn_heap {
	struct hn_heap_key *keys; /* by slot */
	uint32_t *heap;           /* heap position -> slot */
	uint32_t *pos;            /* slot -> heap position; UINT32_MAX: not a member */
	uint32_t nr_slots;
	uint32_t nr_members;
};

void hn_heap_init(struct hn_heap *heap, struct hn_arena *arena, uint32_t nr_slots);

/* Puts the slot in, or moves it to its new key. */
void hn_heap_set(struct hn_heap *heap, uint32_t slot, struct hn_heap_key key);

/* Takes the slot out; a slot that is not in it is left alone. */
void hn_heap_remove(struct hn_heap *heap, uint32_t slot);

bool hn_heap_has(const struct hn_heap *heap, uint32_t slot);

/* The slot with the smallest key; UINT32_MAX when empty. */
uint32_t hn_heap_first(const struct hn_heap *heap);

#endif
