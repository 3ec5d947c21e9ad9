/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario.h - a workload, described as mechanisms: threads, regions, access patterns, phases.
 *
 * A scenario says what a program does, never how fast it gets: results follow from the machine,
 * the policy and chance. It is read from YAML for one machine, so that counts such as "half of
 * the CPUs" are numbers here (scenario-read.c; format in docs/formats/scenario.md).
 *
 *   process --- regions (memory of one process, of each thread, or shared by all processes)
 *      |
 *      +-- setup program, run by the main thread alone
 *      +-- roles: so many threads, each running one program of steps
 *
 * A unit of work costs CPU time plus cache lines from memory; what a line costs depends on where
 * its page lies and on how busy the way is. All data lives in the arena of the reader. */
#ifndef HN_SIM_SCENARIO_H
#define HN_SIM_SCENARIO_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/machine.h"
#include "model/published.h"

/* Limits of what a file may ask for. */
#define HN_SCN_REGIONS_MAX 64
#define HN_SCN_PROCESSES_MAX 64   /* kinds of process, not instances */
#define HN_SCN_ROLES_MAX 16       /* per process */
#define HN_SCN_STEPS_MAX 256      /* per program */
#define HN_SCN_ACCESSES_MAX 8     /* per work step */
#define HN_SCN_COUNTERS_MAX 16
#define HN_SCN_LOOP_DEPTH_MAX 4   /* loops inside one another */
#define HN_SCN_TASKS_MAX 65536    /* threads alive at once */

enum hn_scn_scope {
	HN_SCN_PER_PROCESS,  /* one per process instance, used by all its threads */
	/* one per thread of the process, private to it in use, not in rights */
	HN_SCN_PER_THREAD,
	HN_SCN_GLOBAL,       /* one, mapped by all processes (shared memory, file) */
};

enum hn_scn_memory {
	HN_SCN_ANON,
	HN_SCN_SHM,          /* shared anonymous */
	HN_SCN_FILE,         /* private file mapping, clean */
	HN_SCN_FILE_DIRTY,   /* shared file mapping, written */
	HN_SCN_TEXT,         /* program text: read and execute, file */
};

struct hn_scn_region {
	const char *name;
	enum hn_scn_scope scope;
	enum hn_scn_memory memory;
	uint64_t bytes;
	bool is_huge;        /* backed by 2 MiB pages where aligned */
	hn_nid bind_nid;     /* HN_NID_NONE: default policy */
	bool is_interleaved;
};

enum hn_scn_pattern {
	HN_SCN_SWEEP,        /* front to back, over and over */
	HN_SCN_RANDOM,       /* uniform over the slice */
};

/* Which part of the region one thread uses. Slices are equal parts, one per thread of the role. */
enum hn_scn_slice {
	HN_SCN_ALL,
	HN_SCN_OWN,          /* the thread's own slice */
	HN_SCN_NEXT,         /* that of the next thread (halo exchange, pipelines) */
};

struct hn_scn_access {
	uint32_t region;        /* index */
	enum hn_scn_slice slice;
	enum hn_scn_pattern pattern;
	double lines;           /* cache lines per unit asked from the last-level cache */
	/* set that is used again: hits when it fits the share of the LLC; 0: streamed */
	uint64_t reuse_bytes;
	double mlp;             /* lines in flight together, >= 1 */
	/* distinct pages touched per unit (base pages), drives hinting faults */
	double pages;
	bool is_write;
};

enum hn_scn_step_kind {
	HN_SCN_WORK,     /* `units` of work with the accesses */
	HN_SCN_TOUCH,    /* first touch of a slice of a region */
	HN_SCN_BARRIER,  /* wait for all threads of the role (or process) */
	HN_SCN_SLEEP,
	/* repeats the steps up to its END `count` times; 0: until the scenario ends */
	HN_SCN_LOOP,
	HN_SCN_END,
	HN_SCN_COUNT,    /* adds to a counter: transactions done */
	/* the process image is replaced: memory statistics may reset, exec placement */
	HN_SCN_EXEC,
	/* starts an instance of another process kind as a child, and may wait for it */
	HN_SCN_SPAWN,
};

