/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A closed network of queues, solved by a safe form of Newton's method.
 *
 * Stations are the controllers of the nodes and the links of ordered node pairs. The wait w at a
 * station is the curve of memory-curve.h at its utilisation r, times the idle time of what
 * it stands in front of (the local latency; for a link, what the way adds to it). A flow f that
 * needs z_f ns a unit without any waiting, and waits W_f = sum of stall * w, makes of pair p
 * (source node and memory node) the demand
 *
 *     D_p = sum over f of bytes_fp / (z_f + W_f)
 *
 * and all that is sought are waits such that demand = capacity * r at every link, and at every
 * controller for the sum of its pairs. As r < 1, throughput stays below capacity; as a flow
 * has a bounded number of lines in flight (its lines / stall), every wait is bounded too.
 *
 * A round measures D_p and G_p = sum of bytes_fp * W_f / (z_f + W_f)^2, which says how demand
 * falls when *all* waits of its flows grow by the same factor; per ns of the pair's own wait
 * that is a slope of G_p / w_p. Then
 *
 *  1. each controller adds up its pairs, after the answer that their links will give: a link
 *     whose use grows by c bytes/ns per ns of wait takes the share slope / (slope + c) of a change;
 *  2. it moves to where that demand meets its curve, both taken as hyperbolas in its new wait y
 *     that have value and slope of the present point:
 *
 *         D^2 / (slope * (y - w) + D) = capacity * y / (S + T y)      a quadratic in y
 *
 *  3. each link does the same, knowing how far its controller went.
 *
 * The slope is that of all waits together rather than of the own one: stations that share flows
 * expect each other to move along, and so don't all answer the same excess in full and swing.
 * Controller and link of one pair, which always share all, are solved together by step 1.
 * Source: Newton's method with the matrix replaced by its row sums (on such splittings: Varga,
 * "Matrix Iterative Analysis", 1962, chapter 3); queues with a bounded number of customers:
 * Reiser and Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks", JACM 27(2),
 * 1980.
 *
 * Worked example: one node of 64 bytes/ns and 100 ns; flows without core time keep 200 lines
 * of 64 bytes in flight. Without waiting they would ask for 2 lines/ns. r = 200 / (100 + w)
 * and w = 100 q(r) give r = 0.9563, w = 109.1: 61 bytes/ns at 2.1 times the idle latency. */
#include "sim/memory.h"

#include "base/assert.h"
#include "sim/memory-curve.h"

/* Rounds of one call, at most. An unchanged input needs none, a neighbouring one 1 to 3. Flows that
 * interleave over several saturated links of unequal width may need more; the next call goes on. */
#define ROUNDS_MAX 12
/* Utilisation of stations may differ by this much from what the demand makes it. */
#define UTIL_TOLERANCE 3e-4
/* Where a station starts that had no demand before. */
#define UTIL_START 0.7
/* Waits stay above that of this utilisation, as a factor needs something to act on. */
#define UTIL_MIN 1e-6
/* A share of waiting in the flows' time below which they can't be slowed by waiting. */
#define WAIT_SHARE_MIN 1e-9
/* What such flows may ask of a station; the excess is shared out afterwards. */
#define UTIL_MAX 0.9999
/* How far a fallen wait of the controller may raise the demand that its links expect. */
#define FACTOR_MIN 0.1

/* A controller, or one direction of a link. */
struct station {
	double capacity_bytes_per_ns; /* 0: unlimited, nobody waits */
	double idle_ns;               /* time of the path behind the queue; > 0 */
	double util;                  /* the present solution; 0: no demand, no wait */
	double wait_ns;               /* = idle_ns * hn_curve_wait(util) */
	double demand_bytes_per_ns;   /* of the last round */
	/* For the next step, controllers only: links included. */
	double expected_bytes_per_ns;
	double expected_slope;        /* fall of that per ns of wait */
};

/* What flows of one source node ask of one memory node. */
struct pair {
	double wait_ns;               /* of link and controller together */
	double demand_bytes_per_ns;
	double slope;                 /* fall of demand per ns of wait */
	double excess;                /* demand over capacity after the last round, >= 1 */
	bool is_loaded;
	struct station link;          /* unlimited where the two are the same */
};

/* One node from which a flow reads. */
struct request {
	struct pair *pair;
	double bytes;                 /* per unit */
	double stall_weight;
};

