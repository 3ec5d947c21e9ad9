/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assert.h - programmer errors end the program, in every build.
 *
 * An assertion states what the surrounding code relies on. Input from outside is never
 * asserted, it is checked and refused with a diagnostic (base/diag.h). */
#ifndef HN_BASE_ASSERT_H
#define HN_BASE_ASSERT_H

#include "base/compiler.h"

#define hn_assert(cond) \
	((cond) ? (void)0 : hn_assert_failed(#cond, __FILE__, __LINE__, __func__))

/* Prints the broken claim to standard error and aborts. */
HN_NORETURN void hn_assert_failed(const char *claim, const char *file, int line, const char *func);

#endif
