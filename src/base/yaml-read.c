/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The questions of yaml-tree.h: keys, kinds, scalars and tables. */
#include "base/yaml-tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/nearest.h"

#define DIGITS_MAX 18 /* of a mantissa: 10^18 fits 64 bits */
#define EXPONENT_MAX 40

int hn_yaml_complain(const struct hn_yaml_node *node, int err, struct hn_diag *diag,
		     const char *fmt, ...)
{
	char text[HN_DIAG_TEXT_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return hn_diag_at(diag, err, node->file, node->line, node->column, "%s", text);
}

int hn_yaml_complain_key(const struct hn_yaml_node *node, int err, struct hn_diag *diag,
			 const char *fmt, ...)
{
	char text[HN_DIAG_TEXT_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return hn_diag_at(diag, err, node->file, node->key_line, node->key_column, "%s", text);
}

const struct hn_yaml_node *hn_yaml_find(const struct hn_yaml_node *map, const char *key)
{
	if (map->kind != HN_YAML_MAP)
		return NULL;
	hn_yaml_for_each(child, map) {
		if (!strcmp(child->key, key))
			return child;
	}
	return NULL;
}

static const char *kind_name(enum hn_yaml_kind kind)
{
	switch (kind) {
	case HN_YAML_SCALAR:
		return "a single value";
	case HN_YAML_SEQ:
		return "a list";
	case HN_YAML_MAP:
		return "a mapping (key: value)";
	}
	return "nothing";
}

/* "'key'" for a value of a mapping, else "the value". */
static const char *name_of(const struct hn_yaml_node *node, char *buf, size_t buf_bytes)
{
	if (node->key)
		snprintf(buf, buf_bytes, "'%.60s'", node->key);
	else
		snprintf(buf, buf_bytes, "the value");
	return buf;
}

#define NAME_BYTES 72

int hn_yaml_check_kind(const struct hn_yaml_node *node, enum hn_yaml_kind kind,
		       struct hn_diag *diag)
{
	char name[NAME_BYTES];

	if (node->kind == kind)
		return 0;
	return hn_yaml_complain(node, -EINVAL, diag, "%s must be %s, found %s",
				name_of(node, name, sizeof(name)), kind_name(kind),
				kind_name(node->kind));
}

int hn_yaml_need(const struct hn_yaml_node *map, const char *key,
		 const struct hn_yaml_node **ret_node, struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(map, HN_YAML_MAP, diag);
	const struct hn_yaml_node *node;

	if (err)
		return err;
	node = hn_yaml_find(map, key);
	if (!node)
		return hn_yaml_complain(map, -EINVAL, diag, "key '%s' is missing", key);
	*ret_node = node;
	return 0;
}

static bool is_in_list(const char *word, const char *const *names, uint32_t nr)
{
	for (uint32_t n = 0; n < nr; n++) {
		if (!strcmp(word, names[n]))
			return true;
	}
	return false;
}

int hn_yaml_check_keys(const struct hn_yaml_node *map, const char *const *keys, uint32_t nr_keys,
		       struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(map, HN_YAML_MAP, diag);
	char hint[HN_NEAREST_HINT_BYTES];

	if (err)
		return err;
	hn_yaml_for_each(child, map) {
		if (!is_in_list(child->key, keys, nr_keys))
			return hn_yaml_complain_key(child, -EINVAL, diag, "unknown key '%.60s'%s",
						    child->key,
						    hn_nearest_hint(hint, child->key, keys,
								    nr_keys));
	}
	return 0;
}

/* A number as mantissa * 10^exponent, exactly as written, and what follows it. */
struct decimal {
	uint64_t mantissa;
	int32_t exponent;
	const char *rest;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "e9", "E-3". An 'e' that no digit follows belongs to what comes after the number. */
static bool scan_exponent(struct decimal *d)
{
	const char *p = d->rest;
	bool is_negative;
	int32_t value = 0;

	if (*p != 'e' && *p != 'E')
		return true;
	p++;
	is_negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	if (!is_digit(*p))
		return true;
	for (; is_digit(*p); p++) {
		value = value * 10 + (*p - '0');
		if (value > EXPONENT_MAX)
			return false;
	}
	d->exponent += is_negative ? -value : value;
	d->rest = p;
	return true;
}

static bool scan_decimal(const char *text, struct decimal *d)
{
	uint32_t nr_digits = 0;
	bool has_point = false, has_digit = false;
	const char *p;

	*d = (struct decimal){ 0 };
	for (p = text; is_digit(*p) || (*p == '.' && !has_point); p++) {
		if (*p == '.') {
			has_point = true;
			continue;
		}
		has_digit = true;
		d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
		d->exponent -= has_point;
		nr_digits += d->mantissa != 0;
		if (nr_digits > DIGITS_MAX || d->exponent < -EXPONENT_MAX)
			return false;
	}
	d->rest = p;
	return has_digit && scan_exponent(d);
}

/* d * unit where that is whole and fits 64 bits. */
static bool scale_to_u64(const struct decimal *d, uint64_t unit, uint64_t *ret_value)
{
	unsigned __int128 value = (unsigned __int128)d->mantissa * unit;

	for (int32_t e = d->exponent; e > 0 && value; e--) {
		value *= 10;
		if (value > UINT64_MAX)
			return false;
	}
	for (int32_t e = d->exponent; e < 0 && value; e++) {
		if (value % 10)
			return false;
		value /= 10;
	}
	if (value > UINT64_MAX)
		return false;
	*ret_value = (uint64_t)value;
	return true;
}

/* Exact for mantissas below 2^53 and exponents within 22: one rounding, the correct one. */
static double decimal_to_double(const struct decimal *d)
{
	double value = (double)d->mantissa;
	double power = 1;
	int32_t nr_tens = d->exponent < 0 ? -d->exponent : d->exponent;

	for (int32_t e = 0; e < nr_tens; e++)
		power *= 10;
	return d->exponent < 0 ? value / power : value * power;
}

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit byte_units[] = {
	{ "", 1 }, { "B", 1 },
	{ "k", 1ULL << 10 }, { "K", 1ULL << 10 }, { "KiB", 1ULL << 10 },
	{ "m", 1ULL << 20 }, { "M", 1ULL << 20 }, { "MiB", 1ULL << 20 },
	{ "g", 1ULL << 30 }, { "G", 1ULL << 30 }, { "GiB", 1ULL << 30 },
	{ "t", 1ULL << 40 }, { "T", 1ULL << 40 }, { "TiB", 1ULL << 40 },
	{ "kB", 1000ULL }, { "MB", 1000000ULL },
	{ "GB", 1000000000ULL }, { "TB", 1000000000000ULL },
};

static const struct unit time_units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
};

static uint64_t find_unit(const char *name, const struct unit *units, size_t nr_units)
{
	if (name[0] == ' ' && name[1])
		name++;
	for (size_t u = 0; u < nr_units; u++) {
		if (!strcmp(name, units[u].name))
			return units[u].factor;
	}
	return 0;
}

/* What a value should have been, in messages. */
static int refuse_value(const struct hn_yaml_node *node, struct hn_diag *diag,
			const char *expected)
{
	char name[NAME_BYTES];

	return hn_yaml_complain(node, -EINVAL, diag, "%s is '%.60s', expected %s",
				name_of(node, name, sizeof(name)), node->text, expected);
}

static int refuse_range(const struct hn_yaml_node *node, struct hn_diag *diag, uint64_t min,
			uint64_t max, const char *unit)
{
	char name[NAME_BYTES];

	return hn_yaml_complain(node, -ERANGE, diag,
				"%s is '%.60s', expected %llu to %llu%s",
				name_of(node, name, sizeof(name)), node->text,
				(unsigned long long)min, (unsigned long long)max, unit);
}

int hn_yaml_as_u64(const struct hn_yaml_node *node, uint64_t min, uint64_t max,
		   uint64_t *ret_value, struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, diag);
	struct decimal d;
	uint64_t value;

	if (err)
		return err;
	if (!scan_decimal(node->text, &d) || d.rest[0] || !scale_to_u64(&d, 1, &value))
		return refuse_value(node, diag, "a whole number");
	if (value < min || value > max)
		return refuse_range(node, diag, min, max, "");
	*ret_value = value;
	return 0;
}

int hn_yaml_as_double(const struct hn_yaml_node *node, double min, double max, double *ret_value,
		      struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, diag);
	bool is_negative;
	char name[NAME_BYTES];
	struct decimal d;
	double value;

	if (err)
		return err;
	is_negative = node->text[0] == '-';
	if (!scan_decimal(node->text + is_negative, &d) || d.rest[0])
		return refuse_value(node, diag, "a number");
	value = is_negative ? -decimal_to_double(&d) : decimal_to_double(&d);
	if (value < min || value > max)
		return hn_yaml_complain(node, -ERANGE, diag, "%s is '%.60s', expected %g to %g",
					name_of(node, name, sizeof(name)), node->text, min, max);
	*ret_value = value;
	return 0;
}

