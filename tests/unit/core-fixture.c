/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core-fixture.h"

#include <string.h>

/* ---- machine ---- */

/* On the ring of four, nodes that differ by two are opposite. */
static uint16_t ring_distance(uint32_t from, uint32_t to)
{
	if (from == to)
		return HN_DISTANCE_LOCAL;
	return (from ^ to) == 2 ? 30 : 20;
}

static void fill_nodes(struct core_fixture *f, uint32_t nr_nodes)
{
	for (uint32_t n = 0; n < nr_nodes; n++) {
		f->nodes[n] = (struct hn_node){ .os_id = (int32_t)n,
						.mem_bytes = FIXTURE_NODE_BYTES,
						.bw_bytes_per_s = 1e10,
						.is_top_tier = true };
		for (uint32_t k = 0; k < nr_nodes; k++) {
			uint16_t distance = ring_distance(n, k);

			f->distance[n * nr_nodes + k] = distance;
			f->latency_ns[n * nr_nodes + k] = distance * 8.0;
			f->link_bw_bytes_per_s[n * nr_nodes + k] = n == k ? 0 : 1e10;
		}
	}
}

static void fill_cpus(struct core_fixture *f, uint32_t nr_nodes)
{
	uint32_t per_node = FIXTURE_CPUS_MAX / nr_nodes;
	uint32_t per_core = nr_nodes == 2 ? 2 : 1;

	for (uint32_t c = 0; c < FIXTURE_CPUS_MAX; c++) {
		f->cpus[c] = (struct hn_cpu_place){
			.os_id = (int32_t)c,
			.nid = (hn_nid)(c / per_node),
			.core = (int32_t)(c / per_core),
			.cluster = (int32_t)(c / per_core),
			.llc = (int32_t)(c / per_node),
			.pkg = (int32_t)(c / per_node),
		};
	}
	f->machine.nr_cores = FIXTURE_CPUS_MAX / per_core;
	f->machine.nr_clusters = f->machine.nr_cores;
}

static void fill_machine(struct core_fixture *f, uint32_t nr_nodes)
{
	struct hn_machine *m = &f->machine;

	m->name = "fixture";
	m->origin = "made by a test";
	m->model_name = "derived";
	m->nr_nodes = nr_nodes;
	m->nr_cpus = FIXTURE_CPUS_MAX;
	m->nr_llcs = nr_nodes;
	m->nr_pkgs = nr_nodes;
	m->nodes = f->nodes;
	m->cpus = f->cpus;
	m->node_cpus = f->node_cpus;
	m->distance = f->distance;
	m->latency_ns = f->latency_ns;
	m->link_bw_bytes_per_s = f->link_bw_bytes_per_s;
	m->llc_bytes = UINT64_C(32) << 20;
	m->freq_ghz = 2.0;
	m->smt_total_pct = 120;
	m->line_bytes = 64;
	fill_nodes(f, nr_nodes);
	fill_cpus(f, nr_nodes);
	hn_machine_index_cpus(m);
	hn_machine_check(m);
}

/* ---- policies ---- */

