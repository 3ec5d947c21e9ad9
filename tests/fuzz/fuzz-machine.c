/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a machine model: a machine whose invariants hold, or a refusal. */
#include "topo/machine-model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes)
{
	const struct hn_yaml_node *root;
	struct hn_diag diag = { 0 };
	struct hn_model *model;
	struct hn_arena arena;

	hn_arena_init(&arena);
	if (!hn_yaml_parse(&arena, "fuzz", (const char *)bytes, nr_bytes, &root, &diag) &&
	    !hn_model_read(&arena, root, &model, &diag))
		hn_machine_check(model->machine);
	hn_arena_fini(&arena);
	return 0;
}
