/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said to a person: complaints and usage texts. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_BYTES 2048
#define OPTION_CHARS 26 /* of the usage's left column */

/* One write per message, so that lines of several processes do not mix. */
void cli_complain(const char *fmt, ...)
{
	char text[MESSAGE_BYTES] = "homenode: ";
	size_t len = strlen(text);
	ssize_t ignored;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + len, sizeof(text) - len - 1, fmt, args);
	va_end(args);
	len = strlen(text);
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	}
	text[len] = '\n';
	ignored = write(STDERR_FILENO, text, len + 1);
	(void)ignored;
}

static bool is_run_failure(int err)
{
	return err == -EIO || err == -ENOSPC || err == -EMFILE || err == -ENFILE ||
	       err == -EAGAIN || err == -ETIME || err == -EDQUOT;
}

int cli_complain_diag(int err, const struct hn_diag *diag)
{
	char text[HN_DIAG_TEXT_BYTES + HN_DIAG_FILE_BYTES + 32];

	hn_diag_format(diag, text, sizeof(text));
	cli_complain("%s", text[0] ? text : strerror(-err));
	return is_run_failure(err) ? CLI_FAILED : CLI_USAGE;
}

void cli_add_usage(struct hn_strbuf *buf, const struct cli_command *command)
{
	for (uint32_t s = 0; s < command->nr_synopsis; s++)
		hn_strbuf_addf(buf, "%s homenode %s%s%s\n", s ? "      " : "usage:",
			       command->name, command->synopsis[s][0] ? " " : "",
			       command->synopsis[s]);
	hn_strbuf_addf(buf, "\n%s\n\n", command->summary);
	for (uint32_t o = 0; o < command->nr_options; o++) {
		const struct cli_option *option = &command->options[o];
		char left[64];

		snprintf(left, sizeof(left), "  %c%c%s --%s%s%s", option->letter ? '-' : ' ',
			 option->letter ? option->letter : ' ', option->letter ? "," : " ",
			 option->name, option->metavar ? " " : "",
			 option->metavar ? option->metavar : "");
		hn_strbuf_addf(buf, "%-*s  %s\n", OPTION_CHARS, left, option->text);
	}
}
