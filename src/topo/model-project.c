/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/assert.h"
#include "topo/layout.h"
#include "topo/model-internal.h"

#define NR_DISTANCES (HN_LAYOUT_DISTANCE_MAX + 1)

static size_t cell(const struct hn_machine *m, uint32_t from, uint32_t to)
{
	return (size_t)from * m->nr_nodes + to;
}

/* The figures of one machine by distance. A class without entries has nr 0. */
struct classes {
	uint32_t nr[NR_DISTANCES];
	double latency_ns[NR_DISTANCES]; /* mean */
	double link_share[NR_DISTANCES]; /* mean of link bandwidth over the target's own; 1 at 10 */
	double node_bytes_per_s;         /* mean of nodes with CPUs */
	double far_bytes_per_s;          /* mean of nodes without */
};

static void add_to_classes(struct classes *classes, const struct hn_machine *m, uint32_t from,
			   uint32_t to)
{
	uint32_t d = hn_machine_distance(m, (hn_nid)from, (hn_nid)to);
	double share = m->link_bw_bytes_per_s[cell(m, from, to)] / m->nodes[to].bw_bytes_per_s;

	hn_assert(d < NR_DISTANCES);
	if (from == to)
		d = HN_DISTANCE_LOCAL;
	else if (d == HN_DISTANCE_LOCAL)
		return;
	classes->nr[d]++;
	classes->latency_ns[d] += m->latency_ns[cell(m, from, to)];
	classes->link_share[d] += from == to ? 1 : share;
}

static double mean_bandwidth(const struct hn_machine *m, bool has_cpus, double fallback)
{
	uint32_t nr = 0;
	double sum = 0;

	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		if ((m->nodes[n].nr_cpus > 0) != has_cpus)
			continue;
		sum += m->nodes[n].bw_bytes_per_s;
		nr++;
	}
	return nr ? sum / nr : fallback;
}

static void fill_classes(struct classes *classes, const struct hn_machine *m)
{
	memset(classes, 0, sizeof(*classes));
	for (uint32_t from = 0; from < m->nr_nodes; from++) {
		if (!m->nodes[from].nr_cpus)
			continue;
		for (uint32_t to = 0; to < m->nr_nodes; to++)
			add_to_classes(classes, m, from, to);
	}
	for (uint32_t d = 0; d < NR_DISTANCES; d++) {
		if (!classes->nr[d])
			continue;
		classes->latency_ns[d] /= classes->nr[d];
		classes->link_share[d] /= classes->nr[d];
	}
	classes->node_bytes_per_s = mean_bandwidth(m, true, HN_MODEL_NODE_BYTES_PER_S_MIN);
	classes->far_bytes_per_s = mean_bandwidth(m, false, HN_MODEL_FAR_NODE_BYTES_PER_S);
}

/* The class distances of a machine in ascending order, 10 first. Returns how many. */
static uint32_t list_distances(const struct hn_machine *m, uint32_t *ret_list)
{
	bool is_there[NR_DISTANCES] = { false };
	uint32_t nr = 0;

	is_there[HN_DISTANCE_LOCAL] = true;
	for (uint32_t from = 0; from < m->nr_nodes; from++) {
		for (uint32_t to = 0; to < m->nr_nodes && m->nodes[from].nr_cpus; to++)
			is_there[hn_machine_distance(m, (hn_nid)from, (hn_nid)to)] = true;
	}
	for (uint32_t d = 0; d < NR_DISTANCES; d++) {
		if (is_there[d])
			ret_list[nr++] = d;
	}
	return nr;
}

struct pair {
	double latency_ns;
	double link_share;
};

static struct pair class_at(const struct classes *c, uint32_t d)
{
	return (struct pair){ .latency_ns = c->latency_ns[d], .link_share = c->link_share[d] };
}

static struct pair interpolate(const struct classes *c, uint32_t below, uint32_t above,
			       uint32_t d)
{
	double t = (double)(d - below) / (double)(above - below);
	struct pair low = class_at(c, below), high = class_at(c, above);

	return (struct pair){
		.latency_ns = low.latency_ns + t * (high.latency_ns - low.latency_ns),
		.link_share = low.link_share + t * (high.link_share - low.link_share),
	};
}

/* Beyond the last class both figures go on as the rule for derived figures does. */
static struct pair extrapolate(const struct classes *c, uint32_t last, uint32_t d)
{
	struct pair pair = class_at(c, last);

	pair.latency_ns *= hn_model_derive_latency_ns(1, d) / hn_model_derive_latency_ns(1, last);
	pair.link_share *= (double)last / (double)d;
	return pair;
}

