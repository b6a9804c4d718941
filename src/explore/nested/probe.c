#include "explore/nested/probe.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"

#define DRAWS 400

void probe_begin(struct probe *p)
{
	p->now = 0;
}

void probe_pass(struct probe *p, uint64_t ways)
{
	assert(ways > 0);
	p->now += log10((double)ways);
}

void probe_end(struct probe *p)
{
	vec_push(&p->products, p->now);
}

void probe_fini(struct probe *p)
{
	vec_free(&p->products);
}

/* log10 of the mean of 10^values[pick(i)]: sums relative to the largest. */
static double mean_of(const double *values, size_t n, struct rng *pick)
{
	double largest = -HUGE_VAL, sum = 0;

	for (size_t i = 0; i < n; i++) {
		double v = values[pick ? rng_below(pick, n) : i];

		if (v > largest) {
			sum = sum * pow(10, largest - v) + 1;
			largest = v;
		} else {
			sum += pow(10, v - largest);
		}
	}
	return n ? largest + log10(sum) - log10((double)n) : HUGE_VAL;
}

double probe_mean(const struct probe *p)
{
	return mean_of(p->products.items, p->products.count, NULL);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

void probe_interval(const struct probe *p, double *low, double *high)
{
	double means[DRAWS];
	struct rng r;

	rng_seed(&r, 1);
	for (int i = 0; i < DRAWS; i++)
		means[i] = mean_of(p->products.items, p->products.count, &r);
	qsort(means, DRAWS, sizeof(means[0]), ascending);
	*low = means[DRAWS / 20];
	*high = means[DRAWS - 1 - DRAWS / 20];
}