/* A flow as the rounds see it: requests[first .. end-1]. */
struct reader {
	double idle_unit_ns;          /* time of a unit if nobody waited */
	double unit_ns;               /* with the waits of the last round */
	uint32_t first;
	uint32_t end;
};

struct hn_memory {
	struct hn_arena *arena;       /* borrowed */
	const struct hn_machine *machine;
	uint32_t nr_nodes;
	struct station *controllers;  /* by node */
	struct pair *pairs;           /* [src][dst] */
	uint32_t *loaded;             /* indexes of pairs with demand, in order of appearance */
	uint32_t nr_loaded;
	struct reader *readers;       /* of the flows of this solution */
	struct request *requests;
	uint32_t nr_flows_max;        /* room in both; grows by doubling */
};

/* ---- life cycle ---- */

/* Idle latency from the nearest CPU: what a controller stands in front of. A node without CPUs is
 * nobody's local one, so its own diagonal says nothing. */
static double nearest_latency_ns(const struct hn_machine *machine, uint32_t dst)
{
	double nearest_ns = 0;

	for (uint32_t src = 0; src < machine->nr_nodes; src++) {
		double latency_ns = machine->latency_ns[(size_t)src * machine->nr_nodes + dst];

		if (!machine->nodes[src].nr_cpus)
			continue;
		if (nearest_ns <= 0 || latency_ns < nearest_ns)
			nearest_ns = latency_ns;
	}
	return nearest_ns > 0 ? nearest_ns : 1;
}

static void init_pair(struct hn_memory *memory, uint32_t src, uint32_t dst)
{
	const struct hn_machine *machine = memory->machine;
	size_t at = (size_t)src * memory->nr_nodes + dst;
	double extra_ns = machine->latency_ns[at] - memory->controllers[dst].idle_ns;

	/* ASSUMES: lines wait for a link as they do for a controller, by the same curve, in
	 * proportion to what the way adds to the latency; no curve of links was published. */
	memory->pairs[at].link.idle_ns = extra_ns > 1 ? extra_ns : 1;
	if (src != dst)
		memory->pairs[at].link.capacity_bytes_per_ns =
			machine->link_bw_bytes_per_s[at] / (double)HN_NS_PER_S;
}

/* Room for the requests of nr_flows flows. */
static void reserve_flows(struct hn_memory *memory, uint32_t nr_flows)
{
	uint32_t nr_max = memory->nr_flows_max ? memory->nr_flows_max : 1;

	if (nr_flows <= memory->nr_flows_max)
		return;
	while (nr_max < nr_flows)
		nr_max *= 2;
	memory->readers = HN_ARENA_ARRAY(memory->arena, struct reader, nr_max);
	memory->requests = HN_ARENA_ARRAY(memory->arena, struct request,
					  (size_t)nr_max * memory->nr_nodes);
	memory->nr_flows_max = nr_max;
}

struct hn_memory *hn_memory_create(struct hn_arena *arena, const struct hn_machine *machine)
{
	struct hn_memory *memory = HN_ARENA_NEW(arena, struct hn_memory);
	uint32_t nr_nodes = machine->nr_nodes;
	size_t nr_pairs = (size_t)nr_nodes * nr_nodes;

	memory->arena = arena;
	memory->machine = machine;
	memory->nr_nodes = nr_nodes;
	memory->controllers = HN_ARENA_ARRAY(arena, struct station, nr_nodes);
	memory->pairs = HN_ARENA_ARRAY(arena, struct pair, nr_pairs);
	memory->loaded = HN_ARENA_ARRAY(arena, uint32_t, nr_pairs);
	for (uint32_t n = 0; n < nr_nodes; n++) {
		memory->controllers[n].capacity_bytes_per_ns =
			machine->nodes[n].bw_bytes_per_s / (double)HN_NS_PER_S;
		memory->controllers[n].idle_ns = nearest_latency_ns(machine, n);
	}
	for (uint32_t src = 0; src < nr_nodes; src++) {
		for (uint32_t dst = 0; dst < nr_nodes; dst++)
			init_pair(memory, src, dst);
	}
	reserve_flows(memory, machine->nr_cpus);
	return memory;
}

/* ---- collecting the flows ---- */

