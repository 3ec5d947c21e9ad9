/* SPDX-License-Identifier: GPL-2.0-or-later */
/* homenode version: the version of the program and of what it writes. */
#include "cli/commands.h"

#include "report/result.h"

static const char *const synopsis[] = { "" };

static const struct cli_option options[] = {
	{ "help", 'h', NULL, "this text" },
};

static int run(struct cli *cli, const struct cli_args *args)
{
	struct hn_strbuf buf;

	if (args->nr_words) {
		cli_complain("version: '%s' is one word too many", args->words[0]);
		return CLI_USAGE;
	}
	hn_strbuf_init(&buf, cli->arena);
	hn_strbuf_addf(&buf, "homenode %s (%s)\n", HN_VERSION, HN_RESULT_SCHEMA);
	return cli_print(&buf);
}

const struct cli_command cli_cmd_version = {
	.name = "version",
	.summary = "print the version of the program and of its result files",
	.synopsis = synopsis,
	.nr_synopsis = HN_ARRAY_LEN(synopsis),
	.options = options,
	.nr_options = HN_ARRAY_LEN(options),
	.run = run,
};