int hn_yaml_as_bytes(const struct hn_yaml_node *node, uint64_t min, uint64_t max,
		     uint64_t *ret_bytes, struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, diag);
	uint64_t value, unit;
	struct decimal d;

	if (err)
		return err;
	if (!scan_decimal(node->text, &d))
		return refuse_value(node, diag, "a size such as '64 GiB'");
	unit = find_unit(d.rest, byte_units, HN_ARRAY_LEN(byte_units));
	if (!unit)
		return refuse_value(node, diag, "a unit of k, m, g, t, KiB, MiB, GiB, TiB, "
				    "kB, MB, GB, TB or none");
	if (!scale_to_u64(&d, unit, &value))
		return refuse_value(node, diag, "a whole number of bytes");
	if (value < min || value > max)
		return refuse_range(node, diag, min, max, " bytes");
	*ret_bytes = value;
	return 0;
}

int hn_yaml_as_time_ns(const struct hn_yaml_node *node, hn_time_ns min, hn_time_ns max,
		       hn_time_ns *ret_ns, struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, diag);
	uint64_t value, unit;
	struct decimal d;

	hn_assert(min >= 0);
	if (err)
		return err;
	if (!scan_decimal(node->text, &d))
		return refuse_value(node, diag, "a time such as '250 ms'");
	unit = find_unit(d.rest, time_units, HN_ARRAY_LEN(time_units));
	if (!d.mantissa && !d.rest[0])
		unit = 1;
	if (!unit)
		return refuse_value(node, diag, "a unit of ns, us, ms or s");
	if (!scale_to_u64(&d, unit, &value))
		return refuse_value(node, diag, "a whole number of nanoseconds");
	if (value < (uint64_t)min || value > (uint64_t)max)
		return refuse_range(node, diag, (uint64_t)min, (uint64_t)max, " ns");
	*ret_ns = (hn_time_ns)value;
	return 0;
}

