/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/heap.h"

#include "base/assert.h"

#define ARITY 4
#define NOT_IN UINT32_MAX

static bool is_before(const struct hn_heap *heap, uint32_t a, uint32_t b)
{
	const struct hn_heap_key *ka = &heap->keys[a];
	const struct hn_heap_key *kb = &heap->keys[b];

	if (ka->at_ns != kb->at_ns)
		return ka->at_ns < kb->at_ns;
	if (ka->order != kb->order)
		return ka->order < kb->order;
	return a < b;
}

void hn_heap_init(struct hn_heap *heap, struct hn_arena *arena, uint32_t nr_slots)
{
	heap->keys = HN_ARENA_ARRAY(arena, struct hn_heap_key, nr_slots);
	heap->heap = HN_ARENA_ARRAY(arena, uint32_t, nr_slots);
	heap->pos = HN_ARENA_ARRAY(arena, uint32_t, nr_slots);
	heap->nr_slots = nr_slots;
	heap->nr_members = 0;
	for (uint32_t i = 0; i < nr_slots; i++)
		heap->pos[i] = NOT_IN;
}

static void put_at(struct hn_heap *heap, uint32_t position, uint32_t slot)
{
	heap->heap[position] = slot;
	heap->pos[slot] = position;
}

static uint32_t sift_up(struct hn_heap *heap, uint32_t position, uint32_t slot)
{
	while (position > 0) {
		uint32_t parent = (position - 1) / ARITY;

		if (!is_before(heap, slot, heap->heap[parent]))
			break;
		put_at(heap, position, heap->heap[parent]);
		position = parent;
	}
	put_at(heap, position, slot);
	return position;
}

static uint32_t pick_first_child(const struct hn_heap *heap, uint32_t position)
{
	uint32_t first = position * ARITY + 1;
	uint32_t end = (uint32_t)hn_min_u64(first + ARITY, heap->nr_members);
	uint32_t best = first;

	for (uint32_t child = first + 1; child < end; child++)
		if (is_before(heap, heap->heap[child], heap->heap[best]))
			best = child;
	return best;
}

static void sift_down(struct hn_heap *heap, uint32_t position, uint32_t slot)
{
	while (position * ARITY + 1 < heap->nr_members) {
		uint32_t child = pick_first_child(heap, position);

		if (!is_before(heap, heap->heap[child], slot))
			break;
		put_at(heap, position, heap->heap[child]);
		position = child;
	}
	put_at(heap, position, slot);
}

void hn_heap_set(struct hn_heap *heap, uint32_t slot, struct hn_heap_key key)
{
	uint32_t position;

	hn_assert(slot < heap->nr_slots);
	position = heap->pos[slot];
	heap->keys[slot] = key;
	if (position == NOT_IN)
		position = heap->nr_members++;
	sift_down(heap, sift_up(heap, position, slot), slot);
}

void hn_heap_remove(struct hn_heap *heap, uint32_t slot)
{
	uint32_t position, last;

	hn_assert(slot < heap->nr_slots);
	position = heap->pos[slot];
	if (position == NOT_IN)
		return;
	heap->pos[slot] = NOT_IN;
	last = heap->heap[--heap->nr_members];
	if (last != slot)
		sift_down(heap, sift_up(heap, position, last), last);
}

bool hn_heap_has(const struct hn_heap *heap, uint32_t slot)
{
	return heap->pos[slot] != NOT_IN;
}

uint32_t hn_heap_first(const struct hn_heap *heap)
{
	return heap->nr_members ? heap->heap[0] : UINT32_MAX;
}
