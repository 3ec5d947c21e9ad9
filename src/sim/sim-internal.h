/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim-internal.h - the simulated world's state, and what its modules offer one another.
 *
 *   sim.c           creation, the event loop, windows, what a run leaves behind
 *   sim-cpu.c       one CPU: picking, ticks, when its next event is
 *   sim-process.c   processes and threads: birth, memory, death
 *   sim-program.c   the steps of a program: work, barriers, sleeps
 *   sim-progress.c  how far a task got, and how fast it gets on (flows, caches, SMT)
 *   sim-fault.c     hinting faults: when the next one comes, and what it does
 *   sim-scan.c      scans: marking ranges and their cost
 *   sim-place.c     moves of tasks that were decided, and static placement
 *   sim-record.c    digests and the record of a run
 *
 * Every CPU has one pending event: the earliest of a due tick, the end of what its task does, and
 * the task's next hinting fault. Every task has one timer: a sleep, a barrier's spin, a process
 * start, or a NUMA move under way. Events at one instant are ordered by class, then slot:
 * timers, memory intervals, CPUs, windows. */
#ifndef HN_SIM_SIM_INTERNAL_H
#define HN_SIM_SIM_INTERNAL_H

#include "base/assert.h"
#include "base/heap.h"
#include "base/rng.h"
#include "model/tick.h"
#include "sched/sched.h"
#include "sim/memory.h"
#include "sim/pages.h"
#include "sim/sim.h"

/* Rates of all running tasks are solved again this often while anything changes. */
#define SIM_MEMORY_INTERVAL_NS HN_TICK_NS
#define SIM_WINDOW_NS HN_NS_PER_S
#define SIM_LOOPS_MAX 8

enum sim_event_class {
	SIM_CLASS_TIMER,
	SIM_CLASS_MEMORY,
	SIM_CLASS_CPU,
	SIM_CLASS_WINDOW,
};

enum sim_activity {
	SIM_DOES_NOTHING,   /* between two steps */
	SIM_WORKS,          /* units_left of a WORK step */
	SIM_TOUCHES,        /* first touch, chunk by chunk */
	SIM_SPINS,          /* at a barrier, on the CPU */
	SIM_FORKS,          /* the main thread creates the others */
	SIM_PAUSES,         /* goes on with the next step once its debt is paid */
	SIM_WAITS_BARRIER,  /* blocked */
	SIM_SLEEPS,         /* blocked */
	SIM_WAITS_CHILD,    /* blocked */
	SIM_WAITS_THREADS,  /* blocked: the main thread joins the others */
	SIM_NOT_STARTED,    /* a process whose time has not come */
	SIM_EXITED,
};

/* What a task's timer stands for. */
enum sim_timer { SIM_TIMER_NONE, SIM_TIMER_START, SIM_TIMER_WAKE, SIM_TIMER_MOVE };

/* One access of the work step that runs now. Entries are base or huge pages of the region. */
struct sim_access {
	const struct hn_scn_access *scn;
	struct sim_mapping *mapping;
	uint32_t slice;
	uint32_t first;             /* entries of the slice: first .. first + nr - 1 */
	uint32_t nr;
	double entries_per_unit;
	double pos;                 /* sweeps: entries from first, 0 .. nr */
	double units_to_fault;      /* from the task's updated_ns; UNITS_NEVER */
	uint32_t fault_entry;       /* sweeps: the armed entry ahead */
	uint32_t nr_armed_planned;  /* random: armed entries when it was planned */
	uint32_t generation;        /* of the region's marks when it was planned */
};

#define SIM_UNITS_NEVER 1e300

/* A region of the scenario as one process has it: pages and the VMA over them. */
struct sim_mapping {
	uint32_t region;            /* in pages */
	hn_vma_id vma;
	uint64_t start;             /* address */
	uint32_t entry_pages;       /* 1 or 512 */
	const struct hn_scn_region *scn;
	bool is_mapped;
};

