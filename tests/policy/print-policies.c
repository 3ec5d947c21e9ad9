/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: what `homenode policy` would print, without the command line program.
 *
 *	print-policies NAME       the text of one policy
 *	print-policies --list     names of all rows, one a line
 *	print-policies --history  the lines of the tables in docs/policies/history.md
 *
 * Exit status: 0, 1 for an unknown policy, 2 for wrong usage. */
#include <stdio.h>
#include <string.h>

#include "policy/policy-report.h"

static int print_policy(struct hn_arena *arena, const char *spec)
{
	const struct hn_policy *policy;
	struct hn_diag diag = { 0 };
	struct hn_strbuf text;

	if (hn_policy_parse(arena, spec, &policy, &diag)) {
		fprintf(stderr, "print-policies: %s\n", diag.text);
		return 1;
	}
	hn_strbuf_init(&text, arena);
	hn_policy_report_show(&text, policy);
	fputs(text.text, stdout);
	return 0;
}

static void print_list(void)
{
	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++)
		printf("%s\n", hn_policy_get_row(r)->name);
}

static void print_changes(const struct hn_policy *from, const struct hn_policy *to)
{
	char before[HN_POLICY_VALUE_BYTES], after[HN_POLICY_VALUE_BYTES];

	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		if (hn_policy_value(from, f) == hn_policy_value(to, f))
			continue;
		printf("| `%s` | `%s` | %s | %s |\n", to->name, hn_policy_get_field(f)->name,
		       hn_policy_value_text(from, f, before), hn_policy_value_text(to, f, after));
	}
}

/* Each release against the one before it, each other row against the row on which it rests. */
static int print_history(struct hn_arena *arena)
{
	static const char *const pairs[][2] = {
		{ "v3.8", "v3.13" }, { "v3.13", "v3.19" }, { "v3.19", "v4.9" },
		{ "v4.9", "v4.15" }, { "v4.15", "v4.17" }, { "v4.17", "v4.18" },
		{ "v4.18", "v4.19-rc1" }, { "v4.19-rc1", "v4.19" }, { "v4.19", "v5.4" },
		{ "v5.4", "v5.10" }, { "v5.10", "v5.12" }, { "v5.12", "v5.13" },
		{ "v5.13", "v5.18" }, { "v5.18", "v5.19" }, { "v5.19", "v6.1" },
		{ "v6.1", "v6.3+fc137c0ddab2" }, { "v6.3+fc137c0ddab2", "v6.6" },
		{ "v6.6", "v6.7" }, { "v6.7", "v6.10" }, { "v6.10", "v6.12" },
		{ "v6.12", "v7.2" }, { "v6.12", "none" }, { "none", "hard-bind" },
		{ "none", "inverse-bind" }, { "none", "interleave" },
		{ "v3.13", "list:riel-2013" }, { "v4.19-rc1", "list:gorman-2018" },
		{ "v4.19-rc1", "list:dronamraju-2018" }, { "v5.13", "list:gorman-2021" },
	};

	for (size_t p = 0; p < HN_ARRAY_LEN(pairs); p++) {
		const struct hn_policy *from, *to;
		struct hn_diag diag = { 0 };

		if (hn_policy_parse(arena, pairs[p][0], &from, &diag) ||
		    hn_policy_parse(arena, pairs[p][1], &to, &diag)) {
			fprintf(stderr, "print-policies: %s\n", diag.text);
			return 1;
		}
		print_changes(from, to);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct hn_arena arena;
	int status = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: print-policies NAME | --list | --history\n");
		return 2;
	}
	hn_arena_init(&arena);
	if (!strcmp(argv[1], "--list"))
		print_list();
	else if (!strcmp(argv[1], "--history"))
		status = print_history(&arena);
	else
		status = print_policy(&arena, argv[1]);
	hn_arena_fini(&arena);
	return status;
}