/* The model's figures at a distance that may be none of its classes. */
static struct pair pair_at(const struct classes *c, uint32_t d)
{
	uint32_t below = d, above = d;

	if (c->nr[d])
		return class_at(c, d);
	while (below > HN_DISTANCE_LOCAL && !c->nr[below])
		below--;
	while (above < NR_DISTANCES && !c->nr[above])
		above++;
	hn_assert(c->nr[below] > 0);
	if (above == NR_DISTANCES)
		return extrapolate(c, below, d);
	return interpolate(c, below, above, d);
}

/* Class distances of the target, each with the model's distance that it takes. */
struct mapping {
	uint32_t to_model[NR_DISTANCES];
};

/* Both machines have the local class first, so ranks count from there. */
static void fill_mapping(struct mapping *mapping, const struct hn_machine *from,
			 const struct hn_machine *to)
{
	uint32_t model_list[NR_DISTANCES], list[NR_DISTANCES];
	uint32_t nr_model = list_distances(from, model_list);
	uint32_t nr = list_distances(to, list);

	for (uint32_t d = 0; d < NR_DISTANCES; d++)
		mapping->to_model[d] = d;
	for (uint32_t i = 0; i < nr && nr == nr_model; i++)
		mapping->to_model[list[i]] = model_list[i];
}

void hn_model_fill_far_rows(struct hn_machine *m)
{
	for (uint32_t far = 0; far < m->nr_nodes; far++) {
		if (m->nodes[far].nr_cpus)
			continue;
		for (uint32_t to = 0; to < m->nr_nodes; to++) {
			double latency_ns = 0, link = 0;

			for (uint32_t cpu_node = 0; cpu_node < m->nr_nodes; cpu_node++) {
				size_t at = m->nodes[to].nr_cpus ? cell(m, to, far) :
					    cell(m, cpu_node, to);

				if (!m->nodes[cpu_node].nr_cpus)
					continue;
				if (!latency_ns || m->latency_ns[at] < latency_ns)
					latency_ns = m->latency_ns[at];
				if (m->link_bw_bytes_per_s[at] > link)
					link = m->link_bw_bytes_per_s[at];
			}
			m->latency_ns[cell(m, far, to)] = latency_ns;
			m->link_bw_bytes_per_s[cell(m, far, to)] = far == to ? 0 : link;
		}
	}
}

/* Puts figures by class on every pair of nodes; node bandwidths are there already. */
static void fill_pairs(struct hn_machine *m, const struct classes *c,
		       const struct mapping *mapping)
{
	for (uint32_t from = 0; from < m->nr_nodes; from++) {
		for (uint32_t to = 0; to < m->nr_nodes; to++) {
			uint32_t d = hn_machine_distance(m, (hn_nid)from, (hn_nid)to);
			struct pair pair = pair_at(c, mapping->to_model[d]);

			m->latency_ns[cell(m, from, to)] = pair.latency_ns;
			m->link_bw_bytes_per_s[cell(m, from, to)] =
				from == to ? 0 : pair.link_share * m->nodes[to].bw_bytes_per_s;
		}
	}
	hn_model_fill_far_rows(m);
}

static void copy_sources(struct hn_arena *arena, const struct hn_machine *from,
			 struct hn_machine *to)
{
	uint32_t nr = from->nr_provenance;
	struct hn_provenance *entries = HN_ARENA_ARRAY(arena, struct hn_provenance, nr + 1);

	entries[0] = (struct hn_provenance){
		.what = "projection",
		.source = "figures of a machine model put on another topology by distance class",
	};
	if (nr)
		memcpy(entries + 1, from->provenance, nr * sizeof(*entries));
	to->provenance = entries;
	to->nr_provenance = nr + 1;
}

void hn_model_project(struct hn_arena *arena, const struct hn_machine *from,
		      struct hn_machine *to)
{
	struct classes *classes = HN_ARENA_NEW(arena, struct classes);
	struct mapping *mapping = HN_ARENA_NEW(arena, struct mapping);

	fill_classes(classes, from);
	fill_mapping(mapping, from, to);
	for (uint32_t n = 0; n < to->nr_nodes; n++)
		to->nodes[n].bw_bytes_per_s = to->nodes[n].nr_cpus ? classes->node_bytes_per_s :
					      classes->far_bytes_per_s;
	fill_pairs(to, classes, mapping);
	if (!to->llc_bytes)
		to->llc_bytes = from->llc_bytes;
	if (!to->line_bytes)
		to->line_bytes = from->line_bytes;
	to->freq_ghz = from->freq_ghz;
	to->smt_total_pct = from->smt_total_pct;
	to->costs = from->costs;
	to->model_name = from->model_name;
	to->is_model_derived = from->is_model_derived;
	copy_sources(arena, from, to);
}