/* What all processes of one kind have in common. */
struct sim_kind {
	uint32_t nr_threads;        /* of all roles */
	uint32_t nr_mappings;
	int32_t *first_mapping;     /* by region: index into the process's mappings; -1: not used */
	uint32_t *nr_slices;        /* by region */
};

struct sim_process {
	bool is_alive;
	uint32_t kind;              /* index into the scenario's processes */
	uint32_t serial;            /* numbers processes of a run; seeds streams */
	hn_mm_id mm;                /* = index of the process */
	uint32_t tgid;
	hn_task_id main_task;
	hn_task_id parent;          /* who waits for it; HN_TASK_NONE */
	hn_cpu start_cpu;           /* of who started it; HN_CPU_NONE: a shell that runs anywhere */
	uint32_t nr_threads;        /* alive */
	uint32_t nr_forked;         /* of all threads of all roles */
	uint32_t nr_running;        /* threads on a CPU now: who must hear of a TLB flush */
	uint64_t rss_pages;
	uint64_t next_address;
	struct sim_mapping *mappings; /* mappings_per_process of them, by sim_process_mapping() */
	/* number of its first thread over the run's initial processes */
	uint32_t first_thread;
	uint32_t barrier_arrived[HN_SCN_ROLES_MAX + 1]; /* per role; last: whole process */
};

struct sim_loop {
	uint32_t step;
	uint32_t nr_left;           /* 0: for ever */
	bool is_endless;
};

struct sim_task {
	/* hot: read at every event of the task */
	enum sim_activity activity;
	hn_time_ns updated_ns;      /* progress is accounted up to here */
	hn_time_ns debt_ns;         /* kernel time to be spent before the program goes on */
	hn_time_ns stall_ns;        /* the same, but the program's own: refills, idle exit */
	double units_left;
	double unit_ns;             /* time of a unit now */
	hn_time_ns exec_ns;         /* CPU time so far */
	hn_time_ns scan_due_ns;     /* CPU time from which on a tick is of interest */
	uint32_t nr_accesses;
	bool is_on_cpu;
	bool is_alive;
	bool is_scan_pending;
	bool has_placed;            /* statistics were folded at least once */
	hn_cpu cpu;                 /* where it runs, when on a CPU */
	/* misses, all nodes and local ones: for the share of local accesses */
	double lines_per_unit;
	double local_lines_per_unit;
	struct sim_access accesses[HN_SCN_ACCESSES_MAX];
	double *lines;              /* traffic per unit and node, of the flow */
	double *stall_weight;       /* misses / mlp per unit and node */
	/* cold */
	hn_task_id id;
	struct sim_process *process;
	uint32_t role;
	uint32_t thread;            /* in the role */
	uint32_t thread_idx;        /* in the process */
	uint32_t pid;
	const struct hn_scn_program *program;
	uint32_t pc;
	bool is_in_setup;
	struct sim_loop loops[SIM_LOOPS_MAX];
	uint32_t nr_loops;
	uint32_t touch_entry;       /* next entry of a TOUCH step or of a first access */
	uint32_t touch_access;      /* which access is being touched first */
	enum sim_timer timer;
	struct hn_decision move;    /* under way, with SIM_TIMER_MOVE */
	int32_t last_llc;           /* where its working set is; -1: nowhere */
	const uint64_t *allowed;    /* NULL: all */
	hn_nid static_nid;          /* node that static placement chose; NONE */
	double *sweep_pos;          /* by region, kept over steps */
	struct hn_rng work_rng;
	struct hn_rng fault_rng;
	hn_time_ns user_ns;
	hn_time_ns system_ns;
};

struct sim_cpu {
	hn_task_id curr;            /* HN_TASK_NONE: idle */
	hn_time_ns sched_tick_ns;   /* next tick that the scheduler needs */
	uint32_t tick_generation;   /* of the scheduler's answer */
	bool is_idle;               /* since the last pick */
	hn_task_id last_task;       /* ran here last: returning to it is no switch */
	bool is_pick_pending;
	bool is_touched;            /* its next event must be computed again */
};