int hn_yaml_as_bool(const struct hn_yaml_node *node, bool *ret_value, struct hn_diag *diag)
{
	static const char *const yes[] = { "true", "yes", "on" };
	static const char *const no[] = { "false", "no", "off" };
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, diag);

	if (err)
		return err;
	if (is_in_list(node->text, yes, HN_ARRAY_LEN(yes)))
		*ret_value = true;
	else if (is_in_list(node->text, no, HN_ARRAY_LEN(no)))
		*ret_value = false;
	else
		return refuse_value(node, diag, "true or false");
	return 0;
}

int hn_yaml_as_string(const struct hn_yaml_node *node, const char **ret_text,
		      struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, diag);

	if (err)
		return err;
	if (!node->text[0])
		return refuse_value(node, diag, "a text");
	*ret_text = node->text;
	return 0;
}

int hn_yaml_as_choice(const struct hn_yaml_node *node, const char *const *names, uint32_t nr,
		      uint32_t *ret_index, struct hn_diag *diag)
{
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, diag);
	char hint[HN_NEAREST_HINT_BYTES], name[NAME_BYTES];

	if (err)
		return err;
	for (uint32_t n = 0; n < nr; n++) {
		if (!strcmp(node->text, names[n])) {
			*ret_index = n;
			return 0;
		}
	}
	return hn_yaml_complain(node, -EINVAL, diag, "%s has no value '%.60s'%s",
				name_of(node, name, sizeof(name)), node->text,
				hn_nearest_hint(hint, node->text, names, nr));
}
