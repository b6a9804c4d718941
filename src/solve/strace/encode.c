#include "solve/strace/encode.h"

#include <assert.h>

/* ---- literals ---- */

static void atoms_grow(struct repro_atoms *a)
{
	struct repro_atoms old = *a;

	a->capacity = old.capacity ? old.capacity * 2 : 1024;
	a->keys = xcalloc(a->capacity, sizeof(*a->keys));
	a->vars = xcalloc(a->capacity, sizeof(*a->vars));
	for (size_t i = 0; i < old.capacity; i++) {
		size_t at = old.keys[i] * UINT64_C(0x9e3779b97f4a7c15) >> 20;

		if (!old.keys[i])
			continue;
		while (a->keys[at &= a->capacity - 1])
			at++;
		a->keys[at] = old.keys[i];
		a->vars[at] = old.vars[i];
	}
	free(old.keys);
	free(old.vars);
}

static solve_var atom(struct repro_encode *x, uint32_t a, uint32_t b)
{
	uint64_t key = ((uint64_t)a << 32 | b) + 1;
	size_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 20;

	assert(a < b);
	if (x->atoms.used * 2 >= x->atoms.capacity)
		atoms_grow(&x->atoms);
	for (;; at++) {
		at &= x->atoms.capacity - 1;
		if (x->atoms.keys[at] == key)
			return x->atoms.vars[at];
		if (!x->atoms.keys[at])
			break;
	}
	x->atoms.keys[at] = key;
	x->atoms.vars[at] = solve_formula_order(&x->f, a, b);
	x->atoms.used++;
	return x->atoms.vars[at];
}

solve_lit repro_encode_before(struct repro_encode *x, uint32_t a, uint32_t b)
{
	uint32_t na = x->facts->node[a], nb = x->facts->node[b];

	if (a == b)
		return SOLVE_FALSE;
	if (repro_facts_before(x->facts, a, b))
		return SOLVE_TRUE;
	if (repro_facts_before(x->facts, b, a))
		return SOLVE_FALSE;
	return na < nb ? solve_pos(atom(x, na, nb)) : solve_not(solve_pos(atom(x, nb, na)));
}

/* ---- clauses ---- */

void repro_encode_begin(struct repro_encode *x, enum repro_family_name family)
{
	vec_clear(&x->clause);
	vec_push(&x->clause, solve_not(solve_pos(x->family[family])));
}

void repro_encode_add(struct repro_encode *x, solve_lit l)
{
	vec_push(&x->clause, l);
}

void repro_encode_end(struct repro_encode *x, enum repro_family_name family)
{
	solve_formula_clause(&x->f, x->clause.items, x->clause.count);
	x->clauses[family]++;
}

void repro_encode_init(struct repro_encode *x, const struct repro_facts *facts, bool by_core)
{
	assert(!facts->contradiction);
	*x = (struct repro_encode){.t = facts->t, .facts = facts, .by_core = by_core};
	x->buffered = wire_model_buffers(facts->o.model);
	solve_formula_init(&x->f, facts->nodes);
	for (size_t i = 0; i < facts->edges.count; i++)
		solve_formula_edge(&x->f, facts->edges.items[i].a, facts->edges.items[i].b);
	for (int i = 0; i < REPRO_FAMILIES; i++)
		x->family[i] = solve_formula_plain(&x->f, false);
	x->active = xcalloc(x->t->reads + 1, sizeof(*x->active));
	atoms_grow(&x->atoms);
}

void repro_encode_fini(struct repro_encode *x)
{
	for (uint32_t r = 0; x->active && r < x->t->reads; r++) {
		vec_free(&x->active[r].values);
		vec_free(&x->active[r]);
	}
	free(x->active);
	free(x->atoms.keys);
	free(x->atoms.vars);
	vec_free(&x->clause);
	solve_formula_fini(&x->f);
}

/* Clauses about an event hold only when it comes before the end. */
static void unless_over(struct repro_encode *x, uint32_t event)
{
	if (x->t->until != REPRO_NONE)
		repro_encode_add(x, repro_encode_before(x, x->t->until, event));
}

void repro_encode_guard(struct repro_encode *x, const struct repro_condition *c)
{
	if (x->t->until != REPRO_NONE && c->thread != x->t->events.items[x->t->until].thread)
		unless_over(x, c->next);
}

