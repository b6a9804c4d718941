#include "solve/strace/encode.h"

#include <assert.h>

/* ---- literals ---- */

static bool same_nodes(const void *items, uint32_t number, const void *key)
{
	const struct strace_atom *x = (const struct strace_atom *)items + number, *y = key;

	return x->a == y->a && x->b == y->b;
}

static solve_var atom(struct strace_encode *x, uint32_t a, uint32_t b)
{
	struct strace_atom key = {.a = a, .b = b};
	uint64_t hash = lookup_mix(a, b);
	uint32_t known = lookup_find(&x->by_nodes, hash, same_nodes, x->atoms.items, &key);

	assert(a < b && b < x->facts->nodes);
	if (known != LOOKUP_NONE)
		return x->atoms.items[known].var;
	key.var = solve_formula_order(&x->f, a, b);
	lookup_add(&x->by_nodes, hash, (uint32_t)x->atoms.count);
	vec_push(&x->atoms, key);
	return key.var;
}

solve_lit strace_encode_before(struct strace_encode *x, uint32_t a, uint32_t b)
{
	uint32_t na = x->facts->node[a], nb = x->facts->node[b];

	assert(a < x->t->events.count && b < x->t->events.count);
	if (a == b)
		return SOLVE_FALSE;
	if (strace_facts_before(x->facts, a, b))
		return SOLVE_TRUE;
	if (strace_facts_before(x->facts, b, a))
		return SOLVE_FALSE;
	return na < nb ? solve_pos(atom(x, na, nb)) : solve_not(solve_pos(atom(x, nb, na)));
}

/* ---- clauses ---- */

void strace_encode_begin(struct strace_encode *x, enum strace_family_name family)
{
	assert(family < STRACE_FAMILIES);
	vec_clear(&x->clause);
	vec_push(&x->clause, solve_not(solve_pos(x->family[family])));
}

void strace_encode_add(struct strace_encode *x, solve_lit l)
{
	assert(x->clause.count > 0);
	vec_push(&x->clause, l);
}

void strace_encode_end(struct strace_encode *x, enum strace_family_name family)
{
	assert(x->clause.items[0] == solve_not(solve_pos(x->family[family])));
	solve_formula_clause(&x->f, x->clause.items, x->clause.count);
	x->clauses[family]++;
}

void strace_encode_init(struct strace_encode *x, const struct strace_facts *facts, bool by_core)
{
	assert(!facts->contradiction);
	*x = (struct strace_encode){.t = facts->t, .facts = facts, .by_core = by_core};
	x->buffered = wire_model_buffers(facts->o.model);
	solve_formula_init(&x->f, facts->nodes);
	for (size_t i = 0; i < facts->edges.count; i++)
		solve_formula_edge(&x->f, facts->edges.items[i].a, facts->edges.items[i].b);
	for (int i = 0; i < STRACE_FAMILIES; i++)
		x->family[i] = solve_formula_plain(&x->f, false);
	x->active = xcalloc(x->t->reads + 1, sizeof(*x->active));
}

void strace_encode_fini(struct strace_encode *x)
{
	for (uint32_t r = 0; x->active && r < x->t->reads; r++) {
		vec_free(&x->active[r].values);
		vec_free(&x->active[r]);
	}
	free(x->active);
	vec_free(&x->atoms);
	lookup_fini(&x->by_nodes);
	vec_free(&x->clause);
	solve_formula_fini(&x->f);
}

/* Clauses about an event hold only when it comes before the end. */
static void unless_over(struct strace_encode *x, uint32_t event)
{
	if (x->t->until != STRACE_NONE)
		strace_encode_add(x, strace_encode_before(x, x->t->until, event));
}

void strace_encode_guard(struct strace_encode *x, const struct strace_condition *c)
{
	if (x->t->until != STRACE_NONE && c->thread != x->t->events.items[x->t->until].thread)
		unless_over(x, c->next);
}

/* ---- synchronisation ---- */

static bool concerns(const struct strace_event *e, const struct strace_event *object)
{
	uint64_t mutex;

	if (e->op <= STRACE_END)
		return false;
	if (e->object == object->object)
		return true;
	/* A lock also changes hands in waits. */
	return (object->op == STRACE_LOCK || object->op == STRACE_UNLOCK) &&
	       (e->op == STRACE_WAIT || e->op == STRACE_WAKE) &&
	       (strace_event_takes(e, &mutex) || strace_event_gives(e, &mutex)) &&
	       mutex == object->object;
}