static uint32_t nr_cores_of_node(const struct hn_machine *m, uint32_t nid)
{
	uint32_t nr_cores = 0;
	int32_t last_core = -1;
	const hn_cpu *cpus = hn_machine_node_cpus(m, (hn_nid)nid);

	/* Cores are numbered by their first CPU, so first CPUs come in ascending core order. */
	for (uint32_t i = 0; i < m->nodes[nid].nr_cpus; i++) {
		if (m->cpus[cpus[i]].core > last_core) {
			last_core = m->cpus[cpus[i]].core;
			nr_cores++;
		}
	}
	return nr_cores;
}

static double derive_node_bandwidth(const struct hn_machine *m, uint32_t nid)
{
	double by_cores = nr_cores_of_node(m, nid) * HN_MODEL_CORE_BYTES_PER_S;

	if (!m->nodes[nid].nr_cpus)
		return HN_MODEL_FAR_NODE_BYTES_PER_S;
	return by_cores > HN_MODEL_NODE_BYTES_PER_S_MIN ? by_cores :
	       HN_MODEL_NODE_BYTES_PER_S_MIN;
}

void hn_model_derive_links(struct hn_machine *m)
{
	for (uint32_t from = 0; from < m->nr_nodes; from++) {
		for (uint32_t to = 0; to < m->nr_nodes; to++) {
			uint32_t d = hn_machine_distance(m, (hn_nid)from, (hn_nid)to);
			double node = m->nodes[to].bw_bytes_per_s;

			m->link_bw_bytes_per_s[cell(m, from, to)] = from == to ? 0 :
				m->nodes[to].nr_cpus ? hn_model_derive_link(node, d) : node;
		}
	}
}

static void derive_latencies(struct hn_machine *m)
{
	for (uint32_t from = 0; from < m->nr_nodes; from++) {
		for (uint32_t to = 0; to < m->nr_nodes; to++)
			m->latency_ns[cell(m, from, to)] =
				hn_model_derive_latency_ns(HN_MODEL_LOCAL_NS,
					hn_machine_distance(m, (hn_nid)from, (hn_nid)to));
	}
}

static void add_derived_sources(struct hn_arena *arena, struct hn_machine *m, bool is_llc_told)
{
	struct hn_model_sources sources = { 0 };

	sources.entries = HN_ARENA_ARRAY(arena, struct hn_provenance, HN_MODEL_PROVENANCE_MAX);
	hn_model_add_source(&sources, "latency_ns",
			    "derived: 90 ns * (1 + 0.5 * (distance - 10) / 10)");
	hn_model_add_source(&sources, "link_bandwidth_gb_per_s",
			    "derived: node bandwidth * 10 / distance; without CPUs, the node's");
	hn_model_add_source(&sources, "node_bandwidth_gb_per_s",
			    "derived: 4 GB/s a core, at least 10; 17.6 for a node without CPUs");
	hn_model_add_source(&sources, "llc_bytes", is_llc_told ?
			    "as the topology tells" : "assumed: 2 MiB a core");
	hn_model_add_source(&sources, "freq_ghz", "assumed: 2.5 GHz");
	hn_model_add_source(&sources, "smt_total_pct", "assumed: 125 %");
	hn_model_add_source(&sources, "kernel costs", HN_MODEL_COSTS_SOURCE);
	m->provenance = sources.entries;
	m->nr_provenance = sources.nr;
}

void hn_model_derive(struct hn_arena *arena, struct hn_machine *m)
{
	bool is_llc_told = m->llc_bytes > 0;

	for (uint32_t n = 0; n < m->nr_nodes; n++)
		m->nodes[n].bw_bytes_per_s = derive_node_bandwidth(m, n);
	derive_latencies(m);
	hn_model_derive_links(m);
	hn_model_fill_far_rows(m);
	if (!is_llc_told)
		m->llc_bytes = hn_div_up_u64(m->nr_cores, m->nr_llcs) * HN_MODEL_LLC_BYTES_PER_CORE;
	if (!m->line_bytes)
		m->line_bytes = HN_MODEL_LINE_BYTES;
	m->freq_ghz = HN_MODEL_FREQ_GHZ;
	m->smt_total_pct = HN_MODEL_SMT_TOTAL_PCT;
	m->costs = hn_model_default_costs();
	m->model_name = "derived";
	m->is_model_derived = true;
	add_derived_sources(arena, m, is_llc_told);
}
