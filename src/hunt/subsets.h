/*
 * The order in which branches are flipped together (Machado, 5.3): one, two, three, ... at once; of
 * equally many those with the smaller sum of ranks first, the nearest branch having rank 1; of
 * equal sums in the order of their ranks.
 */
#ifndef HEDDLE_HUNT_SUBSETS_H
#define HEDDLE_HUNT_SUBSETS_H

#include <stdbool.h>
#include <stddef.h>

#define HUNT_SUBSET_MAX 64

/* ranks count from 0 here, ascending; false ends it. */
typedef bool (*hunt_subset_fn)(void *arg, const size_t *ranks, size_t n);

/* Every set of the ranks below count, HUNT_SUBSET_MAX at most; false when each() ended it. */
bool hunt_subsets(size_t count, hunt_subset_fn each, void *arg);

#endif
