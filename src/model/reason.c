/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/reason.h"

#include "base/assert.h"

struct reason_text {
	const char *name;
	const char *text;
};

#define REASON_TEXT(id, name, text) { name, text },
static const struct reason_text reason_texts[HN_NR_WHY] = { HN_REASONS(REASON_TEXT) };

const char *hn_why_name(enum hn_why why)
{
	hn_assert((uint32_t)why < HN_NR_WHY);
	return reason_texts[why].name;
}

const char *hn_why_text(enum hn_why why)
{
	hn_assert((uint32_t)why < HN_NR_WHY);
	return reason_texts[why].text;
}
