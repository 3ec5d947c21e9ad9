/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one operation on pages costs, on regions of 1, 16 and 64 GiB of base pages in 16 slices, and
 * how many bytes a base page takes. Aims: 10 to 60 ns an operation (100 ns for a random pick, plus
 * cache misses in the larger regions, which "migrate, anywhere" shows), 1 ns an entry marked,
 * 4.05 bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/arena.h"
#include "base/rng.h"
#include "sim/pages.h"

#define NR_NODES 2
#define NR_SLICES 16
#define CHUNK_ENTRIES 65536 /* 256 MiB, a whole scan */
#define NR_OPS 250000

struct bench {
	struct hn_arena arena;
	struct hn_machine machine;
	struct hn_node nodes[NR_NODES];
	uint16_t distance[NR_NODES * NR_NODES];
	struct hn_pages *pages;
	uint32_t region;
	uint32_t nr_entries;
	struct hn_rng rng;
	int64_t start_ns;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * HN_NS_PER_S + ts.tv_nsec;
}

static void begin(struct bench *b)
{
	b->start_ns = now_ns();
}

/* `sum` keeps the compiler from leaving the loop out. */
static void end(const struct bench *b, const char *name, uint64_t nr_ops, uint64_t sum)
{
	printf("pages  %-28s %8.2f ns  (check %" PRIu64 ")\n", name,
	       (double)(now_ns() - b->start_ns) / (double)nr_ops, sum % 1000);
}

static void start(struct bench *b, uint32_t nr_entries)
{
	const struct hn_region_desc desc = { .nr_base_pages = nr_entries, .nr_slices = NR_SLICES,
					     .bind_nid = HN_NID_NONE };

	*b = (struct bench){ .nr_entries = nr_entries };
	hn_arena_init(&b->arena);
	hn_rng_init(&b->rng, 1, "bench-pages", 0);
	for (uint32_t i = 0; i < NR_NODES; i++) {
		b->nodes[i].mem_bytes = 2 * nr_entries * HN_PAGE_BYTES;
		b->nodes[i].is_top_tier = true;
		for (uint32_t j = 0; j < NR_NODES; j++)
			b->distance[i * NR_NODES + j] = i == j ? 10 : 21;
	}
	b->machine = (struct hn_machine){ .nr_nodes = NR_NODES, .nodes = b->nodes,
					  .distance = b->distance };
	b->pages = hn_pages_create(&b->arena, &b->machine, 4);
	b->region = hn_pages_add(b->pages, &desc);
	printf("pages  %.0f GiB: bytes per base page %.4f\n", nr_entries * 0x1p-18,
	       (double)hn_pages_held_bytes(b->pages) / nr_entries);
}

static void bench_touch(struct bench *b)
{
	struct hn_alloc_result alloc;

	begin(b);
	for (uint32_t e = 0; e < b->nr_entries; e += 512)
		hn_pages_touch(b->pages, b->region, e, e + 512, (hn_nid)(e / 512 % 2), &alloc);
	end(b, "touch, an entry", b->nr_entries, alloc.nr_entries);
}

static void bench_mark(struct bench *b, const char *name, const struct hn_mark_rules *rules)
{
	struct hn_mark_result marked;
	uint64_t sum = 0;

	begin(b);
	for (uint32_t e = 0; e < b->nr_entries; e += CHUNK_ENTRIES) {
		hn_pages_mark(b->pages, b->region, e, e + CHUNK_ENTRIES, rules, 1, &marked);
		sum += marked.nr_updates;
	}
	end(b, name, b->nr_entries, sum);
}

static void disarm_all(struct bench *b)
{
	begin(b);
	for (uint32_t e = 0; e < b->nr_entries; e++)
		hn_pages_disarm(b->pages, b->region, e);
	end(b, "disarm, in order", b->nr_entries, hn_pages_nr_armed(b->pages, b->region, 0));
}

static void bench_marks(struct bench *b)
{
	struct hn_mark_rules rules = { .skip_local_nid = HN_NID_NONE,
				       .skip_local_huge_nid = HN_NID_NONE };

	bench_mark(b, "mark, an entry", &rules);
	bench_mark(b, "mark again, an entry", &rules);
	disarm_all(b);
	rules.skip_local_nid = 1;
	bench_mark(b, "mark but local, an entry", &rules);
	disarm_all(b);
	rules.skip_local_nid = HN_NID_NONE;
	rules.stamps_slow = true;
	b->nodes[1].is_top_tier = false;
	bench_mark(b, "mark and stamp, an entry", &rules);
	b->nodes[1].is_top_tier = true;
}

/* Leaves about one entry in `step` armed. */
static void thin_out(struct bench *b, uint32_t step)
{
	for (uint32_t e = 0; e < b->nr_entries; e++) {
		if (hn_rng_below(&b->rng, step) != 0)
			hn_pages_disarm(b->pages, b->region, e);
	}
}

static void bench_searches(struct bench *b, const char *pick_name, const char *next_name)
{
	uint64_t sum = 0;

	begin(b);
	for (uint32_t i = 0; i < NR_OPS; i++)
		sum += hn_pages_pick_armed(b->pages, b->region, i % NR_SLICES, &b->rng);
	end(b, pick_name, NR_OPS, sum);
	sum = 0;
	begin(b);
	for (uint32_t i = 0, from = 0; i < NR_OPS; i++) {
		from = hn_pages_next_armed(b->pages, b->region, HN_PAGES_ALL, from) + 1;
		sum += from;
	}
	end(b, next_name, NR_OPS, sum);
}

static void bench_entries(struct bench *b)
{
	uint64_t sum = 0;

	begin(b);
	for (uint32_t i = 0; i < NR_OPS; i++)
		hn_pages_set_cpupid(b->pages, b->region, i, (int32_t)(i & 0xfffff));
	end(b, "set_cpupid, in order", NR_OPS, 0);
	begin(b);
	for (uint32_t i = 0; i < NR_OPS; i++)
		sum += hn_pages_migrate(b->pages, b->region, i, (hn_nid)(i & 1));
	end(b, "migrate, in order", NR_OPS, sum);
	begin(b);
	for (uint32_t i = 0; i < NR_OPS; i++) {
		uint32_t entry = (uint32_t)hn_rng_below(&b->rng, b->nr_entries);

		sum += hn_pages_migrate(b->pages, b->region, entry, (hn_nid)(i & 1));
	}
	end(b, "migrate, anywhere", NR_OPS, sum);
}

static void run(uint32_t nr_entries)
{
	struct bench b;

	start(&b, nr_entries);
	bench_touch(&b);
	bench_marks(&b);
	bench_searches(&b, "pick_armed, all armed", "next_armed, all armed");
	thin_out(&b, 10);
	bench_searches(&b, "pick_armed, a tenth", "next_armed, a tenth");
	thin_out(&b, 100);
	bench_searches(&b, "pick_armed, a thousandth", "next_armed, a thousandth");
	bench_entries(&b);
	hn_arena_fini(&b.arena);
}

int main(void)
{
	run(UINT32_C(1) << 18);
	run(UINT32_C(4) << 20);
	run(UINT32_C(16) << 20);
	return 0;
}
