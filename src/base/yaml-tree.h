/* SPDX-License-Identifier: GPL-2.0-or-later */
/* yaml-tree.h - a YAML file as a tree of nodes that remember where they stood.
 *
 * A reader of such a file walks the tree, and each of its complaints can say file:line:column,
 * whether the YAML is broken or only its meaning. What the keys mean is not known here.
 *
 * The subset: one document of block or flow mappings, sequences and scalars. Refused, because
 * none of our files needs them and each surprises somebody: anchors, aliases, tags, several
 * documents, keys that are not scalars, and a key that a mapping has twice. Limits are named
 * below, so that no input makes time or memory grow without bound.
 *
 * Numbers are read here and not by the C library, so that no locale changes them: decimal
 * digits, at most one point, an optional exponent (1, 0.5, 2.4e9), at most 18 digits. Units:
 *
 *	bytes	no suffix or B; k m g t (either case) and KiB MiB GiB TiB are powers of
 *		1024, as in the kernel's own options; kB MB GB TB are powers of 1000
 *	times	ns us ms s, always required, except for a bare 0
 *
 * A number and its unit may be joined or have one space between them: "1.5 GiB", "250ms".
 * The result must be whole (bytes, nanoseconds) and lie in the range that the caller states.
 *
 * Everything lives in the arena given to the parser; nodes are constant afterwards.
 *
 * Two ways to read a mapping. By table, for the usual flat one:
 *
 *	static const struct hn_yaml_field fields[] = {
 *		{ .key = "threads", .type = HN_YAML_U32, .is_required = true,
 *		  .min = 1, .max = 4096, .offset = offsetof(struct phase, nr_threads) },
 *		{ .key = "pause", .type = HN_YAML_TIME_NS, .min = 0, .max = 1e12,
 *		  .offset = offsetof(struct phase, pause_ns) },
 *	};
 *	err = hn_yaml_read_fields(map, fields, HN_ARRAY_LEN(fields), &phase, diag);
 *
 * or step by step, with hn_yaml_find() and the hn_yaml_as_ functions.
 * Tests: tests/unit/test-yaml-tree.c, tests/fuzz/fuzz-yaml-tree.c. */
#ifndef HN_BASE_YAML_TREE_H
#define HN_BASE_YAML_TREE_H

#include "base/arena.h"
#include "base/diag.h"

#define HN_YAML_FILE_BYTES_MAX ((size_t)4 << 20)
#define HN_YAML_NODES_MAX 200000 /* scalars, mappings and sequences together */
#define HN_YAML_DEPTH_MAX 24     /* mappings and sequences inside one another */
#define HN_YAML_KEYS_MAX 512     /* keys of one mapping */

enum hn_yaml_kind {
	HN_YAML_SCALAR,
	HN_YAML_SEQ,
	HN_YAML_MAP,
};

/* `key` and its place are set for the values of a mapping. A value left out ("key:") is a
 * scalar with empty text. */
struct hn_yaml_node {
	enum hn_yaml_kind kind;
	bool is_quoted;        /* scalar in quotes, or a block scalar */
	const char *file;      /* name for messages */
	const char *text;      /* scalar: its value; NULL for the other kinds */
	const char *key;       /* NULL: not a value of a mapping */
	uint32_t line, column; /* 1-based */
	uint32_t key_line, key_column;
	uint32_t nr_children;
	const struct hn_yaml_node *first; /* children in the order of the file */
	const struct hn_yaml_node *next;  /* next child of the same parent */
	/* private: while the tree is built */
	struct hn_yaml_node *last;
	struct hn_yaml_node *parent;
};

#define hn_yaml_for_each(child, node) \
	for (const struct hn_yaml_node *child = (node)->first; child; child = child->next)

/* Reading */

/* The tree of a text; `file_name` is used in messages only. An empty text is refused. */
int HN_MUST_CHECK hn_yaml_parse(struct hn_arena *arena, const char *file_name, const char *bytes,
				size_t nr_bytes, const struct hn_yaml_node **ret_root,
				struct hn_diag *diag);

/* The same from a file. */
int HN_MUST_CHECK hn_yaml_load(struct hn_arena *arena, const char *path,
			       const struct hn_yaml_node **ret_root, struct hn_diag *diag);

