/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core.h - the balancing rules: what to scan, which page to move, where a task belongs.
 *
 * A state machine without senses or hands. It is given events, a view of the CPUs, and one row of
 * the policy table; it answers with verdicts, ranges and decisions. It has no clock, no
 * random numbers, no I/O, no allocation and no floating point, and does the same in every world.
 *
 * Source: Linux v3.8 .. v7.2, kernel/sched/fair.c, mm/mempolicy.c, mm/mprotect.c, mm/memory.c,
 * mm/huge_memory.c, mm/migrate.c; each module cites its part.
 *
 * Memory: one zeroed block that the caller owns, of hn_core_size() bytes; machine and
 * policy are borrowed for the core's life. Limits are fixed at init. Two cores never notice
 * each other.
 *
 * The path of one fault: decide_page -> (the world moves the page) -> account_begin -> if it says
 * so, pick_cpu with a view -> (the world moves the task) -> account_end. */
#ifndef HN_CORE_CORE_H
#define HN_CORE_CORE_H

#include "model/counter.h"
#include "model/decision.h"
#include "model/event.h"
#include "model/locality.h"
#include "model/machine.h"
#include "model/view.h"
#include "model/vma.h"
#include "policy/policy.h"

struct hn_core;

struct hn_limits {
	uint32_t nr_tasks;  /* task ids are 0 .. nr_tasks - 1; an id may be used again after exit */
	uint32_t nr_mms;
	uint32_t nr_vmas;
};

/* ---- life cycle ---- */

size_t hn_core_size(const struct hn_limits *limits, const struct hn_machine *machine);

/* `block` is zeroed and aligned to 64 bytes. */
struct hn_core *hn_core_init(void *block, const struct hn_limits *limits,
			     const struct hn_machine *machine, const struct hn_policy *policy);

/* ---- events in ---- */

void hn_core_note_fork(struct hn_core *core, const struct hn_fork_event *event);
void hn_core_note_exec(struct hn_core *core, hn_task_id task);
void hn_core_note_exit(struct hn_core *core, hn_task_id task);
void hn_core_note_vma(struct hn_core *core, const struct hn_vma *vma);
void hn_core_note_vma_gone(struct hn_core *core, hn_vma_id vma);
void hn_core_note_rss(struct hn_core *core, hn_mm_id mm, uint64_t rss_pages);

/* A task changed its CPU. Kernel counterpart: migrate_task_rq_fair() -> update_scan_period(). */
void hn_core_note_move(struct hn_core *core, hn_task_id task, hn_cpu src, hn_cpu dst);

/* ---- scanning ---- */

/* The task's CPU time from which on a tick has something to do; HN_TIME_NEVER: never. */
hn_time_ns hn_core_scan_due_exec_ns(const struct hn_core *core, hn_task_id task);

/* A tick found the task running. True: scan work is due. Kernel counterpart: task_tick_numa(). */
bool hn_core_note_tick(struct hn_core *core, hn_time_ns now_ns, hn_task_id task,
		       hn_time_ns sum_exec_ns);

/* One scan attempt, as a pull iterator. Kernel counterpart: task_numa_work().
 *   begin; if it returns true:
 *     while (next(core, updates_of_the_previous_range, &range)) mark the range;
 *   charged, once the CPU time of the scan is known; also when begin returned false. */
bool hn_core_scan_begin(struct hn_core *core, const struct hn_scan_event *event);
bool hn_core_scan_next(struct hn_core *core, uint64_t nr_updates, struct hn_scan_range *ret_range);
void hn_core_scan_charged(struct hn_core *core, hn_task_id task, hn_time_ns sum_exec_ns);

/* ---- faults ---- */

/* Should the page follow the fault? Kernel counterpart: mpol_misplaced() with
 * should_numa_migrate_memory(), and the refusals of migrate_misplaced_page() that are rules and
 * not physics (free memory and the copy itself are the world's). */
void hn_core_decide_page(struct hn_core *core, const struct hn_fault_event *event,
			 struct hn_fault_verdict *ret_verdict);

/* What account_begin found. */
struct hn_account_result {
	bool is_placed;        /* a window closed: placement ran */
	bool is_search_due;    /* call hn_core_pick_cpu() with a view, then account_end */
	hn_nid preferred_nid;  /* now */
};

/* Kernel counterpart: task_numa_fault() up to numa_migrate_preferred(). */
struct hn_account_result hn_core_account_begin(struct hn_core *core,
					       const struct hn_account_event *event);

/* The rest of it: adds the fault to the open window. Always called, after the search if any. */
void hn_core_account_end(struct hn_core *core, const struct hn_account_event *event);

/* ---- decisions ---- */

/* Looks for a CPU on the preferred node and, by the rules, on others. May change the task's
 * preferred node and scan period. Kernel counterpart: task_numa_migrate(). */
void hn_core_pick_cpu(struct hn_core *core, hn_time_ns now_ns, struct hn_view *view,
		      struct hn_decision *ret_decision);

/* ---- questions ---- */

enum hn_locality_answer hn_core_locality(const struct hn_core *core,
					 const struct hn_locality_query *query);
hn_nid hn_core_preferred_nid(const struct hn_core *core, hn_task_id task);
uint32_t hn_core_scan_period_ms(const struct hn_core *core, hn_task_id task);
/* Pid of the group's creator; 0 without a group. */
uint32_t hn_core_group_id(const struct hn_core *core, hn_task_id task);
/* Decayed memory faults; 0 without statistics. */
uint64_t hn_core_task_faults(const struct hn_core *core, hn_task_id task, hn_nid nid);
uint64_t hn_core_group_faults(const struct hn_core *core, hn_task_id task, hn_nid nid);
/* Completed passes over the address space. */
uint32_t hn_core_scan_seq(const struct hn_core *core, hn_mm_id mm);

/* Counts since init, by enum; the core fills those that its own rules make. */
const uint64_t *hn_core_counters(const struct hn_core *core);
const uint64_t *hn_core_reasons(const struct hn_core *core);

/* A digest of the whole state, field by field. */
uint64_t hn_core_digest(const struct hn_core *core);

/* ---- checking ---- */

/* Asserts the invariants (group sums equal the members' sums, counts, ranges). */
void hn_core_check(const struct hn_core *core);

#endif
