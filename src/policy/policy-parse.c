/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy is asked for as NAME or NAME+field=value+field=value. Since names of rows may hold a '+'
 * themselves (v6.3+fc137c0ddab2), the name ends before the first "+word=". */
#include "policy/policy.h"

#include <errno.h>
#include <string.h>

#include "base/nearest.h"
#include "base/strbuf.h"

#define NAMES_MAX 128
#define SPEC_BYTES_MAX 2048
#define FIELDS_MAX 256

struct piece {
	const char *text;
	size_t len_bytes;
};

static bool is_piece(struct piece piece, const char *name)
{
	return strlen(name) == piece.len_bytes && !memcmp(piece.text, name, piece.len_bytes);
}

/* Bytes of the name: up to the first '+' that starts a "field=" part. */
static size_t name_length(const char *spec)
{
	const char *plus = strchr(spec, '+');

	while (plus) {
		size_t word = strcspn(plus + 1, "+=");

		if (plus[1 + word] == '=')
			return (size_t)(plus - spec);
		plus = strchr(plus + 1, '+');
	}
	return strlen(spec);
}

static const struct hn_policy *find_row(struct piece name)
{
	for (uint32_t a = 0; a < hn_policy_nr_aliases(); a++) {
		const struct hn_policy_alias *alias = hn_policy_get_alias(a);

		if (is_piece(name, alias->name))
			return find_row((struct piece){ alias->row, strlen(alias->row) });
	}
	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++) {
		if (is_piece(name, hn_policy_get_row(r)->name))
			return hn_policy_get_row(r);
	}
	return NULL;
}

static int refuse_name(struct hn_arena *arena, struct piece name, struct hn_diag *diag)
{
	const char *names[NAMES_MAX];
	char hint[HN_NEAREST_HINT_BYTES];
	struct hn_strbuf word;
	uint32_t nr = 0;

	for (uint32_t r = 0; r < hn_policy_nr_rows() && nr < NAMES_MAX; r++)
		names[nr++] = hn_policy_get_row(r)->name;
	for (uint32_t a = 0; a < hn_policy_nr_aliases() && nr < NAMES_MAX; a++)
		names[nr++] = hn_policy_get_alias(a)->name;
	hn_strbuf_init(&word, arena);
	hn_strbuf_add_bytes(&word, name.text, name.len_bytes);
	return hn_diag_set(diag, -ENOENT, "unknown policy '%s'%s; see 'homenode list policies'",
			   word.text, hn_nearest_hint(hint, word.text, names, nr));
}

static int refuse_field(const char *field, const struct hn_policy *row, struct hn_diag *diag)
{
	const char *names[FIELDS_MAX];
	char hint[HN_NEAREST_HINT_BYTES];
	uint32_t nr = 0;

	for (; nr < hn_policy_nr_fields() && nr < FIELDS_MAX; nr++)
		names[nr] = hn_policy_get_field(nr)->name;
	return hn_diag_set(diag, -EINVAL,
			   "policy '%s' has no field '%s'%s; see 'homenode policy show %s'",
			   row->name, field, hn_nearest_hint(hint, field, names, nr), row->name);
}

static int find_field(const char *name, const struct hn_policy *row, uint32_t *ret_idx,
		      struct hn_diag *diag)
{
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		if (!strcmp(hn_policy_get_field(f)->name, name)) {
			*ret_idx = f;
			return 0;
		}
	}
	return refuse_field(name, row, diag);
}

static int read_switch(const struct hn_policy_field *field, const char *text, uint32_t *ret_value,
		       struct hn_diag *diag)
{
	if (!strcmp(text, "on"))
		*ret_value = 1;
	else if (!strcmp(text, "off"))
		*ret_value = 0;
	else
		return hn_diag_set(diag, -EINVAL, "field '%s': expected on or off, found '%s'",
				   field->name, text);
	return 0;
}

static int read_number(const struct hn_policy_field *field, const char *text, uint32_t *ret_value,
		       struct hn_diag *diag)
{
	uint64_t value = 0;
	const char *digit = text;

	for (; *digit >= '0' && *digit <= '9' && value <= UINT32_MAX; digit++)
		value = value * 10 + (uint64_t)(*digit - '0');
	if (digit == text || *digit || value < field->lo || value > field->hi)
		return hn_diag_set(diag, -EINVAL,
				   "field '%s': expected a number from %u to %u, found '%s'",
				   field->name, field->lo, field->hi, text);
	*ret_value = (uint32_t)value;
	return 0;
}

