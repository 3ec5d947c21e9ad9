/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines: a table of options in, values out. */
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/nearest.h"

#define OPTIONS_MAX 32

/* The rest of a command line. */
struct words {
	char **list;
	int nr;
	int next;
};

static uint32_t find_long(const struct cli_command *command, const char *name, size_t len)
{
	for (uint32_t o = 0; o < command->nr_options; o++) {
		if (strlen(command->options[o].name) == len &&
		    !strncmp(command->options[o].name, name, len))
			return o;
	}
	return command->nr_options;
}

static uint32_t find_letter(const struct cli_command *command, char letter)
{
	uint32_t o = 0;

	while (o < command->nr_options && command->options[o].letter != letter)
		o++;
	return o;
}

static int refuse_option(const struct cli_command *command, const char *word)
{
	char with_dashes[OPTIONS_MAX][HN_NEAREST_LEN_MAX];
	const char *names[OPTIONS_MAX];
	char hint[HN_NEAREST_HINT_BYTES];

	hn_assert(command->nr_options <= OPTIONS_MAX);
	for (uint32_t o = 0; o < command->nr_options; o++) {
		snprintf(with_dashes[o], sizeof(with_dashes[o]), "--%s",
			 command->options[o].name);
		names[o] = with_dashes[o];
	}
	cli_complain("unknown option '%s' of '%s'%s", word, command->name,
		     hn_nearest_hint(hint, word, names, command->nr_options));
	return CLI_USAGE;
}

static void add_given(struct cli_args *args, uint32_t option, const char *value)
{
	args->given[args->nr_given].option = option;
	args->given[args->nr_given].value = value;
	args->nr_given++;
}

/* The value of an option: behind '=' or the letter, else the next word. */
static int take_value(struct words *words, const struct cli_option *option, const char *attached,
		      const char **ret_value)
{
	if (!option->metavar && attached) {
		cli_complain("option '--%s' takes no value", option->name);
		return CLI_USAGE;
	}
	if (!option->metavar) {
		*ret_value = "";
		return CLI_DONE;
	}
	if (!attached && words->next == words->nr) {
		cli_complain("option '--%s' needs a value: %s", option->name, option->metavar);
		return CLI_USAGE;
	}
	*ret_value = attached ? attached : words->list[words->next++];
	return CLI_DONE;
}

static int parse_long(struct words *words, struct cli_args *args, const char *word)
{
	size_t len = strcspn(word + 2, "=");
	uint32_t o = find_long(args->command, word + 2, len);
	const char *attached = word[2 + len] ? word + 2 + len + 1 : NULL;
	const char *value = NULL;
	int status;

	if (o == args->command->nr_options) {
		char name[HN_NEAREST_LEN_MAX + 1];

		snprintf(name, sizeof(name), "%.*s", (int)hn_min_u64(len + 2, 64), word);
		return refuse_option(args->command, name);
	}
	status = take_value(words, &args->command->options[o], attached, &value);
	if (!status)
		add_given(args, o, value);
	return status;
}

/* "-x", "-xVALUE", "-x VALUE", and switches bundled as in "-xy". */
static int parse_short(struct words *words, struct cli_args *args, const char *word)
{
	for (const char *at = word + 1; *at; at++) {
		uint32_t o = find_letter(args->command, *at);
		const struct cli_option *option = &args->command->options[o];
		const char *value = NULL;
		int status;

		if (o == args->command->nr_options)
			return refuse_option(args->command, word);
		if (!option->metavar) {
			add_given(args, o, "");
			continue;
		}
		status = take_value(words, option, at[1] ? at + 1 : NULL, &value);
		if (!status)
			add_given(args, o, value);
		return status;
	}
	return CLI_DONE;
}

/* Letters of one word: an upper bound of the options in it. */
static uint32_t count_options(const struct words *words)
{
	uint32_t nr = 0;

	for (int w = words->next; w < words->nr; w++)
		nr += (uint32_t)hn_min_u64(strlen(words->list[w]) + 1, 1 << 16);
	return nr;
}

