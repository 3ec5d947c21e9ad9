/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of yaml-tree.h: one mapping into one struct. */
#include "base/yaml-tree.h"

#include <errno.h>

#include "base/assert.h"

#define FIELDS_MAX 64 /* of one table; a programmer's limit */

static bool has_range(const struct hn_yaml_field *field)
{
	return field->min != 0 || field->max != 0;
}

/* Bounds in a table are doubles, and 2^64 is one that no uint64_t holds. */
static uint64_t max_u64_of(const struct hn_yaml_field *field, uint64_t type_max)
{
	if (!has_range(field) || field->max >= (double)type_max)
		return type_max;
	return (uint64_t)field->max;
}

static uint64_t min_u64_of(const struct hn_yaml_field *field)
{
	hn_assert(field->min >= 0);
	return (uint64_t)field->min;
}

static int read_u32(const struct hn_yaml_node *node, const struct hn_yaml_field *field,
		    uint32_t *ret_value, struct hn_diag *diag)
{
	uint64_t value;
	int err = hn_yaml_as_u64(node, min_u64_of(field), max_u64_of(field, UINT32_MAX), &value,
				 diag);

	if (!err)
		*ret_value = (uint32_t)value;
	return err;
}

static int read_double(const struct hn_yaml_node *node, const struct hn_yaml_field *field,
		       double *ret_value, struct hn_diag *diag)
{
	if (has_range(field))
		return hn_yaml_as_double(node, field->min, field->max, ret_value, diag);
	return hn_yaml_as_double(node, -1e300, 1e300, ret_value, diag);
}

static int read_field(const struct hn_yaml_node *node, const struct hn_yaml_field *field,
		      void *out, struct hn_diag *diag)
{
	void *member = (char *)out + field->offset;

	switch (field->type) {
	case HN_YAML_U32:
		return read_u32(node, field, member, diag);
	case HN_YAML_U64:
		return hn_yaml_as_u64(node, min_u64_of(field), max_u64_of(field, UINT64_MAX),
				      member, diag);
	case HN_YAML_DOUBLE:
		return read_double(node, field, member, diag);
	case HN_YAML_BYTES:
		return hn_yaml_as_bytes(node, min_u64_of(field), max_u64_of(field, UINT64_MAX),
					member, diag);
	case HN_YAML_TIME_NS:
		return hn_yaml_as_time_ns(node, (hn_time_ns)min_u64_of(field),
					  (hn_time_ns)max_u64_of(field, INT64_MAX), member, diag);
	case HN_YAML_BOOL:
		return hn_yaml_as_bool(node, member, diag);
	case HN_YAML_STRING:
		return hn_yaml_as_string(node, member, diag);
	case HN_YAML_CHOICE:
		return hn_yaml_as_choice(node, field->names, field->nr_names, member, diag);
	case HN_YAML_NODE:
		*(const struct hn_yaml_node **)member = node;
		return 0;
	}
	return 0;
}

int hn_yaml_read_fields(const struct hn_yaml_node *map, const struct hn_yaml_field *fields,
			uint32_t nr_fields, void *out, struct hn_diag *diag)
{
	const char *keys[FIELDS_MAX] = { NULL };
	int err;

	hn_assert(nr_fields <= FIELDS_MAX);
	for (uint32_t f = 0; f < nr_fields; f++)
		keys[f] = fields[f].key;
	err = hn_yaml_check_keys(map, keys, nr_fields, diag);
	for (uint32_t f = 0; f < nr_fields && !err; f++) {
		const struct hn_yaml_node *node = hn_yaml_find(map, fields[f].key);

		if (node)
			err = read_field(node, &fields[f], out, diag);
		else if (fields[f].is_required)
			err = hn_yaml_complain(map, -EINVAL, diag, "key '%s' is missing",
					       fields[f].key);
	}
	return err;
}
