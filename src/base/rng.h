/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rng.h - named streams of random numbers, a pure function of the run's seed.
 *
 * Each purpose (one task, one address space, the page allocator, ...) has a stream of its
 * own, derived from the run's seed, a name and an index. Adding a consumer therefore never
 * disturbs the draws of another one: two policies that run the same workload with the same
 * seed see the same draws (common random numbers).
 * Source: xoshiro256** 1.0 and splitmix64, Blackman and Vigna, "Scrambled linear
 * pseudorandom number generators", ACM TOMS 47 (2021).
 *
 * The core only ever receives a stream; it never makes one. */
#ifndef HN_BASE_RNG_H
#define HN_BASE_RNG_H

#include "base/types.h"

struct hn_rng {
	uint64_t state[4];
};

/* Starts the stream (`name`, `index`) of the run with this seed. */
void hn_rng_init(struct hn_rng *rng, uint64_t seed, const char *name, uint64_t index);

uint64_t hn_rng_u64(struct hn_rng *rng);

/* Uniform in 0 .. bound-1, without bias; bound > 0. */
uint64_t hn_rng_below(struct hn_rng *rng, uint64_t bound);

/* Uniform in (0, 1], 53 random bits. For worlds and workloads, not for the core. */
double hn_rng_unit(struct hn_rng *rng);

/* Exponential with mean 1, exact on every machine: the logarithm is a fixed rational
 * approximation from + - * / alone, with a relative error below 1e-9. */
double hn_rng_exponential(struct hn_rng *rng);

/* Natural logarithm of x > 0 from + - * / alone (see above); the C library's last bit
 * differs between machines, this one's does not. */
double hn_log(double x);

#endif
