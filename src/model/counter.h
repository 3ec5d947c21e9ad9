/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counter.h - counters under the kernel's own names.
 *
 * Part one is /proc/vmstat, part two counts tracepoint hits. What each one counts exactly is
 * written beside it. Append only: names are part of the JSON. */
#ifndef HN_MODEL_COUNTER_H
#define HN_MODEL_COUNTER_H

#include "base/types.h"

/* C(ENUM, "name", "sentence") */
#define HN_COUNTERS(C) \
	C(NUMA_PTE_UPDATES, "numa_pte_updates", "entries turned into hints, in base pages (a huge entry counts 512)") \
	C(NUMA_HUGE_PTE_UPDATES, "numa_huge_pte_updates", "of these, huge entries, one each") \
	C(NUMA_HINT_FAULTS, "numa_hint_faults", "hinting faults, base and huge alike one each") \
	C(NUMA_HINT_FAULTS_LOCAL, "numa_hint_faults_local", "of these, with the page on the faulting CPU's node") \
	C(NUMA_PAGES_MIGRATED, "numa_pages_migrated", "base pages moved by hinting faults") \
	C(PGMIGRATE_SUCCESS, "pgmigrate_success", "base pages migrated, any reason") \
	C(PGMIGRATE_FAIL, "pgmigrate_fail", "base pages whose migration failed in the copy phase") \
	C(THP_MIGRATION_SUCCESS, "thp_migration_success", "huge pages moved by the generic code") \
	C(THP_SPLIT_PMD, "thp_split_pmd", "huge mappings split") \
	C(NUMA_HIT, "numa_hit", "pages allocated on the intended node") \
	C(NUMA_MISS, "numa_miss", "pages allocated here although another node was intended") \
	C(NUMA_FOREIGN, "numa_foreign", "pages intended for a node and allocated elsewhere") \
	C(NUMA_LOCAL, "numa_local", "pages allocated on the running CPU's node") \
	C(NUMA_OTHER, "numa_other", "pages allocated on another node than the running CPU's") \
	C(NUMA_INTERLEAVE, "numa_interleave", "pages allocated where interleaving wanted them") \
	C(PGPROMOTE_SUCCESS, "pgpromote_success", "pages promoted to fast memory") \
	C(PGPROMOTE_CANDIDATE, "pgpromote_candidate", "pages that passed the promotion threshold") \
	C(PGFAULT, "pgfault", "page faults, hinting faults included") \
	C(SCHED_MOVE_NUMA, "sched_move_numa", "NUMA moves to an idle or other CPU") \
	C(SCHED_SWAP_NUMA, "sched_swap_numa", "NUMA swaps of two tasks") \
	C(SCHED_STICK_NUMA, "sched_stick_numa", "NUMA moves that failed or found no CPU") \
	C(SCHED_MIGRATE_TASK, "sched_migrate_task", "changes of a task's CPU, any reason") \
	C(SCHED_SKIP_VMA_NUMA, "sched_skip_vma_numa", "mappings skipped or forced by the scan") \
	C(SCHED_SKIP_CPUSET_NUMA, "sched_skip_cpuset_numa", "scans left out because of a one-node cpuset") \
	C(MM_MIGRATE_PAGES, "mm_migrate_pages", "calls of the migration code") \
	C(MM_NUMA_MIGRATE_RATELIMIT, "mm_numa_migrate_ratelimit", "migrations refused by the rate limit") \
	C(CONTEXT_SWITCHES, "context_switches", "switches between tasks")

#define HN_COUNTER_ENUM(id, name, text) HN_COUNT_##id,
enum hn_counter { HN_COUNTERS(HN_COUNTER_ENUM) HN_NR_COUNTERS };
#undef HN_COUNTER_ENUM

const char *hn_counter_name(enum hn_counter counter);
const char *hn_counter_text(enum hn_counter counter);

#endif
