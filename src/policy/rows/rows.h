/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.h - the rows of the policy table, one file each; policy-table.c lists them. */
#ifndef HN_POLICY_ROWS_ROWS_H
#define HN_POLICY_ROWS_ROWS_H

#include "policy/policy.h"

extern const struct hn_policy hn_policy_row_none;
extern const struct hn_policy hn_policy_row_v3_8;
extern const struct hn_policy hn_policy_row_v3_13;
extern const struct hn_policy hn_policy_row_v3_19;
extern const struct hn_policy hn_policy_row_v4_9;
extern const struct hn_policy hn_policy_row_v4_15;
extern const struct hn_policy hn_policy_row_v4_17;
extern const struct hn_policy hn_policy_row_v4_18;
extern const struct hn_policy hn_policy_row_v4_19_rc1;
extern const struct hn_policy hn_policy_row_v4_19;
extern const struct hn_policy hn_policy_row_v5_4;
extern const struct hn_policy hn_policy_row_v5_10;
extern const struct hn_policy hn_policy_row_v5_12;
extern const struct hn_policy hn_policy_row_v5_13;
extern const struct hn_policy hn_policy_row_v5_18;
extern const struct hn_policy hn_policy_row_v5_19;
extern const struct hn_policy hn_policy_row_v6_1;
extern const struct hn_policy hn_policy_row_v6_3_fc137c0ddab2;
extern const struct hn_policy hn_policy_row_v6_6;
extern const struct hn_policy hn_policy_row_v6_7;
extern const struct hn_policy hn_policy_row_v6_10;
extern const struct hn_policy hn_policy_row_v6_12;
extern const struct hn_policy hn_policy_row_v7_2;
extern const struct hn_policy hn_policy_row_hard_bind;
extern const struct hn_policy hn_policy_row_inverse_bind;
extern const struct hn_policy hn_policy_row_interleave;
extern const struct hn_policy hn_policy_row_list_riel_2013;
extern const struct hn_policy hn_policy_row_list_gorman_2018;
extern const struct hn_policy hn_policy_row_list_dronamraju_2018;
extern const struct hn_policy hn_policy_row_list_gorman_2021;

#endif