int cli_parse(struct cli *cli, const struct cli_command *command, int nr_args, char **list,
	      struct cli_args *ret_args)
{
	struct words words = { .list = list, .nr = nr_args };
	struct cli_args args = { .command = command };
	bool is_ended = false;
	int status = CLI_DONE;

	args.words = HN_ARENA_ARRAY(cli->arena, const char *, (size_t)nr_args + 1);
	args.given = HN_ARENA_ARRAY(cli->arena, struct cli_given, count_options(&words) + 1);
	while (!status && words.next < words.nr) {
		const char *word = words.list[words.next++];

		if (is_ended || word[0] != '-' || !word[1])
			args.words[args.nr_words++] = word;
		else if (!strcmp(word, "--"))
			is_ended = true;
		else if (word[1] == '-')
			status = parse_long(&words, &args, word);
		else
			status = parse_short(&words, &args, word);
	}
	if (!status)
		*ret_args = args;
	return status;
}

bool cli_has(const struct cli_args *args, const char *option)
{
	return cli_value(args, option) != NULL;
}

const char *cli_value(const struct cli_args *args, const char *option)
{
	uint32_t o = find_long(args->command, option, strlen(option));
	const char *value = NULL;

	hn_assert(o < args->command->nr_options);
	for (uint32_t g = 0; g < args->nr_given; g++) {
		if (args->given[g].option == o)
			value = args->given[g].value;
	}
	return value;
}

int cli_number(const struct cli_args *args, const char *option, uint64_t min, uint64_t max,
	       uint64_t *ret_number)
{
	const char *text = cli_value(args, option);
	unsigned long long number;
	char *end;

	if (!text)
		return CLI_DONE;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno || number < min || number > max) {
		cli_complain("--%s '%s': expected a whole number from %" PRIu64 " to %" PRIu64,
			     option, text, min, max);
		return CLI_USAGE;
	}
	*ret_number = number;
	return CLI_DONE;
}

uint32_t cli_count_commas(const char *text)
{
	uint32_t nr = 0;

	for (; *text; text++)
		nr += *text == ',';
	return nr;
}

/* The length up to the next comma that no bracket holds. */
static size_t part_length(const char *text)
{
	int depth = 0;
	size_t len = 0;

	for (; text[len]; len++) {
		if (text[len] == '(' || text[len] == '[')
			depth++;
		else if (text[len] == ')' || text[len] == ']')
			depth--;
		else if (text[len] == ',' && depth <= 0)
			break;
	}
	return len;
}

int cli_split(struct cli *cli, const char *what, const char *text, const char **list,
	      uint32_t *nr)
{
	const char *at = text;

	for (;;) {
		size_t len = part_length(at);
		size_t skip = strspn(at, " ");
		struct hn_strbuf part;

		if (skip >= len) {
			cli_complain("%s '%s': an empty entry in the list", what, text);
			return CLI_USAGE;
		}
		hn_strbuf_init(&part, cli->arena);
		hn_strbuf_add_bytes(&part, at + skip, len - skip);
		while (part.text[part.len_bytes - 1] == ' ')
			part.text[--part.len_bytes] = '\0';
		list[(*nr)++] = part.text;
		if (!at[len])
			return CLI_DONE;
		at += len + 1;
	}
}

int cli_list(struct cli *cli, const struct cli_args *args, const char *option,
	     const char ***ret_list, uint32_t *ret_nr)
{
	uint32_t o = find_long(args->command, option, strlen(option));
	const char **list;
	uint32_t nr_max = 0, nr = 0;
	char what[HN_NEAREST_LEN_MAX];

	snprintf(what, sizeof(what), "--%s", option);
	for (uint32_t g = 0; g < args->nr_given; g++) {
		if (args->given[g].option == o)
			nr_max += cli_count_commas(args->given[g].value) + 1;
	}
	list = HN_ARENA_ARRAY(cli->arena, const char *, nr_max);
	for (uint32_t g = 0; g < args->nr_given; g++) {
		if (args->given[g].option == o &&
		    cli_split(cli, what, args->given[g].value, list, &nr))
			return CLI_USAGE;
	}
	*ret_list = list;
	*ret_nr = nr;
	return CLI_DONE;
}
