/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the next armed page is touched follows from the access pattern: a sweep reaches the armed
 * entry ahead of it after a known distance; random touches hit an armed one after an
 * exponential number of units, since the share of armed entries stays the same in between.
 * Where other tasks consume entries of the same slice meanwhile, that share falls; the plan is then
 * thinned when it comes due, which is exact for a process without memory. */
#include "sim/sim-internal.h"

/* Below this much work the event is due: times are whole nanoseconds. */
#define DUE_NS 0.5

static double sweep_distance(const struct sim_access *access)
{
	double ahead = (double)(access->fault_entry - access->first);

	if (access->pos < ahead)
		return ahead - access->pos;
	if (access->pos < ahead + 1)
		return 0; /* inside the entry now */
	return (double)access->nr - access->pos + ahead;
}

static void plan_sweep(struct hn_sim *sim, struct sim_access *access)
{
	uint32_t from = access->first + (uint32_t)access->pos;

	access->fault_entry = hn_pages_next_armed(sim->pages, access->mapping->region,
						  access->slice, from);
	if (access->fault_entry == UINT32_MAX) {
		access->units_to_fault = SIM_UNITS_NEVER;
		return;
	}
	access->units_to_fault = sweep_distance(access) / access->entries_per_unit;
}

static void plan_random(struct sim_task *task, struct sim_access *access, uint32_t nr_armed)
{
	double armed_per_unit = access->entries_per_unit * (double)nr_armed / (double)access->nr;

	access->nr_armed_planned = nr_armed;
	access->units_to_fault = hn_rng_exponential(&task->fault_rng) / armed_per_unit;
}

static void plan_access(struct hn_sim *sim, struct sim_task *task, struct sim_access *access)
{
	uint32_t nr_armed = hn_pages_nr_armed(sim->pages, access->mapping->region, access->slice);

	access->generation = sim->region_generation[access->mapping->region];
	if (!nr_armed || access->entries_per_unit <= 0)
		access->units_to_fault = SIM_UNITS_NEVER;
	else if (access->scn->pattern == HN_SCN_SWEEP)
		plan_sweep(sim, access);
	else
		plan_random(task, access, nr_armed);
}

void sim_fault_plan(struct hn_sim *sim, struct sim_task *task, bool is_anew)
{
	for (uint32_t a = 0; a < task->nr_accesses; a++) {
		struct sim_access *access = &task->accesses[a];
		uint32_t generation = sim->region_generation[access->mapping->region];

		if (is_anew || access->generation != generation)
			plan_access(sim, task, access);
	}
}

double sim_fault_units(const struct sim_task *task)
{
	double units = SIM_UNITS_NEVER;

	for (uint32_t a = 0; a < task->nr_accesses; a++) {
		if (task->accesses[a].units_to_fault < units)
			units = task->accesses[a].units_to_fault;
	}
	return units > 0 ? units : 0;
}

/* The armed entry that is touched now; UINT32_MAX when the plan was overtaken. */
static uint32_t pick_entry(struct hn_sim *sim, struct sim_task *task, struct sim_access *access)
{
	uint32_t region = access->mapping->region;
	uint32_t nr_armed = hn_pages_nr_armed(sim->pages, region, access->slice);

	if (!nr_armed)
		return UINT32_MAX;
	if (access->scn->pattern == HN_SCN_SWEEP) {
		access->pos = (double)(access->fault_entry - access->first);
		return hn_pages_is_armed(sim->pages, region, access->fault_entry) ?
		       access->fault_entry : UINT32_MAX;
	}
	if (nr_armed < access->nr_armed_planned &&
	    hn_rng_unit(&task->fault_rng) * (double)access->nr_armed_planned > (double)nr_armed)
		return UINT32_MAX;
	return hn_pages_pick_armed(sim->pages, region, access->slice, &task->fault_rng);
}

static uint16_t fault_flags(const struct sim_mapping *mapping, bool is_timed)
{
	uint16_t flags = 0;

	if (mapping->entry_pages > 1)
		flags |= HN_FAULT_HUGE;
	if (mapping->scn->memory != HN_SCN_TEXT && mapping->scn->memory != HN_SCN_FILE)
		flags |= HN_FAULT_WRITABLE;
	if (mapping->scn->scope == HN_SCN_GLOBAL) {
		flags |= HN_FAULT_MAPPED_MANY;
		if (mapping->scn->memory == HN_SCN_SHM || mapping->scn->memory == HN_SCN_FILE_DIRTY)
			flags |= HN_FAULT_SHARED;
		if (mapping->scn->memory == HN_SCN_TEXT)
			flags |= HN_FAULT_FILE_EXEC_SHARED;
	}
	if (mapping->scn->memory == HN_SCN_FILE_DIRTY)
		flags |= HN_FAULT_FILE_DIRTY;
	if (is_timed)
		flags |= HN_FAULT_TIMED;
	return flags;
}

