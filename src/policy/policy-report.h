/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy-report.h - policies as text: one shown, two compared.
 *
 * The text of `homenode policy show` and `policy diff`; also what the snapshots in tests/policy
 * hold. Ends with a line end. */
#ifndef HN_POLICY_POLICY_REPORT_H
#define HN_POLICY_POLICY_REPORT_H

#include "base/strbuf.h"
#include "policy/policy.h"

/* Name, summary, source, and a line for each field: value, what the field is, what the value
 * does. */
void hn_policy_report_show(struct hn_strbuf *out, const struct hn_policy *policy);

/* A line pair for each field that differs, or one line that says that none does. */
void hn_policy_report_diff(struct hn_strbuf *out, const struct hn_policy *a,
			   const struct hn_policy *b);

/* How many fields differ. */
uint32_t hn_policy_nr_differences(const struct hn_policy *a, const struct hn_policy *b);

#endif
