/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/policy.h"

#include <stdio.h>

#include "base/assert.h"

/* ---- names and texts of the choices, by enumerator ---- */

#define VALUE_NAME(type, id, name, text) name,
#define VALUE_TEXT(type, id, name, text) text,
#define VALUE_ARRAYS(type) \
	static const char *const names_##type[] = { HN_LIST_##type(VALUE_NAME) }; \
	static const char *const texts_##type[] = { HN_LIST_##type(VALUE_TEXT) };
HN_POLICY_ENUM_TYPES(VALUE_ARRAYS)

/* ---- the fields ---- */

#define FIELD_B(id, about) { .name = #id, .text = about, .kind = HN_FIELD_SWITCH, .hi = 1 },
#define FIELD_U(id, low, high, about) \
	{ .name = #id, .text = about, .kind = HN_FIELD_NUMBER, .lo = low, .hi = high },
#define FIELD_E(id, type, about) \
	{ .name = #id, .text = about, .kind = HN_FIELD_CHOICE, .values = names_##type, \
	  .value_texts = texts_##type, .nr_values = HN_ARRAY_LEN(names_##type), \
	  .hi = HN_ARRAY_LEN(names_##type) - 1 },
static const struct hn_policy_field fields[] = { HN_POLICY_FIELDS(FIELD_B, FIELD_U, FIELD_E) };

/* Where each field lies in the struct; its kind says how wide it is. */
struct field_place {
	size_t offset_bytes;
};

#define PLACE(id) { offsetof(struct hn_policy, id) },
#define PLACE_B(id, about) PLACE(id)
#define PLACE_U(id, low, high, about) PLACE(id)
#define PLACE_E(id, type, about) PLACE(id)
static const struct field_place places[] = { HN_POLICY_FIELDS(PLACE_B, PLACE_U, PLACE_E) };

uint32_t hn_policy_nr_fields(void)
{
	return HN_ARRAY_LEN(fields);
}

const struct hn_policy_field *hn_policy_get_field(uint32_t idx)
{
	hn_assert(idx < HN_ARRAY_LEN(fields));
	return &fields[idx];
}

uint32_t hn_policy_value(const struct hn_policy *policy, uint32_t idx)
{
	const char *at;

	hn_assert(idx < HN_ARRAY_LEN(fields));
	at = (const char *)policy + places[idx].offset_bytes;
	switch (fields[idx].kind) {
	case HN_FIELD_SWITCH:
		return *(const bool *)at;
	case HN_FIELD_CHOICE:
		return *(const uint8_t *)at;
	case HN_FIELD_NUMBER:
		return *(const uint32_t *)at;
	}
	return 0;
}

void hn_policy_set_value(struct hn_policy *policy, uint32_t idx, uint32_t value)
{
	char *at;

	hn_assert(idx < HN_ARRAY_LEN(fields));
	hn_assert(value >= fields[idx].lo);
	hn_assert(value <= fields[idx].hi);
	at = (char *)policy + places[idx].offset_bytes;
	switch (fields[idx].kind) {
	case HN_FIELD_SWITCH:
		*(bool *)at = value != 0;
		break;
	case HN_FIELD_CHOICE:
		*(uint8_t *)at = (uint8_t)value;
		break;
	case HN_FIELD_NUMBER:
		*(uint32_t *)at = value;
		break;
	}
}

const char *hn_policy_value_text(const struct hn_policy *policy, uint32_t idx,
				 char buf[HN_POLICY_VALUE_BYTES])
{
	uint32_t value = hn_policy_value(policy, idx);

	switch (fields[idx].kind) {
	case HN_FIELD_SWITCH:
		return value ? "on" : "off";
	case HN_FIELD_CHOICE:
		hn_assert(value < fields[idx].nr_values);
		return fields[idx].values[value];
	case HN_FIELD_NUMBER:
		break;
	}
	snprintf(buf, HN_POLICY_VALUE_BYTES, "%u", value);
	return buf;
}
