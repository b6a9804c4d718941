#include <assert.h>

#include "solve/causal_priv.h"
#include "wire/ctl.h"

/* What the next event of a thread has to follow. */
struct tail {
	uint32_t load;		   /* last read or synchronisation */
	uint32_t store;		   /* last write or synchronisation */
	struct causal_list stores; /* PSO: last write to each location since */
};

struct builder {
	struct solve_causal *c;
	struct causal_list of; /* predecessors of the event at hand */
};

static void follow(struct builder *b, uint32_t p)
{
	if (p == CAUSAL_NONE)
		return;
	assert(p < b->c->n);
	for (size_t i = 0; i < b->of.count; i++) {
		if (b->of.items[i] == p)
			return;
	}
	vec_push(&b->of, p);
}

static uint32_t *same_location(struct builder *b, struct tail *t, uint64_t object)
{
	for (size_t i = 0; i < t->stores.count; i++) {
		if (b->c->events[t->stores.items[i]].object == object)
			return &t->stores.items[i];
	}
	return NULL;
}

static void follow_sync(struct builder *b, struct tail *t, uint32_t e)
{
	follow(b, t->load);
	follow(b, t->store);
	for (size_t i = 0; i < t->stores.count; i++)
		follow(b, t->stores.items[i]);
	assert(wire_model_reorders(b->c->o.model) || t->stores.count == 0);
	vec_clear(&t->stores);
	t->load = t->store = e;
}

static void follow_write(struct builder *b, struct tail *t, uint32_t e)
{
	uint32_t *same;

	follow(b, t->load);
	if (!wire_model_reorders(b->c->o.model)) {
		follow(b, t->store);
		t->store = e;
		return;
	}
	same = same_location(b, t, b->c->events[e].object);
	if (same) {
		follow(b, *same);
		*same = e;
	} else {
		follow(b, t->store);
		vec_push(&t->stores, e);
	}
}

static void follow_po(struct builder *b, struct tail *t, uint32_t e)
{
	const struct solve_event *ev = &b->c->events[e];

	if (!wire_model_buffers(b->c->o.model) || solve_event_syncs(ev)) {
		follow_sync(b, t, e);
	} else if (ev->op == SOLVE_WRITE) {
		follow_write(b, t, e);
	} else {
		follow(b, t->load);
		if (!b->c->o.forwarding)
			follow(b, b->c->own[e]);
		t->load = e;
	}
}

/*
 * Forks before beginnings, endings before joins.  A thread may begin with several events that have
 * no order among them; b->of is what e has to follow in its own thread.
 */
static void follow_other(struct builder *b, uint32_t e)
{
	const struct solve_causal *c = b->c;
	const struct solve_event *ev = &c->events[e];
	bool first = !b->of.count;

	for (uint32_t i = 0; i < c->n && (first || ev->op == SOLVE_JOIN); i++) {
		const struct solve_event *o = &c->events[i];

		if (first && o->op == SOLVE_FORK && o->object == ev->thread)
			follow(b, i);
		if (ev->op == SOLVE_JOIN && o->op == SOLVE_END && o->thread == ev->object)
			follow(b, i);
	}
}

/* The place of events in the history is a topological order: one sweep from the end closes it. */
static void close_relation(struct solve_causal *c)
{
	c->row = (c->n + 63) / 64 + (c->n == 0);
	c->after = xcalloc(c->row * (c->n + 1), sizeof(uint64_t));
	for (uint32_t e = c->n; e-- > 0;) {
		for (uint32_t i = c->pred_first[e]; i < c->pred_first[e + 1]; i++) {
			uint32_t p = c->preds.items[i];

			assert(p < e);
			for (size_t w = 0; w < c->row; w++)
				c->after[p * c->row + w] |= c->after[e * c->row + w];
			c->after[p * c->row + e / 64] |= UINT64_C(1) << (e % 64);
		}
	}
}

void causal_encode_order(struct solve_causal *c)
{
	struct builder b = {.c = c};
	struct tail t = {CAUSAL_NONE, CAUSAL_NONE, VEC_INIT};
	uint32_t *count = xcalloc((size_t)c->n + 1, sizeof(*count));
	struct causal_list all = VEC_INIT;

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t e = c->po[i];

		if (!i || c->events[c->po[i - 1]].thread != c->events[e].thread) {
			t.load = t.store = CAUSAL_NONE;
			vec_clear(&t.stores);
		}
		vec_clear(&b.of);
		follow_po(&b, &t, e);
		follow_other(&b, e);
		for (size_t k = 0; k < b.of.count; k++) {
			solve_lit implies[2] = {solve_not(causal_in(e)), causal_in(b.of.items[k])};

			vec_push(&all, e);
			vec_push(&all, b.of.items[k]);
			count[e]++;
			solve_formula_edge(&c->f, b.of.items[k], e);
			solve_formula_clause(&c->f, implies, 2);
		}
	}
	for (uint32_t e = 0; e < c->n; e++)
		c->pred_first[e + 1] = c->pred_first[e] + count[e];
	vec_reserve(&c->preds, all.count / 2 + 1);
	c->preds.count = all.count / 2;
	assert(c->pred_first[c->n] == c->preds.count);
	for (size_t i = 0; i < all.count; i += 2) {
		uint32_t e = all.items[i];

		assert(count[e] > 0);
		c->preds.items[c->pred_first[e] + --count[e]] = all.items[i + 1];
	}
	close_relation(c);
	vec_free(&all);
	vec_free(&b.of);
	vec_free(&t.stores);
	free(count);
}
