/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy.h - one named assembly of rules, and the table of all of them.
 *
 * A policy is plain constant data. Code tests its fields, never its name. A published name
 * never changes meaning; "default" and "latest" are aliases. `NAME+field=value+field=value` is a
 * copy of a row with fields replaced; its canonical name lists the changes in field order.
 *
 * Rows stand in rows/, one file each, written in full: copying is fine there and inheritance is
 * not, so that a reader sees the whole policy in one place. tests/policy/ holds the printed
 * form of each. */
#ifndef HN_POLICY_POLICY_H
#define HN_POLICY_POLICY_H

#include "base/arena.h"
#include "base/diag.h"
#include "policy/policy-enums.h"
#include "policy/policy-fields.h"

#define HN_POLICY_FIELD_B(name, text) bool name;
#define HN_POLICY_FIELD_U(name, lo, hi, text) uint32_t name;
#define HN_POLICY_FIELD_E(name, type, text) uint8_t name; /* enum hn_<type> */
struct hn_policy {
	const char *name;    /* as printed in tables: "v6.12" or "v6.12+stop_at_idle=on" */
	const char *summary; /* one sentence */
	const char *source;  /* kernel release and files, or message id, or commit */
	HN_POLICY_FIELDS(HN_POLICY_FIELD_B, HN_POLICY_FIELD_U, HN_POLICY_FIELD_E)
};
#undef HN_POLICY_FIELD_B
#undef HN_POLICY_FIELD_U
#undef HN_POLICY_FIELD_E

enum hn_policy_field_kind { HN_FIELD_SWITCH, HN_FIELD_NUMBER, HN_FIELD_CHOICE };

/* One field, for those who list, print, parse or compare policies. */
struct hn_policy_field {
	const char *name;
	const char *text;
	enum hn_policy_field_kind kind;
	uint32_t lo, hi;             /* of a number */
	const char *const *values;   /* of a choice: names by enumerator */
	const char *const *value_texts;
	uint32_t nr_values;
};

uint32_t hn_policy_nr_fields(void);
const struct hn_policy_field *hn_policy_get_field(uint32_t idx);

/* The field's value as a number: 0/1, the number, or the enumerator. */
uint32_t hn_policy_value(const struct hn_policy *policy, uint32_t idx);

/* Sets it; the value must lie in lo .. hi. */
void hn_policy_set_value(struct hn_policy *policy, uint32_t idx, uint32_t value);

/* The field's value as text: "on"/"off", digits, or the choice's name. `buf` holds digits. */
#define HN_POLICY_VALUE_BYTES 16
const char *hn_policy_value_text(const struct hn_policy *policy, uint32_t idx,
				 char buf[HN_POLICY_VALUE_BYTES]);

/* Rows in the order of the table. */
uint32_t hn_policy_nr_rows(void);
const struct hn_policy *hn_policy_get_row(uint32_t idx);

struct hn_policy_alias {
	const char *name;
	const char *row;
};

uint32_t hn_policy_nr_aliases(void);
const struct hn_policy_alias *hn_policy_get_alias(uint32_t idx);

/* Resolves a row's name, an alias, or NAME+field=value... . The result lives in the table or in
 * the arena. A field given twice has the last value. Unknown names and fields are refused with
 * the nearest known one, values with their range or list. */
int HN_MUST_CHECK hn_policy_parse(struct hn_arena *arena, const char *spec,
				  const struct hn_policy **ret_policy, struct hn_diag *diag);

#endif
