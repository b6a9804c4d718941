/*
 * How large a search is that has not come to its end: the weighted backtrack estimator.
 *
 * Every path through the tree of choices has a share of the whole, the probability that uniform
 * choices lead along it: 1 at the root, and at a point with n ways each of them gets an n-th of the
 * point's share.  The paths explored so far are taken as a sample: when they have share f together
 * and there are n of them, the tree has about n/f.  Exact when everything was explored.
 *
 * All numbers are decimal logarithms, for trees may have 10^10000 paths.
 */
#ifndef HEDDLE_LEARN_ESTIMATE_H
#define HEDDLE_LEARN_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

/* log10 of 0 */
#define ESTIMATE_NOTHING (-__builtin_inf())

/* What has been explored, where paths are accounted for one by one.  Begin with ESTIMATE_INIT. */
struct estimate {
	double share; /* log10 */
	uint64_t paths;
};
#define ESTIMATE_INIT {ESTIMATE_NOTHING, 0}

/* log10 of the share of each of the `ways' out of a point with this one; the root has 0. */
double estimate_split(double share, uint64_t ways);
/* A path that had this share is over. */
void estimate_end(struct estimate *e, double share);
/* log10 of how many things there are when `seen' of them were met so far; HUGE_VAL: no idea. */
double estimate_total(const struct estimate *e, double seen);
/* The same for paths. */
double estimate_paths(const struct estimate *e);

/*
 * Where a depth first search stands, outermost point first: how many ways there are at a point and
 * how many of them are done.  The way in progress leads to the next point.
 */
struct estimate_point {
	uint64_t ways, done;
};
/* log10 of the share explored. */
double estimate_stack(const struct estimate_point *points, size_t n);

/* As text, "1.2e+34" style for large ones; returns what snprintf() does. */
int estimate_text(char *to, size_t size, double log);

#endif
