/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a scenario file, through the expressions of scenario-expr.h. */
#include "sim/scenario-internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

#define SUBJECT_BYTES 72
#define NUMBER_BYTES 40

/* "'threads'", or "the value" in a list. */
static const char *subject(const struct hn_yaml_node *node, char *buf)
{
	if (node->key)
		snprintf(buf, SUBJECT_BYTES, "'%.60s'", node->key);
	else
		snprintf(buf, SUBJECT_BYTES, "the value");
	return buf;
}

/* Columns are exact for texts on one line without escapes. */
static int eval(struct scn_reader *rd, const struct hn_yaml_node *node,
		struct hn_expr_value *ret_value)
{
	struct hn_expr_place place = { node->file, node->line, node->column };
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, rd->diag);

	if (err)
		return err;
	place.column += node->is_quoted;
	return hn_expr_eval(node->text, rd->scope, &place, ret_value, rd->diag);
}

static int refuse_dimension(struct scn_reader *rd, const struct hn_yaml_node *node,
			    const struct hn_expr_value *value, const char *expected)
{
	char name[SUBJECT_BYTES];

	return hn_yaml_complain(node, -EINVAL, rd->diag, "%s is %s ('%.80s'), expected %s",
				subject(node, name), hn_expr_dimension(value), node->text,
				expected);
}

/* Numbers print as people write them: whole where they are. */
static const char *format_number(double number, char *buf)
{
	bool is_whole = number > -1e15 && number < 1e15 && number == (double)(int64_t)number;

	if (is_whole)
		snprintf(buf, NUMBER_BYTES, "%lld", (long long)number);
	else
		snprintf(buf, NUMBER_BYTES, "%g", number);
	return buf;
}

static int check_range(struct scn_reader *rd, const struct hn_yaml_node *node, double number,
		       const double range[2], const char *unit)
{
	char name[SUBJECT_BYTES], found[NUMBER_BYTES], low[NUMBER_BYTES], high[NUMBER_BYTES];

	if (number >= range[0] && number <= range[1])
		return 0;
	return hn_yaml_complain(node, -ERANGE, rd->diag,
				"%s is %s%s ('%.80s'), expected %s to %s%s", subject(node, name),
				format_number(number, found), unit, node->text,
				format_number(range[0], low), format_number(range[1], high), unit);
}

/* A plain number. */
static int eval_plain(struct scn_reader *rd, const struct hn_yaml_node *node, double *ret_number)
{
	struct hn_expr_value value;
	int err = eval(rd, node, &value);

	if (err)
		return err;
	if (value.bytes || value.time)
		return refuse_dimension(rd, node, &value, "a number without unit");
	*ret_number = value.number;
	return 0;
}

/* Of numbers within +-1e18. */
static double floor_of(double number)
{
	double whole = (double)(int64_t)number;

	return whole > number ? whole - 1 : whole;
}

int scn_read_count(struct scn_reader *rd, const struct hn_yaml_node *node, uint32_t min,
		   uint32_t max, uint32_t *ret_count)
{
	const double range[2] = { min, max };
	double number;
	int err = eval_plain(rd, node, &number);

	if (err)
		return err;
	number = floor_of(number);
	err = check_range(rd, node, number, range, "");
	if (!err)
		*ret_count = (uint32_t)number;
	return err;
}

int scn_read_real(struct scn_reader *rd, const struct hn_yaml_node *node, double min, double max,
		  double *ret_value)
{
	const double range[2] = { min, max };
	double number;
	int err = eval_plain(rd, node, &number);

	if (!err)
		err = check_range(rd, node, number, range, "");
	if (!err)
		*ret_value = number;
	return err;
}

/* The size with its fraction. */
static int eval_bytes(struct scn_reader *rd, const struct hn_yaml_node *node, double *ret_bytes)
{
	struct hn_expr_value value;
	int err = eval(rd, node, &value);

	if (err)
		return err;
	if (value.time || (value.bytes != 1 && value.bytes != 0))
		return refuse_dimension(rd, node, &value, "a size such as '3 GiB'");
	*ret_bytes = value.number;
	return 0;
}

int scn_read_bytes(struct scn_reader *rd, const struct hn_yaml_node *node, uint64_t min,
		   uint64_t max, uint64_t *ret_bytes)
{
	const double range[2] = { (double)min, (double)max };
	double bytes;
	int err = eval_bytes(rd, node, &bytes);

	if (err)
		return err;
	bytes = floor_of(bytes);
	err = check_range(rd, node, bytes, range, " bytes");
	if (!err)
		*ret_bytes = (uint64_t)bytes;
	return err;
}

