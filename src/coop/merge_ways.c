/*
 * Every way to complete every base, likely ones first, without making them all: a heap of ways
 * whose next worse neighbours are added when a way is taken.  See merge.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "coop/merge_priv.h"

static int fitter(const void *x, const void *y)
{
	const struct coop_alternative *a = x, *b = y;

	if (a->fit != b->fit)
		return a->fit > b->fit ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

/*
 * How good a vector is for the base: as similar as the most similar log that has it, then common.
 * The alternatives of one element; logs are gone through once for all of them.
 */
static void add_alternatives(const struct coop_merge *m, struct coop_lack *x, uint32_t element)
{
	const struct coop_set *s = m->set;
	uint32_t from = s->first[element], n = s->first[element + 1] - from;
	size_t at = x->all.count;

	vec_push(&x->elements, element);
	vec_push(&x->first, (uint32_t)at);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&x->all, ((struct coop_alternative){from + i, 0}));
	for (uint32_t l = 0; l < s->logs.count; l++) {
		uint32_t kind = coop_set_kind(s, l, element);
		double *fit = kind == COOP_NONE ? NULL : &x->all.items[at + kind - from].fit;

		if (fit && x->similar[l] > *fit)
			*fit = x->similar[l];
	}
	for (uint32_t i = 0; i < n; i++)
		x->all.items[at + i].fit +=
			1e-6 * (double)s->kinds.items[from + i].logs / (double)s->logs.count;
	qsort(x->all.items + at, n, sizeof(*x->all.items), fitter);
}

static bool is_missing(const struct coop_merge *m, uint32_t base, uint32_t element)
{
	return coop_set_kind(m->set, base, element) == COOP_NONE &&
	       m->set->first[element] < m->set->first[element + 1];
}

static const struct coop_lack *lack_of(struct coop_merge *m, uint32_t base)
{
	struct coop_lack *x = &m->ways.lack;
	size_t logs = m->set->logs.count;

	if (x->similar && x->base == base)
		return x;
	if (!x->similar)
		x->similar = xcalloc(logs + 1, sizeof(*x->similar));
	x->base = base;
	vec_clear(&x->elements);
	vec_clear(&x->first);
	vec_clear(&x->all);
	for (uint32_t l = 0; l < logs; l++)
		x->similar[l] =
			l == base ? 0 : coop_set_similarity(m->set, m->o.similarity, base, l);
	for (uint32_t i = 0; i < m->set->elements; i++)
		if (is_missing(m, base, i))
			add_alternatives(m, x, i);
	vec_push(&x->first, (uint32_t)x->all.count);
	return x;
}

/* NULL: the element has fewer alternatives. */
static const struct coop_alternative *alternative(const struct coop_lack *x, uint32_t missing,
						  uint32_t rank)
{
	uint32_t at = x->first.items[missing];

	return rank < x->first.items[missing + 1] - at ? &x->all.items[at + rank] : NULL;
}

/* Completes m->now the way w says. */
static void realise(struct coop_merge *m, const struct coop_way *w)
{
	const struct coop_lack *x = lack_of(m, w->base);
	uint32_t next = 0;

	coop_candidate_begin(m, w->base);
	for (uint32_t i = 0; i < x->elements.count; i++) {
		bool down = next < w->count && w->down[next].missing == i;
		uint32_t element = x->elements.items[i];
		const struct coop_alternative *a = alternative(x, i, down ? w->down[next].rank : 0);

		assert(a);
		next += down;
		m->now.kinds[element] = a->kind;
		m->now.from[element] = m->set->kinds.items[a->kind].log;
	}
	m->now.relevance = w->score;
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

/* The best way to complete the base. */
static void add_first(struct coop_merge *m, uint32_t base)
{
	const struct coop_lack *x = lack_of(m, base);
	struct coop_way way = {.base = base};

	for (uint32_t i = 0; i < x->elements.count; i++)
		way.score += alternative(x, i, 0)->fit;
	push(&m->ways, way);
}

/* A neighbour differs in one place at or behind the last one varied: so each way is added once. */
static void add_neighbour(struct coop_merge *m, const struct coop_way *way, uint32_t missing)
{
	const struct coop_lack *x = lack_of(m, way->base);
	bool again = way->count && way->down[way->count - 1].missing == missing;
	uint32_t rank = again ? way->down[way->count - 1].rank : 0;
	const struct coop_alternative *worse = alternative(x, missing, rank + 1);
	struct coop_way next = {.base = way->base, .last = missing, .count = way->count + !again};

	if (!worse)
		return;
	next.score = way->score - alternative(x, missing, rank)->fit + worse->fit;
	next.down = xcalloc(next.count, sizeof(*next.down));
	if (way->count)
		memcpy(next.down, way->down, way->count * sizeof(*next.down));
	next.down[next.count - 1] = (struct coop_turn_down){missing, rank + 1};
	push(&m->ways, next);
}

bool coop_ways_next(struct coop_merge *m)
{
	struct coop_way way;
	uint32_t missing;

	if (!m->ways.begun)
		for (uint32_t b = 0; b < m->set->logs.count; b++)
			add_first(m, b);
	m->ways.begun = true;
	if (!m->ways.heap.count)
		return false;
	way = pop(&m->ways);
	missing = (uint32_t)lack_of(m, way.base)->elements.count;
	for (uint32_t i = way.last; i < missing; i++)
		add_neighbour(m, &way, i);
	realise(m, &way);
	free(way.down);
	return true;
}

void coop_ways_fini(struct coop_ways *w)
{
	for (size_t i = 0; i < w->heap.count; i++)
		free(w->heap.items[i].down);
	vec_free(&w->heap);
	vec_free(&w->lack.elements);
	vec_free(&w->lack.first);
	vec_free(&w->lack.all);
	free(w->lack.similar);
}
