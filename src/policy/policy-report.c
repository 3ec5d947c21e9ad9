/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/policy-report.h"


#define NAME_COLUMNS 28
#define VALUE_COLUMNS 22

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

	hn_strbuf_addf(out, "%-*s %-*s %s", NAME_COLUMNS, field->name, VALUE_COLUMNS,
		       hn_policy_value_text(policy, idx, digits), field->text);
	if (*meaning)
		hn_strbuf_addf(out, ": %s", meaning);
	hn_strbuf_add(out, "\n");
}

void hn_policy_report_show(struct hn_strbuf *out, const struct hn_policy *policy)
{
	hn_strbuf_addf(out, "policy  %s\nsummary %s\nsource  %s\n\n", policy->name, policy->summary,
		       policy->source);
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++)
		add_field(out, policy, f);
}

static void add_difference(struct hn_strbuf *out, const struct hn_policy *policy, uint32_t idx,
			   char sign)
{
	char digits[HN_POLICY_VALUE_BYTES];
	const char *meaning = value_meaning(policy, idx);

	hn_strbuf_addf(out, "%c %-*s %s%s%s\n", sign, NAME_COLUMNS, hn_policy_get_field(idx)->name,
		       hn_policy_value_text(policy, idx, digits), *meaning ? ": " : "", meaning);
}

void hn_policy_report_diff(struct hn_strbuf *out, const struct hn_policy *a,
			   const struct hn_policy *b)
{
	hn_strbuf_addf(out, "- %s: %s\n+ %s: %s\n", a->name, a->summary, b->name, b->summary);
	if (!hn_policy_nr_differences(a, b)) {
		hn_strbuf_add(out, "no field differs\n");
		return;
	}
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		if (hn_policy_value(a, f) == hn_policy_value(b, f))
			continue;
		hn_strbuf_addf(out, "\n  %s\n", hn_policy_get_field(f)->text);
		add_difference(out, a, f, '-');
		add_difference(out, b, f, '+');
	}
}

uint32_t hn_policy_nr_differences(const struct hn_policy *a, const struct hn_policy *b)
{
	uint32_t nr = 0;

	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++)
		nr += hn_policy_value(a, f) != hn_policy_value(b, f);
	return nr;
}
