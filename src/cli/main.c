/* SPDX-License-Identifier: GPL-2.0-or-later */
/* homenode: the table of subcommands, and which one a command line means. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "cli/commands.h"

static const struct cli_command *const table[] = {
	&cli_cmd_sim, &cli_cmd_compare, &cli_cmd_policy, &cli_cmd_list, &cli_cmd_help,
	&cli_cmd_version,
};

const struct cli_command *const *cli_commands(uint32_t *ret_nr)
{
	*ret_nr = HN_ARRAY_LEN(table);
	return table;
}

const struct cli_command *cli_find_command(const char *name)
{
	for (uint32_t c = 0; c < HN_ARRAY_LEN(table); c++) {
		if (!strcmp(table[c]->name, name))
			return table[c];
	}
	return NULL;
}

int cli_refuse_command(const char *name)
{
	const char *names[HN_ARRAY_LEN(table)];
	char hint[HN_NEAREST_HINT_BYTES];

	for (uint32_t c = 0; c < HN_ARRAY_LEN(table); c++)
		names[c] = table[c]->name;
	cli_complain("unknown command '%s'%s", name,
		     hn_nearest_hint(hint, name, names, HN_ARRAY_LEN(names)));
	return CLI_USAGE;
}

/* Files opened later must not take the place of a standard stream that came closed: output
 * would go into them. A closed stream refuses what is written to it. */
static void fill_closed_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			return;
	}
}

static int run_command(struct cli *cli, const struct cli_command *command, int nr_args,
		       char **args)
{
	struct cli_args parsed;
	struct hn_strbuf buf;
	int status = cli_parse(cli, command, nr_args, args, &parsed);

	if (status)
		return status;
	if (!cli_has(&parsed, "help"))
		return command->run(cli, &parsed);
	hn_strbuf_init(&buf, cli->arena);
	cli_add_usage(&buf, command);
	return cli_print(&buf);
}

/* "homenode --help" and the like mean the command of that name. */
static const char *spell_command(const char *word)
{
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return "help";
	if (!strcmp(word, "--version") || !strcmp(word, "-V"))
		return "version";
	return word;
}

static int run_program(struct cli *cli, int argc, char **argv)
{
	const struct cli_command *command;

	if (argc < 2) {
		cli_complain("no command: 'homenode help' lists them");
		return CLI_USAGE;
	}
	command = cli_find_command(spell_command(argv[1]));
	if (!command)
		return cli_refuse_command(argv[1]);
	return run_command(cli, command, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
	struct hn_arena arena;
	struct cli cli = { .arena = &arena };
	int status;

	fill_closed_streams();
	hn_arena_init(&arena);
	status = run_program(&cli, argc, argv);
	hn_arena_fini(&arena);
	return status;
}
