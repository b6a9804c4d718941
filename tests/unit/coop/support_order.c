#include "support_order.h"

#include <assert.h>

/* Is it the thread's turn at the element?  Behind the end of a vector nobody is kept waiting. */
static bool may_go(const struct coop_turns *turns, size_t next, uint32_t thread)
{
	return next >= turns->count || turns->items[next] == thread;
}

/*
 * Greedy is enough: an access that may be carried out stays possible whatever the others do (only
 * its own thread and its own element's vector decide), so the order of taking does not matter.
 */
bool coop_order_feasible(const struct coop_path *threads, size_t n, const struct coop_turns *turns,
			 size_t elements, struct coop_order *order, uint32_t *stuck)
{
	size_t *at = xcalloc(n + 1, sizeof(*at)), *next = xcalloc(elements + 1, sizeof(*next));
	bool moved = true, all = true;

	while (moved) {
		moved = false;
		for (size_t t = 0; t < n; t++) {
			for (; at[t] < threads[t].count; at[t]++) {
				uint32_t element = threads[t].items[at[t]];

				assert(element < elements);
				if (!may_go(&turns[element], next[element], (uint32_t)t))
					break;
				next[element]++;
				moved = true;
				if (order)
					vec_push(order,
						 ((struct coop_access){(uint32_t)t, element}));
			}
		}
	}
	for (size_t e = 0; e < elements; e++) {
		if (next[e] >= turns[e].count)
			continue;
		if (all && stuck)
			*stuck = (uint32_t)e;
		all = false;
	}
	free(at);
	free(next);
	return all;
}
