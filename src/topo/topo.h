/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topo.h - turns what a user calls a machine into the model of one.
 *
 * Accepted, tried in this order: a name from the machine models (machines/NAME.yaml), "live",
 * a directory (a recorded sysfs tree: a root that holds sys/devices/system), a file (hwloc XML
 * or the text of `numactl -H`, told apart by content), else an hwloc synthetic string.
 * A name that is nothing of these is refused with the nearest known name.
 *
 * Topology comes from hwloc where the input is hwloc's; memory-less nodes that hwloc hides
 * are taken from sysfs where a tree is given. Latencies and bandwidths come from a machine
 * model (machine-model.h); without one they follow from the distances by the rule stated there.
 *
 * Everything returned lives in the caller's arena. Nothing here prints. */
#ifndef HN_TOPO_TOPO_H
#define HN_TOPO_TOPO_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/machine.h"

/* Reads the machine `spec`. `model` names a machine model (a name or a YAML file) to use for
 * figures instead of the one that the machine names itself; NULL: its own, else derived.
 * `data_dir` is the folder that holds machines/; borrowed for the call.
 * 0, or -EINVAL, -ENOENT, -E2BIG, -EIO with `diag` set; *ret_machine is untouched then. */
int HN_MUST_CHECK hn_topo_read(struct hn_arena *arena, const char *data_dir, const char *spec,
			       const char *model, struct hn_machine **ret_machine,
			       struct hn_diag *diag);

struct hn_topo_entry {
	const char *name;
	const char *summary;  /* one sentence from the YAML */
};

/* The machine models in data_dir/machines, by name in ascending order. */
int HN_MUST_CHECK hn_topo_list(struct hn_arena *arena, const char *data_dir,
			       struct hn_topo_entry **ret_entries, uint32_t *ret_nr,
			       struct hn_diag *diag);

#endif
