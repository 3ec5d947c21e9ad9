/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topo/id-list.h"

#include <errno.h>
#include <string.h>

#define BLANKS " \t\r\n"

static bool scan_number(const char **at, uint32_t *ret_value)
{
	const char *p = *at;
	uint32_t value = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		value = value * 10 + (uint32_t)(*p - '0');
		if (value >= HN_ID_MAX)
			return false;
	}
	*at = p;
	*ret_value = value;
	return true;
}

/* "a", "a-b" or "a-b:step"; *at is moved behind it. */
static bool scan_range(const char **at, struct hn_id_set *set)
{
	uint32_t first, last, step = 1;
	const char *p = *at;

	if (!scan_number(&p, &first))
		return false;
	last = first;
	if (*p == '-') {
		p++;
		if (!scan_number(&p, &last) || last < first)
			return false;
		if (*p == ':') {
			p++;
			if (!scan_number(&p, &step) || !step)
				return false;
		}
	}
	for (uint32_t id = first; id <= last; id += step)
		hn_bitmap_add(set->words, id);
	*at = p;
	return true;
}

static int refuse_at(const char *text, const char *at, const char *what, struct hn_diag *diag)
{
	return hn_diag_set(diag, -EINVAL,
			   "%s '%.80s' is not a list of numbers such as '0-3,8': see character %zu",
			   what, text, (size_t)(at - text) + 1);
}

int hn_id_list_parse(const char *text, const char *what, struct hn_id_set *set,
		     struct hn_diag *diag)
{
	const char *p = text + strspn(text, BLANKS);

	while (*p) {
		if (!scan_range(&p, set))
			return refuse_at(text, p, what, diag);
		if (!p[strspn(p, BLANKS)])
			break;
		if (*p != ',')
			return refuse_at(text, p, what, diag);
		p++;
		if (!*p)
			return refuse_at(text, p, what, diag);
	}
	return 0;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool add_nibble(struct hn_id_set *set, uint32_t low, uint32_t nibble)
{
	for (uint32_t bit = 0; bit < 4; bit++) {
		if (!(nibble >> bit & 1))
			continue;
		if (low + bit >= HN_ID_MAX)
			return false;
		hn_bitmap_add(set->words, low + bit);
	}
	return true;
}

int hn_id_mask_parse(const char *text, const char *what, struct hn_id_set *set,
		     struct hn_diag *diag)
{
	const char *begin = text + strspn(text, BLANKS "0x,");
	const char *end = begin + strcspn(begin, BLANKS);
	uint32_t low = 0, nr_digits = 0;

	/* Backwards, from bit 0. A comma ends a word of eight digits, however many stand there. */
	for (const char *p = end; p > begin; p--) {
		int value = hex_value(p[-1]);

		if (p[-1] == ',') {
			low += 32;
			nr_digits = 0;
			continue;
		}
		if (value < 0 || nr_digits >= 8 ||
		    !add_nibble(set, low + 4 * nr_digits, (uint32_t)value))
			return hn_diag_set(diag, -EINVAL, "%s '%.80s' is not a mask", what, text);
		nr_digits++;
	}
	return 0;
}
