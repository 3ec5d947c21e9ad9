/* SPDX-License-Identifier: GPL-2.0-or-later */
/* weight.c - how much of its memory a task or group has on a node and near it, in permille.
 *
 * On machines whose nodes are not all equally far apart, faults on near nodes count for a node
 * (weight_near). How, depends on the type of the topology:
 *
 *     direct     one remote distance: nothing is near
 *     backplane  groups of nodes: nodes closer than `dist`, the distance between the two nodes
 *                that are compared, count in full
 *     mesh       some node lies between the two farthest: the farther, the less a node counts
 *
 * Eight nodes in two boxes (backplane), distances 16 inside, 22 across; a task with 50 faults
 * on node 0 and 50 on node 1, compared with node 4 (dist 22):
 *     weight(0) = 1000 * (50 + 50) / 100 = 1000,  weight(4) = 0: the box counts as a whole
 * and compared with node 1 (dist 16) weight(0) = weight(1) = 500: inside the box they differ.
 *
 * Ring of four nodes (mesh), 16 to a neighbour, 22 across, with the same task:
 *     weight(0) = weight(1) = 1000 * (50 + 50 * (22 - 16) / (22 - 10)) / 100 = 750
 *     weight(2) = weight(3) = 1000 * (0 + 50 * 6 / 12) / 100 = 250
 *
 * Source: v6.12 kernel/sched/fair.c score_nearby_nodes(), task_weight(), group_weight(),
 * preferred_group_nid(); kernel/sched/topology.c init_numa_topology_type(); v3.19 for the older
 * forms.
 * Units: permille of the task's or group's decayed memory faults. Tests: test-weight.c. */
#include "core/core-internal.h"

_Static_assert(HN_NODES_MAX <= 64, "a set of nodes is one word");

static uint16_t distance(const struct hn_core *core, uint32_t from, uint32_t to)
{
	return hn_machine_distance(core->machine, (hn_nid)from, (hn_nid)to);
}

static bool is_pair(const struct hn_core *core, uint32_t a, uint32_t b)
{
	return a != b && hn_core_node_takes_part(core, a) && hn_core_node_takes_part(core, b);
}

/* The largest distance below `limit` between two nodes that take part; 0 where there is none. */
static uint16_t find_distance_below(const struct hn_core *core, uint32_t limit)
{
	uint16_t best = 0;

	for (uint32_t a = 0; a < core->nr_nodes; a++) {
		for (uint32_t b = 0; b < core->nr_nodes; b++) {
			uint16_t d = distance(core, a, b);

			if (is_pair(core, a, b) && d < limit && d > best)
				best = d;
		}
	}
	return best;
}

static bool has_node_between(const struct hn_core *core, uint32_t a, uint32_t b)
{
	for (uint32_t c = 0; c < core->nr_nodes; c++) {
		if (hn_core_node_takes_part(core, c) && distance(core, a, c) < core->max_distance &&
		    distance(core, b, c) < core->max_distance)
			return true;
	}
	return false;
}

/* Only the first pair of farthest nodes is looked at. */
static enum hn_numa_topology find_type_by_farthest(const struct hn_core *core)
{
	for (uint32_t a = 0; a < core->nr_nodes; a++) {
		for (uint32_t b = 0; b < core->nr_nodes; b++) {
			if (!is_pair(core, a, b) || distance(core, a, b) < core->max_distance)
				continue;
			return has_node_between(core, a, b) ? HN_TOPOLOGY_MESH :
							      HN_TOPOLOGY_BACKPLANE;
		}
	}
	return HN_TOPOLOGY_DIRECT;
}

static enum hn_numa_topology find_type(const struct hn_core *core)
{
	switch ((enum hn_topology_rule)core->policy->topology_rule) {
	case HN_TOPOLOGY_RULE_NONE:
		return HN_TOPOLOGY_DIRECT;
	case HN_TOPOLOGY_RULE_BROKEN_DIRECT:
		/* QUIRK: v3.19 compares the largest distance, not the number of distances, with
		 * one, so no machine with a second node is direct. Harmless: nodes at the
		 * largest distance never count. */
		return find_type_by_farthest(core);
	case HN_TOPOLOGY_RULE_DIRECT_MESH_BACKPLANE:
		if (!find_distance_below(core, core->max_distance))
			return HN_TOPOLOGY_DIRECT;
		return find_type_by_farthest(core);
	}
	return HN_TOPOLOGY_DIRECT;
}

void hn_weight_init_topology(struct hn_core *core)
{
	uint16_t max = find_distance_below(core, UINT32_MAX);

	core->max_distance = max ? max : HN_DISTANCE_LOCAL;
	core->topology = find_type(core);
}

/* Whether a node at distance d from the weighed one is near, when nodes `dist` apart are
 * compared. */
static bool is_near(const struct hn_core *core, uint16_t d, uint16_t dist)
{
	/* Until v5.18 the largest distance is that of all nodes, so "equal" is "at least". */
	if (d >= core->max_distance)
		return false;
	if (core->topology != HN_TOPOLOGY_BACKPLANE)
		return true;
	return core->policy->weight_near_at_limit ? d <= dist : d < dist;
}

