/*
 * The size of a tree of choices by random executions (Knuth, 1975): the product of the ways at
 * every point along one is the size on average.  All numbers are decimal logarithms.
 *
 * The mean of such products is unbiased and varies wildly; how far it can be trusted is estimated
 * by drawing the same number of products from those there are, again and again.
 */
#ifndef HEDDLE_EXPLORE_NESTED_PROBE_H
#define HEDDLE_EXPLORE_NESTED_PROBE_H

#include <stdint.h>

#include "base/vec.h"

struct probe {
	VEC(double) products; /* log10 */
	double now;	      /* of the execution under way */
};

void probe_begin(struct probe *p);
/* A point with so many ways was passed. */
void probe_pass(struct probe *p, uint64_t ways);
void probe_end(struct probe *p);
void probe_fini(struct probe *p);

/* log10 of the mean; infinite when there were no executions. */
double probe_mean(const struct probe *p);
/* Nine of ten means of the same number of products, drawn from these, lie between. */
void probe_interval(const struct probe *p, double *low, double *high);

#endif
