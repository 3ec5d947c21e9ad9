/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/plan.h"

#include <string.h>

#include "cli/worlds.h"
#include "report/json-read.h"
#include "sim/scenario.h"
#include "topo/topo.h"

#define BATTERY_PREFIX "battery:"
#define RUNS_DEFAULT 3
#define SEED_DEFAULT 1

static const char *default_policies[] = { "none", "default" };

struct names {
	const char **list;
	uint32_t nr;
};

/* A policy, read once for all entries. */
struct policy_slot {
	const char *spec;
	const struct hn_policy *policy;
	struct hn_result_run described; /* only its fields are set */
};

struct machine_slot {
	const char *spec;
	struct hn_machine *machine;
};

struct entry {
	const char *scenario;
	struct names machines;
	struct names policies;
	uint32_t nr_runs;
};

struct pair {
	const struct entry *entry;
	const struct machine_slot *machine;
	const struct hn_scenario *scenario;
};

/* The command line while it becomes a plan. */
struct planner {
	struct cli *cli;
	const char *data_dir;
	const char *model;
	struct names machines; /* of the command line; may be empty, as policies */
	struct names policies;
	uint32_t nr_runs;      /* 0: not given */
	uint64_t seed;
	struct cli_sweep sweep;
	const struct hn_battery **batteries; /* by word; NULL where it is a scenario */
	struct entry *entries;
	uint32_t nr_entries;
	struct machine_slot *machine_slots;
	uint32_t nr_machine_slots;
	struct policy_slot *policy_slots;
	uint32_t nr_policy_slots;
	struct pair *pairs;
	uint32_t nr_pairs;
};

static int read_options(struct planner *planner, const struct cli_args *args)
{
	uint64_t nr_runs = 0;
	int status = cli_list(planner->cli, args, "machine", &planner->machines.list,
			      &planner->machines.nr);

	if (!status)
		status = cli_list(planner->cli, args, "policy", &planner->policies.list,
				  &planner->policies.nr);
	if (!status)
		status = cli_number(args, "runs", 1, CLI_RUNS_MAX, &nr_runs);
	planner->seed = SEED_DEFAULT;
	if (!status)
		status = cli_number(args, "seed", 0, CLI_SEED_MAX, &planner->seed);
	planner->nr_runs = (uint32_t)nr_runs;
	planner->model = cli_value(args, "model");
	return status;
}

static struct names choose(struct names given, const char **of_battery, uint32_t nr_of_battery)
{
	return given.nr ? given : (struct names){ of_battery, nr_of_battery };
}

static int add_entry(struct planner *planner, const char *scenario,
		     const struct hn_battery *battery)
{
	struct entry *entry = &planner->entries[planner->nr_entries++];

	entry->scenario = scenario;
	entry->machines = choose(planner->machines, battery->machines, battery->nr_machines);
	entry->policies = choose(planner->policies, battery->policies, battery->nr_policies);
	if (!entry->policies.nr)
		entry->policies = (struct names){ default_policies,
						  HN_ARRAY_LEN(default_policies) };
	entry->nr_runs = planner->nr_runs ? planner->nr_runs : battery->nr_runs;
	if (!entry->nr_runs)
		entry->nr_runs = RUNS_DEFAULT;
	if (entry->machines.nr)
		return CLI_DONE;
	cli_complain("no machine for '%s': name one with --machine; 'homenode list machines' "
		     "shows them", scenario);
	return CLI_USAGE;
}

static int read_batteries(struct planner *planner, const struct cli_args *args,
			  const struct hn_battery **batteries, uint32_t *ret_nr_entries)
{
	uint32_t nr = 0;

	for (uint32_t w = 0; w < args->nr_words; w++) {
		struct hn_diag diag = { 0 };
		int err = 0;

		nr += planner->sweep.key ? planner->sweep.nr_values : 1;
		if (strncmp(args->words[w], BATTERY_PREFIX, strlen(BATTERY_PREFIX)))
			continue;
		if (planner->sweep.key) {
			cli_complain("--sweep works on scenarios, not on '%s'", args->words[w]);
			return CLI_USAGE;
		}
		err = hn_battery_read(planner->cli->arena, planner->data_dir, args->words[w],
				      &batteries[w], &diag);
		if (err)
			return cli_complain_diag(err, &diag);
		nr += batteries[w]->nr_scenarios;
	}
	*ret_nr_entries = nr;
	return CLI_DONE;
}

/* One scenario, or one for each value of the sweep. */
static int add_scenario(struct planner *planner, const char *word)
{
	static const struct hn_battery no_battery;
	int status = CLI_DONE;

	if (!planner->sweep.key)
		return add_entry(planner, word, &no_battery);
	for (uint32_t v = 0; !status && v < planner->sweep.nr_values; v++)
		status = add_entry(planner,
				   cli_sweep_spec(planner->cli->arena, &planner->sweep, word, v),
				   &no_battery);
	return status;
}

