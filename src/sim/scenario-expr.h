/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario-expr.h - small sums in a scenario file: "cpus / 2", "3 GiB / threads".
 *
 * A scenario describes a program for any machine, so its counts and sizes may depend on the
 * machine's facts and on the file's parameters. The language has numbers, names, + - * /,
 * parentheses and five functions, and nothing that loops.
 *
 *	sum     = term { ("+" | "-") term }
 *	term    = factor { ("*" | "/") factor }
 *	factor  = "-" factor | "(" sum ")" | number [unit] | name | function "(" sum { "," sum } ")"
 *	unit    = B k m g t KiB MiB GiB TiB kB MB GB TB ns us ms s, joined or after one space;
 *	          letters mean what they mean in base/yaml-tree.h: k, m, g, t are powers of 1024
 *	function: min max (one argument or more), floor ceil pow2 (one; pow2 is the largest power
 *	          of two that is not above the argument, which must be 1 or more)
 *
 * A value carries its dimension, a power of bytes and one of time, so that a size cannot be
 * given where a time is wanted:
 *
 *	"1 GiB / 4 KiB"      262144
 *	"max(1, cpus / 2)"   24 on a machine with 48 CPUs
 *	"1 GiB + 5"          refused at "+": sizes and plain numbers do not add up
 *
 * Numbers are floating point with + - * / alone (exact by IEEE 754, the same on every host);
 * whole numbers are exact up to 2^53. Nothing is allocated; names are borrowed.
 * Tests: tests/unit/test-scenario-expr.c. */
#ifndef HN_SIM_SCENARIO_EXPR_H
#define HN_SIM_SCENARIO_EXPR_H

#include "base/diag.h"

#define HN_EXPR_TEXT_BYTES_MAX 256
#define HN_EXPR_DEPTH_MAX 16   /* parentheses, calls and signs inside one another */
#define HN_EXPR_NUMBER_MAX 1e18 /* of any result, either sign */

struct hn_expr_value {
	double number;   /* bytes and nanoseconds are the base units */
	int8_t bytes;    /* power of bytes: 1 for a size, 0 for a plain number */
	int8_t time;     /* power of time */
};

struct hn_expr_name {
	const char *name;
	struct hn_expr_value value;
};

/* Names that may be used; those of `outer` may be used as well. */
struct hn_expr_scope {
	const struct hn_expr_name *names;
	uint32_t nr_names;
	const struct hn_expr_scope *outer; /* NULL: none */
};

/* Where the text's first character stands. */
struct hn_expr_place {
	const char *file;
	uint32_t line;   /* 0: unknown, and the column too */
	uint32_t column;
};

/* Computes the text. 0, or -EINVAL with the place of the offending character in diag. */
int HN_MUST_CHECK hn_expr_eval(const char *text, const struct hn_expr_scope *scope,
			       const struct hn_expr_place *place, struct hn_expr_value *ret_value,
			       struct hn_diag *diag);

/* The name in the scope or an outer one; NULL where there is none. */
const struct hn_expr_name *hn_expr_find(const struct hn_expr_scope *scope, const char *name);

/* Whether the text may be a name: a letter or underscore, then those and digits. */
bool hn_expr_is_name(const char *text);

/* "a number", "a size", "a time" or "another unit". */
const char *hn_expr_dimension(const struct hn_expr_value *value);

#endif