static const struct hn_policy fixture_policy = {
	.name = "fixture",
	.summary = "the fields of v6.12",
	.source = "spec",
	.numa_mode = HN_NUMA_MODE_NORMAL,
	.scan_delay_ms = 1000,
	.scan_period_ms_min = 1000,
	.scan_period_ms_max = 60000,
	.scan_size_mb = 256,
	.scan_model = HN_SCAN_MODEL_PER_TASK,
	.scan_group_period = true,
	.scan_virt_budget = true,
	.scan_repay = true,
	.scan_trylock = true,
	.scan_charge = HN_SCAN_CHARGE_CHUNK,
	.thread_scan_stagger = true,
	.period_starts_at_start = true,
	.vma_skip_shared_ro = true,
	.vma_skip_hugetlb = true,
	.vma_scan_rule = HN_VMA_SCAN_RULE_SEQ_THRESHOLD,
	.mark_cow_rule = HN_MARK_COW_RULE_MAYBE_SHARED,
	.mark_skip_dirty_file = true,
	.mark_skip_ksm = true,
	.mark_skip_local_private = true,
	.fault_filter = HN_FAULT_FILTER_CPU_PRESSURE,
	.early_migrate = true,
	.memoryless_target_check = true,
	.counts_compound_pte = true,
	.refuse_dirty_file = true,
	.thp_migration = HN_THP_MIGRATION_GENERIC,
	.tiering_decision = true,
	.hot_threshold_ms = 1000,
	.promote_rate_limit_mbps = 65536,
	.untracked_slow_skip = true,
	.groups = true,
	.active_nodes = HN_ACTIVE_NODES_COUNT,
	.active_nodes_cpu_only = true,
	.active_group_local = true,
	.faults_cpu_weight = HN_FAULTS_CPU_WEIGHT_CPU_SHARE,
	.first_runtime = HN_FIRST_RUNTIME_LOAD_SUM,
	.decay_rounds_up = true,
	.exec_resets = true,
	.counts_failed_pages = true,
	.placement_at_retry = true,
	.best_node = HN_BEST_NODE_GROUP,
	.placement_migrate = HN_PLACEMENT_MIGRATE_NEVER,
	.retry_by_period = true,
	.weight_near = true,
	.topology_rule = HN_TOPOLOGY_RULE_DIRECT_MESH_BACKPLANE,
	.period_rule = HN_PERIOD_RULE_LOCAL_OR_PRIVATE,
	.period_threshold = 7,
	.scan_reset = HN_SCAN_RESET_AT_NODE_CHANGE,
	.node_gate = HN_NODE_GATE_NONE,
	.node_stats = HN_NODE_STATS_TYPED,
	.search_others_for_group = true,
	.compare_order = HN_COMPARE_ORDER_V4_19,
	.idle_cpu_rule = HN_IDLE_CPU_RULE_MAYMOVE_BEST,
	.stop_at_idle = true,
	.idle_target = HN_IDLE_TARGET_NODE_CACHED,
	.idle_core_rule = HN_IDLE_CORE_RULE_SIBLINGS_STOP,
	.idle_shortcut = true,
	.small_imp = 30,
	.swap_gain = HN_SWAP_GAIN_BOTH_GROUPS,
	.swap_prefers = true,
	.swap_skip_group_spare = true,
	.too_imbalanced = HN_TOO_IMBALANCED_ABSOLUTE,
	.numa_migrate_on = true,
	.preferred_update = HN_PREFERRED_UPDATE_BEST_NODE,
	.imbalance_allowance = HN_IMBALANCE_ALLOWANCE_IMB_NUMA_NR,
	.imb_numa_nr_div = 8,
	.imb_numa_nr_min_one = true,
	.stick_trace_when_none = true,
};

/* What v3.8 and v3.13 lack alike. */
static void drop_later_rules(struct hn_policy *policy)
{
	policy->scan_group_period = false;
	policy->scan_virt_budget = false;
	policy->scan_repay = false;
	policy->scan_trylock = false;
	policy->thread_scan_stagger = false;
	policy->period_starts_at_start = false;
	policy->vma_skip_hugetlb = false;
	policy->vma_scan_rule = HN_VMA_SCAN_RULE_ALL;
	policy->mark_skip_dirty_file = false;
	policy->mark_skip_ksm = false;
	policy->mark_skip_local_private = false;
	policy->early_migrate = false;
	policy->memoryless_target_check = false;
	policy->refuse_dirty_file = false;
	policy->page_rate_limit = true;
	policy->thp_migration = HN_THP_MIGRATION_NATIVE;
	policy->thp_refuse_shared = true;
	policy->tiering_decision = false;
	policy->untracked_slow_skip = false;
	policy->exec_resets = false;
}

void core_fixture_use_v3_8(struct core_fixture *f)
{
	drop_later_rules(&f->policy);
	f->policy.scan_period_ms_min = 100;
	f->policy.scan_period_ms_max = 5000;
	f->policy.scan_period_ms_reset = 60000;
	f->policy.scan_model = HN_SCAN_MODEL_FIRST_NID;
	f->policy.scan_charge = HN_SCAN_CHARGE_UPDATES;
	f->policy.stamp_is_reset = true;
	f->policy.vma_skip_small = true;
	f->policy.vma_skip_shared_ro = false;
	f->policy.mark_cow_rule = HN_MARK_COW_RULE_MAPCOUNT_ONE_ALL;
	f->policy.fault_filter = HN_FAULT_FILTER_LAST_NID;
	f->policy.groups = false;
	f->policy.active_nodes = HN_ACTIVE_NODES_NONE;
	f->policy.period_rule = HN_PERIOD_RULE_FAULTS;
}

