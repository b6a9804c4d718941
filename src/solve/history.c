#include "solve/history.h"

#include <stdlib.h>

int solve_history_order(const void *a, const void *b, void *arg)
{
	const struct solve_event *events = arg;
	const struct solve_event *x = &events[*(const uint32_t *)a];
	const struct solve_event *y = &events[*(const uint32_t *)b];

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

void solve_history_sort(uint32_t *places, size_t n, const struct solve_event *events)
{
	qsort_r(places, n, sizeof(*places), solve_history_order, (void *)events);
}
