/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locality.h - the load balancer's question to the NUMA statistics: would this move hurt? */
#ifndef HN_MODEL_LOCALITY_H
#define HN_MODEL_LOCALITY_H

#include "base/types.h"

enum hn_cpu_idle_kind {
	HN_CPU_NOT_IDLE,
	HN_CPU_IDLE,
	HN_CPU_NEWLY_IDLE,
};

struct hn_locality_query {
	hn_task_id task;
	hn_nid src_nid;
	hn_nid dst_nid;
	enum hn_cpu_idle_kind idle;      /* of the destination CPU */
	uint32_t src_nr_running;         /* tasks on the source queue */
	uint32_t src_nr_preferred;       /* of these, on their preferred node */
};

enum hn_locality_answer {
	HN_LOCALITY_NEUTRAL,   /* no opinion: cache hotness decides */
	HN_LOCALITY_ALLOWS,    /* no loss: move without a look at cache hotness */
	HN_LOCALITY_DEGRADES,  /* treat as cache-hot */
	HN_LOCALITY_IMPROVES,  /* move at once, even when cache-hot */
};

#endif
