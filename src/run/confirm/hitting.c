#include "run/confirm/hitting.h"

/* Sets that are looked at of one size: enough for any program somebody reads. */
#define MAX_STEPS 200000

struct hitting {
	const struct run_clauses *all;
	unsigned size; /* looked for now */
	unsigned steps;
	struct wire_fence now[WIRE_MAX_FENCES];
	struct wire_fence best[WIRE_MAX_FENCES];
	uint64_t best_cost;
};

void run_clauses_add(struct run_clauses *all, struct model_fences *c)
{
	vec_push(all, *c);
	*c = (struct model_fences)VEC_INIT;
}

void run_clauses_free(struct run_clauses *all)
{
	for (size_t i = 0; i < all->count; i++)
		vec_free(&all->items[i]);
	vec_free(all);
}

static const struct model_fences *first_unhit(const struct hitting *h, unsigned n)
{
	for (size_t i = 0; i < h->all->count; i++) {
		const struct model_fences *c = &h->all->items[i];
		bool hit = false;

		for (size_t k = 0; k < c->count && !hit; k++)
			hit = model_fences_have(h->now, n, &c->items[k]);
		if (!hit)
			return c;
	}
	return NULL;
}

/* cost grows with each full fence, and a little with each place from the front of a clause. */
static void branch(struct hitting *h, unsigned n, uint64_t cost)
{
	const struct model_fences *c = first_unhit(h, n);

	if (!c) {
		if (cost < h->best_cost) {
			h->best_cost = cost;
			memcpy(h->best, h->now, n * sizeof(h->now[0]));
		}
		return;
	}
	if (n == h->size)
		return;
	for (size_t k = 0; k < c->count && h->steps < MAX_STEPS; k++) {
		bool full = c->items[k].kind == FENCE_FULL;

		h->steps++;
		h->now[n] = c->items[k];
		branch(h, n + 1, cost + (full ? UINT64_C(1) << 32 : 0) + k);
	}
}

int run_clauses_hit(const struct run_clauses *all, struct wire_fence *fences, unsigned max)
{
	struct hitting h = {.all = all, .best_cost = UINT64_MAX};

	for (h.size = 0; h.size <= max && h.size <= WIRE_MAX_FENCES; h.size++) {
		h.steps = 0;
		branch(&h, 0, 0);
		if (h.best_cost == UINT64_MAX)
			continue;
		memcpy(fences, h.best, h.size * sizeof(fences[0]));
		return (int)h.size;
	}
	return -1;
}
