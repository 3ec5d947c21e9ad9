/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/rng.h"

#include <string.h>

#include "base/assert.h"

static uint64_t rotate_left(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static uint64_t splitmix64_next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* FNV-1a, 64 bits: spreads stream names; no cryptographic claim is made or needed. */
static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
	return hash;
}

void hn_rng_init(struct hn_rng *rng, uint64_t seed, const char *name, uint64_t index)
{
	uint64_t state = seed;

	state = splitmix64_next(&state) ^ hash_name(name);
	state = splitmix64_next(&state) ^ index;
	for (size_t i = 0; i < HN_ARRAY_LEN(rng->state); i++)
		rng->state[i] = splitmix64_next(&state);
}

uint64_t hn_rng_u64(struct hn_rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t hn_rng_below(struct hn_rng *rng, uint64_t bound)
{
	uint64_t threshold, x;

	hn_assert(bound > 0);
	threshold = (0 - bound) % bound;
	do {
		x = hn_rng_u64(rng);
	} while (x < threshold);
	return x % bound;
}

double hn_rng_unit(struct hn_rng *rng)
{
	return (double)((hn_rng_u64(rng) >> 11) + 1) * 0x1.0p-53;
}

/* x = m * 2^e with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh((m-1)/(m+1)) by its series,
 * whose 12th term is below 1e-18 on this interval. */
double hn_log(double x)
{
	const double ln2 = 0x1.62e42fefa39efp-1;
	double m, s, s2, term, sum;
	uint64_t bits;
	int e;

	hn_assert(x > 0);
	memcpy(&bits, &x, sizeof(bits));
	e = (int)(bits >> 52) - 1023;
	bits = (bits & UINT64_C(0xfffffffffffff)) | (UINT64_C(1023) << 52);
	memcpy(&m, &bits, sizeof(m));
	if (m > 0x1.6a09e667f3bcdp0) {
		m = m / 2;
		e++;
	}
	s = (m - 1) / (m + 1);
	s2 = s * s;
	term = s;
	sum = 0;
	for (int k = 1; k < 25; k += 2) {
		sum = sum + term / k;
		term = term * s2;
	}
	return 2 * sum + e * ln2;
}

double hn_rng_exponential(struct hn_rng *rng)
{
	return -hn_log(hn_rng_unit(rng));
}
