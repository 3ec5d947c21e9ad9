/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as the text of `numactl -H`: a machine whose invariants hold, or a refusal. */
#include <string.h>

#include "topo/machine-model.h"
#include "topo/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr_bytes)
{
	struct hn_diag diag = { 0 };
	struct hn_layout *layout;
	struct hn_machine *m;
	struct hn_arena arena;
	char *text;

	if (nr_bytes > HN_TOPO_NUMACTL_BYTES_MAX)
		return 0;
	hn_arena_init(&arena);
	text = hn_arena_alloc(&arena, nr_bytes + 1);
	if (nr_bytes)
		memcpy(text, bytes, nr_bytes);
	layout = HN_ARENA_NEW(&arena, struct hn_layout);
	hn_layout_init(layout, &arena, "fuzz");
	if (!hn_topo_read_numactl(layout, "fuzz", text, &diag) &&
	    !hn_layout_finish(layout, &m, &diag)) {
		hn_model_derive(&arena, m);
		hn_machine_check(m);
	}
	hn_arena_fini(&arena);
	return 0;
}
