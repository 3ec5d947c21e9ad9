/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hn_diag_reset(struct hn_diag *diag)
{
	memset(diag, 0, sizeof(*diag));
}

static void set_text(struct hn_diag *diag, const char *fmt, va_list args)
{
	vsnprintf(diag->text, sizeof(diag->text), fmt, args);
}

int hn_diag_set(struct hn_diag *diag, int err, const char *fmt, ...)
{
	va_list args;

	if (!diag || diag->text[0])
		return err;
	va_start(args, fmt);
	set_text(diag, fmt, args);
	va_end(args);
	return err;
}

int hn_diag_at(struct hn_diag *diag, int err, const char *file, uint32_t line, uint32_t column,
	       const char *fmt, ...)
{
	va_list args;

	if (!diag || diag->text[0])
		return err;
	snprintf(diag->file, sizeof(diag->file), "%s", file);
	diag->line = line;
	diag->column = column;
	va_start(args, fmt);
	set_text(diag, fmt, args);
	va_end(args);
	return err;
}

void hn_diag_format(const struct hn_diag *diag, char *buf, size_t buf_bytes)
{
	if (!diag->file[0])
		snprintf(buf, buf_bytes, "%s", diag->text);
	else if (!diag->line)
		snprintf(buf, buf_bytes, "%s: %s", diag->file, diag->text);
	else if (!diag->column)
		snprintf(buf, buf_bytes, "%s:%u: %s", diag->file, diag->line, diag->text);
	else
		snprintf(buf, buf_bytes, "%s:%u:%u: %s", diag->file, diag->line, diag->column,
			 diag->text);
}