static int read_choice(struct hn_arena *arena, const struct hn_policy_field *field,
		       const char *text, uint32_t *ret_value, struct hn_diag *diag)
{
	struct hn_strbuf list;

	for (uint32_t v = 0; v < field->nr_values; v++) {
		if (!strcmp(field->values[v], text)) {
			*ret_value = v;
			return 0;
		}
	}
	hn_strbuf_init(&list, arena);
	for (uint32_t v = 0; v < field->nr_values; v++)
		hn_strbuf_addf(&list, "%s%s", v ? ", " : "", field->values[v]);
	return hn_diag_set(diag, -EINVAL, "field '%s': expected one of %s, found '%s'", field->name,
			   list.text, text);
}

static int read_value(struct hn_arena *arena, const struct hn_policy_field *field,
		      const char *text, uint32_t *ret_value, struct hn_diag *diag)
{
	switch (field->kind) {
	case HN_FIELD_SWITCH:
		return read_switch(field, text, ret_value, diag);
	case HN_FIELD_NUMBER:
		return read_number(field, text, ret_value, diag);
	case HN_FIELD_CHOICE:
		return read_choice(arena, field, text, ret_value, diag);
	}
	return -EINVAL;
}

/* Applies "field=value"; the part is the caller's to write in. */
static int apply_part(struct hn_arena *arena, char *part, const struct hn_policy *row,
		      struct hn_policy *policy, struct hn_diag *diag)
{
	char *equals = strchr(part, '=');
	uint32_t idx = 0, value = 0;
	int err;

	if (!equals)
		return hn_diag_set(diag, -EINVAL, "policy '%s': expected field=value, found '%s'",
				   row->name, part);
	*equals = '\0';
	err = find_field(part, row, &idx, diag);
	if (err)
		return err;
	err = read_value(arena, hn_policy_get_field(idx), equals + 1, &value, diag);
	if (err)
		return err;
	hn_policy_set_value(policy, idx, value);
	return 0;
}

/* The row's name and the fields that differ from it, in field order. */
static const char *canonical_name(struct hn_arena *arena, const struct hn_policy *row,
				  const struct hn_policy *policy)
{
	char digits[HN_POLICY_VALUE_BYTES];
	struct hn_strbuf name;

	hn_strbuf_init(&name, arena);
	hn_strbuf_add(&name, row->name);
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		if (hn_policy_value(policy, f) == hn_policy_value(row, f))
			continue;
		hn_strbuf_addf(&name, "+%s=%s", hn_policy_get_field(f)->name,
			       hn_policy_value_text(policy, f, digits));
	}
	return name.text;
}

/* Applies all parts after the name; `parts` starts with '+' or is empty. */
static int apply_parts(struct hn_arena *arena, const char *parts, const struct hn_policy *row,
		       struct hn_policy *policy, struct hn_diag *diag)
{
	char *part = hn_arena_strdup(arena, parts);
	int err = 0;

	while (*part && !err) {
		char *end = strchr(++part, '+');
		bool is_last = !end;

		if (!is_last)
			*end = '\0';
		err = apply_part(arena, part, row, policy, diag);
		if (is_last)
			break;
		*end = '+';
		part = end;
	}
	return err;
}

int hn_policy_parse(struct hn_arena *arena, const char *spec,
		    const struct hn_policy **ret_policy, struct hn_diag *diag)
{
	struct piece name = { spec, name_length(spec) };
	const struct hn_policy *row;
	struct hn_policy *policy;
	int err;

	if (strlen(spec) > SPEC_BYTES_MAX)
		return hn_diag_set(diag, -EINVAL, "policy of more than %d characters",
				   SPEC_BYTES_MAX);
	row = find_row(name);
	if (!row)
		return refuse_name(arena, name, diag);
	if (!spec[name.len_bytes]) {
		*ret_policy = row;
		return 0;
	}
	policy = HN_ARENA_NEW(arena, struct hn_policy);
	*policy = *row;
	err = apply_parts(arena, spec + name.len_bytes, row, policy, diag);
	if (err)
		return err;
	policy->name = canonical_name(arena, row, policy);
	*ret_policy = policy;
	return 0;
}
