/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses of a work step, and first touches. */
#include "sim/scenario-internal.h"

#include <errno.h>
#include <string.h>

#define AMOUNT_MAX 1e12

/* Lines that a core keeps in flight when its prefetchers see a sweep.
 * Source: 16 requests from L2 on, Intel 64 and IA-32 Architectures Optimization Reference
 * Manual, section on the Haswell cache hierarchy; 16 lines of 64 bytes in 91 ns are 11 GB/s,
 * what one thread of such a machine reads. */
#define SWEEP_MLP 16.0

struct access_nodes {
	const struct hn_yaml_node *region, *lines, *bytes, *pages, *reuse, *mlp, *write;
	const struct hn_yaml_node *slice, *node;
	const char *source;
	uint32_t pattern;
};

#define ACCESS(member) offsetof(struct access_nodes, member)

static const char *const slice_names[] = { "all", "own", "next" };
static const char *const pattern_names[] = { "sweep", "random" };

static const struct hn_yaml_field access_fields[] = {
	{ .key = "region", .type = HN_YAML_NODE, .is_required = true, .offset = ACCESS(region) },
	{ .key = "slice", .type = HN_YAML_NODE, .offset = ACCESS(slice) },
	{ .key = "pattern", .type = HN_YAML_CHOICE, .names = pattern_names,
	  .nr_names = HN_ARRAY_LEN(pattern_names), .offset = ACCESS(pattern) },
	{ .key = "lines", .type = HN_YAML_NODE, .offset = ACCESS(lines) },
	{ .key = "bytes", .type = HN_YAML_NODE, .offset = ACCESS(bytes) },
	{ .key = "pages", .type = HN_YAML_NODE, .offset = ACCESS(pages) },
	{ .key = "reuse", .type = HN_YAML_NODE, .offset = ACCESS(reuse) },
	{ .key = "mlp", .type = HN_YAML_NODE, .offset = ACCESS(mlp) },
	{ .key = "write", .type = HN_YAML_NODE, .offset = ACCESS(write) },
	{ .key = "source", .type = HN_YAML_STRING, .offset = ACCESS(source) },
};

static const struct hn_yaml_field touch_fields[] = {
	{ .key = "region", .type = HN_YAML_NODE, .is_required = true, .offset = ACCESS(region) },
	{ .key = "slice", .type = HN_YAML_NODE, .offset = ACCESS(slice) },
	{ .key = "node", .type = HN_YAML_NODE, .offset = ACCESS(node) },
};

static int read_region_name(struct scn_reader *rd, const struct hn_yaml_node *node,
			    uint32_t *ret_region)
{
	const char *names[HN_SCN_REGIONS_MAX];

	for (uint32_t r = 0; r < rd->scn->nr_regions; r++)
		names[r] = rd->scn->regions[r].name;
	return scn_find_name(rd, node, "region", names, rd->scn->nr_regions, ret_region);
}

static int read_slice(struct scn_reader *rd, const struct hn_yaml_node *node,
		      struct hn_scn_access *access)
{
	const struct hn_scn_region *region = &rd->scn->regions[access->region];
	uint32_t slice = HN_SCN_ALL;
	int err = 0;

	if (node)
		err = hn_yaml_as_choice(node, slice_names, HN_ARRAY_LEN(slice_names), &slice,
					rd->diag);
	if (!err && slice != HN_SCN_ALL && region->scope == HN_SCN_PER_THREAD)
		err = hn_yaml_complain(node, -EINVAL, rd->diag,
				       "region '%s' is the thread's own already, expected all",
				       region->name);
	if (!err)
		access->slice = (enum hn_scn_slice)slice;
	return err;
}

/* Lines, or bytes at the machine's line size; one of the two. */
static int read_amount(struct scn_reader *rd, const struct access_nodes *nodes,
		       struct hn_scn_access *access)
{
	double bytes;
	int err;

	if (nodes->lines && nodes->bytes)
		return hn_yaml_complain_key(nodes->bytes, -EINVAL, rd->diag,
					    "both 'lines' and 'bytes', expected one of them");
	if (nodes->lines)
		return scn_read_real(rd, nodes->lines, 0, AMOUNT_MAX, &access->lines);
	if (!nodes->bytes)
		return hn_yaml_complain(nodes->region, -EINVAL, rd->diag,
					"access without 'lines' or 'bytes'");
	err = scn_read_traffic(rd, nodes->bytes, (double)SCN_BYTES_MAX, &bytes);
	if (!err)
		access->lines = bytes / (double)rd->machine->line_bytes;
	return err;
}

