/* Bases and their neighbours.  See merge.h. */
#include <assert.h>
#include <stdlib.h>

#include "coop/merge_priv.h"

struct near {
	uint32_t log;
	double similarity;
	uint64_t tie;
};

static int nearer(const void *x, const void *y)
{
	const struct near *a = x, *b = y;

	if (a->similarity != b->similarity)
		return a->similarity > b->similarity ? -1 : 1;
	return a->tie < b->tie ? -1 : a->tie > b->tie;
}

void coop_candidate_begin(struct coop_merge *m, uint32_t base)
{
	const struct coop_set *s = m->set;

	assert(base < s->logs.count);
	m->now.base = base;
	for (uint32_t i = 0; i < s->elements; i++) {
		m->now.kinds[i] = coop_set_kind(s, base, i);
		m->now.from[i] = m->now.kinds[i] == COOP_NONE ? COOP_NONE : base;
	}
}

/* Takes over what the log has and the candidate has not; true when that was something. */
static bool fill(struct coop_merge *m, uint32_t log)
{
	bool any = false;

	for (uint32_t i = 0; i < m->set->elements; i++) {
		uint32_t kind = coop_set_kind(m->set, log, i);

		if (m->now.kinds[i] != COOP_NONE || kind == COOP_NONE)
			continue;
		m->now.kinds[i] = kind;
		m->now.from[i] = log;
		any = true;
	}
	return any;
}

double coop_fill_from_neighbours(struct coop_merge *m, uint32_t base)
{
	size_t n = m->set->logs.count, used = 0;
	struct near *others = xcalloc(n, sizeof(*others));
	double sum = 0;

	/* Similarities are those of the logs as they were recorded, never of what is filled in. */
	for (uint32_t i = 0; i < n; i++)
		others[i] = (struct near){
			i, i == base ? -1 : coop_set_similarity(m->set, m->o.similarity, base, i),
			m->o.random ? rng_next(&m->rng) : i};
	qsort(others, n, sizeof(*others), nearer);
	for (size_t i = 0; i < n; i++) {
		if (others[i].log == base || !fill(m, others[i].log))
			continue;
		sum += others[i].similarity;
		used++;
	}
	free(others);
	return used ? sum / (double)used : 0;
}

static int more_relevant(const void *x, const void *y)
{
	const struct coop_ranked *a = x, *b = y;

	if (a->relevance != b->relevance)
		return a->relevance > b->relevance ? -1 : 1;
	return a->base < b->base ? -1 : a->base > b->base;
}

static void sort(struct coop_ranking *r)
{
	qsort(r->items.items, r->items.count, sizeof(*r->items.items), more_relevant);
}

void coop_rank_similar(struct coop_merge *m)
{
	for (uint32_t base = 0; base < m->set->logs.count; base++) {
		coop_candidate_begin(m, base);
		vec_push(&m->sgm.items,
			 ((struct coop_ranked){base, coop_fill_from_neighbours(m, base)}));
	}
	sort(&m->sgm);
}

void coop_rank_disperse(struct coop_merge *m)
{
	const bool *near = m->heuristic == COOP_SOLVE ? m->o.near : NULL;

	for (uint32_t base = 0; base < m->set->logs.count; base++) {
		double sum = 0;

		for (uint32_t i = 0; i < m->set->elements; i++)
			if (coop_set_kind(m->set, base, i) != COOP_NONE)
				sum += m->set->dispersion[i] + (near && near[i] ? 1 : 0);
		vec_push(&m->dgm.items, ((struct coop_ranked){base, sum}));
	}
	sort(&m->dgm);
}
