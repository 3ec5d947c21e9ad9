/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/record.h"

#include <stdio.h>

#include "base/assert.h"

void hn_record_add_metric(struct hn_run_record *record, const char *name, double value,
			  enum hn_better better)
{
	struct hn_metric *metric;
	int len;

	hn_assert(record->nr_metrics < HN_METRICS_MAX);
	metric = &record->metrics[record->nr_metrics++];
	len = snprintf(metric->name, sizeof(metric->name), "%s", name);
	hn_assert(len > 0 && (size_t)len < sizeof(metric->name));
	metric->value = value;
	metric->better = better;
}