struct hn_sim {
	struct hn_world world;      /* first: the interface */
	const struct hn_machine *machine;   /* borrowed, as the next two */
	const struct hn_policy *policy;
	const struct hn_scenario *scenario;
	uint64_t seed;
	struct hn_sink sink;
	hn_time_ns now_ns;
	bool is_out_of_memory;

	struct hn_sched *sched;
	struct hn_pages *pages;
	struct hn_memory *memory;
	struct hn_heap heap;        /* slots: CPUs, task timers, memory, window */
	uint32_t slot_timers;
	uint32_t slot_memory;
	uint32_t slot_window;

	struct sim_cpu *cpus;
	struct sim_task *tasks;
	uint32_t nr_tasks_max;
	struct sim_process *processes;
	uint32_t nr_processes_max;
	uint32_t mappings_per_process;         /* room that each process slot has */
	struct sim_mapping *mappings;          /* [process][mapping]: the index is the VMA's id */
	struct sim_kind *kinds;                /* by process kind: which mappings it has */
	/* pages region by region index; UINT32_MAX: none yet */
	uint32_t *global_regions;
	/* by pages region: bumped when a scan armed entries */
	uint32_t *region_generation;
	hn_task_id *free_tasks;                /* stack; the lowest ids on top at the start */
	uint32_t nr_free_tasks;
	uint32_t *free_processes;
	uint32_t nr_free_processes;
	uint32_t nr_alive;                     /* tasks, those not started included */
	uint32_t nr_processes_created;
	uint32_t nr_initial_threads;           /* over all processes started with the scenario */
	uint32_t next_pid;

	/* CPUs whose next pick or event is to be handled before the loop goes on. */
	hn_cpu *picks;              /* ring; a CPU is in it once at most */
	uint32_t first_pick;
	uint32_t nr_picks;
	hn_cpu *touched;
	uint32_t nr_touched;

	/* physics */
	struct hn_flow *flows;      /* room for one per CPU */
	hn_cpu *flow_cpus;
	bool is_memory_dirty;
	uint32_t *llc_running;      /* tasks on each LLC */
	uint32_t *core_running;     /* tasks on each core */

	uint64_t **node_masks;      /* CPU bitmaps per node, for static placement */
	hn_time_ns scan_cost_ns;    /* of the scan in progress */

	/* the window that is open */
	double window_lines;
	double window_local_lines;
	double local_share;         /* of the last window with accesses */
	double measured_counts[HN_SCN_COUNTERS_MAX];
	uint64_t counters[HN_NR_COUNTERS];
	uint64_t reasons[HN_NR_WHY];
	uint64_t nr_events;
	hn_time_ns user_ns;
	hn_time_ns system_ns;
};

static inline struct hn_sim *sim_of(struct hn_world *world)
{
	return (struct hn_sim *)world;
}

/* ---- sim-cpu.c ---- */

/* The CPU's next event is to be computed again before the loop goes on. */
void sim_cpu_touch(struct hn_sim *sim, hn_cpu cpu);
void sim_cpu_request_pick(struct hn_sim *sim, hn_cpu cpu);
/* The task runs there no longer. */
void sim_cpu_leave(struct hn_sim *sim, struct sim_task *task);
/* Handles requested picks, then computes the events of touched CPUs. */
void sim_cpu_settle(struct hn_sim *sim);
/* The CPU's pending event has come. */
void sim_cpu_event(struct hn_sim *sim, hn_cpu cpu);
/* Asks again from when on a tick matters to the task's scanning. */
void sim_cpu_refresh_scan_due(struct hn_sim *sim, struct sim_task *task);

/* ---- sim-process.c ---- */

