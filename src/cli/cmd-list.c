/* SPDX-License-Identifier: GPL-2.0-or-later */
/* homenode list: what there is by name, one line each. */
#include "cli/commands.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "model/counter.h"
#include "model/reason.h"
#include "policy/policy.h"
#include "sim/scenario.h"
#include "topo/topo.h"

#define BATTERIES_MAX 1024
#define NAME_CHARS_MAX 40 /* longer names push their text to the right */

static const char *const synopsis[] = {
	"machines|policies|scenarios|batteries|metrics|counters|reasons|fields [--names]",
};

static const struct cli_option options[] = {
	{ "names", 'n', NULL, "names alone, for scripts" },
	{ "help", 'h', NULL, "this text" },
};

struct item {
	const char *name;
	const char *text;
};

/* Things of one kind, in the order in which they are printed. */
struct items {
	struct cli *cli;
	struct item *list;
	uint32_t nr;
};

struct subject {
	const char *name;
	int (*collect)(struct items *items);
};

/* What rows of results are called; ROW is the scenario's own, such as NUMA01. */
static const struct item metrics[] = {
	{ "elsp-ROW", "elapsed seconds; lower is better" },
	{ "syst-ROW", "seconds of CPU time in the kernel; lower is better" },
	{ "user-ROW", "seconds of CPU time outside it; lower is better" },
	{ "tput-ROW", "units of work per second, as the scenario counts them; higher is better" },
	{ "NAME-ROW", "further counters of the scenario per second; higher is better" },
};

static void make_room(struct items *items, uint32_t nr)
{
	items->list = HN_ARENA_ARRAY(items->cli->arena, struct item, nr);
}

static void add_item(struct items *items, const char *name, const char *text)
{
	items->list[items->nr++] = (struct item){ name, text };
}

static int collect_machines(struct items *items)
{
	const char *data_dir = cli_data_dir(items->cli);
	struct hn_topo_entry *entries;
	struct hn_diag diag = { 0 };
	uint32_t nr;
	int err;

	if (!data_dir)
		return CLI_FAILED;
	err = hn_topo_list(items->cli->arena, data_dir, &entries, &nr, &diag);
	if (err)
		return cli_complain_diag(err, &diag);
	make_room(items, nr);
	for (uint32_t e = 0; e < nr; e++)
		add_item(items, entries[e].name, entries[e].summary);
	return CLI_DONE;
}

static const char *describe_scenario(struct items *items, const struct hn_scenario_entry *entry)
{
	struct hn_strbuf text;

	if (!entry->params || !entry->params[0])
		return entry->summary;
	hn_strbuf_init(&text, items->cli->arena);
	hn_strbuf_addf(&text, "%s [%s]", entry->summary, entry->params);
	return text.text;
}

static int collect_scenarios(struct items *items)
{
	const char *data_dir = cli_data_dir(items->cli);
	struct hn_scenario_entry *entries;
	struct hn_diag diag = { 0 };
	uint32_t nr;
	int err;

	if (!data_dir)
		return CLI_FAILED;
	err = hn_scenario_list(items->cli->arena, data_dir, &entries, &nr, &diag);
	if (err)
		return cli_complain_diag(err, &diag);
	make_room(items, nr);
	for (uint32_t e = 0; e < nr; e++)
		add_item(items, entries[e].name, describe_scenario(items, &entries[e]));
	return CLI_DONE;
}

static int collect_policies(struct items *items)
{
	make_room(items, hn_policy_nr_rows() + hn_policy_nr_aliases());
	for (uint32_t r = 0; r < hn_policy_nr_rows(); r++)
		add_item(items, hn_policy_get_row(r)->name, hn_policy_get_row(r)->summary);
	for (uint32_t a = 0; a < hn_policy_nr_aliases(); a++) {
		const struct hn_policy_alias *alias = hn_policy_get_alias(a);
		struct hn_strbuf text;

		hn_strbuf_init(&text, items->cli->arena);
		hn_strbuf_addf(&text, "another name of %s", alias->row);
		add_item(items, alias->name, text.text);
	}
	return CLI_DONE;
}

