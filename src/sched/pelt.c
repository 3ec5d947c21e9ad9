/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/pelt.h"

#include "base/assert.h"

/* floor((2^32 - 1) * 2^(-n/32)) */
static const uint32_t inverse[HN_PELT_HALF_LIFE] = {
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a,
	0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
	0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85,
	0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
	0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4,
	0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
	0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a,
	0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
};

#define HALVINGS_MAX 63 /* beyond this nothing is left of any sum */

/* x * factor / 2^32 without a wider type than 64 bits. */
static uint64_t scale(uint64_t x, uint32_t factor)
{
	return (x >> 32) * factor + ((x & UINT32_MAX) * factor >> 32);
}

uint64_t hn_pelt_decay(uint64_t x, uint64_t nr_segments)
{
	if (nr_segments > HN_PELT_HALF_LIFE * HALVINGS_MAX)
		return 0;
	return scale(x >> (nr_segments / HN_PELT_HALF_LIFE),
		     inverse[nr_segments % HN_PELT_HALF_LIFE]);
}

uint32_t hn_pelt_divider(int64_t at_units)
{
	return HN_PELT_MAX - HN_PELT_SEGMENT + (uint32_t)(at_units % HN_PELT_SEGMENT);
}

static uint64_t count_segments(int64_t at_units, int64_t now_units)
{
	return (uint64_t)(now_units / HN_PELT_SEGMENT - at_units / HN_PELT_SEGMENT);
}

uint32_t hn_pelt_contribution(int64_t at_units, int64_t now_units)
{
	uint64_t nr_segments = count_segments(at_units, now_units);
	uint32_t first, full;

	if (!nr_segments)
		return (uint32_t)(now_units - at_units);
	first = HN_PELT_SEGMENT - (uint32_t)(at_units % HN_PELT_SEGMENT);
	full = HN_PELT_MAX - (uint32_t)hn_pelt_decay(HN_PELT_MAX, nr_segments) - HN_PELT_SEGMENT;
	return (uint32_t)hn_pelt_decay(first, nr_segments) + full +
	       (uint32_t)(now_units % HN_PELT_SEGMENT);
}

void hn_pelt_advance(struct hn_pelt *pelt, hn_time_ns now_ns, const struct hn_pelt_rate *rate)
{
	int64_t now_units = hn_pelt_units(now_ns);
	uint64_t nr_segments;
	uint32_t contribution;

	if (now_units == pelt->at_units)
		return;
	hn_assert(now_units > pelt->at_units);
	nr_segments = count_segments(pelt->at_units, now_units);
	contribution = hn_pelt_contribution(pelt->at_units, now_units);
	for (uint32_t s = 0; s < HN_NR_PELT; s++) {
		if (nr_segments && pelt->sums[s])
			pelt->sums[s] = hn_pelt_decay(pelt->sums[s], nr_segments);
		pelt->sums[s] += rate->per_unit[s] * contribution;
	}
	pelt->at_units = now_units;
}

void hn_pelt_add(struct hn_pelt *pelt, enum hn_pelt_signal signal, uint64_t sum)
{
	pelt->sums[signal] += sum;
}

void hn_pelt_sub(struct hn_pelt *pelt, enum hn_pelt_signal signal, uint64_t sum)
{
	pelt->sums[signal] -= hn_min_u64(sum, pelt->sums[signal]);
}
