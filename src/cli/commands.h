/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commands.h - the subcommands, one file cmd-NAME.c each; main.c has their table. */
#ifndef HN_CLI_COMMANDS_H
#define HN_CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command cli_cmd_compare;
extern const struct cli_command cli_cmd_help;
extern const struct cli_command cli_cmd_list;
extern const struct cli_command cli_cmd_policy;
extern const struct cli_command cli_cmd_sim;
extern const struct cli_command cli_cmd_version;

#endif