/* A sweep touches each page once for all its lines, random access one page a line. */
static double default_pages(const struct scn_reader *rd, const struct hn_scn_access *access)
{
	if (access->pattern == HN_SCN_RANDOM)
		return access->lines;
	return access->lines * (double)rd->machine->line_bytes / (double)HN_PAGE_BYTES;
}

static int read_mlp(struct scn_reader *rd, const struct access_nodes *nodes,
		    struct hn_scn_access *access)
{
	if (nodes->mlp)
		return scn_read_real(rd, nodes->mlp, 1, 256, &access->mlp);
	if (access->pattern == HN_SCN_RANDOM)
		return hn_yaml_complain(nodes->region, -EINVAL, rd->diag,
					"random access without 'mlp', the lines in flight together "
					"(1: each address depends on the line before)");
	access->mlp = SWEEP_MLP;
	return 0;
}

static int read_write(struct scn_reader *rd, const struct hn_yaml_node *node,
		      struct hn_scn_access *access)
{
	const struct hn_scn_region *region = &rd->scn->regions[access->region];
	int err = scn_read_switch(rd, node, &access->is_write);

	if (err || !access->is_write)
		return err;
	if (region->memory == HN_SCN_TEXT || region->memory == HN_SCN_FILE)
		return hn_yaml_complain(node, -EINVAL, rd->diag,
					"region '%s' is not written (memory: %s)", region->name,
					region->memory == HN_SCN_TEXT ? "text" : "file");
	return 0;
}

static int read_reuse(struct scn_reader *rd, const struct hn_yaml_node *node,
		      struct hn_scn_access *access)
{
	const struct hn_scn_region *region = &rd->scn->regions[access->region];
	int err = scn_read_bytes(rd, node, 0, SCN_BYTES_MAX, &access->reuse_bytes);

	if (!err && access->reuse_bytes > region->bytes)
		err = hn_yaml_complain(node, -ERANGE, rd->diag,
				       "%llu bytes are used again of region '%s', which has %llu",
				       (unsigned long long)access->reuse_bytes, region->name,
				       (unsigned long long)region->bytes);
	return err;
}

int scn_access_read(struct scn_reader *rd, const struct hn_yaml_node *map,
		    struct hn_scn_access *access)
{
	struct access_nodes nodes = { 0 };
	int err = hn_yaml_read_fields(map, access_fields, HN_ARRAY_LEN(access_fields), &nodes,
				      rd->diag);

	if (!err)
		err = read_region_name(rd, nodes.region, &access->region);
	if (!err)
		err = read_slice(rd, nodes.slice, access);
	if (err)
		return err;
	access->pattern = (enum hn_scn_pattern)nodes.pattern;
	err = read_amount(rd, &nodes, access);
	if (!err)
		err = read_mlp(rd, &nodes, access);
	if (!err && nodes.write)
		err = read_write(rd, nodes.write, access);
	if (!err && nodes.reuse)
		err = read_reuse(rd, nodes.reuse, access);
	access->pages = default_pages(rd, access);
	if (!err && nodes.pages)
		err = scn_read_real(rd, nodes.pages, 0, AMOUNT_MAX, &access->pages);
	return err;
}

int scn_touch_read(struct scn_reader *rd, const struct hn_yaml_node *map, struct hn_scn_step *step)
{
	struct hn_scn_access *access = &step->accesses[0];
	struct access_nodes nodes = { 0 };
	hn_nid nid = HN_NID_NONE;
	int err = hn_yaml_read_fields(map, touch_fields, HN_ARRAY_LEN(touch_fields), &nodes,
				      rd->diag);

	if (!err)
		err = read_region_name(rd, nodes.region, &access->region);
	if (!err)
		err = read_slice(rd, nodes.slice, access);
	if (!err && nodes.node)
		err = scn_read_nid(rd, nodes.node, &nid);
	if (err)
		return err;
	access->mlp = 1;
	access->is_write = true;
	step->nr_accesses = 1;
	step->has_touch_nid = nid != HN_NID_NONE;
	step->touch_nid = nid;
	return 0;
}