/* QUIRK: a mesh scales each node's faults by itself, so each truncates. */
static uint64_t scale_by_distance(const struct hn_core *core, uint64_t faults, uint16_t d)
{
	uint16_t span = (uint16_t)(core->max_distance - HN_DISTANCE_LOCAL);

	if (core->topology != HN_TOPOLOGY_MESH || !span)
		return faults;
	return faults * (uint64_t)(core->max_distance - d) / span;
}

/* `mem` is a MEM row of task or group. */
static uint64_t compute_near(const struct hn_core *core, const uint64_t *mem, hn_nid nid,
			     uint16_t dist)
{
	uint64_t score = 0;

	if (!core->policy->weight_near || core->topology == HN_TOPOLOGY_DIRECT)
		return 0;
	for (uint32_t k = 0; k < core->nr_nodes; k++) {
		uint16_t d = distance(core, (uint32_t)nid, k);

		if (k != (uint32_t)nid && is_near(core, d, dist))
			score += scale_by_distance(core, mem[2 * k] + mem[2 * k + 1], d);
	}
	return score;
}

static int64_t compute_weight(const struct hn_core *core, const uint64_t *mem, uint64_t total,
			      hn_nid nid, uint16_t dist)
{
	uint64_t faults = mem[2 * nid] + mem[2 * nid + 1] + compute_near(core, mem, nid, dist);

	return total ? (int64_t)(1000 * faults / total) : 0;
}

int64_t hn_weight_task(const struct hn_core *core, hn_task_id id, hn_nid nid, uint16_t dist)
{
	const struct hn_core_task *task = hn_core_get_task(core, id);

	if (!task->has_faults)
		return 0;
	return compute_weight(core, hn_core_faults(core, id, HN_STAT_MEM), task->total_faults, nid,
			      dist);
}

int64_t hn_weight_group(const struct hn_core *core, hn_task_id id, hn_nid nid, uint16_t dist)
{
	int32_t group = hn_core_get_task(core, id)->group;

	if (group == HN_GROUP_NONE)
		return 0;
	return compute_weight(core, hn_core_gfaults(core, group, HN_STAT_MEM),
			      core->groups[group].total_faults, nid, dist);
}

static hn_nid pick_in_mesh(const struct hn_core *core, hn_task_id id, hn_nid start)
{
	int64_t best_score = 0;
	hn_nid best = start;

	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		int64_t score;

		if (!hn_core_node_takes_part(core, nid))
			continue;
		score = hn_weight_group(core, id, (hn_nid)nid, core->max_distance);
		if (score > best_score) {
			best_score = score;
			best = (hn_nid)nid;
		}
	}
	return best;
}

/* The nodes of `nodes` closer than dist to a: put into ret_near and taken out of `nodes`. */
static uint64_t take_partition(const struct hn_core *core, int32_t group, uint64_t *nodes,
			       hn_nid a, uint16_t dist, uint64_t *ret_near)
{
	uint64_t faults = 0;

	*ret_near = 0;
	hn_bitmap_for_each(b, nodes, core->nr_nodes) {
		if (distance(core, (uint32_t)a, b) >= dist)
			continue;
		faults += hn_faults_group(core, group, HN_STAT_MEM, (hn_nid)b);
		hn_bitmap_add(ret_near, b);
		hn_bitmap_remove(nodes, b);
	}
	return faults;
}

/* Parts the nodes at the largest distance, goes into the part with most faults, parts it at the
 * next smaller distance, and so on. The answer is the first node of the last part chosen. */
static hn_nid pick_in_backplane(const struct hn_core *core, int32_t group, hn_nid start)
{
	hn_nid best = start;
	uint64_t nodes = 0;
	uint64_t best_part, part, best_faults, faults;

	for (uint32_t nid = 0; nid < core->nr_nodes; nid++) {
		if (hn_core_node_takes_part(core, nid))
			hn_bitmap_add(&nodes, nid);
	}
	for (uint16_t dist = core->max_distance; dist > HN_DISTANCE_LOCAL;
	     dist = find_distance_below(core, dist)) {
		best_faults = 0;
		best_part = 0;
		hn_bitmap_for_each(a, &nodes, core->nr_nodes) {
			faults = take_partition(core, group, &nodes, (hn_nid)a, dist, &part);
			if (faults > best_faults) {
				best_faults = faults;
				best_part = part;
				best = (hn_nid)a;
			}
		}
		if (!best_faults)
			break;
		nodes = best_part;
	}
	return best;
}

hn_nid hn_weight_pick_group_nid(const struct hn_core *core, hn_task_id id, hn_nid nid)
{
	int32_t group = hn_core_get_task(core, id)->group;

	if (group == HN_GROUP_NONE)
		return nid;
	switch (core->topology) {
	case HN_TOPOLOGY_DIRECT:
		return nid;
	case HN_TOPOLOGY_MESH:
		return pick_in_mesh(core, id, nid);
	case HN_TOPOLOGY_BACKPLANE:
		return pick_in_backplane(core, group, nid);
	}
	return nid;
}
