/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli.h - what all subcommands share: options, errors, output and the end of the program.
 *
 * A subcommand is one file cmd-NAME.c with a table of options and a run function; it calls
 * libraries and has neither policy nor parsing of its own. Results go to standard output,
 * messages to standard error, one line each: "homenode: what: why".
 *
 * Exit status: 0 done, 1 the answer is no, 2 bad usage or input, 3 failure at run time,
 * 128 + signal when interrupted. */
#ifndef HN_CLI_CLI_H
#define HN_CLI_CLI_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"

enum cli_status {
	CLI_DONE = 0,
	CLI_NO = 1,
	CLI_USAGE = 2,
	CLI_FAILED = 3,
};

struct cli_option {
	const char *name;    /* without dashes */
	char letter;         /* 0: none */
	const char *metavar; /* NULL: a switch */
	const char *text;    /* one sentence for the usage */
};

struct cli;
struct cli_args;

struct cli_command {
	const char *name;
	const char *summary;
	const char *const *synopsis; /* what follows the command's name, one line per mode */
	uint32_t nr_synopsis;
	const struct cli_option *options;
	uint32_t nr_options;
	int (*run)(struct cli *cli, const struct cli_args *args);
};

/* A command line, taken apart. Options may stand anywhere up to "--". */
struct cli_args {
	const struct cli_command *command;
	const char **words;  /* that are no options */
	uint32_t nr_words;
	struct cli_given {
		uint32_t option;
		const char *value; /* "" for a switch */
	} *given;
	uint32_t nr_given;
};

/* One invocation. */
struct cli {
	struct hn_arena *arena; /* lives as long as the program */
	const char *data_dir;   /* NULL until asked for */
};

/* The table of main.c. */
const struct cli_command *const *cli_commands(uint32_t *ret_nr);
const struct cli_command *cli_find_command(const char *name);
int cli_refuse_command(const char *name);

/* Command lines. Complaints are printed; returns a status. */
int cli_parse(struct cli *cli, const struct cli_command *command, int nr_args, char **args,
	      struct cli_args *ret_args);

bool cli_has(const struct cli_args *args, const char *option);

/* The last value given; NULL where there is none. */
const char *cli_value(const struct cli_args *args, const char *option);

/* A whole number; *ret_number is untouched where the option was not given. */
int cli_number(const struct cli_args *args, const char *option, uint64_t min, uint64_t max,
	       uint64_t *ret_number);

/* The text without blanks around its parts, split at commas that stand outside parentheses and
 * brackets. Empty parts are refused. Appends to list[*nr], which has room for one more than there
 * are commas. */
int cli_split(struct cli *cli, const char *what, const char *text, const char **list,
	      uint32_t *nr);

/* How many commas a text has. */
uint32_t cli_count_commas(const char *text);

/* All values of a repeatable option, split; *ret_nr is 0 where it was not given. */
int cli_list(struct cli *cli, const struct cli_args *args, const char *option,
	     const char ***ret_list, uint32_t *ret_nr);

void cli_add_usage(struct hn_strbuf *buf, const struct cli_command *command);

/* Messages. Control characters are shown as '?', so that a message is always one line. */
void cli_complain(const char *fmt, ...) HN_PRINTF(1, 2);

/* Prints the diagnostic and returns the status for the error: bad input, unless the system or
 * the run failed. */
int cli_complain_diag(int err, const struct hn_diag *diag);

/* Output. */

/* Writes all of the text to standard output; CLI_DONE or, with a message, CLI_FAILED. */
int cli_print(const struct hn_strbuf *buf);

/* Refuses a file that obviously can't be written, before the work is done. */
int cli_check_output(struct cli *cli, const char *path);

/* Writes a file so that it is either complete or as it was before. */
int cli_write_file(struct cli *cli, const char *path, const struct hn_strbuf *buf);

/* The folder that holds machines/ and scenarios/: HOMENODE_DATA, else beside the build folder of
 * this program, else where it was installed, else the sources. NULL with a message. */
const char *cli_data_dir(struct cli *cli);

#endif
