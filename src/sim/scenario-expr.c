/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/scenario-expr.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

#define NAME_BYTES 64
#define NAMES_SUGGESTED_MAX 128
#define POWER_MAX 8

/* The place of reading; p moves through text. */
struct parser {
	const char *text;
	const char *p;
	const struct hn_expr_scope *scope;
	const struct hn_expr_place *place;
	struct hn_diag *diag;
	uint32_t depth;
};

struct unit {
	const char *name;
	double factor;
	int8_t bytes, time;
};

static const struct unit units[] = {
	{ "B", 1, 1, 0 },
	{ "k", 1024, 1, 0 }, { "K", 1024, 1, 0 }, { "KiB", 1024, 1, 0 },
	{ "m", 1048576, 1, 0 }, { "M", 1048576, 1, 0 }, { "MiB", 1048576, 1, 0 },
	{ "g", 1073741824, 1, 0 }, { "G", 1073741824, 1, 0 }, { "GiB", 1073741824, 1, 0 },
	{ "t", 1099511627776, 1, 0 }, { "T", 1099511627776, 1, 0 },
	{ "TiB", 1099511627776, 1, 0 },
	{ "kB", 1e3, 1, 0 }, { "MB", 1e6, 1, 0 }, { "GB", 1e9, 1, 0 }, { "TB", 1e12, 1, 0 },
	{ "ns", 1, 0, 1 }, { "us", 1e3, 0, 1 }, { "ms", 1e6, 0, 1 }, { "s", 1e9, 0, 1 },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool hn_expr_is_name(const char *text)
{
	if (!is_letter(*text))
		return false;
	while (is_letter(*text) || is_digit(*text))
		text++;
	return *text == '\0';
}

const char *hn_expr_dimension(const struct hn_expr_value *value)
{
	if (!value->bytes && !value->time)
		return "a number";
	if (value->bytes == 1 && !value->time)
		return "a size";
	if (!value->bytes && value->time == 1)
		return "a time";
	return "another unit";
}

const struct hn_expr_name *hn_expr_find(const struct hn_expr_scope *scope, const char *name)
{
	for (; scope; scope = scope->outer) {
		for (uint32_t n = 0; n < scope->nr_names; n++) {
			if (!strcmp(scope->names[n].name, name))
				return &scope->names[n];
		}
	}
	return NULL;
}

/* Reports `message` at the character `at`. */
static int refuse(struct parser *parser, const char *at, const char *message)
{
	const struct hn_expr_place *place = parser->place;
	uint32_t column = place->line ? place->column + (uint32_t)(at - parser->text) : 0;

	return hn_diag_at(parser->diag, -EINVAL, place->file, place->line, column,
			  "%s in '%.80s'", message, parser->text);
}

static int refuse_token(struct parser *parser, const char *expected)
{
	char message[96];

	if (*parser->p == '\0')
		snprintf(message, sizeof(message), "expected %s, found the end", expected);
	else
		snprintf(message, sizeof(message), "expected %s, found '%c'", expected,
			 *parser->p);
	return refuse(parser, parser->p, message);
}

static void skip_blanks(struct parser *parser)
{
	while (*parser->p == ' ' || *parser->p == '\t' || *parser->p == '\n')
		parser->p++;
}

static bool take(struct parser *parser, char c)
{
	skip_blanks(parser);
	if (*parser->p != c)
		return false;
	parser->p++;
	return true;
}

/* Copies the word at p and moves behind it; words that are too long are cut. */
static void take_word(struct parser *parser, char *word)
{
	size_t len = 0;

	for (; is_letter(*parser->p) || is_digit(*parser->p); parser->p++) {
		if (len + 1 < NAME_BYTES)
			word[len++] = *parser->p;
	}
	word[len] = '\0';
}

/* ---- numbers ---- */

static bool is_exponent(const char *p)
{
	if (*p != 'e' && *p != 'E')
		return false;
	p++;
	if (*p == '+' || *p == '-')
		p++;
	return is_digit(*p);
}

static double take_exponent(struct parser *parser)
{
	bool is_negative = parser->p[1] == '-';
	double power = 1;
	int32_t exponent = 0;

	parser->p++;
	if (!is_digit(*parser->p))
		parser->p++;
	for (; is_digit(*parser->p); parser->p++)
		exponent = exponent < 100 ? exponent * 10 + (*parser->p - '0') : exponent;
	for (; exponent > 0; exponent--)
		power *= 10;
	return is_negative ? 1 / power : power;
}

/* Digits are gathered as a whole number and divided once, which is exact for all numbers that
 * people write. */
static double take_digits(struct parser *parser)
{
	double number = 0, divisor = 1;
	bool has_point = false;

	for (; is_digit(*parser->p) || (*parser->p == '.' && !has_point); parser->p++) {
		if (*parser->p == '.') {
			has_point = true;
			continue;
		}
		number = number * 10 + (*parser->p - '0');
		divisor *= has_point ? 10 : 1;
	}
	return number / divisor;
}

static int take_unit(struct parser *parser, struct hn_expr_value *ret)
{
	char word[NAME_BYTES], message[NAME_BYTES + 32];
	const char *at;

	if (parser->p[0] == ' ' && is_letter(parser->p[1]))
		parser->p++;
	if (!is_letter(*parser->p))
		return 0;
	at = parser->p;
	take_word(parser, word);
	for (size_t u = 0; u < HN_ARRAY_LEN(units); u++) {
		if (strcmp(units[u].name, word))
			continue;
		ret->number *= units[u].factor;
		ret->bytes = units[u].bytes;
		ret->time = units[u].time;
		return 0;
	}
	snprintf(message, sizeof(message), "unknown unit '%s'", word);
	return refuse(parser, at, message);
}

static int take_number(struct parser *parser, struct hn_expr_value *ret)
{
	const char *at = parser->p;

	if (*at == '.' && !is_digit(at[1]))
		return refuse_token(parser, "a number");
	*ret = (struct hn_expr_value){ .number = take_digits(parser) };
	if (is_exponent(parser->p))
		ret->number *= take_exponent(parser);
	if (!(ret->number <= HN_EXPR_NUMBER_MAX))
		return refuse(parser, at, "number above 1e18");
	return take_unit(parser, ret);
}

/* ---- functions and names ---- */

static int take_sum(struct parser *parser, struct hn_expr_value *ret);

static bool is_same_dimension(const struct hn_expr_value *a, const struct hn_expr_value *b)
{
	return a->bytes == b->bytes && a->time == b->time;
}

static int refuse_mix(struct parser *parser, const char *at, const struct hn_expr_value *a,
		      const struct hn_expr_value *b)
{
	char message[96];

	snprintf(message, sizeof(message), "%s and %s do not go together", hn_expr_dimension(a),
		 hn_expr_dimension(b));
	return refuse(parser, at, message);
}

enum function { FN_MIN, FN_MAX, FN_FLOOR, FN_CEIL, FN_POW2, FN_NONE };

static enum function find_function(const char *name)
{
	static const char *const names[] = { "min", "max", "floor", "ceil", "pow2" };

	for (uint32_t f = 0; f < HN_ARRAY_LEN(names); f++) {
		if (!strcmp(names[f], name))
			return (enum function)f;
	}
	return FN_NONE;
}

/* Towards minus infinity; numbers beyond 2^62 have no fraction. */
static double round_down(double x)
{
	double whole;

	if (x >= 4611686018427387904.0 || x <= -4611686018427387904.0)
		return x;
	whole = (double)(int64_t)x;
	return whole > x ? whole - 1 : whole;
}

static int apply_rounding(struct parser *parser, const char *at, enum function function,
			  struct hn_expr_value *value)
{
	double power = 1;

	if (function == FN_FLOOR) {
		value->number = round_down(value->number);
	} else if (function == FN_CEIL) {
		value->number = -round_down(-value->number);
	} else {
		if (!(value->number >= 1))
			return refuse(parser, at, "pow2 of less than 1");
		while (power * 2 <= value->number)
			power *= 2;
		value->number = power;
	}
	return 0;
}

/* One more argument of min or max. */
static int fold(struct parser *parser, const char *at, enum function function,
		const struct hn_expr_value *next, struct hn_expr_value *value)
{
	if (!is_same_dimension(value, next))
		return refuse_mix(parser, at, value, next);
	if (function == FN_MIN ? next->number < value->number : next->number > value->number)
		*value = *next;
	return 0;
}

static int take_call(struct parser *parser, const char *at, enum function function,
		     struct hn_expr_value *ret)
{
	struct hn_expr_value next;
	const char *next_at;
	int err = take_sum(parser, ret);

	if (err)
		return err;
	if (function >= FN_FLOOR) {
		err = apply_rounding(parser, at, function, ret);
		if (err)
			return err;
	} else {
		while (take(parser, ',')) {
			skip_blanks(parser);
			next_at = parser->p;
			err = take_sum(parser, &next);
			if (!err)
				err = fold(parser, next_at, function, &next, ret);
			if (err)
				return err;
		}
	}
	return take(parser, ')') ? 0 : refuse_token(parser, "')'");
}

static int refuse_name(struct parser *parser, const char *at, const char *word)
{
	const char *known[NAMES_SUGGESTED_MAX];
	char hint[HN_NEAREST_HINT_BYTES], message[NAME_BYTES + HN_NEAREST_HINT_BYTES + 32];
	uint32_t nr = 0;

	for (const struct hn_expr_scope *s = parser->scope; s; s = s->outer) {
		for (uint32_t n = 0; n < s->nr_names && nr < NAMES_SUGGESTED_MAX; n++)
			known[nr++] = s->names[n].name;
	}
	snprintf(message, sizeof(message), "unknown name '%s'%s", word,
		 hn_nearest_hint(hint, word, known, nr));
	return refuse(parser, at, message);
}

static int take_name(struct parser *parser, struct hn_expr_value *ret)
{
	const char *at = parser->p;
	const struct hn_expr_name *name;
	enum function function;
	char word[NAME_BYTES];

	take_word(parser, word);
	function = find_function(word);
	if (function != FN_NONE && take(parser, '('))
		return take_call(parser, at, function, ret);
	name = hn_expr_find(parser->scope, word);
	if (!name)
		return refuse_name(parser, at, word);
	*ret = name->value;
	return 0;
}

/* ---- the grammar ---- */

static int take_factor_inside(struct parser *parser, struct hn_expr_value *ret)
{
	int err;

	skip_blanks(parser);
	if (is_digit(*parser->p) || *parser->p == '.')
		return take_number(parser, ret);
	if (is_letter(*parser->p))
		return take_name(parser, ret);
	if (take(parser, '(')) {
		err = take_sum(parser, ret);
		if (err)
			return err;
		return take(parser, ')') ? 0 : refuse_token(parser, "')'");
	}
	return refuse_token(parser, "a number, a name or '('");
}

static int take_factor(struct parser *parser, struct hn_expr_value *ret)
{
	bool is_negative = take(parser, '-');
	int err;

	if (parser->depth == HN_EXPR_DEPTH_MAX)
		return refuse(parser, parser->p, "nested too deeply");
	parser->depth++;
	err = is_negative ? take_factor(parser, ret) : take_factor_inside(parser, ret);
	parser->depth--;
	if (!err && is_negative)
		ret->number = -ret->number;
	return err;
}

static int check_result(struct parser *parser, const char *at, const struct hn_expr_value *value)
{
	bool is_finite = value->number <= HN_EXPR_NUMBER_MAX &&
			 value->number >= -HN_EXPR_NUMBER_MAX;

	if (!is_finite)
		return refuse(parser, at, "result above 1e18");
	if (value->bytes > POWER_MAX || value->bytes < -POWER_MAX || value->time > POWER_MAX ||
	    value->time < -POWER_MAX)
		return refuse(parser, at, "too many units multiplied");
	return 0;
}

static int take_term(struct parser *parser, struct hn_expr_value *ret)
{
	int err = take_factor(parser, ret);

	while (!err) {
		struct hn_expr_value right;
		bool is_product = take(parser, '*');
		const char *at;

		if (!is_product && !take(parser, '/'))
			return 0;
		at = parser->p - 1;
		err = take_factor(parser, &right);
		if (err)
			return err;
		if (!is_product && right.number == 0)
			return refuse(parser, at, "division by zero");
		ret->number = is_product ? ret->number * right.number
					 : ret->number / right.number;
		ret->bytes = (int8_t)(ret->bytes + (is_product ? right.bytes : -right.bytes));
		ret->time = (int8_t)(ret->time + (is_product ? right.time : -right.time));
		err = check_result(parser, at, ret);
	}
	return err;
}

static int take_sum(struct parser *parser, struct hn_expr_value *ret)
{
	int err = take_term(parser, ret);

	while (!err) {
		struct hn_expr_value right;
		bool is_plus = take(parser, '+');
		const char *at;

		if (!is_plus && !take(parser, '-'))
			return 0;
		at = parser->p - 1;
		err = take_term(parser, &right);
		if (err)
			return err;
		if (!is_same_dimension(ret, &right))
			return refuse_mix(parser, at, ret, &right);
		ret->number += is_plus ? right.number : -right.number;
		err = check_result(parser, at, ret);
	}
	return err;
}

int hn_expr_eval(const char *text, const struct hn_expr_scope *scope,
		 const struct hn_expr_place *place, struct hn_expr_value *ret_value,
		 struct hn_diag *diag)
{
	struct parser parser = {
		.text = text, .p = text, .scope = scope, .place = place, .diag = diag,
	};
	struct hn_expr_value value;
	int err;

	if (strlen(text) > HN_EXPR_TEXT_BYTES_MAX)
		return refuse(&parser, text, "more than 256 characters");
	err = take_sum(&parser, &value);
	if (err)
		return err;
	skip_blanks(&parser);
	if (*parser.p)
		return refuse_token(&parser, "an operator");
	*ret_value = value;
	return 0;
}
