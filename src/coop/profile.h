/*
 * Logging profiles: which elements an installation records.
 *
 * uniform draws them without replacement.  The others know something: how often each element is
 * accessed (balanced: the cost of every profile is nearly the same, and every element is covered),
 * which pairs were together so far (overlap: similarity of logs needs common elements), which
 * elements belong together (correlated), which have many different vectors (dispersion).
 */
#ifndef HEDDLE_COOP_PROFILE_H
#define HEDDLE_COOP_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

enum coop_policy {
	COOP_UNIFORM,
	COOP_BALANCED,
	COOP_OVERLAP,
	COOP_CORRELATED,
	COOP_DISPERSION,
};

/* What is known of n elements; pointers may be NULL where the policy does not ask. */
struct coop_known {
	uint32_t n;
	const uint64_t *accesses; /* balanced: in a typical run */
	const uint32_t *cluster;  /* correlated: elements with one number belong together */
	const double *dispersion; /* dispersion: how much vectors differ, 0 to 1 */
};

/* The number of elements of a share in percent: rounded, at least one, at most n. */
uint32_t coop_profile_size(uint32_t n, unsigned percent);

struct coop_profiler;

/* known and what it points to are borrowed. */
struct coop_profiler *coop_profiler_new(enum coop_policy policy, const struct coop_known *known,
					uint32_t size, uint64_t seed);
void coop_profiler_free(struct coop_profiler *p);
/* The next profile: wanted[0..n); coop_profile_size() of them, but balanced keeps to its cost. */
void coop_profiler_next(struct coop_profiler *p, bool *wanted);

#endif
