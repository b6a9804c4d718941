#include "coop/merge_priv.h"

#include <assert.h>
#include <string.h>

/* AUTO: below this mean of vectors by logs, one vector per element is nearly all there is. */
#define FEW_KINDS 0.05
/* AUTO: an element is highly disperse above this. */
#define MANY_KINDS 0.5

static const char *const names[] = {"auto", "sgm", "dgm", "one", "hybrid", "solve"};

const char *coop_heuristic_name(enum coop_heuristic h)
{
	assert(h <= COOP_SOLVE);
	return names[h];
}

enum coop_heuristic coop_merge_heuristic(const struct coop_merge *m)
{
	return m->heuristic;
}

/* As many elements as the fullest log has. */
static uint32_t capacity(const struct coop_set *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->logs.count; i++)
		if (s->logs.items[i]->vectors.count > most)
			most = s->logs.items[i]->vectors.count;
	return (uint32_t)most;
}

static enum coop_heuristic choose(const struct coop_set *s)
{
	uint32_t room = capacity(s), disperse = 0, logged = 0;
	double sum = 0;

	for (uint32_t i = 0; i < s->elements; i++) {
		double one = coop_set_individual(s, i);

		sum += one;
		logged += one > 0;
		disperse += one > MANY_KINDS;
	}
	if (room <= 1 || (logged && sum / logged < FEW_KINDS))
		return COOP_ONE;
	return disperse <= room ? COOP_DGM : COOP_SGM;
}

struct coop_merge *coop_merge_new(const struct coop_set *s, const struct coop_merge_opts *o)
{
	struct coop_merge *m = xcalloc(1, sizeof(*m));

	m->set = s;
	m->o = *o;
	m->heuristic = o->heuristic == COOP_AUTO ? choose(s) : o->heuristic;
	rng_seed(&m->rng, o->seed);
	m->now.kinds = xcalloc((size_t)s->elements + 1, sizeof(*m->now.kinds));
	m->now.from = xcalloc((size_t)s->elements + 1, sizeof(*m->now.from));
	if (m->heuristic == COOP_SGM || m->heuristic == COOP_HYBRID)
		coop_rank_similar(m);
	if (m->heuristic == COOP_DGM || m->heuristic == COOP_HYBRID || m->heuristic == COOP_SOLVE)
		coop_rank_disperse(m);
	return m;
}

static void free_all(uint32_t **items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(items[i]);
}

void coop_merge_free(struct coop_merge *m)
{
	if (!m)
		return;
	free_all(m->tried.items, m->tried.count);
	free_all(m->deferred.items, m->deferred.count);
	vec_free(&m->tried);
	vec_free(&m->deferred);
	vec_free(&m->clashes);
	vec_free(&m->sgm.items);
	vec_free(&m->dgm.items);
	coop_ways_fini(&m->ways);
	free(m->now.kinds);
	free(m->now.from);
	free(m);
}

static bool from_ranking(struct coop_merge *m, struct coop_ranking *r)
{
	const struct coop_ranked *best;

	if (r->next == r->items.count)
		return false;
	best = &r->items.items[r->next];
	coop_candidate_begin(m, best->base);
	if (m->heuristic == COOP_SOLVE)
		m->now.bond = m->bare ? COOP_HARD : COOP_SOFT_OTHERS;
	if (!m->bare)
		(void)coop_fill_from_neighbours(m, best->base);
	m->bare = m->heuristic == COOP_SOLVE && !m->bare;
	r->next += !m->bare;
	m->now.relevance = best->relevance;
	return true;
}

static bool from_heuristic(struct coop_merge *m)
{
	struct coop_ranking *first = &m->sgm, *second = &m->dgm;

	if (m->heuristic == COOP_ONE) {
		if (!m->one_over && coop_one_next(m))
			return true;
		m->one_over = true;
		return false;
	}
	if (m->heuristic == COOP_DGM || (m->heuristic == COOP_HYBRID && m->dgm_next)) {
		first = &m->dgm;
		second = &m->sgm;
	}
	m->dgm_next = !m->dgm_next;
	return from_ranking(m, first) || from_ranking(m, second);
}

/* Remembers the combination; false when it is not new. */
static bool is_new(struct coop_merge *m)
{
	size_t n = m->set->elements, bytes = n * sizeof(uint32_t);
	/* Where orders of others are soft it matters whose they are. */
	uint32_t base = m->now.bond == COOP_HARD ? 0 : m->now.base;
	uint32_t *copy;

	for (size_t i = 0; i < m->tried.count; i++)
		if (m->tried.items[i][n] == base && !memcmp(m->tried.items[i], m->now.kinds, bytes))
			return false;
	copy = xcalloc(n + 1, sizeof(*copy));
	memcpy(copy, m->now.kinds, bytes);
	copy[n] = base;
	vec_push(&m->tried, copy);
	return true;
}

static bool has_clash(const struct coop_merge *m)
{
	for (size_t i = 0; i < m->clashes.count; i++) {
		const struct coop_clash *c = &m->clashes.items[i];
		const struct coop_kind *kinds = m->set->kinds.items;

		if (m->now.kinds[kinds[c->a].element] == c->a &&
		    m->now.kinds[kinds[c->b].element] == c->b)
			return true;
	}
	return false;
}

static void defer(struct coop_merge *m)
{
	size_t n = m->set->elements;
	uint32_t *row = xcalloc(2 * n + 1, sizeof(*row));

	memcpy(row, m->now.kinds, n * sizeof(*row));
	memcpy(row + n, m->now.from, n * sizeof(*row));
	row[2 * n] = m->now.base;
	vec_push(&m->deferred, row);
}

static bool from_deferred(struct coop_merge *m)
{
	size_t n = m->set->elements;
	const uint32_t *row;

	if (m->deferred_next == m->deferred.count)
		return false;
	row = m->deferred.items[m->deferred_next++];
	memcpy(m->now.kinds, row, n * sizeof(*row));
	memcpy(m->now.from, row + n, n * sizeof(*row));
	m->now.base = row[2 * n];
	m->now.relevance = 0;
	return true;
}

const struct coop_candidate *coop_merge_next(struct coop_merge *m)
{
	while (from_heuristic(m) || (m->heuristic != COOP_SOLVE && coop_ways_next(m))) {
		if (!is_new(m))
			continue;
		if (!has_clash(m))
			return &m->now;
		defer(m);
	}
	return from_deferred(m) ? &m->now : NULL;
}

void coop_merge_stuck(struct coop_merge *m, uint32_t element, uint32_t other)
{
	assert(element < m->set->elements && other < m->set->elements);
	coop_merge_clash(m, m->now.kinds[element], m->now.kinds[other]);
}

void coop_merge_clash(struct coop_merge *m, uint32_t kind, uint32_t other)
{
	if (kind != COOP_NONE && other != COOP_NONE && kind != other)
		vec_push(&m->clashes, ((struct coop_clash){kind, other}));
}