/* Complaints. Both return `err`. */

/* About a node: the message is put at its place. */
int hn_yaml_complain(const struct hn_yaml_node *node, int err, struct hn_diag *diag,
		     const char *fmt, ...) HN_PRINTF(4, 5);

/* About the key of a node. */
int hn_yaml_complain_key(const struct hn_yaml_node *node, int err, struct hn_diag *diag,
			 const char *fmt, ...) HN_PRINTF(4, 5);

/* Mappings and sequences */

/* The value of `key`, or NULL; also NULL where `map` is not a mapping. */
const struct hn_yaml_node *hn_yaml_find(const struct hn_yaml_node *map, const char *key);

/* The same, but absence is an error of the file. */
int HN_MUST_CHECK hn_yaml_need(const struct hn_yaml_node *map, const char *key,
			       const struct hn_yaml_node **ret_node, struct hn_diag *diag);

/* Refuses a node of another kind; the message names both kinds. */
int HN_MUST_CHECK hn_yaml_check_kind(const struct hn_yaml_node *node, enum hn_yaml_kind kind,
				     struct hn_diag *diag);

/* Refuses the first key that is not in the list, with the nearest name of the list. */
int HN_MUST_CHECK hn_yaml_check_keys(const struct hn_yaml_node *map, const char *const *keys,
				     uint32_t nr_keys, struct hn_diag *diag);

/* Scalars. Ranges are inclusive. On failure *ret_... is untouched. */

int HN_MUST_CHECK hn_yaml_as_u64(const struct hn_yaml_node *node, uint64_t min, uint64_t max,
				 uint64_t *ret_value, struct hn_diag *diag);
int HN_MUST_CHECK hn_yaml_as_double(const struct hn_yaml_node *node, double min, double max,
				    double *ret_value, struct hn_diag *diag);
int HN_MUST_CHECK hn_yaml_as_bytes(const struct hn_yaml_node *node, uint64_t min, uint64_t max,
				   uint64_t *ret_bytes, struct hn_diag *diag);
int HN_MUST_CHECK hn_yaml_as_time_ns(const struct hn_yaml_node *node, hn_time_ns min,
				     hn_time_ns max, hn_time_ns *ret_ns, struct hn_diag *diag);

/* true, yes, on; false, no, off; lower case. */
int HN_MUST_CHECK hn_yaml_as_bool(const struct hn_yaml_node *node, bool *ret_value,
				  struct hn_diag *diag);

/* Any scalar that is not empty. Borrowed from the tree. */
int HN_MUST_CHECK hn_yaml_as_string(const struct hn_yaml_node *node, const char **ret_text,
				    struct hn_diag *diag);

/* One of names[0 .. nr-1]; the index goes to *ret_index. */
int HN_MUST_CHECK hn_yaml_as_choice(const struct hn_yaml_node *node, const char *const *names,
				    uint32_t nr, uint32_t *ret_index, struct hn_diag *diag);

/* Tables */

enum hn_yaml_type {
	HN_YAML_U32,     /* uint32_t */
	HN_YAML_U64,     /* uint64_t */
	HN_YAML_DOUBLE,  /* double */
	HN_YAML_BYTES,   /* uint64_t */
	HN_YAML_TIME_NS, /* hn_time_ns */
	HN_YAML_BOOL,    /* bool */
	HN_YAML_STRING,  /* const char * */
	HN_YAML_CHOICE,  /* uint32_t: index into `names` */
	HN_YAML_NODE,    /* const struct hn_yaml_node *: read by the caller */
};

struct hn_yaml_field {
	const char *key;
	enum hn_yaml_type type;
	bool is_required;
	size_t offset;            /* of the member in the struct that is filled */
	double min, max;          /* numbers; both 0: no limit but the type's own */
	const char *const *names; /* choices */
	uint32_t nr_names;
};

/* Reads a mapping into the struct at `out`. Members whose key is absent keep their value, which
 * is how defaults are given. Refused: not a mapping, unknown keys, missing required ones, and
 * bad values. On failure the members before the bad one are already written. */
int HN_MUST_CHECK hn_yaml_read_fields(const struct hn_yaml_node *map,
				      const struct hn_yaml_field *fields, uint32_t nr_fields,
				      void *out, struct hn_diag *diag);

#endif