static void note_loaded(struct hn_memory *memory, struct pair *pair)
{
	pair->is_loaded = true;
	memory->loaded[memory->nr_loaded++] = (uint32_t)(pair - memory->pairs);
}

/* Adds the flow's requests from nr_requests on; returns their new number. */
static uint32_t add_reader(struct hn_memory *memory, const struct hn_flow *flow,
			   struct reader *reader, uint32_t nr_requests)
{
	uint32_t nr_nodes = memory->nr_nodes;
	struct pair *row = memory->pairs + (size_t)flow->src_nid * nr_nodes;
	const double *latency_ns = memory->machine->latency_ns + (size_t)flow->src_nid * nr_nodes;
	double line_bytes = memory->machine->line_bytes;
	struct request *next = memory->requests + nr_requests;
	double idle_unit_ns = flow->core_ns;

	for (uint32_t n = 0; n < nr_nodes; n++) {
		double stall_weight = flow->stall_weight[n];

		idle_unit_ns += stall_weight * latency_ns[n];
		if (flow->lines[n] <= 0)
			continue;
		if (!row[n].is_loaded)
			note_loaded(memory, &row[n]);
		next->pair = &row[n];
		next->bytes = flow->lines[n] * line_bytes;
		next->stall_weight = stall_weight;
		next++;
	}
	hn_assert(idle_unit_ns > 0);
	reader->idle_unit_ns = idle_unit_ns;
	reader->first = nr_requests;
	reader->end = (uint32_t)(next - memory->requests);
	return reader->end;
}

static void collect_flows(struct hn_memory *memory, const struct hn_flow *flows,
			  uint32_t nr_flows)
{
	uint32_t nr_requests = 0;

	for (uint32_t i = 0; i < memory->nr_loaded; i++)
		memory->pairs[memory->loaded[i]].is_loaded = false;
	memory->nr_loaded = 0;
	reserve_flows(memory, nr_flows);
	for (uint32_t f = 0; f < nr_flows; f++)
		nr_requests = add_reader(memory, &flows[f], &memory->readers[f], nr_requests);
}

/* ---- stations ---- */

static void set_util(struct station *station, double util)
{
	station->util = util;
	station->wait_ns = station->idle_ns * hn_curve_wait(util);
}

/* Demand over capacity; 0 where nobody counts. */
static double measured_util(const struct station *station)
{
	if (station->capacity_bytes_per_ns <= 0)
		return 0;
	return station->demand_bytes_per_ns / station->capacity_bytes_per_ns;
}

static bool is_settled(const struct station *station)
{
	double error = measured_util(station) - station->util;

	if (station->capacity_bytes_per_ns <= 0)
		return true;
	return error <= UTIL_TOLERANCE && error >= -UTIL_TOLERANCE;
}

/* The positive root of y^2 + p y - q = 0, q > 0, in the form that does not cancel. */
static double positive_root(double p, double q)
{
	double root = __builtin_sqrt(p * p + 4 * q);

	return p > 0 ? 2 * q / (root + p) : (root - p) / 2;
}

/* Capacity in use per ns of wait: C * dr/dw. */
static double give_per_ns(const struct station *station)
{
	return station->capacity_bytes_per_ns /
	       (station->idle_ns * hn_curve_slope(station->util));
}

/* Moves the station to where `demand`, falling by `slope` per ns of wait, meets the curve; demand
 * and curve are taken as the hyperbolas that the head of this file gives. */
static void move_station(struct station *station, double demand, double slope)
{
	double capacity = station->capacity_bytes_per_ns;
	double wait_ns = station->wait_ns;
	double util = station->util;
	double reach_ns, rest_ns, s_ns, t;

	if (!(slope * wait_ns > demand * WAIT_SHARE_MIN)) {
		set_util(station, demand < UTIL_MAX * capacity ? demand / capacity : UTIL_MAX);
		return;
	}
	reach_ns = demand / slope * (demand / capacity);
	rest_ns = demand / slope - wait_ns;
	s_ns = wait_ns / util * wait_ns / util * give_per_ns(station) / capacity;
	t = 1 / util - s_ns / wait_ns;
	wait_ns = positive_root((rest_ns > 0 ? rest_ns : 0) - t * reach_ns, reach_ns * s_ns);
	util = hn_curve_util(wait_ns / station->idle_ns);
	set_util(station, util > UTIL_MIN ? util : UTIL_MIN);
}