static int add_entries(struct planner *planner, const struct cli_args *args)
{
	const struct hn_battery **batteries = HN_ARENA_ARRAY(planner->cli->arena,
							     const struct hn_battery *,
							     args->nr_words);
	uint32_t nr_max = 0;
	int status = read_batteries(planner, args, batteries, &nr_max);

	if (status)
		return status;
	planner->batteries = batteries;
	planner->entries = HN_ARENA_ARRAY(planner->cli->arena, struct entry, nr_max);
	for (uint32_t w = 0; !status && w < args->nr_words; w++) {
		const struct hn_battery *battery = batteries[w];

		if (!battery)
			status = add_scenario(planner, args->words[w]);
		for (uint32_t s = 0; battery && !status && s < battery->nr_scenarios; s++)
			status = add_entry(planner, battery->scenarios[s], battery);
	}
	return status;
}

static int find_machine(struct planner *planner, const char *spec,
			const struct machine_slot **ret_slot)
{
	struct machine_slot *slot;
	struct hn_diag diag = { 0 };
	int err;

	for (uint32_t m = 0; m < planner->nr_machine_slots; m++) {
		*ret_slot = &planner->machine_slots[m];
		if (!strcmp((*ret_slot)->spec, spec))
			return CLI_DONE;
	}
	slot = &planner->machine_slots[planner->nr_machine_slots];
	err = hn_topo_read(planner->cli->arena, planner->data_dir, spec, planner->model,
			   &slot->machine, &diag);
	if (err)
		return cli_complain_diag(err, &diag);
	slot->spec = spec;
	planner->nr_machine_slots++;
	*ret_slot = slot;
	return CLI_DONE;
}

static int find_policy(struct planner *planner, const char *spec,
		       const struct policy_slot **ret_slot)
{
	struct policy_slot *slot;
	struct hn_diag diag = { 0 };
	int err;

	for (uint32_t p = 0; p < planner->nr_policy_slots; p++) {
		*ret_slot = &planner->policy_slots[p];
		if (!strcmp((*ret_slot)->spec, spec))
			return CLI_DONE;
	}
	slot = &planner->policy_slots[planner->nr_policy_slots];
	err = hn_policy_parse(planner->cli->arena, spec, &slot->policy, &diag);
	if (err)
		return cli_complain_diag(err, &diag);
	slot->spec = spec;
	hn_result_describe_policy(planner->cli->arena, slot->policy, &slot->described);
	planner->nr_policy_slots++;
	*ret_slot = slot;
	return CLI_DONE;
}

/* One name twice, in whatever spelling, would mix two columns. */
static int check_policies(struct planner *planner, const struct names *policies)
{
	for (uint32_t p = 0; p < policies->nr; p++) {
		const struct policy_slot *slot, *earlier;
		int status = find_policy(planner, policies->list[p], &slot);

		for (uint32_t e = 0; !status && e < p; e++) {
			status = find_policy(planner, policies->list[e], &earlier);
			if (status || strcmp(earlier->policy->name, slot->policy->name))
				continue;
			cli_complain("policy '%s' is given twice", slot->policy->name);
			return CLI_USAGE;
		}
		if (status)
			return status;
	}
	return CLI_DONE;
}

/* Results are told apart by these names, so each pair may come once. */
static int check_pair(const struct planner *planner, const struct pair *pair)
{
	for (uint32_t p = 0; p < planner->nr_pairs; p++) {
		const struct pair *earlier = &planner->pairs[p];

		if (strcmp(earlier->scenario->name, pair->scenario->name) ||
		    strcmp(earlier->machine->machine->name, pair->machine->machine->name) ||
		    strcmp(earlier->machine->spec, pair->machine->spec))
			continue;
		cli_complain("scenario '%s' on machine '%s' is given twice", pair->scenario->name,
			     pair->machine->machine->name);
		return CLI_USAGE;
	}
	return CLI_DONE;
}

static int add_pair(struct planner *planner, const struct entry *entry, const char *machine)
{
	struct pair pair = { .entry = entry };
	struct hn_diag diag = { 0 };
	int err, status;

	if (planner->nr_pairs == CLI_PAIRS_MAX) {
		cli_complain("more than %d pairs of a scenario and a machine", CLI_PAIRS_MAX);
		return CLI_USAGE;
	}
	status = find_machine(planner, machine, &pair.machine);
	if (status)
		return status;
	err = hn_scenario_read(planner->cli->arena, planner->data_dir, entry->scenario,
			       pair.machine->machine, &pair.scenario, &diag);
	if (err)
		return cli_complain_diag(err, &diag);
	status = check_pair(planner, &pair);
	if (!status)
		planner->pairs[planner->nr_pairs++] = pair;
	return status;
}