static int compare_items(const void *a, const void *b)
{
	return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

/* The names in the folder of batteries, without their suffix. */
static int find_batteries(struct items *items, const char *data_dir)
{
	struct hn_strbuf path;
	const struct dirent *entry;
	DIR *dir;

	hn_strbuf_init(&path, items->cli->arena);
	hn_strbuf_addf(&path, "%s/scenarios/batteries", data_dir);
	dir = opendir(path.text);
	if (!dir) {
		cli_complain("cannot open folder '%s': %s", path.text, strerror(errno));
		return CLI_FAILED;
	}
	make_room(items, BATTERIES_MAX);
	while ((entry = readdir(dir)) && items->nr < BATTERIES_MAX) {
		char *name = hn_arena_strdup(items->cli->arena, entry->d_name);
		char *dot = strrchr(name, '.');

		if (!dot || dot == name || strcmp(dot, ".yaml"))
			continue;
		*dot = '\0';
		add_item(items, name, "");
	}
	closedir(dir);
	qsort(items->list, items->nr, sizeof(*items->list), compare_items);
	return CLI_DONE;
}

static int collect_batteries(struct items *items)
{
	const char *data_dir = cli_data_dir(items->cli);
	int status = data_dir ? find_batteries(items, data_dir) : CLI_FAILED;

	for (uint32_t i = 0; !status && i < items->nr; i++) {
		const struct hn_battery *battery;
		struct hn_diag diag = { 0 };
		int err = hn_battery_read(items->cli->arena, data_dir, items->list[i].name,
					  &battery, &diag);

		if (err)
			return cli_complain_diag(err, &diag);
		items->list[i].text = battery->summary;
	}
	return status;
}

static int collect_metrics(struct items *items)
{
	make_room(items, HN_ARRAY_LEN(metrics));
	for (uint32_t m = 0; m < HN_ARRAY_LEN(metrics); m++)
		add_item(items, metrics[m].name, metrics[m].text);
	return CLI_DONE;
}

static int collect_counters(struct items *items)
{
	make_room(items, HN_NR_COUNTERS);
	for (uint32_t c = 0; c < HN_NR_COUNTERS; c++)
		add_item(items, hn_counter_name((enum hn_counter)c),
			 hn_counter_text((enum hn_counter)c));
	return CLI_DONE;
}

static int collect_reasons(struct items *items)
{
	make_room(items, HN_NR_WHY);
	for (uint32_t w = 0; w < HN_NR_WHY; w++)
		add_item(items, hn_why_name((enum hn_why)w), hn_why_text((enum hn_why)w));
	return CLI_DONE;
}

static void add_field_values(struct hn_strbuf *text, const struct hn_policy_field *field)
{
	switch (field->kind) {
	case HN_FIELD_SWITCH:
		hn_strbuf_add(text, " [on, off]");
		break;
	case HN_FIELD_NUMBER:
		hn_strbuf_addf(text, " [%u to %u]", field->lo, field->hi);
		break;
	case HN_FIELD_CHOICE:
		for (uint32_t v = 0; v < field->nr_values; v++)
			hn_strbuf_addf(text, "%s%s", v ? ", " : " [", field->values[v]);
		hn_strbuf_add(text, "]");
		break;
	}
}

static int collect_fields(struct items *items)
{
	make_room(items, hn_policy_nr_fields());
	for (uint32_t f = 0; f < hn_policy_nr_fields(); f++) {
		const struct hn_policy_field *field = hn_policy_get_field(f);
		struct hn_strbuf text;

		hn_strbuf_init(&text, items->cli->arena);
		hn_strbuf_add(&text, field->text);
		add_field_values(&text, field);
		add_item(items, field->name, text.text);
	}
	return CLI_DONE;
}

static const struct subject subjects[] = {
	{ "machines", collect_machines }, { "policies", collect_policies },
	{ "scenarios", collect_scenarios }, { "batteries", collect_batteries },
	{ "metrics", collect_metrics }, { "counters", collect_counters },
	{ "reasons", collect_reasons }, { "fields", collect_fields },
};

static const struct subject *find_subject(const char *name)
{
	const char *names[HN_ARRAY_LEN(subjects)];
	char hint[HN_NEAREST_HINT_BYTES];

	for (uint32_t s = 0; s < HN_ARRAY_LEN(subjects); s++) {
		if (!strcmp(subjects[s].name, name))
			return &subjects[s];
		names[s] = subjects[s].name;
	}
	cli_complain("list: nothing is called '%s'%s", name,
		     hn_nearest_hint(hint, name, names, HN_ARRAY_LEN(names)));
	return NULL;
}

static int print_items(const struct items *items, bool has_names_only)
{
	struct hn_strbuf buf;
	size_t chars = 0;

	for (uint32_t i = 0; i < items->nr; i++)
		chars = hn_max_u64(chars, strlen(items->list[i].name));
	chars = hn_min_u64(chars, NAME_CHARS_MAX);
	hn_strbuf_init(&buf, items->cli->arena);
	for (uint32_t i = 0; i < items->nr; i++) {
		if (has_names_only)
			hn_strbuf_addf(&buf, "%s\n", items->list[i].name);
		else
			hn_strbuf_addf(&buf, "%-*s  %s\n", (int)chars, items->list[i].name,
				       items->list[i].text);
	}
	return cli_print(&buf);
}

static int run(struct cli *cli, const struct cli_args *args)
{
	struct items items = { .cli = cli };
	const struct subject *subject;
	int status;

	if (args->nr_words != 1) {
		cli_complain("list: expected one of machines, policies, scenarios, batteries, "
			     "metrics, counters, reasons, fields");
		return CLI_USAGE;
	}
	subject = find_subject(args->words[0]);
	if (!subject)
		return CLI_USAGE;
	status = subject->collect(&items);
	return status ? status : print_items(&items, cli_has(args, "names"));
}

const struct cli_command cli_cmd_list = {
	.name = "list",
	.summary = "list machines, policies, scenarios and everything else that has a name",
	.synopsis = synopsis,
	.nr_synopsis = HN_ARRAY_LEN(synopsis),
	.options = options,
	.nr_options = HN_ARRAY_LEN(options),
	.run = run,
};
