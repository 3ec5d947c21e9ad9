/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void hn_assert_failed(const char *claim, const char *file, int line, const char *func)
{
	fprintf(stderr, "homenode: broken assertion in %s (%s:%d): %s\n", func, file, line, claim);
	abort();
}