static int add_pairs(struct planner *planner)
{
	struct hn_arena *arena = planner->cli->arena;
	uint32_t nr_machines = 0, nr_policies = 0;
	int status = CLI_DONE;

	for (uint32_t e = 0; e < planner->nr_entries; e++) {
		nr_machines += planner->entries[e].machines.nr;
		nr_policies += planner->entries[e].policies.nr;
	}
	planner->machine_slots = HN_ARENA_ARRAY(arena, struct machine_slot, nr_machines);
	planner->policy_slots = HN_ARENA_ARRAY(arena, struct policy_slot, nr_policies);
	planner->pairs = HN_ARENA_ARRAY(arena, struct pair, nr_machines);
	for (uint32_t e = 0; !status && e < planner->nr_entries; e++) {
		const struct entry *entry = &planner->entries[e];

		status = check_policies(planner, &entry->policies);
		for (uint32_t m = 0; !status && m < entry->machines.nr; m++)
			status = add_pair(planner, entry, entry->machines.list[m]);
	}
	return status;
}

static int count_jobs(const struct planner *planner, uint32_t *ret_nr)
{
	uint64_t nr = 0;

	for (uint32_t p = 0; p < planner->nr_pairs; p++)
		nr += (uint64_t)planner->pairs[p].entry->policies.nr *
		      planner->pairs[p].entry->nr_runs;
	if (nr > HN_RESULT_RUNS_MAX) {
		cli_complain("%llu runs at once, at most %d", (unsigned long long)nr,
			     HN_RESULT_RUNS_MAX);
		return CLI_USAGE;
	}
	*ret_nr = (uint32_t)nr;
	return CLI_DONE;
}

static void add_job(const struct planner *planner, const struct pair *pair,
		    const struct policy_slot *policy, uint32_t run, struct cli_plan *plan)
{
	struct hn_result_run *result = &plan->runs[plan->nr_jobs];

	plan->jobs[plan->nr_jobs++] = (struct hn_job){
		.machine = pair->machine->machine,
		.policy = policy->policy,
		.scenario = pair->scenario->name,
		.run = run,
		.seed = planner->seed + run,
		.create_world = cli_create_sim_world,
		.world_arg = pair->scenario,
	};
	*result = policy->described;
	result->scenario_spec = pair->entry->scenario;
	result->machine_spec = pair->machine->spec;
	result->model_spec = planner->model;
	result->machine_model = pair->machine->machine->model_name;
	result->is_model_derived = pair->machine->machine->is_model_derived;
	result->program_version = HN_VERSION;
}

static int add_jobs(struct planner *planner, struct cli_plan *plan)
{
	uint32_t nr = 0;
	int status = count_jobs(planner, &nr);

	if (status)
		return status;
	plan->jobs = HN_ARENA_ARRAY(planner->cli->arena, struct hn_job, nr);
	plan->runs = HN_ARENA_ARRAY(planner->cli->arena, struct hn_result_run, nr);
	for (uint32_t p = 0; p < planner->nr_pairs; p++) {
		const struct pair *pair = &planner->pairs[p];

		for (uint32_t s = 0; s < pair->entry->policies.nr; s++) {
			const struct policy_slot *policy;

			status = find_policy(planner, pair->entry->policies.list[s], &policy);
			if (status)
				return status;
			for (uint32_t run = 0; run < pair->entry->nr_runs; run++)
				add_job(planner, pair, policy, run, plan);
		}
	}
	return CLI_DONE;
}

int cli_plan_make(struct cli *cli, const struct cli_args *args, struct cli_plan *ret_plan)
{
	struct planner planner = { .cli = cli };
	struct cli_plan plan = { 0 };
	int status;

	if (!args->nr_words) {
		cli_complain("no scenario: name one; 'homenode list scenarios' shows them");
		return CLI_USAGE;
	}
	status = read_options(&planner, args);
	if (!status)
		status = cli_sweep_read(cli, args, &planner.sweep);
	if (status)
		return status;
	planner.data_dir = cli_data_dir(cli);
	if (!planner.data_dir)
		return CLI_FAILED;
	status = add_entries(&planner, args);
	if (!status)
		status = add_pairs(&planner);
	if (!status)
		status = add_jobs(&planner, &plan);
	plan.batteries = planner.batteries;
	plan.nr_batteries = args->nr_words;
	plan.sweep = planner.sweep;
	if (!status)
		*ret_plan = plan;
	return status;
}