/* Creates a process of the kind with its main task, to start at start_ns; the caller sets parent,
 * start_cpu and first_thread. */
struct sim_process *sim_process_create(struct hn_sim *sim, uint32_t kind, hn_time_ns start_ns);
/* The main task's time has come. */
void sim_process_start(struct hn_sim *sim, struct sim_task *task);
/* The main task creates its next thread; false when all exist. */
bool sim_process_fork_next(struct hn_sim *sim, struct sim_task *main);
void sim_task_exit(struct hn_sim *sim, struct sim_task *task);
struct sim_mapping *sim_process_mapping(const struct hn_sim *sim, const struct sim_task *task,
					uint32_t region);
/* Slice of the region that the access of this task uses. */
uint32_t sim_process_slice(const struct hn_sim *sim, const struct sim_task *task,
			   const struct hn_scn_access *access);
/* Which regions a kind of process maps, and into how many slices; fills sim->kinds. */
void sim_process_init_kinds(struct hn_sim *sim, struct hn_arena *arena);
/* Where the first touch of a slice puts its pages: the toucher's node, or by static placement. */
hn_nid sim_process_touch_nid(const struct hn_sim *sim, const struct sim_task *task);

/* ---- sim-program.c ---- */

/* Carries out steps until one takes time or blocks; the task is running. */
void sim_program_advance(struct hn_sim *sim, struct sim_task *task);
/* The step that took time has ended. */
void sim_program_finish_step(struct hn_sim *sim, struct sim_task *task);
/* A chunk of first touches, on the task's node. */
void sim_program_touch_chunk(struct hn_sim *sim, struct sim_task *task);
/* The task blocks; the caller's CPU picks another. */
void sim_program_block(struct hn_sim *sim, struct sim_task *task, enum sim_activity activity);
void sim_program_spin_ended(struct hn_sim *sim, struct sim_task *task);

/* ---- sim-progress.c ---- */

/* Accounts the time since the last update: kernel debt, stall, then units of work. */
void sim_progress_update(struct hn_sim *sim, struct sim_task *task);
/* Lines per node and the time of a unit, with the latencies of the last solution. */
void sim_progress_compute_rate(struct hn_sim *sim, struct sim_task *task);
/* Memory interval: solves for all running tasks. */
void sim_progress_solve(struct hn_sim *sim);
void sim_progress_note_dirty(struct hn_sim *sim);
void sim_progress_note_arrival(struct hn_sim *sim, struct sim_task *task, bool was_idle);

/* ---- sim-fault.c ---- */

/* Plans the next armed touch of each access, as units from now; is_anew drops what was planned. */
void sim_fault_plan(struct hn_sim *sim, struct sim_task *task, bool is_anew);
/* Units to the first fault of any access. */
double sim_fault_units(const struct sim_task *task);
/* Handles the faults that are due now; the task may have moved or lost its CPU afterwards. */
void sim_fault_handle(struct hn_sim *sim, struct sim_task *task);

/* ---- sim-scan.c ---- */

uint64_t sim_scan_mark_range(struct hn_world *world, const struct hn_scan_range *range);
void sim_scan_run(struct hn_sim *sim, struct sim_task *task);

/* ---- sim-place.c ---- */

int sim_place_apply(struct hn_world *world, const struct hn_decision *decision);
void sim_place_move_ended(struct hn_sim *sim, struct sim_task *task);
/* Static placement: node of a thread, and where a page goes that it owns. */
hn_nid sim_place_static_nid(const struct hn_sim *sim, uint32_t thread_number);
/* Memory of a thread with that node: the node, or the farthest from it. */
hn_nid sim_place_memory_nid(const struct hn_sim *sim, hn_nid static_nid);

/* ---- sim-record.c ---- */

void sim_record_close_window(struct hn_sim *sim);
void sim_record_collect(struct hn_world *world, struct hn_arena *arena,
			struct hn_run_record *record);

#endif