/* Where demand came or went since the last solution, the station starts afresh. */
static void start_station(struct station *station, bool is_loaded)
{
	if (!is_loaded || station->capacity_bytes_per_ns <= 0)
		set_util(station, 0);
	else if (station->util <= 0)
		set_util(station, UTIL_START);
}

/* ---- rounds ---- */

static struct station *pair_controller(const struct hn_memory *memory, uint32_t at)
{
	return &memory->controllers[at % memory->nr_nodes];
}

/* Also brings the waits of pairs up to date. */
static void clear_demand(struct hn_memory *memory)
{
	for (uint32_t i = 0; i < memory->nr_loaded; i++) {
		struct pair *pair = &memory->pairs[memory->loaded[i]];

		pair->wait_ns = pair_controller(memory, memory->loaded[i])->wait_ns +
				pair->link.wait_ns;
		pair->demand_bytes_per_ns = 0;
		pair->slope = 0;
	}
	for (uint32_t n = 0; n < memory->nr_nodes; n++)
		memory->controllers[n].demand_bytes_per_ns = 0;
}

/* The hot loop: reads what it needs of the reader first, since stores might overlap it. */
static void add_demand(const struct request *requests, struct reader *reader)
{
	const struct request *first = requests + reader->first;
	const struct request *end = requests + reader->end;
	double wait_ns = 0;
	double rate, slope;

	for (const struct request *request = first; request < end; request++)
		wait_ns += request->stall_weight * request->pair->wait_ns;
	reader->unit_ns = reader->idle_unit_ns + wait_ns;
	rate = 1 / reader->unit_ns;
	slope = wait_ns * rate * rate;
	for (const struct request *request = first; request < end; request++) {
		struct pair *pair = request->pair;
		double bytes = request->bytes;

		pair->demand_bytes_per_ns += bytes * rate;
		pair->slope += bytes * slope;
	}
}

static void measure_demand(struct hn_memory *memory, uint32_t nr_flows)
{
	clear_demand(memory);
	for (uint32_t f = 0; f < nr_flows; f++)
		add_demand(memory->requests, &memory->readers[f]);
	for (uint32_t i = 0; i < memory->nr_loaded; i++) {
		struct pair *pair = &memory->pairs[memory->loaded[i]];
		struct station *controller = pair_controller(memory, memory->loaded[i]);

		pair->link.demand_bytes_per_ns = pair->demand_bytes_per_ns;
		controller->demand_bytes_per_ns += pair->demand_bytes_per_ns;
		if (pair->wait_ns > 0)
			pair->slope /= pair->wait_ns;
	}
}

static bool is_solved(const struct hn_memory *memory)
{
	for (uint32_t n = 0; n < memory->nr_nodes; n++) {
		if (!is_settled(&memory->controllers[n]))
			return false;
	}
	for (uint32_t i = 0; i < memory->nr_loaded; i++) {
		if (!is_settled(&memory->pairs[memory->loaded[i]].link))
			return false;
	}
	return true;
}

/* What the pair will ask of the controller once its link has answered, and how that falls with
 * the controller's wait: the link takes its share of every change. */
static void expect_pair(const struct pair *pair, struct station *controller)
{
	double demand = pair->demand_bytes_per_ns;
	double slope = pair->slope;
	double link_share = 0;

	if (pair->link.capacity_bytes_per_ns > 0) {
		double excess = demand - pair->link.util * pair->link.capacity_bytes_per_ns;

		link_share = slope / (slope + give_per_ns(&pair->link));
		demand -= link_share * excess;
	}
	controller->expected_bytes_per_ns += demand;
	controller->expected_slope += slope * (1 - link_share);
}

static void move_controllers(struct hn_memory *memory)
{
	for (uint32_t n = 0; n < memory->nr_nodes; n++) {
		memory->controllers[n].expected_bytes_per_ns = 0;
		memory->controllers[n].expected_slope = 0;
	}
	for (uint32_t i = 0; i < memory->nr_loaded; i++)
		expect_pair(&memory->pairs[memory->loaded[i]],
			    pair_controller(memory, memory->loaded[i]));
	for (uint32_t n = 0; n < memory->nr_nodes; n++) {
		struct station *controller = &memory->controllers[n];

		if (controller->expected_bytes_per_ns > 0)
			move_station(controller, controller->expected_bytes_per_ns,
				     controller->expected_slope);
	}
}

