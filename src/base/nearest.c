/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Three rows of the alignment table are enough: an exchange looks two rows back. */
struct rows {
	uint32_t before[HN_NEAREST_LEN_MAX + 1];
	uint32_t above[HN_NEAREST_LEN_MAX + 1];
	uint32_t here[HN_NEAREST_LEN_MAX + 1];
};

static void fill_row(struct rows *rows, const char *a, size_t i, const char *b, size_t b_len)
{
	rows->here[0] = (uint32_t)i;
	for (size_t j = 1; j <= b_len; j++) {
		bool is_same = lower(a[i - 1]) == lower(b[j - 1]);
		uint32_t cost = rows->above[j - 1] + !is_same;

		cost = min_u32(cost, rows->above[j] + 1);
		cost = min_u32(cost, rows->here[j - 1] + 1);
		if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
		    lower(a[i - 2]) == lower(b[j - 1]))
			cost = min_u32(cost, rows->before[j - 2] + 1);
		rows->here[j] = cost;
	}
}

uint32_t hn_nearest_distance(const char *a, const char *b)
{
	size_t a_len = strnlen(a, HN_NEAREST_LEN_MAX + 1);
	size_t b_len = strnlen(b, HN_NEAREST_LEN_MAX + 1);
	struct rows rows = { 0 };

	if (a_len > HN_NEAREST_LEN_MAX || b_len > HN_NEAREST_LEN_MAX)
		return UINT32_MAX;
	for (size_t j = 0; j <= b_len; j++)
		rows.here[j] = (uint32_t)j;
	for (size_t i = 1; i <= a_len; i++) {
		memcpy(rows.before, rows.above, sizeof(rows.before));
		memcpy(rows.above, rows.here, sizeof(rows.above));
		fill_row(&rows, a, i, b, b_len);
	}
	return rows.here[b_len];
}

static bool is_begin_of(const char *word, const char *name)
{
	size_t i = 0;

	while (word[i] && lower(word[i]) == lower(name[i]))
		i++;
	return i >= 3 && !word[i];
}

const char *hn_nearest(const char *word, const char *const *names, uint32_t nr)
{
	uint32_t best_distance = UINT32_MAX;
	const char *best = NULL;

	for (uint32_t n = 0; n < nr; n++) {
		uint32_t distance = hn_nearest_distance(word, names[n]);
		uint32_t longer = (uint32_t)hn_max_u64(strlen(word), strlen(names[n]));
		bool is_near = distance <= (longer + 2) / 3 || is_begin_of(word, names[n]);

		if (is_near && distance < best_distance) {
			best_distance = distance;
			best = names[n];
		}
	}
	return best;
}

const char *hn_nearest_hint(char *buf, const char *word, const char *const *names, uint32_t nr)
{
	const char *name = hn_nearest(word, names, nr);

	buf[0] = '\0';
	if (name)
		snprintf(buf, HN_NEAREST_HINT_BYTES, " (did you mean '%s'?)", name);
	return buf;
}
