/*
 * Every way to complete every base, likely ones first, without making them all: a heap of ways
 * whose next worse neighbours are added when a way is taken.  See merge.h.
 */
#include <assert.h>
#include <string.h>

#include "coop/merge_priv.h"

/* How good a vector is for a base: as similar as the most similar log that has it, then common. */
static double fitness(const struct coop_merge *m, uint32_t base, uint32_t kind)
{
	const struct coop_set *s = m->set;
	uint32_t element = s->kinds.items[kind].element;
	double best = 0;

	for (uint32_t l = 0; l < s->logs.count; l++) {
		double similar;

		if (l == base || coop_set_kind(s, l, element) != kind)
			continue;
		similar = coop_set_similarity(s, m->o.similarity, base, l);
		if (similar > best)
			best = similar;
	}
	return best + 1e-6 * (double)s->kinds.items[kind].logs / (double)s->logs.count;
}

/* The rank-th best kind of an element for a base, and its fitness; COOP_NONE: there are fewer. */
static uint32_t alternative(const struct coop_merge *m, uint32_t base, uint32_t element,
			    uint32_t rank, double *fit)
{
	const struct coop_set *s = m->set;

	for (uint32_t i = s->first[element]; i < s->first[element + 1]; i++) {
		double mine = fitness(m, base, i);
		uint32_t better = 0;

		for (uint32_t k = s->first[element]; k < s->first[element + 1]; k++) {
			double other = k == i ? 0 : fitness(m, base, k);

			better += k != i && (other > mine || (other == mine && k < i));
		}
		if (better == rank) {
			*fit = mine;
			return i;
		}
	}
	return COOP_NONE;
}

static bool is_missing(const struct coop_merge *m, uint32_t base, uint32_t element)
{
	return coop_set_kind(m->set, base, element) == COOP_NONE &&
	       m->set->first[element] < m->set->first[element + 1];
}

/* Completes m->now the way w says; false: the way does not exist. */
static bool realise(struct coop_merge *m, const struct coop_way *w, double *score)
{
	uint32_t at = 0;

	coop_candidate_begin(m, w->base);
	*score = 0;
	for (uint32_t i = 0; i < m->set->elements; i++) {
		double fit = 0;

		if (!is_missing(m, w->base, i))
			continue;
		m->now.kinds[i] = alternative(m, w->base, i, w->rank[at++], &fit);
		if (m->now.kinds[i] == COOP_NONE)
			return false;
		m->now.from[i] = m->set->kinds.items[m->now.kinds[i]].log;
		*score += fit;
	}
	return true;
}

static bool is_worse(const struct coop_way *a, const struct coop_way *b)
{
	return a->score < b->score || (a->score == b->score && a->base > b->base);
}

static void swap(struct coop_way *a, struct coop_way *b)
{
	struct coop_way kept = *a;

	*a = *b;
	*b = kept;
}

static void push(struct coop_ways *w, struct coop_way way)
{
	size_t i = w->heap.count;

	vec_push(&w->heap, way);
	for (; i > 0 && is_worse(&w->heap.items[(i - 1) / 2], &w->heap.items[i]); i = (i - 1) / 2)
		swap(&w->heap.items[(i - 1) / 2], &w->heap.items[i]);
}

static struct coop_way pop(struct coop_ways *w)
{
	struct coop_way top = w->heap.items[0];
	size_t i = 0;

	assert(w->heap.count > 0);
	w->heap.items[0] = vec_last(&w->heap);
	w->heap.count--;
	for (;;) {
		size_t best = i;

		for (size_t k = 2 * i + 1; k <= 2 * i + 2; k++)
			if (k < w->heap.count && is_worse(&w->heap.items[best], &w->heap.items[k]))
				best = k;
		if (best == i)
			return top;
		swap(&w->heap.items[i], &w->heap.items[best]);
		i = best;
	}
}

static void add_way(struct coop_merge *m, struct coop_way way)
{
	if (realise(m, &way, &way.score))
		push(&m->ways, way);
	else
		free(way.rank);
}

static uint32_t missing_of(const struct coop_merge *m, uint32_t base)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->set->elements; i++)
		n += is_missing(m, base, i);
	return n;
}

/* A neighbour differs in one place at or behind the last one varied: so each way is added once. */
static void add_neighbours(struct coop_merge *m, const struct coop_way *way)
{
	uint32_t n = missing_of(m, way->base);

	for (uint32_t i = way->last; i < n; i++) {
		struct coop_way next = {.base = way->base, .last = i};

		next.rank = xcalloc(n + 1, sizeof(*next.rank));
		memcpy(next.rank, way->rank, n * sizeof(*next.rank));
		next.rank[i]++;
		add_way(m, next);
	}
}

bool coop_ways_next(struct coop_merge *m)
{
	struct coop_way way;
	double score;

	if (!m->ways.begun)
		for (uint32_t b = 0; b < m->set->logs.count; b++)
			add_way(m, (struct coop_way){.base = b,
						     .rank = xcalloc(missing_of(m, b) + 1,
								     sizeof(uint32_t))});
	m->ways.begun = true;
	if (!m->ways.heap.count)
		return false;
	way = pop(&m->ways);
	add_neighbours(m, &way);
	(void)realise(m, &way, &score);
	m->now.relevance = way.score;
	free(way.rank);
	return true;
}

void coop_ways_fini(struct coop_ways *w)
{
	for (size_t i = 0; i < w->heap.count; i++)
		free(w->heap.items[i].rank);
	vec_free(&w->heap);
}
