/* SPDX-License-Identifier: GPL-2.0-or-later */
/* homenode policy: the fields of one policy, or those in which two differ. */
#include "cli/commands.h"

#include <string.h>

#include "base/nearest.h"
#include "policy/policy-report.h"

static const char *const synopsis[] = { "show POLICY", "diff POLICY POLICY" };

static const struct cli_option options[] = {
	{ "help", 'h', NULL, "this text" },
};

static const char *const modes[] = { "show", "diff" };

static int parse_policy(struct cli *cli, const char *spec, const struct hn_policy **ret_policy)
{
	struct hn_diag diag = { 0 };
	int err = hn_policy_parse(cli->arena, spec, ret_policy, &diag);

	return err ? cli_complain_diag(err, &diag) : CLI_DONE;
}

static int expect_words(const struct cli_args *args, uint32_t nr)
{
	if (args->nr_words == nr)
		return CLI_DONE;
	if (args->nr_words > nr)
		cli_complain("policy %s: '%s' is one word too many", args->words[0],
			     args->words[nr]);
	else
		cli_complain("policy %s: expected %s", args->words[0],
			     nr == 2 ? "the name of a policy" : "the names of two policies");
	return CLI_USAGE;
}

static int show(struct cli *cli, const struct cli_args *args)
{
	const struct hn_policy *policy = NULL;
	struct hn_strbuf buf;
	int status = expect_words(args, 2);

	if (!status)
		status = parse_policy(cli, args->words[1], &policy);
	if (status)
		return status;
	hn_strbuf_init(&buf, cli->arena);
	hn_policy_report_show(&buf, policy);
	return cli_print(&buf);
}

static int diff(struct cli *cli, const struct cli_args *args)
{
	const struct hn_policy *a = NULL, *b = NULL;
	struct hn_strbuf buf;
	int status = expect_words(args, 3);

	if (!status)
		status = parse_policy(cli, args->words[1], &a);
	if (!status)
		status = parse_policy(cli, args->words[2], &b);
	if (status)
		return status;
	hn_strbuf_init(&buf, cli->arena);
	hn_policy_report_diff(&buf, a, b);
	return cli_print(&buf);
}

static int run(struct cli *cli, const struct cli_args *args)
{
	char hint[HN_NEAREST_HINT_BYTES];

	if (!args->nr_words) {
		cli_complain("policy: expected 'show' or 'diff'");
		return CLI_USAGE;
	}
	if (!strcmp(args->words[0], "show"))
		return show(cli, args);
	if (!strcmp(args->words[0], "diff"))
		return diff(cli, args);
	cli_complain("policy: unknown word '%s'%s", args->words[0],
		     hn_nearest_hint(hint, args->words[0], modes, HN_ARRAY_LEN(modes)));
	return CLI_USAGE;
}

const struct cli_command cli_cmd_policy = {
	.name = "policy",
	.summary = "show a policy field by field, or the difference of two",
	.synopsis = synopsis,
	.nr_synopsis = HN_ARRAY_LEN(synopsis),
	.options = options,
	.nr_options = HN_ARRAY_LEN(options),
	.run = run,
};