/* The events of an object came in this order, and the one at `bad' could not happen in it. */
static void forbid_chain(struct strace_encode *x, const struct strace_list *chain, size_t bad)
{
	strace_encode_begin(x, STRACE_BY_SYNC);
	for (size_t i = 0; i < bad; i++)
		strace_encode_add(x, strace_encode_before(x, chain->items[i + 1], chain->items[i]));
	for (size_t i = bad + 1; i < chain->count; i++)
		strace_encode_add(x, strace_encode_before(x, chain->items[i], chain->items[bad]));
	unless_over(x, chain->items[bad]);
	strace_encode_end(x, STRACE_BY_SYNC);
}

static size_t collect(const struct strace *t, const uint32_t *order, uint32_t event,
		      struct strace_list *out)
{
	size_t bad = 0;

	for (size_t i = 0; i < t->events.count; i++) {
		if (order[i] == event)
			bad = out->count;
		if (concerns(&t->events.items[order[i]], &t->events.items[event]))
			vec_push(out, order[i]);
	}
	return bad;
}

/* Somebody who is to wait for ever could go on: the objects must be used in another order. */
static void forbid_end(struct strace_encode *x, const uint32_t *order)
{
	const struct strace *t = x->t;

	assert(t->stuck.count > 0);
	strace_encode_begin(x, STRACE_BY_BUG);
	for (size_t k = 0; k < t->stuck.count; k++) {
		uint32_t last = STRACE_NONE;

		for (size_t i = 0; i < t->events.count; i++) {
			const struct strace_event *e = &t->events.items[order[i]];

			if (e->op <= STRACE_END || e->object != t->stuck.items[k].object)
				continue;
			if (last != STRACE_NONE)
				strace_encode_add(x, strace_encode_before(x, order[i], last));
			last = order[i];
		}
	}
	strace_encode_end(x, STRACE_BY_BUG);
}

/* Two sections of a lock: one must be over before the other begins. */
static void exclude(struct strace_encode *x, uint32_t a, uint32_t b)
{
	uint32_t enda = x->t->release.items[a], endb = x->t->release.items[b];

	assert(a != b);
	strace_encode_begin(x, STRACE_BY_SYNC);
	if (enda != STRACE_NONE)
		strace_encode_add(x, strace_encode_before(x, enda, b));
	if (endb != STRACE_NONE)
		strace_encode_add(x, strace_encode_before(x, endb, a));
	unless_over(x, a);
	unless_over(x, b);
	strace_encode_end(x, STRACE_BY_SYNC);
}

/* Of the takes that came so far one must come later, or a token must come earlier. */
static void want_token(struct strace_encode *x, const struct strace_list *chain, size_t bad)
{
	uint32_t e = chain->items[bad];

	strace_encode_begin(x, STRACE_BY_SYNC);
	for (size_t i = 0; i < chain->count; i++) {
		const struct strace_event *ev = &x->t->events.items[chain->items[i]];

		if (ev->op == STRACE_GIVE && i > bad)
			strace_encode_add(x, strace_encode_before(x, chain->items[i], e));
		if (ev->op == STRACE_TAKE && i < bad)
			strace_encode_add(x, strace_encode_before(x, e, chain->items[i]));
	}
	unless_over(x, e);
	strace_encode_end(x, STRACE_BY_SYNC);
}

void strace_encode_block(struct strace_encode *x, const struct strace_sim *s,
			 const struct strace_block *b, const uint32_t *order)
{
	struct strace_list chain = {NULL, 0, 0};
	const struct strace_event *e;
	size_t bad;

	(void)s;
	if (b->event == STRACE_NONE) {
		forbid_end(x, order);
		return;
	}
	if (b->by != STRACE_NONE) {
		exclude(x, b->by, b->event);
		return;
	}
	e = &x->t->events.items[b->event];
	bad = collect(x->t, order, b->event, &chain);
	assert(bad < chain.count && chain.items[bad] == b->event);
	if (e->op == STRACE_TAKE && !(e->flags & STRACE_FAILED))
		want_token(x, &chain, bad);
	else
		forbid_chain(x, &chain, bad);
	vec_free(&chain);
}