/* ---- synchronisation ---- */

static bool concerns(const struct repro_event *e, const struct repro_event *object)
{
	uint64_t mutex;

	if (e->op <= REPRO_END)
		return false;
	if (e->object == object->object)
		return true;
	/* A lock also changes hands in waits. */
	return (object->op == REPRO_LOCK || object->op == REPRO_UNLOCK) &&
	       (e->op == REPRO_WAIT || e->op == REPRO_WAKE) &&
	       (repro_event_takes(e, &mutex) || repro_event_gives(e, &mutex)) &&
	       mutex == object->object;
}

/* The events of an object came in this order, and the one at `bad' could not happen in it. */
static void forbid_chain(struct repro_encode *x, const struct repro_list *chain, size_t bad)
{
	repro_encode_begin(x, REPRO_BY_SYNC);
	for (size_t i = 0; i < bad; i++)
		repro_encode_add(x, repro_encode_before(x, chain->items[i + 1], chain->items[i]));
	for (size_t i = bad + 1; i < chain->count; i++)
		repro_encode_add(x, repro_encode_before(x, chain->items[i], chain->items[bad]));
	unless_over(x, chain->items[bad]);
	repro_encode_end(x, REPRO_BY_SYNC);
}

static size_t collect(const struct repro_strace *t, const uint32_t *order, uint32_t event,
		      struct repro_list *out)
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
static void forbid_end(struct repro_encode *x, const uint32_t *order)
{
	const struct repro_strace *t = x->t;

	repro_encode_begin(x, REPRO_BY_BUG);
	for (size_t k = 0; k < t->stuck.count; k++) {
		uint32_t last = REPRO_NONE;

		for (size_t i = 0; i < t->events.count; i++) {
			const struct repro_event *e = &t->events.items[order[i]];

			if (e->op <= REPRO_END || e->object != t->stuck.items[k].object)
				continue;
			if (last != REPRO_NONE)
				repro_encode_add(x, repro_encode_before(x, order[i], last));
			last = order[i];
		}
	}
	repro_encode_end(x, REPRO_BY_BUG);
}

/* Two sections of a lock: one must be over before the other begins. */
static void exclude(struct repro_encode *x, uint32_t a, uint32_t b)
{
	uint32_t enda = x->t->release.items[a], endb = x->t->release.items[b];

	repro_encode_begin(x, REPRO_BY_SYNC);
	if (enda != REPRO_NONE)
		repro_encode_add(x, repro_encode_before(x, enda, b));
	if (endb != REPRO_NONE)
		repro_encode_add(x, repro_encode_before(x, endb, a));
	unless_over(x, a);
	unless_over(x, b);
	repro_encode_end(x, REPRO_BY_SYNC);
}

/* Of the takes that came so far one must come later, or a token must come earlier. */
static void want_token(struct repro_encode *x, const struct repro_list *chain, size_t bad)
{
	uint32_t e = chain->items[bad];

	repro_encode_begin(x, REPRO_BY_SYNC);
	for (size_t i = 0; i < chain->count; i++) {
		const struct repro_event *ev = &x->t->events.items[chain->items[i]];

		if (ev->op == REPRO_GIVE && i > bad)
			repro_encode_add(x, repro_encode_before(x, chain->items[i], e));
		if (ev->op == REPRO_TAKE && i < bad)
			repro_encode_add(x, repro_encode_before(x, e, chain->items[i]));
	}
	unless_over(x, e);
	repro_encode_end(x, REPRO_BY_SYNC);
}

void repro_encode_block(struct repro_encode *x, const struct repro_sim *s,
			const struct repro_block *b, const uint32_t *order)
{
	struct repro_list chain = {NULL, 0, 0};
	const struct repro_event *e;
	size_t bad;

	(void)s;
	if (b->event == REPRO_NONE) {
		forbid_end(x, order);
		return;
	}
	if (b->by != REPRO_NONE) {
		exclude(x, b->by, b->event);
		return;
	}
	e = &x->t->events.items[b->event];
	bad = collect(x->t, order, b->event, &chain);
	if (e->op == REPRO_TAKE && !(e->flags & REPRO_FAILED))
		want_token(x, &chain, bad);
	else
		forbid_chain(x, &chain, bad);
	vec_free(&chain);
}