static void fill_event(const struct hn_sim *sim, const struct sim_task *task,
		       const struct sim_mapping *mapping, uint32_t entry,
		       struct hn_fault_event *event)
{
	hn_nid dst_nid = hn_machine_nid(sim->machine, task->cpu);
	bool is_timed = hn_pages_is_timed(sim->pages, mapping->region, entry);

	*event = (struct hn_fault_event){
		.now_ns = sim->now_ns,
		.task = task->id,
		.cpu = task->cpu,
		.vma = mapping->vma,
		.page_nid = hn_pages_nid(sim->pages, mapping->region, entry),
		.flags = fault_flags(mapping, is_timed),
		.nr_pages = mapping->entry_pages,
		.last_cpupid = HN_CPUPID_NONE,
	};
	if (is_timed) {
		event->access_time_ms = hn_pages_access_ms(sim->pages, mapping->region, entry);
		event->dst_free_pages = hn_pages_free(sim->pages, dst_nid);
		event->dst_pages = hn_pages_total(sim->pages, dst_nid);
	} else {
		event->last_cpupid = hn_pages_cpupid(sim->pages, mapping->region, entry);
	}
}

static void count_migration(struct hn_sim *sim, const struct hn_fault_event *event, hn_nid dst_nid)
{
	bool is_huge = event->flags & HN_FAULT_HUGE;

	sim->counters[HN_COUNT_NUMA_PAGES_MIGRATED] += event->nr_pages;
	sim->counters[HN_COUNT_PGMIGRATE_SUCCESS] += event->nr_pages;
	if (!is_huge || sim->policy->thp_migration == HN_THP_MIGRATION_GENERIC)
		sim->counters[HN_COUNT_MM_MIGRATE_PAGES]++;
	if (is_huge && sim->policy->thp_migration == HN_THP_MIGRATION_GENERIC)
		sim->counters[HN_COUNT_THP_MIGRATION_SUCCESS]++;
	if (is_huge && sim->policy->thp_migration == HN_THP_MIGRATION_SPLIT_COLLAPSE)
		sim->counters[HN_COUNT_THP_SPLIT_PMD]++;
	if (sim->machine->nodes[dst_nid].is_top_tier &&
	    !sim->machine->nodes[event->page_nid].is_top_tier)
		sim->counters[HN_COUNT_PGPROMOTE_SUCCESS] += event->nr_pages;
}

/* Source: v3.8 .. v5.13 mm/migrate.c migrate_misplaced_transhuge_page(): its own path counts a huge
 * page that could not be taken off its node as failed; base pages are not counted there. */
static void count_failure(struct hn_sim *sim, const struct hn_fault_event *event)
{
	if ((event->flags & HN_FAULT_HUGE) && sim->policy->thp_migration == HN_THP_MIGRATION_NATIVE)
		sim->counters[HN_COUNT_PGMIGRATE_FAIL] += event->nr_pages;
}

/* ASSUMES: a flush reaches all other CPUs of the process at once, so its price is one round
 * trip. */
static hn_time_ns flush_ns(const struct hn_sim *sim, const struct sim_process *process)
{
	const struct hn_kernel_costs *costs = &sim->machine->costs;

	return costs->tlb_flush_ns + (process->nr_running > 1 ? costs->ipi_ns : 0);
}

static hn_time_ns migrate_cost_ns(const struct hn_sim *sim, const struct sim_task *task,
				  uint32_t nr_pages)
{
	const struct hn_kernel_costs *costs = &sim->machine->costs;
	hn_time_ns cost_ns = (hn_time_ns)costs->copy_page_ns * nr_pages + costs->migrate_page_ns;

	if (sim->policy->thp_migration == HN_THP_MIGRATION_SPLIT_COLLAPSE)
		cost_ns += (hn_time_ns)costs->migrate_page_ns * (nr_pages - 1);
	return cost_ns + flush_ns(sim, task->process);
}

