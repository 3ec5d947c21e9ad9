/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/policy.h"

#include "base/assert.h"
#include "policy/rows/rows.h"

/* In the order in which they are listed: the history of Linux, then bounds, then the lists. */
static const struct hn_policy *const rows[] = {
	&hn_policy_row_none,
	&hn_policy_row_v3_8,
	&hn_policy_row_v3_13,
	&hn_policy_row_v3_19,
	&hn_policy_row_v4_9,
	&hn_policy_row_v4_15,
	&hn_policy_row_v4_17,
	&hn_policy_row_v4_18,
	&hn_policy_row_v4_19_rc1,
	&hn_policy_row_v4_19,
	&hn_policy_row_v5_4,
	&hn_policy_row_v5_10,
	&hn_policy_row_v5_12,
	&hn_policy_row_v5_13,
	&hn_policy_row_v5_18,
	&hn_policy_row_v5_19,
	&hn_policy_row_v6_1,
	&hn_policy_row_v6_3_fc137c0ddab2,
	&hn_policy_row_v6_6,
	&hn_policy_row_v6_7,
	&hn_policy_row_v6_10,
	&hn_policy_row_v6_12,
	&hn_policy_row_v7_2,
	&hn_policy_row_hard_bind,
	&hn_policy_row_inverse_bind,
	&hn_policy_row_interleave,
	&hn_policy_row_list_riel_2013,
	&hn_policy_row_list_gorman_2018,
	&hn_policy_row_list_dronamraju_2018,
	&hn_policy_row_list_gorman_2021,
};

/* What "default" and "latest" stand for may change; the others say what a list row argues. */
static const struct hn_policy_alias aliases[] = {
	{ "default", "v6.12" },
	{ "latest", "v7.2" },
	{ "list:faults-cpu-seed", "list:riel-2013" },
	{ "list:gorman-2018-v1", "list:gorman-2018" },
	{ "list:aged-idle", "list:gorman-2021" },
};

uint32_t hn_policy_nr_rows(void)
{
	return HN_ARRAY_LEN(rows);
}

const struct hn_policy *hn_policy_get_row(uint32_t idx)
{
	hn_assert(idx < HN_ARRAY_LEN(rows));
	return rows[idx];
}

uint32_t hn_policy_nr_aliases(void)
{
	return HN_ARRAY_LEN(aliases);
}

const struct hn_policy_alias *hn_policy_get_alias(uint32_t idx)
{
	hn_assert(idx < HN_ARRAY_LEN(aliases));
	return &aliases[idx];
}
