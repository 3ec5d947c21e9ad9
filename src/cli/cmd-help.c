/* SPDX-License-Identifier: GPL-2.0-or-later */
/* homenode help: the manual page where a terminal can show it, else the usage. */
#include "cli/commands.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const synopsis[] = { "[COMMAND]" };

static const struct cli_option options[] = {
	{ "help", 'h', NULL, "this text" },
};

/* Runs man on the page; false where there is no man or no page. `where` only asks. */
static bool run_man(const char *page, bool is_question)
{
	char man[] = "man", where[] = "-w";
	char name[64];
	char *question[] = { man, where, name, NULL };
	char *show[] = { man, name, NULL };
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t pid;

	if (strlen(page) >= sizeof(name))
		return false;
	memcpy(name, page, strlen(page) + 1);
	posix_spawn_file_actions_init(&actions);
	if (is_question) {
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
	}
	if (posix_spawnp(&pid, man, &actions, NULL, is_question ? question : show, environ) == 0)
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&actions);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int print_overview(struct cli *cli)
{
	uint32_t nr;
	const struct cli_command *const *commands = cli_commands(&nr);
	struct hn_strbuf buf;

	hn_strbuf_init(&buf, cli->arena);
	hn_strbuf_add(&buf, "usage: homenode COMMAND [OPTIONS]\n\n"
		      "automatic NUMA balancing: simulated, compared, explained\n\n");
	for (uint32_t c = 0; c < nr; c++)
		hn_strbuf_addf(&buf, "  %-10s %s\n", commands[c]->name, commands[c]->summary);
	hn_strbuf_add(&buf, "\n'homenode help COMMAND' says more about one. A first result:\n"
		      "  homenode sim numa02 --machine 2s-haswell --policy none,v6.12\n");
	return cli_print(&buf);
}

static int run(struct cli *cli, const struct cli_args *args)
{
	const struct cli_command *command;
	struct hn_strbuf page, buf;

	if (!args->nr_words)
		return print_overview(cli);
	if (args->nr_words > 1) {
		cli_complain("help: '%s' is one word too many", args->words[1]);
		return CLI_USAGE;
	}
	command = cli_find_command(args->words[0]);
	if (!command)
		return cli_refuse_command(args->words[0]);
	hn_strbuf_init(&page, cli->arena);
	hn_strbuf_addf(&page, "homenode-%s", command->name);
	if (isatty(STDOUT_FILENO) && run_man(page.text, /* is_question */ true) &&
	    run_man(page.text, /* is_question */ false))
		return CLI_DONE;
	hn_strbuf_init(&buf, cli->arena);
	cli_add_usage(&buf, command);
	return cli_print(&buf);
}

const struct cli_command cli_cmd_help = {
	.name = "help",
	.summary = "show the manual page or usage of a command",
	.synopsis = synopsis,
	.nr_synopsis = HN_ARRAY_LEN(synopsis),
	.options = options,
	.nr_options = HN_ARRAY_LEN(options),
	.run = run,
};
