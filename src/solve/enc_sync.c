#include <assert.h>

#include "solve/causal_priv.h"

/* A stretch in which a thread holds a lock; either end may lie outside the history. */
struct section {
	uint32_t thread;
	uint64_t object;
	uint32_t lock, unlock; /* events or CAUSAL_NONE */
};

struct sections {
	VEC_FIELDS(struct section);
};

static void find_sections(const struct solve_causal *c, struct sections *s)
{
	for (uint32_t i = 0; i < c->n; i++) {
		const struct solve_event *e = &c->events[c->po[i]];
		struct section new = {e->thread, e->object, CAUSAL_NONE, CAUSAL_NONE};
		size_t k = s->count;

		if (e->op == SOLVE_LOCK) {
			new.lock = c->po[i];
			vec_push(s, new);
		}
		if (e->op != SOLVE_UNLOCK)
			continue;
		while (k-- > 0 &&
		       (s->items[k].thread != e->thread || s->items[k].object != e->object))
			;
		if (k != SIZE_MAX && s->items[k].unlock == CAUSAL_NONE) {
			s->items[k].unlock = c->po[i];
		} else {
			new.unlock = c->po[i];
			vec_push(s, new);
		}
	}
}

static solve_lit in_or_false(uint32_t e)
{
	return e == CAUSAL_NONE ? SOLVE_FALSE : causal_in(e);
}

/* Both in, a first: then a is over before b begins. */
static void one_way(struct solve_causal *c, const struct section *a, const struct section *b,
		    solve_lit first)
{
	solve_lit lits[4] = {SOLVE_FALSE, SOLVE_FALSE, solve_not(first), in_or_false(a->unlock)};

	if (a->lock != CAUSAL_NONE)
		lits[0] = solve_not(causal_in(a->lock));
	if (b->lock != CAUSAL_NONE)
		lits[1] = solve_not(causal_in(b->lock));
	solve_formula_clause(&c->f, lits, 4);
	lits[3] = a->unlock == CAUSAL_NONE ? SOLVE_FALSE : causal_order(c, a->unlock, b->lock);
	solve_formula_clause(&c->f, lits, 4);
}

static void exclude(struct solve_causal *c, const struct section *a, const struct section *b)
{
	solve_lit first;

	assert(a->thread != b->thread && a->object == b->object);
	assert(a->lock != CAUSAL_NONE || a->unlock != CAUSAL_NONE);
	/* Held from before the history on: the holder comes first. */
	if (a->lock == CAUSAL_NONE && b->lock == CAUSAL_NONE)
		return;
	if (a->lock == CAUSAL_NONE) {
		one_way(c, a, b, SOLVE_TRUE);
	} else if (b->lock == CAUSAL_NONE) {
		one_way(c, b, a, SOLVE_TRUE);
	} else {
		first = causal_order(c, a->lock, b->lock);
		one_way(c, a, b, first);
		one_way(c, b, a, solve_not(first));
	}
}

void causal_encode_sync(struct solve_causal *c)
{
	struct sections s = VEC_INIT;

	find_sections(c, &s);
	for (size_t i = 0; i < s.count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (s.items[i].object == s.items[k].object &&
			    s.items[i].thread != s.items[k].thread)
				exclude(c, &s.items[k], &s.items[i]);
		}
	}
	vec_free(&s);
}
