#include "explore/learn/estimate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* log10(10^a + 10^b) */
static double add(double a, double b)
{
	double high = a > b ? a : b, low = a > b ? b : a;

	return isinf(low) ? high : high + log10(1 + pow(10, low - high));
}

double estimate_split(double share, uint64_t ways)
{
	return ways ? share - log10((double)ways) : share;
}

void estimate_end(struct estimate *e, double share)
{
	assert(share <= 0); /* logarithm of a part of the whole */
	e->share = add(e->share, share);
	e->paths++;
}

double estimate_total(const struct estimate *e, double seen)
{
	if (isinf(e->share) || seen <= 0)
		return HUGE_VAL;
	/* Rounding must not make the whole smaller than what is there. */
	return log10(seen) - (e->share > 0 ? 0 : e->share);
}

double estimate_paths(const struct estimate *e)
{
	return estimate_total(e, (double)e->paths);
}

double estimate_stack(const struct estimate_point *points, size_t n)
{
	double share = 0, explored = ESTIMATE_NOTHING;

	for (size_t i = 0; i < n; i++) {
		double each = estimate_split(share, points[i].ways);

		assert(points[i].done <= points[i].ways);
		if (points[i].done)
			explored = add(explored, each + log10((double)points[i].done));
		share = each;
	}
	return explored;
}

int estimate_text(char *to, size_t size, double log)
{
	double exponent = floor(log);

	if (isinf(log))
		return snprintf(to, size, "?");
	if (log < 6)
		return snprintf(to, size, "%.0f", pow(10, log));
	return snprintf(to, size, "%.1fe%.0f", pow(10, log - exponent), exponent);
}
