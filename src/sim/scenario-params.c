/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of the machine, and the parameters of a scenario with their values. */
#include "sim/scenario-internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/strbuf.h"

/* ---- facts ---- */

static void add_fact(struct scn_reader *rd, const char *name, double number, int8_t bytes)
{
	rd->facts[rd->fact_scope.nr_names++] = (struct hn_expr_name){
		name, { .number = number, .bytes = bytes },
	};
}

void scn_facts_init(struct scn_reader *rd)
{
	const struct hn_machine *m = rd->machine;
	uint64_t smallest = 0, total = 0;
	uint32_t nr_with_cpus = 0;

	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		uint64_t bytes = m->nodes[n].mem_bytes;

		total += bytes;
		nr_with_cpus += m->nodes[n].nr_cpus > 0;
		if (bytes && (!smallest || bytes < smallest))
			smallest = bytes;
	}
	rd->fact_scope.names = rd->facts;
	add_fact(rd, "cpus", m->nr_cpus, 0);
	add_fact(rd, "cores", m->nr_cores, 0);
	add_fact(rd, "nodes", m->nr_nodes, 0);
	add_fact(rd, "nodes_with_cpus", nr_with_cpus, 0);
	add_fact(rd, "llcs", m->nr_llcs, 0);
	add_fact(rd, "packages", m->nr_pkgs, 0);
	add_fact(rd, "smt", m->nr_cores ? m->nr_cpus / m->nr_cores : 1, 0);
	add_fact(rd, "memory", (double)total, 1);
	add_fact(rd, "node_memory", (double)smallest, 1);
	add_fact(rd, "llc", (double)m->llc_bytes, 1);
	add_fact(rd, "line", m->line_bytes, 1);
	rd->scope = &rd->fact_scope;
}

/* ---- parameters ---- */

static int find_switch(const char *text)
{
	if (!strcmp(text, "on") || !strcmp(text, "true") || !strcmp(text, "yes"))
		return 1;
	if (!strcmp(text, "off") || !strcmp(text, "false") || !strcmp(text, "no"))
		return 0;
	return -1;
}

/* What a value is shown as: numbers computed, all else as it was written. */
static const char *shown_text(struct hn_arena *arena, const char *text,
			      const struct hn_expr_value *value)
{
	struct hn_strbuf buf;

	if (value->bytes || value->time)
		return text;
	hn_strbuf_init(&buf, arena);
	if (value->number > -1e15 && value->number < 1e15 &&
	    value->number == (double)(int64_t)value->number)
		hn_strbuf_addf(&buf, "%lld", (long long)value->number);
	else
		hn_strbuf_addf(&buf, "%g", value->number);
	return buf.text;
}

static int read_value(struct scn_reader *rd, const char *text, const struct hn_expr_place *place,
		      struct scn_param *param, struct hn_expr_value *ret_value)
{
	int on = find_switch(text);
	int err;

	if (on >= 0) {
		*ret_value = (struct hn_expr_value){ .number = on };
		param->text = on ? "on" : "off";
		param->is_switch = true;
		return 0;
	}
	err = hn_expr_eval(text, &rd->param_scope, place, ret_value, rd->diag);
	if (!err)
		param->text = shown_text(rd->arena, text, ret_value);
	return err;
}

static struct scn_given *find_given(const struct scn_reader *rd, const char *key)
{
	for (uint32_t g = 0; g < rd->spec->nr_given; g++) {
		if (!strcmp(rd->spec->given[g].key, key))
			return &rd->spec->given[g];
	}
	return NULL;
}

/* The value of the spec must be of the kind that the default has. */
static int apply_given(struct scn_reader *rd, const char *name, struct scn_param *param,
		       struct hn_expr_value *value)
{
	struct scn_given *given = find_given(rd, name);
	bool is_switch = param->is_switch;
	struct hn_expr_value found;
	struct hn_expr_place place;
	char what[SCN_NAME_CHARS_MAX + 16];
	int err;

	if (!given)
		return 0;
	given->is_used = true;
	snprintf(what, sizeof(what), "parameter '%s'", name);
	place = (struct hn_expr_place){ .file = what };
	param->is_switch = false;
	param->is_given = true;
	err = read_value(rd, given->value, &place, param, &found);
	if (err)
		return err;
	if (param->is_switch != is_switch && is_switch)
		return hn_diag_set(rd->diag, -EINVAL, "%s is '%.60s', expected on or off", what,
				   given->value);
	if (param->is_switch != is_switch)
		return hn_diag_set(rd->diag, -EINVAL, "%s is '%.60s', expected %s", what,
				   given->value, hn_expr_dimension(value));
	if (found.bytes != value->bytes || found.time != value->time)
		return hn_diag_set(rd->diag, -EINVAL, "%s is %s ('%.60s'), expected %s", what,
				   hn_expr_dimension(&found), given->value,
				   hn_expr_dimension(value));
	*value = found;
	return 0;
}

