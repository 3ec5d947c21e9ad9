/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes: the YAML helper gives a tree or a refusal, and every getter copes with every node. */
#include "base/yaml-tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes);

static void ask(const struct hn_yaml_node *node)
{
	uint64_t u64;
	hn_time_ns ns;
	double number;
	bool flag;
	int ignored = 0;

	ignored |= hn_yaml_as_u64(node, 0, UINT64_MAX, &u64, NULL);
	ignored |= hn_yaml_as_bytes(node, 0, UINT64_MAX, &u64, NULL);
	ignored |= hn_yaml_as_time_ns(node, 0, INT64_MAX, &ns, NULL);
	ignored |= hn_yaml_as_double(node, -1e300, 1e300, &number, NULL);
	ignored |= hn_yaml_as_bool(node, &flag, NULL);
	(void)ignored;
	hn_yaml_for_each(child, node)
		ask(child);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes)
{
	const struct hn_yaml_node *root;
	struct hn_arena arena;
	struct hn_diag diag = { 0 };

	hn_arena_init(&arena);
	if (!hn_yaml_parse(&arena, "fuzz", (const char *)bytes, nr_bytes, &root, &diag))
		ask(root);
	hn_arena_fini(&arena);
	return 0;
}
