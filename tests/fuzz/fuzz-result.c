/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes: the reader of results gives a set or a refusal; a set can be printed as a table, and
 * what is written of it can be read again. */
#include "report/json-read.h"

#include "base/assert.h"
#include "report/json-write.h"
#include "report/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes);

static void print_tables(struct hn_arena *arena, const struct hn_result_set *set)
{
	struct hn_result_group *groups;
	struct hn_strbuf buf;
	uint32_t nr_groups;

	hn_strbuf_init(&buf, arena);
	hn_result_group(arena, set, &groups, &nr_groups);
	for (uint32_t g = 0; g < nr_groups; g++) {
		struct hn_table table;

		hn_table_build(arena, &groups[g], NULL, &table);
		hn_table_text(&table, &buf);
	}
}

static void write_and_read(struct hn_arena *arena, const struct hn_result_set *set)
{
	struct hn_result_set back;
	struct hn_strbuf buf;
	int err;

	hn_strbuf_init(&buf, arena);
	hn_result_write_json(set, &buf);
	err = hn_result_parse_json(arena, "again", buf.text, buf.len_bytes, &back, NULL);
	hn_assert(err == 0);
	hn_assert(back.nr_runs == set->nr_runs);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes)
{
	struct hn_result_set set;
	struct hn_diag diag = { 0 };
	struct hn_arena arena;

	hn_arena_init(&arena);
	if (!hn_result_parse_json(&arena, "fuzz", (const char *)bytes, nr_bytes, &set, &diag)) {
		print_tables(&arena, &set);
		write_and_read(&arena, &set);
	}
	hn_arena_fini(&arena);
	return 0;
}
