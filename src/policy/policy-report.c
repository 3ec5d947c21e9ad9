/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/policy-report.h"

#include <string.h>

#define NAME_COLUMNS 24
#define VALUE_COLUMNS 21

/* The parts of policy-fields.h, by the field with which each begins. */
struct part {
	const char *first;
	const char *title;
};

static const struct part parts[] = {
	{ "numa_mode", "what runs at all" },
	{ "scan_delay_ms", "scan timing" },
	{ "vma_skip_small", "the walk" },
	{ "mark_cow_rule", "marking" },
	{ "fault_filter", "page decision" },
	{ "groups", "statistics and groups" },
	{ "placement_at_retry", "placement" },
	{ "period_rule", "scan period adaptation" },
	{ "node_gate", "searching a CPU" },
	{ "order", "the scheduler under it" },
};

static const char *find_title(uint32_t idx)
{
	for (uint32_t p = 0; p < HN_ARRAY_LEN(parts); p++) {
		if (!strcmp(parts[p].first, hn_policy_get_field(idx)->name))
			return parts[p].title;
	}
	return NULL;
}

static bool differs(const struct hn_policy *a, const struct hn_policy *b, uint32_t idx)
{
	return hn_policy_value(a, idx) != hn_policy_value(b, idx);
}

static const char *value_meaning(const struct hn_policy *policy, uint32_t idx)
{
	const struct hn_policy_field *field = hn_policy_get_field(idx);

	if (field->kind != HN_FIELD_CHOICE)
		return "";
	return field->value_texts[hn_policy_value(policy, idx)];
}

static void add_field(struct hn_strbuf *out, const struct hn_policy *policy, uint32_t idx)
{
	const struct hn_policy_field *field = hn_policy_get_field(idx);
	char digits[HN_POLICY_VALUE_BYTES];
	const char *meaning = value_meaning(policy, idx);

	hn_strbuf_addf(out, "  %-*s = %-*s  %s%s%s\n", NAME_COLUMNS, field->name, VALUE_COLUMNS,
		       hn_policy_value_text(policy, idx, digits), field->text,
		       *meaning ? ": " : "", meaning);
}

void hn_policy_report_show(struct hn_strbuf *out, const struct hn_policy *policy)
{
	hn_strbuf_addf(out, "policy   %s\nsummary  %s\nsource   %s\n", policy->name,
		       policy->summary, policy->source);
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		const char *title = find_title(f);

		if (title)
			hn_strbuf_addf(out, "\n%s\n", title);
		add_field(out, policy, f);
	}
}

static void add_side(struct hn_strbuf *out, const struct hn_policy *policy, uint32_t idx, char sign)
{
	char digits[HN_POLICY_VALUE_BYTES];
	const char *meaning = value_meaning(policy, idx);

	hn_strbuf_addf(out, "%c   %s%s%s\n", sign, hn_policy_value_text(policy, idx, digits),
		       *meaning ? ": " : "", meaning);
}

static void add_difference(struct hn_strbuf *out, const struct hn_policy *a,
			   const struct hn_policy *b, uint32_t idx)
{
	const struct hn_policy_field *field = hn_policy_get_field(idx);

	hn_strbuf_addf(out, "  %s: %s\n", field->name, field->text);
	add_side(out, a, idx, '-');
	add_side(out, b, idx, '+');
}

void hn_policy_report_diff(struct hn_strbuf *out, const struct hn_policy *a,
			   const struct hn_policy *b)
{
	uint32_t nr = hn_policy_nr_differences(a, b);
	const char *title = NULL;

	hn_strbuf_addf(out, "- %s: %s\n+ %s: %s\n", a->name, a->summary, b->name, b->summary);
	if (!nr) {
		hn_strbuf_add(out, "no field differs\n");
		return;
	}
	hn_strbuf_addf(out, "%u field%s: ", nr, nr == 1 ? " differs" : "s differ");
	hn_policy_add_differences(out, a, b);
	hn_strbuf_add(out, "\n");
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		if (find_title(f))
			title = find_title(f);
		if (!differs(a, b, f))
			continue;
		if (title)
			hn_strbuf_addf(out, "\n%s\n", title);
		title = NULL;
		add_difference(out, a, b, f);
	}
}

uint32_t hn_policy_nr_differences(const struct hn_policy *a, const struct hn_policy *b)
{
	uint32_t nr = 0;

	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++)
		nr += differs(a, b, f);
	return nr;
}

void hn_policy_add_differences(struct hn_strbuf *out, const struct hn_policy *a,
			       const struct hn_policy *b)
{
	const char *separator = "";

	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		if (!differs(a, b, f))
			continue;
		hn_strbuf_addf(out, "%s%s", separator, hn_policy_get_field(f)->name);
		separator = ", ";
	}
}
