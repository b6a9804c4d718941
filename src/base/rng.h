/* Small deterministic generator (SplitMix64 seeding xoshiro256**). */
#ifndef HEDDLE_BASE_RNG_H
#define HEDDLE_BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
/* Uniform in [0, n), n > 0. */
uint64_t rng_below(struct rng *r, uint64_t n);

#endif