/* Moves the page if the verdict wants it; returns the account flags of the outcome. */
static uint16_t migrate(struct hn_sim *sim, struct sim_task *task,
			const struct sim_mapping *mapping, uint32_t entry,
			const struct hn_fault_event *event, const struct hn_fault_verdict *verdict)
{
	if (verdict->target_nid == HN_NID_NONE)
		return verdict->is_refused ? HN_ACCOUNT_MIGRATE_FAILED : 0;
	if (!hn_pages_migrate(sim->pages, mapping->region, entry, verdict->target_nid)) {
		sim->reasons[HN_WHY_PAGE_NODE_FULL]++;
		count_failure(sim, event);
		return HN_ACCOUNT_MIGRATE_FAILED;
	}
	count_migration(sim, event, verdict->target_nid);
	task->debt_ns += migrate_cost_ns(sim, task, event->nr_pages);
	sim_progress_note_dirty(sim);
	return HN_ACCOUNT_MIGRATED;
}

/* ASSUMES: the run queue's clock in account() is the moment of the fault; Linux uses the last
 * tick or switch, up to 4 ms earlier, for both ends of the window. */
static struct hn_task_clock task_clock(struct hn_sim *sim, const struct sim_task *task)
{
	struct hn_task_clock clock = { .sum_exec_ns = task->exec_ns,
				       .exec_start_ns = sim->now_ns };

	if (!task->has_placed) /* only the first window asks for the load sum */
		clock.load_sum = hn_sched_clock(sim->sched, sim->now_ns, task->id).load_sum;
	return clock;
}

static void account(struct hn_sim *sim, struct sim_task *task, const struct hn_fault_event *fault,
		    uint16_t flags, hn_nid mem_nid)
{
	struct hn_account_event event = {
		.now_ns = sim->now_ns,
		.task = task->id,
		.cpu = task->cpu,
		.mem_nid = mem_nid,
		.nr_pages = fault->nr_pages,
		.last_cpupid = fault->last_cpupid,
		.last_curr = HN_TASK_NONE,
		.flags = flags,
		.clock = task_clock(sim, task),
	};

	if (fault->last_cpupid != HN_CPUPID_NONE)
		event.last_curr = sim->cpus[hn_cpupid_cpu(fault->last_cpupid)].curr;
	if (sim->sink.ops->fault_account(sim->sink.ctx, &event).is_placed) {
		task->has_placed = true;
		sim_cpu_refresh_scan_due(sim, task);
	}
}

static void take_fault(struct hn_sim *sim, struct sim_task *task, struct sim_access *access,
		       uint32_t entry)
{
	const struct sim_mapping *mapping = access->mapping;
	hn_nid nid = hn_machine_nid(sim->machine, task->cpu);
	struct hn_fault_event event;
	struct hn_fault_verdict verdict;
	uint16_t flags = 0;

	fill_event(sim, task, mapping, entry, &event);
	sim->counters[HN_COUNT_PGFAULT]++;
	task->debt_ns += sim->machine->costs.fault_ns;
	sim->sink.ops->fault(sim->sink.ctx, &event, &verdict);
	hn_pages_disarm(sim->pages, mapping->region, entry);
	if (!verdict.is_counted)
		return;
	sim->counters[HN_COUNT_NUMA_HINT_FAULTS]++;
	if (event.page_nid == nid) {
		sim->counters[HN_COUNT_NUMA_HINT_FAULTS_LOCAL]++;
		flags |= HN_ACCOUNT_LOCAL;
	}
	if (!(event.flags & HN_FAULT_TIMED))
		hn_pages_set_cpupid(sim->pages, mapping->region, entry, verdict.new_cpupid);
	if (!(event.flags & HN_FAULT_WRITABLE))
		flags |= HN_ACCOUNT_NO_GROUP;
	if (event.flags & HN_FAULT_SHARED)
		flags |= HN_ACCOUNT_SHARED;
	flags |= migrate(sim, task, mapping, entry, &event, &verdict);
	account(sim, task, &event, flags,
		flags & HN_ACCOUNT_MIGRATED ? verdict.target_nid : event.page_nid);
}

void sim_fault_handle(struct hn_sim *sim, struct sim_task *task)
{
	for (uint32_t a = 0; a < task->nr_accesses; a++) {
		struct sim_access *access = &task->accesses[a];
		uint32_t entry;

		if (access->units_to_fault * task->unit_ns >= DUE_NS)
			continue;
		entry = pick_entry(sim, task, access);
		if (entry != UINT32_MAX)
			take_fault(sim, task, access, entry);
		plan_access(sim, task, access);
		return; /* the next one waits until this one's kernel time is paid */
	}
}
