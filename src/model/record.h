/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - what one run leaves behind; tables, JSON and plots are all made from this.
 *
 * Filled by the engine and the world at the end of a run; all arrays live in the arena that
 * was given to the run. */
#ifndef HN_MODEL_RECORD_H
#define HN_MODEL_RECORD_H

#include "base/arena.h"
#include "model/counter.h"
#include "model/reason.h"

#define HN_METRIC_NAME_BYTES 48
#define HN_METRICS_MAX 64       /* per run */

enum hn_better {
	HN_BETTER_LOWER,        /* times, latencies */
	HN_BETTER_HIGHER,       /* rates */
};

struct hn_metric {
	char name[HN_METRIC_NAME_BYTES]; /* as MMTests names rows: "elsp-NUMA01", "tput-8" */
	double value;                    /* seconds, or units per second */
	enum hn_better better;
};

/* One window of the run, closed at end_ns. */
struct hn_window {
	hn_time_ns end_ns;
	double local_share;  /* share of memory accesses served by the accessing CPU's node, 0..1 */
	uint64_t digest;     /* of the whole state at the window's end, chained */
};

struct hn_run_record {
	const char *scenario;
	const char *machine;
	const char *policy;
	uint32_t run;
	uint64_t seed;
	struct hn_metric metrics[HN_METRICS_MAX];
	uint32_t nr_metrics;
	double user_s;       /* CPU seconds of all tasks outside the kernel */
	double system_s;     /* CPU seconds of kernel work charged to tasks */
	double elapsed_s;    /* simulated or real duration */
	uint64_t counters[HN_NR_COUNTERS];
	uint64_t reasons[HN_NR_WHY];
	struct hn_window *windows;
	uint32_t nr_windows;
	uint64_t digest;     /* of the final state */
	uint64_t nr_events;  /* handled by the world's loop; for bench */
	uint64_t peak_bytes; /* of the world's and core's storage; for bench */
	uint64_t nr_base_pages; /* simulated base pages at the peak; for bench */
};

/* Appends a metric; asserts that there is room. */
void hn_record_add_metric(struct hn_run_record *record, const char *name, double value,
			  enum hn_better better);

#endif