/* The link, given how far the controller has just moved. */
static void move_link(const struct hn_memory *memory, uint32_t at)
{
	struct pair *pair = &memory->pairs[at];
	double moved_ns = pair_controller(memory, at)->wait_ns + pair->link.wait_ns - pair->wait_ns;
	double factor = 1 + pair->slope * moved_ns / pair->demand_bytes_per_ns;

	if (pair->link.capacity_bytes_per_ns <= 0)
		return;
	factor = factor > FACTOR_MIN ? factor : FACTOR_MIN;
	move_station(&pair->link, pair->demand_bytes_per_ns / factor,
		     pair->slope / (factor * factor));
}

static void move_stations(struct hn_memory *memory)
{
	move_controllers(memory);
	for (uint32_t i = 0; i < memory->nr_loaded; i++)
		move_link(memory, memory->loaded[i]);
}

static void start_stations(struct hn_memory *memory)
{
	for (uint32_t dst = 0; dst < memory->nr_nodes; dst++) {
		bool is_loaded = false;

		for (uint32_t src = 0; src < memory->nr_nodes; src++) {
			struct pair *pair = &memory->pairs[(size_t)src * memory->nr_nodes + dst];

			start_station(&pair->link, pair->is_loaded);
			if (!pair->is_loaded)
				pair->link.demand_bytes_per_ns = 0;
			is_loaded = is_loaded || pair->is_loaded;
		}
		start_station(&memory->controllers[dst], is_loaded);
	}
}

/* By how much demand at the pair's stations exceeds capacity where the last round did not quite
 * arrive; 1: it does not. */
static double pair_excess(const struct hn_memory *memory, uint32_t at)
{
	double util = measured_util(pair_controller(memory, at));
	double link_util = measured_util(&memory->pairs[at].link);

	if (link_util > util)
		util = link_util;
	return util > 1 ? util : 1;
}

static double reader_excess(const struct hn_memory *memory, const struct reader *reader)
{
	double excess = 1;

	for (uint32_t r = reader->first; r < reader->end; r++) {
		if (memory->requests[r].pair->excess > excess)
			excess = memory->requests[r].pair->excess;
	}
	return excess;
}

/* Throughput never exceeds capacity, solved or not: the rest of the excess is shared out. */
static void finish_flows(struct hn_memory *memory, struct hn_flow *flows, uint32_t nr_flows)
{
	bool has_excess = false;

	for (uint32_t i = 0; i < memory->nr_loaded; i++) {
		double excess = pair_excess(memory, memory->loaded[i]);

		memory->pairs[memory->loaded[i]].excess = excess;
		has_excess = has_excess || excess > 1;
	}
	for (uint32_t f = 0; f < nr_flows; f++) {
		flows[f].unit_ns = memory->readers[f].unit_ns;
		if (has_excess)
			flows[f].unit_ns *= reader_excess(memory, &memory->readers[f]);
	}
}

void hn_memory_solve(struct hn_memory *memory, struct hn_flow *flows, uint32_t nr_flows)
{
	collect_flows(memory, flows, nr_flows);
	start_stations(memory);
	measure_demand(memory, nr_flows);
	for (uint32_t round = 0; round < ROUNDS_MAX && !is_solved(memory); round++) {
		move_stations(memory);
		measure_demand(memory, nr_flows);
	}
	finish_flows(memory, flows, nr_flows);
}

/* ---- questions ---- */

double hn_memory_latency_ns(const struct hn_memory *memory, hn_nid src, hn_nid dst)
{
	size_t at = (size_t)src * memory->nr_nodes + (size_t)dst;

	return memory->machine->latency_ns[at] + memory->controllers[dst].wait_ns +
	       memory->pairs[at].link.wait_ns;
}

static double limited_util(const struct station *station)
{
	double util = measured_util(station);

	return util < 1 ? util : 1;
}

double hn_memory_node_util(const struct hn_memory *memory, hn_nid nid)
{
	return limited_util(&memory->controllers[nid]);
}

double hn_memory_link_util(const struct hn_memory *memory, hn_nid src, hn_nid dst)
{
	return limited_util(&memory->pairs[(size_t)src * memory->nr_nodes + (size_t)dst].link);
}
