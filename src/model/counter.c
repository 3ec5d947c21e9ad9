/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/counter.h"

#include "base/assert.h"

struct counter_text {
	const char *name;
	const char *text;
};

#define COUNTER_TEXT(id, name, text) { name, text },
static const struct counter_text counter_texts[HN_NR_COUNTERS] = { HN_COUNTERS(COUNTER_TEXT) };

const char *hn_counter_name(enum hn_counter counter)
{
	hn_assert((uint32_t)counter < HN_NR_COUNTERS);
	return counter_texts[counter].name;
}

const char *hn_counter_text(enum hn_counter counter)
{
	hn_assert((uint32_t)counter < HN_NR_COUNTERS);
	return counter_texts[counter].text;
}
