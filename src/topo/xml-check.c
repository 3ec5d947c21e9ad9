/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "topo/readers.h"

#define BLANKS " \t\r\n"

/* Where the tag at `tag` ends: the first '>' outside quotes, or the end of the text. */
static const char *find_tag_end(const char *tag)
{
	char quote = '\0';

	for (; *tag && (quote || *tag != '>'); tag++) {
		if (quote)
			quote = *tag == quote ? '\0' : quote;
		else if (*tag == '"' || *tag == '\'')
			quote = *tag;
	}
	return tag;
}

static bool has_attribute(const char *tag, const char *end, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = tag; (p = memmem(p, (size_t)(end - p), name, len)); p += len) {
		const char *after = p + len + strspn(p + len, BLANKS);

		if (p > tag && strchr(BLANKS, p[-1]) && *after == '=')
			return true;
	}
	return false;
}

static uint32_t count_lines(const char *text, const char *end)
{
	uint32_t nr = 1;

	for (; text < end; text++)
		nr += *text == '\n';
	return nr;
}

int hn_topo_check_xml(const char *text, struct hn_diag *diag)
{
	static const char *const sets[][2] = {
		{ "cpuset", "complete_cpuset" },
		{ "nodeset", "complete_nodeset" },
	};

	for (const char *p = text; (p = strstr(p, "<object")); p = find_tag_end(p)) {
		const char *end = find_tag_end(p);

		for (size_t s = 0; s < HN_ARRAY_LEN(sets); s++) {
			if (has_attribute(p, end, sets[s][0]) ==
			    has_attribute(p, end, sets[s][1]))
				continue;
			return hn_diag_set(diag, -EINVAL, "the XML is damaged: the object on line "
					   "%u has only one of %s and %s", count_lines(text, p),
					   sets[s][0], sets[s][1]);
		}
	}
	return 0;
}
