/* SPDX-License-Identifier: GPL-2.0-or-later */
/* published.h - one result that somebody measured on a real machine, to be put beside a simulated
 * one.
 *
 * Only ever shown: nothing in the simulator reads it. Gains are in percent against the first
 * policy of the table, positive for better, as MMTests prints them. */
#ifndef HN_MODEL_PUBLISHED_H
#define HN_MODEL_PUBLISHED_H

#include "base/types.h"

struct hn_published {
	const char *scenario;  /* spec, as in the battery's list */
	const char *machine;
	const char *policy;    /* canonical name of the column */
	const char *metric;    /* "elsp-bt.C" */
	double gain_pct;
};

#endif
