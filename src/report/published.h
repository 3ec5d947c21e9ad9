/* SPDX-License-Identifier: GPL-2.0-or-later */
/* published.h - published gains beside simulated ones, row by row, and how many agree.
 *
 *	gain in percent against the first policy                  published simulated
 *	nas-bt-c  2s-haswell  v4.19-rc1+idle_cpu_rule=maymove  elsp-bt.C   14.83   12.21  agrees
 *	nas-ep-c  2s-haswell  v4.19-rc1+idle_cpu_rule=maymove  elsp-ep.C    4.09    0.00  differs
 *	1 of 2 agree in direction (both within 1 %, or of one sign and beyond it)
 *
 * Simulated gains are those that the table of the run shows. A row whose run is not in the set
 * is left out. Scratch memory comes from the buffer's arena. */
#ifndef HN_REPORT_PUBLISHED_H
#define HN_REPORT_PUBLISHED_H

#include "base/strbuf.h"
#include "model/published.h"
#include "report/result.h"

/* Gains closer to nothing than this are no change. */
#define HN_PUBLISHED_NOISE_PCT 1.0

bool hn_published_agrees(double published_pct, double simulated_pct);

/* Adds the rows that the groups have a counterpart for; nothing when there is none. */
void hn_published_text(const struct hn_published *published, uint32_t nr_published,
		       const struct hn_result_group *groups, uint32_t nr_groups,
		       struct hn_strbuf *buf);

#endif
