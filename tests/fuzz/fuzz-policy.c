/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a policy: refused with a message, or a policy whose name reads back as itself.
 *
 * The input is read twice: as it stands, and as choices from which a policy is put together that is
 * wrong in few places, so that random bytes get past the name. */
#include <string.h>

#include "base/assert.h"
#include "base/strbuf.h"
#include "policy/policy-report.h"

#define CHOICE_BYTES 4 /* field, value, damage, where */
#define NR_CHOICES_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes);

static void try_spec(struct hn_arena *arena, const char *spec)
{
	const struct hn_policy *policy = NULL, *again = NULL;
	struct hn_diag diag = { 0 };

	if (hn_policy_parse(arena, spec, &policy, &diag)) {
		hn_assert(!policy);
		hn_assert(diag.text[0]);
		return;
	}
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		hn_assert(hn_policy_value(policy, f) >= hn_policy_get_field(f)->lo);
		hn_assert(hn_policy_value(policy, f) <= hn_policy_get_field(f)->hi);
	}
	hn_assert(!hn_policy_parse(arena, policy->name, &again, &diag));
	hn_assert(!hn_policy_nr_differences(policy, again));
	hn_assert(!strcmp(policy->name, again->name));
}

static void add_value(struct hn_strbuf *spec, const struct hn_policy_field *field, uint8_t byte)
{
	switch (field->kind) {
	case HN_FIELD_SWITCH:
		hn_strbuf_add(spec, byte & 1 ? "on" : "off");
		break;
	case HN_FIELD_NUMBER:
		hn_strbuf_addf(spec, "%u", field->lo + byte);
		break;
	case HN_FIELD_CHOICE:
		hn_strbuf_add(spec, field->values[byte % field->nr_values]);
		break;
	}
}

/* One choice in four changes a byte of the "+field=value" that it made. */
static void add_choice(struct hn_strbuf *spec, const uint8_t *choice)
{
	const struct hn_policy_field *field =
		hn_policy_get_field(choice[0] % hn_policy_nr_fields());
	size_t start = spec->len_bytes;

	hn_strbuf_addf(spec, "+%s=", field->name);
	add_value(spec, field, choice[1]);
	if ((choice[3] & 3) == 3 && choice[2])
		spec->text[start + (choice[3] >> 2) % (spec->len_bytes - start)] = (char)choice[2];
}

static void try_choices(struct hn_arena *arena, const uint8_t *bytes, size_t nr_bytes)
{
	struct hn_strbuf spec;

	if (!nr_bytes)
		return;
	hn_strbuf_init(&spec, arena);
	hn_strbuf_add(&spec, hn_policy_get_row(bytes[0] % hn_policy_nr_rows())->name);
	for (size_t at = 1; at + CHOICE_BYTES <= nr_bytes && at < NR_CHOICES_MAX * CHOICE_BYTES;
	     at += CHOICE_BYTES)
		add_choice(&spec, bytes + at);
	try_spec(arena, spec.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes)
{
	struct hn_arena arena;
	char *text;

	hn_arena_init(&arena);
	text = hn_arena_alloc(&arena, nr_bytes + 1);
	if (nr_bytes)
		memcpy(text, bytes, nr_bytes);
	try_spec(&arena, text);
	try_choices(&arena, bytes, nr_bytes);
	hn_arena_fini(&arena);
	return 0;
}