void core_fixture_use_v3_13(struct core_fixture *f)
{
	drop_later_rules(&f->policy);
	f->policy.scan_charge = HN_SCAN_CHARGE_CUMULATIVE;
	f->policy.mark_cow_rule = HN_MARK_COW_RULE_NONE;
	f->policy.fault_filter = HN_FAULT_FILTER_DEFERRED;
	f->policy.migrate_deferred = 16;
	f->policy.active_nodes = HN_ACTIVE_NODES_NONE;
	f->policy.period_rule = HN_PERIOD_RULE_LOCAL;
	f->policy.period_threshold = 3;
}

/* ---- life cycle ---- */

void core_fixture_init(struct core_fixture *f, uint32_t nr_nodes)
{
	hn_assert(nr_nodes == 2 || nr_nodes == 4);
	memset(f, 0, sizeof(*f));
	hn_arena_init(&f->arena);
	fill_machine(f, nr_nodes);
	f->policy = fixture_policy;
	f->limits = (struct hn_limits){ .nr_tasks = 16, .nr_mms = 4, .nr_vmas = 16 };
}

void core_fixture_start(struct core_fixture *f)
{
	void *block = hn_arena_alloc(&f->arena, hn_core_size(&f->limits, &f->machine));

	f->core = hn_core_init(block, &f->limits, &f->machine, &f->policy);
}

void core_fixture_fini(struct core_fixture *f)
{
	hn_arena_fini(&f->arena);
}

void core_fixture_fork(struct core_fixture *f, hn_task_id task, hn_task_id parent, hn_mm_id mm)
{
	const struct hn_fork_event event = {
		.task = task,
		.parent = parent,
		.mm = mm,
		.pid = FIXTURE_PID(task),
		.tgid = FIXTURE_PID(task),
		.nr_mm_users = f->core->mms[mm].nr_users + 1,
	};

	hn_core_note_fork(f->core, &event);
}

void core_fixture_map(struct core_fixture *f, hn_vma_id vma, hn_mm_id mm, uint64_t start,
		      uint64_t nr_pages)
{
	const struct hn_vma map = {
		.id = vma,
		.mm = mm,
		.start = start,
		.end = start + nr_pages * HN_PAGE_BYTES,
		.flags = HN_VMA_READ | HN_VMA_WRITE,
	};

	hn_core_note_vma(f->core, &map);
}

/* ---- statistics ---- */

void core_fixture_set_faults(struct core_fixture *f, hn_task_id task, enum hn_fault_stat stat,
			     hn_nid nid, uint64_t nr_pages)
{
	struct hn_core_task *t = hn_core_get_task(f->core, task);
	uint64_t *own = hn_core_faults(f->core, task, stat) + (size_t)nid * 2;
	uint64_t diff = nr_pages - own[0];
	struct hn_core_group *group;

	t->has_faults = true;
	own[0] = nr_pages;
	if (stat == HN_STAT_MEM)
		t->total_faults += diff;
	if (t->group == HN_GROUP_NONE || stat >= HN_STAT_MEMBUF)
		return;
	group = &f->core->groups[t->group];
	hn_core_gfaults(f->core, t->group, stat)[(size_t)nid * 2] += diff;
	if (stat == HN_STAT_MEM)
		group->total_faults += diff;
}

void core_fixture_join_group(struct core_fixture *f, hn_task_id first, uint32_t nr)
{
	struct hn_core_group *group = &f->core->groups[first];

	hn_assert(!group->is_in_use);
	*group = (struct hn_core_group){
		.is_in_use = true,
		.nr_tasks = nr,
		.gid = FIXTURE_PID(first),
		.created = f->core->nr_groups_created++,
		.nr_active_nodes = 1,
	};
	for (uint32_t k = 0; k < nr; k++)
		hn_core_get_task(f->core, first + (hn_task_id)k)->group = first;
}