struct hn_scn_step {
	enum hn_scn_step_kind kind;
	uint32_t line;               /* in the file, for messages */
	double units;                /* WORK: units; COUNT: amount */
	/* WORK: CPU time of a unit on an unshared core of the machine */
	double unit_ns;
	double cv;                   /* WORK, SLEEP: coefficient of variation of the amount, 0:
				      * constant, 1: exponential; in between: constant part plus
				      * exponential part */
	/* WORK; TOUCH uses the first's region and slice */
	struct hn_scn_access accesses[HN_SCN_ACCESSES_MAX];
	uint32_t nr_accesses;
	hn_time_ns span_ns;          /* SLEEP: mean; BARRIER: time spun before sleeping */
	/* BARRIER: over all roles of the process, else over the role */
	bool is_process_wide;
	uint32_t count;              /* LOOP */
	uint32_t match;              /* LOOP: index of its END; END: index of its LOOP */
	uint32_t counter;            /* COUNT: index */
	uint32_t process;            /* SPAWN: index of the process kind */
	bool waits;                  /* SPAWN: until the child has ended */
	/* TOUCH: pages go to touch_nid, whoever touches them (a memory policy set for the first
	 * touch only); static placement overrules it */
	bool has_touch_nid;
	hn_nid touch_nid;
};

struct hn_scn_program {
	struct hn_scn_step *steps;
	uint32_t nr_steps;
};

struct hn_scn_role {
	const char *name;
	uint32_t nr_threads;         /* > 0; the main thread is thread 0 of role 0 */
	struct hn_scn_program program;
};

struct hn_scn_process {
	const char *name;
	uint32_t nr_instances;       /* started with the scenario; 0: only by SPAWN */
	hn_time_ns start_ns;         /* of the first instance */
	hn_time_ns stagger_ns;       /* between instances */
	struct hn_scn_program setup; /* by the main thread, before the others are created */
	struct hn_scn_role *roles;
	uint32_t nr_roles;
};

struct hn_scenario {
	const char *name;            /* as printed: "numa01", "specjbb:warehouses=8" */
	const char *summary;
	/* in row names: "NUMA01" gives elsp-NUMA01; for rates "8" gives tput-8 */
	const char *row;
	const char *source;          /* of the figures */
	hn_time_ns duration_ns;      /* fixed length; 0: until all processes have ended */
	hn_time_ns measure_from_ns;  /* counters are read from here on (warm-up before) */
	hn_time_ns limit_ns;         /* stops a run that does not end, and says so; > 0 */
	struct hn_scn_region *regions;
	uint32_t nr_regions;
	struct hn_scn_process *processes;
	uint32_t nr_processes;
	const char **counters;       /* names; the first gives tput-ROW */
	uint32_t nr_counters;
	uint32_t nr_tasks_max;       /* threads alive at once, at most */
	uint64_t bytes_max;          /* memory mapped at once, at most */
};

/* Reads scenario `spec`: a name in data_dir/scenarios (without .yaml), or a file; either may be
 * followed by ":key=value,key=value" for parameters that the file declares. Numbers of
 * threads, sizes and nodes are resolved and checked against `machine`.
 * 0, or negative errno with file:line:column in diag. */
int HN_MUST_CHECK hn_scenario_read(struct hn_arena *arena, const char *data_dir, const char *spec,
				   const struct hn_machine *machine,
				   const struct hn_scenario **ret_scenario, struct hn_diag *diag);

struct hn_scenario_entry {
	const char *name;
	const char *summary;
	const char *params;          /* "warehouses=8" with defaults; "" where there are none */
};

/* The scenarios in data_dir/scenarios, by name in ascending order; batteries are left out. */
int HN_MUST_CHECK hn_scenario_list(struct hn_arena *arena, const char *data_dir,
				   struct hn_scenario_entry **ret_entries, uint32_t *ret_nr,
				   struct hn_diag *diag);

/* Expands a battery ("battery:NAME", data_dir/scenarios/batteries/NAME.yaml: a list of specs, with
 * a default machine list and policy list, both may be NULL) into its scenario specs. */
struct hn_battery {
	const char *name;
	const char *summary;
	const char **scenarios;
	uint32_t nr_scenarios;
	const char **machines;
	uint32_t nr_machines;
	const char **policies;
	uint32_t nr_policies;
	uint32_t nr_runs;            /* 0: the caller's default */
	const struct hn_published *published; /* to be shown beside the results */
	uint32_t nr_published;
};

int HN_MUST_CHECK hn_battery_read(struct hn_arena *arena, const char *data_dir, const char *name,
				  const struct hn_battery **ret_battery, struct hn_diag *diag);

#endif