int scn_read_traffic(struct scn_reader *rd, const struct hn_yaml_node *node, double max,
		     double *ret_bytes)
{
	const double range[2] = { 0, max };
	double bytes;
	int err = eval_bytes(rd, node, &bytes);

	if (!err)
		err = check_range(rd, node, bytes, range, " bytes");
	if (!err)
		*ret_bytes = bytes;
	return err;
}

int scn_read_ns(struct scn_reader *rd, const struct hn_yaml_node *node, double min, double max,
		double *ret_ns)
{
	const double range[2] = { min, max };
	struct hn_expr_value value;
	int err = eval(rd, node, &value);

	if (err)
		return err;
	if (value.bytes || (value.time != 1 && (value.time || value.number != 0)))
		return refuse_dimension(rd, node, &value, "a time such as '250 ms'");
	err = check_range(rd, node, value.number, range, " ns");
	if (!err)
		*ret_ns = value.number;
	return err;
}

int scn_read_span(struct scn_reader *rd, const struct hn_yaml_node *node, hn_time_ns min,
		  hn_time_ns max, hn_time_ns *ret_ns)
{
	double ns;
	int err = scn_read_ns(rd, node, (double)min, (double)max, &ns);

	if (!err)
		*ret_ns = (hn_time_ns)ns;
	return err;
}

int scn_read_switch(struct scn_reader *rd, const struct hn_yaml_node *node, bool *ret_value)
{
	static const char *const words[] = { "on", "true", "yes", "off", "false", "no" };
	double number;
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, rd->diag);

	if (err)
		return err;
	for (uint32_t w = 0; w < HN_ARRAY_LEN(words); w++) {
		if (!strcmp(node->text, words[w])) {
			*ret_value = w < 3;
			return 0;
		}
	}
	err = eval_plain(rd, node, &number);
	if (!err)
		*ret_value = number != 0;
	return err;
}

int scn_read_nid(struct scn_reader *rd, const struct hn_yaml_node *node, hn_nid *ret_nid)
{
	const struct hn_machine *machine = rd->machine;
	char name[SUBJECT_BYTES];
	double number;
	int err = eval_plain(rd, node, &number);

	if (err)
		return err;
	number = floor_of(number);
	if (number == -1) {
		*ret_nid = HN_NID_NONE;
		return 0;
	}
	if (number < 0 || number >= machine->nr_nodes)
		return hn_yaml_complain(node, -ERANGE, rd->diag,
					"%s is node %.0f ('%.80s'), machine '%s' has nodes 0 to %u",
					subject(node, name), number, node->text, machine->name,
					machine->nr_nodes - 1);
	if (!machine->nodes[(uint32_t)number].mem_bytes)
		return hn_yaml_complain(node, -ERANGE, rd->diag,
					"%s is node %.0f ('%.80s'), which has no memory",
					subject(node, name), number, node->text);
	*ret_nid = (hn_nid)number;
	return 0;
}

int scn_check_new_name(struct scn_reader *rd, const struct hn_yaml_node *node)
{
	if (strlen(node->key) > SCN_NAME_CHARS_MAX || !hn_expr_is_name(node->key))
		return hn_yaml_complain_key(node, -EINVAL, rd->diag,
					    "name '%.60s' must be 1 to %d letters, digits and "
					    "underscores, and not begin with a digit",
					    node->key, SCN_NAME_CHARS_MAX);
	if (hn_expr_find(rd->scope, node->key))
		return hn_yaml_complain_key(node, -EINVAL, rd->diag,
					    "name '%s' means something else already", node->key);
	return 0;
}

int scn_find_name(struct scn_reader *rd, const struct hn_yaml_node *node, const char *what,
		  const char *const *names, uint32_t nr, uint32_t *ret_index)
{
	char hint[HN_NEAREST_HINT_BYTES];
	int err = hn_yaml_check_kind(node, HN_YAML_SCALAR, rd->diag);

	if (err)
		return err;
	for (uint32_t n = 0; n < nr; n++) {
		if (!strcmp(names[n], node->text)) {
			*ret_index = n;
			return 0;
		}
	}
	return hn_yaml_complain(node, -EINVAL, rd->diag, "unknown %s '%.60s'%s", what, node->text,
				hn_nearest_hint(hint, node->text, names, nr));
}
