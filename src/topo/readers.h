/* SPDX-License-Identifier: GPL-2.0-or-later */
/* readers.h - one reader for each way to write a topology down; private to topo/.
 *
 * Each fills a layout that the caller has initialised and leaves the rest to layout.c.
 * What none of these inputs knows: latency, bandwidth, costs. */
#ifndef HN_TOPO_READERS_H
#define HN_TOPO_READERS_H

#include "topo/layout.h"

#define HN_TOPO_XML_BYTES_MAX ((size_t)64 << 20)
#define HN_TOPO_NUMACTL_BYTES_MAX ((size_t)1 << 20)

/* hwloc XML, of hwloc 1 or 2. CPUs that a cgroup kept from whoever made the file are
 * included: a file describes a machine, not somebody's job. Offline CPUs are left out. */
int HN_MUST_CHECK hn_topo_read_xml(struct hn_layout *layout, const char *bytes, size_t nr_bytes,
				   struct hn_diag *diag);

/* Refuses XML that hwloc 2.9 crashes on: an object that has a set but not its complete form
 * (found by mutating recorded files). Says nothing about the rest. */
int HN_MUST_CHECK hn_topo_check_xml(const char *text, struct hn_diag *diag);

/* An hwloc synthetic description, e.g. "pack:2 [numa] l3:1 core:4 pu:2". */
int HN_MUST_CHECK hn_topo_read_synthetic(struct hn_layout *layout, const char *text,
					 struct hn_diag *diag);

/* Does hwloc take the text for a synthetic description? */
bool hn_topo_is_synthetic(const char *text);

/* The text of `numactl -H`. `file` is used in messages. The text knows neither cores nor
 * caches nor packages.
 * ASSUMES: each CPU is a core, each node a package with one LLC. */
int HN_MUST_CHECK hn_topo_read_numactl(struct hn_layout *layout, const char *file,
				       const char *text, struct hn_diag *diag);

/* A tree with sys/devices/system/{node,cpu} below `root` ("" for the running system).
 * Nodes come from node/online where it is there, else from the directories. */
int HN_MUST_CHECK hn_topo_read_sysfs(struct hn_layout *layout, const char *root,
				     struct hn_diag *diag);

#endif
