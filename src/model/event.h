/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event.h - what a world observes and hands to the core.
 *
 * Plain data; every event carries its time. */
#ifndef HN_MODEL_EVENT_H
#define HN_MODEL_EVENT_H

#include "base/types.h"

/* A hinting fault's record of who faulted last on a page: -1 as a whole when nobody did, else
 * (cpu << 8) | (pid & 255), where cpu is the dense index.
 * Source: v3.13 include/linux/mm.h cpu_pid_to_cpupid(); LAST__PID_SHIFT is 8. */
#define HN_CPUPID_NONE ((int32_t)-1)
#define HN_CPUPID_PID_MASK 255

static inline int32_t hn_cpupid_make(hn_cpu cpu, uint32_t pid)
{
	return (int32_t)((uint32_t)cpu << 8 | (pid & HN_CPUPID_PID_MASK));
}

/* QUIRK: a pid whose low byte is 255 looks unset. */
static inline bool hn_cpupid_is_pid_unset(int32_t cpupid)
{
	return (cpupid & HN_CPUPID_PID_MASK) == HN_CPUPID_PID_MASK;
}

static inline bool hn_cpupid_matches(int32_t cpupid, uint32_t pid)
{
	return (uint32_t)(cpupid & HN_CPUPID_PID_MASK) == (pid & HN_CPUPID_PID_MASK);
}

static inline hn_cpu hn_cpupid_cpu(int32_t cpupid)
{
	return cpupid >> 8;
}

struct hn_fork_event {
	hn_time_ns now_ns;
	hn_task_id task;
	hn_task_id parent;   /* HN_TASK_NONE for a task that the world starts by itself */
	hn_mm_id mm;
	uint32_t pid;        /* as the kernel would number it; > 0 */
	uint32_t tgid;
	uint32_t nr_mm_users; /* users of the mm, the child included; 1: a new address space */
	bool is_kthread;     /* no mm of its own */
};

/* A task's own clocks, as its run queue knows them at this moment. */
struct hn_task_clock {
	hn_time_ns sum_exec_ns;   /* CPU time so far */
	hn_time_ns exec_start_ns; /* run-queue clock at the last accounting */
	uint64_t load_sum;        /* PELT running sum, unweighted, 0 .. 47742 */
};

/* One attempt to scan, in the context of a running task. */
struct hn_scan_event {
	hn_time_ns now_ns;
	hn_task_id task;
	hn_cpu cpu;
	hn_time_ns sum_exec_ns;  /* of the task, as last refreshed by tick or switch */
	uint32_t nr_threads;     /* of the process */
	bool is_lock_busy;       /* another thread holds the address space for writing */
	bool is_single_node;     /* cpusets let the task allocate on one node only */
};

enum hn_fault_flag {
	HN_FAULT_WRITABLE = 1 << 0,  /* the entry would be writable */
	HN_FAULT_SHARED = 1 << 1,    /* page mapped more than once in a shared VMA */
	HN_FAULT_HUGE = 1 << 2,      /* a PMD entry, 512 pages */
	HN_FAULT_COMPOUND_PTE = 1 << 3, /* a base entry inside a compound page */
	HN_FAULT_FILE_DIRTY = 1 << 4,
	HN_FAULT_FILE_EXEC_SHARED = 1 << 5, /* program text mapped by several */
	HN_FAULT_MAPPED_MANY = 1 << 6, /* mapped more than once, in any VMA */
	HN_FAULT_TIMED = 1 << 7,     /* the page carries access_time_ms instead of a cpupid */
};

struct hn_fault_event {
	hn_time_ns now_ns;
	hn_task_id task;
	hn_cpu cpu;
	hn_vma_id vma;
	hn_nid page_nid;
	uint16_t flags;           /* enum hn_fault_flag */
	uint32_t nr_pages;        /* 1, or 512 for a huge entry */
	int32_t last_cpupid;      /* value before the fault */
	uint32_t access_time_ms;  /* with HN_FAULT_TIMED: low 20 bits of the time of marking */
	uint64_t dst_free_pages;  /* with HN_FAULT_TIMED: free base pages on the faulting node */
	uint64_t dst_pages;       /* and its size */
};

/* What the core wants done about the page. */
struct hn_fault_verdict {
	hn_nid target_nid;   /* HN_NID_NONE: stay */
	int32_t new_cpupid;  /* to store in the page */
	uint32_t why;        /* enum hn_why */
	bool is_counted;     /* false: the entry is restored and nothing is counted or accounted */
	/* the page should move but a rule of the migration code refused it: target_nid is NONE, and
	 * the fault is accounted with HN_ACCOUNT_MIGRATE_FAILED */
	bool is_refused;
};

enum hn_account_flag {
	HN_ACCOUNT_LOCAL = 1 << 0,
	HN_ACCOUNT_MIGRATED = 1 << 1,
	HN_ACCOUNT_MIGRATE_FAILED = 1 << 2,
	HN_ACCOUNT_NO_GROUP = 1 << 3,
	HN_ACCOUNT_SHARED = 1 << 4,
};

/* After the page was or was not moved. Kernel counterpart: the arguments of task_numa_fault(). */
struct hn_account_event {
	hn_time_ns now_ns;
	hn_task_id task;
	hn_cpu cpu;           /* now: the task may have moved inside the fault */
	hn_nid mem_nid;       /* the page's node after the fault */
	uint32_t nr_pages;
	int32_t last_cpupid;  /* value before the fault; HN_CPUPID_NONE for timed pages */
	hn_task_id last_curr; /* who runs now on the CPU named in last_cpupid; HN_TASK_NONE: idle */
	uint16_t flags;       /* enum hn_account_flag */
	struct hn_task_clock clock;
};

#endif