static int read_param(struct scn_reader *rd, const struct hn_yaml_node *node)
{
	static const char *const keys[] = { "default", "about" };
	uint32_t p = rd->param_scope.nr_names;
	const struct hn_yaml_node *text_node = node;
	struct hn_expr_value value;
	struct hn_expr_place place;
	int err = scn_check_new_name(rd, node);

	if (!err && node->kind == HN_YAML_MAP) {
		err = hn_yaml_check_keys(node, keys, HN_ARRAY_LEN(keys), rd->diag);
		if (!err)
			err = hn_yaml_need(node, "default", &text_node, rd->diag);
	}
	if (!err)
		err = hn_yaml_check_kind(text_node, HN_YAML_SCALAR, rd->diag);
	if (err)
		return err;
	place = (struct hn_expr_place){ text_node->file, text_node->line,
					text_node->column + text_node->is_quoted };
	err = read_value(rd, text_node->text, &place, &rd->params[p], &value);
	if (!err)
		err = apply_given(rd, node->key, &rd->params[p], &value);
	if (err)
		return err;
	rd->param_names[p] = (struct hn_expr_name){ node->key, value };
	rd->param_scope.nr_names++;
	return 0;
}

static int refuse_unused(struct scn_reader *rd)
{
	const char *names[SCN_PARAMS_MAX];
	char hint[HN_NEAREST_HINT_BYTES];

	for (uint32_t n = 0; n < rd->param_scope.nr_names; n++)
		names[n] = rd->param_names[n].name;
	for (uint32_t g = 0; g < rd->spec->nr_given; g++) {
		const struct scn_given *given = &rd->spec->given[g];

		if (!given->is_used)
			return hn_diag_set(rd->diag, -EINVAL,
					   "scenario '%.100s' has no parameter '%.60s'%s",
					   rd->spec->name, given->key,
					   hn_nearest_hint(hint, given->key, names,
							   rd->param_scope.nr_names));
	}
	return 0;
}

int scn_params_read(struct scn_reader *rd, const struct hn_yaml_node *params)
{
	int err = 0;

	rd->param_scope = (struct hn_expr_scope){ .names = rd->param_names,
						  .outer = rd->scope };
	rd->scope = &rd->param_scope;
	if (params)
		err = hn_yaml_check_kind(params, HN_YAML_MAP, rd->diag);
	if (!err && params && params->nr_children > SCN_PARAMS_MAX)
		err = hn_yaml_complain(params, -E2BIG, rd->diag, "%u parameters, at most %d",
				       params->nr_children, SCN_PARAMS_MAX);
	if (!err && params) {
		hn_yaml_for_each(node, params) {
			err = read_param(rd, node);
			if (err)
				break;
		}
	}
	return err ? err : refuse_unused(rd);
}

/* ---- names and texts ---- */

const char *scn_display_name(const struct scn_reader *rd)
{
	struct hn_strbuf buf;
	char separator = ':';

	hn_strbuf_init(&buf, rd->arena);
	hn_strbuf_add(&buf, rd->spec->name);
	for (uint32_t p = 0; p < rd->param_scope.nr_names; p++) {
		if (!rd->params[p].is_given)
			continue;
		hn_strbuf_addf(&buf, "%c%s=%s", separator, rd->param_names[p].name,
			       rd->params[p].text);
		separator = ',';
	}
	return buf.text;
}

static const char *find_param_text(const struct scn_reader *rd, const char *name, size_t len)
{
	for (uint32_t p = 0; p < rd->param_scope.nr_names; p++) {
		const char *known = rd->param_names[p].name;

		if (strlen(known) == len && !memcmp(known, name, len))
			return rd->params[p].text;
	}
	return NULL;
}

int scn_fill_in(struct scn_reader *rd, const struct hn_yaml_node *node, const char **ret_text)
{
	const char *text, *p;
	struct hn_strbuf buf;
	int err = hn_yaml_as_string(node, &text, rd->diag);

	if (err)
		return err;
	hn_strbuf_init(&buf, rd->arena);
	hn_strbuf_add(&buf, "");
	for (p = text; *p; ) {
		size_t len = strcspn(p, "{");
		const char *value;

		hn_strbuf_add_bytes(&buf, p, len);
		p += len;
		if (!*p)
			break;
		len = strcspn(p + 1, "}");
		value = p[1 + len] ? find_param_text(rd, p + 1, len) : NULL;
		if (!value)
			return hn_yaml_complain(node, -EINVAL, rd->diag,
						"'%.40s' is not a parameter in braces", p);
		hn_strbuf_add(&buf, value);
		p += len + 2;
	}
	*ret_text = buf.text;
	return 0;
}
