/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compiler.h - the only place that knows which compiler builds us.
 *
 * GNU extensions are spelled here once, so that a reader of any other file meets plain C17
 * with a handful of named markers. */
#ifndef HN_BASE_COMPILER_H
#define HN_BASE_COMPILER_H

/* The caller must look at the returned value. */
#define HN_MUST_CHECK __attribute__((warn_unused_result))
/* The call does not return. */
#define HN_NORETURN __attribute__((noreturn))
/* Arguments follow printf: format is argument f, values start at argument v. */
#define HN_PRINTF(f, v) __attribute__((format(printf, f, v)))
/* A parameter that an interface hands over and this implementation has no use for. */
#define HN_UNUSED __attribute__((unused))

#define HN_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
