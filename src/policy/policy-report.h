/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy-report.h - policies as text: one shown, two compared.
 *
 * The text of `homenode policy show` and `policy diff`; also what the snapshots in
 * tests/policy/snapshots hold. Ends with a line end. Fields come in the order of
 * policy-fields.h, under the headings of its parts; a heading without lines is left out.
 *
 *	scan period adaptation
 *	  period_threshold         = 7                       slots of ten above which ...
 *
 * Knows nothing of results: which policies stand side by side is the caller's business.
 * Tests: tests/unit/test-policy.c. */
#ifndef HN_POLICY_POLICY_REPORT_H
#define HN_POLICY_POLICY_REPORT_H

#include "base/strbuf.h"
#include "policy/policy.h"

/* Name, summary, source, and a line for each field: value, what the field is, what the value
 * does. */
void hn_policy_report_show(struct hn_strbuf *out, const struct hn_policy *policy);

/* How many fields differ and which, and both values of each with their meaning; or one line
 * that says that no field differs. */
void hn_policy_report_diff(struct hn_strbuf *out, const struct hn_policy *a,
			   const struct hn_policy *b);

/* How many fields differ; names, summaries and sources do not count. */
uint32_t hn_policy_nr_differences(const struct hn_policy *a, const struct hn_policy *b);

/* Appends the names of the fields that differ, in field order: "small_imp, swap_gain". */
void hn_policy_add_differences(struct hn_strbuf *out, const struct hn_policy *a,
			       const struct hn_policy *b);

#endif
