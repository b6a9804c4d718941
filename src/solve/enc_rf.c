#include <assert.h>

#include "solve/causal_priv.h"

/* The clause "guard -> source or source …" being collected in c->lits. */

static bool writes_other(const struct solve_causal *c, uint32_t w, uint64_t value)
{
	return c->events[w].writes && c->events[w].written != value;
}

/* The store of e's own thread that e sees when it is not in memory yet, or CAUSAL_NONE. */
static uint32_t buffered(const struct solve_causal *c, uint32_t e)
{
	uint32_t o = c->own[e];

	return o == CAUSAL_NONE || causal_before(c, o, e) ? CAUSAL_NONE : o;
}

/* Some write of another value lies between w and e whatever the order. */
static bool hidden(const struct solve_causal *c, uint32_t w, uint32_t e, uint64_t value)
{
	for (uint32_t i = c->group_begin[e]; i < c->group_end[e]; i++) {
		uint32_t x = c->by_object[i];

		if (x != w && writes_other(c, x, value) && causal_before(c, w, x) &&
		    causal_before(c, x, e))
			return true;
	}
	return false;
}

/* v -> no write of another value is in the seed between w (CAUSAL_NONE: the beginning) and e. */
static void nothing_between(struct solve_causal *c, solve_lit v, uint32_t w, uint32_t e,
			    uint64_t value)
{
	for (uint32_t i = c->group_begin[e]; i < c->group_end[e]; i++) {
		uint32_t x = c->by_object[i];
		solve_lit lits[4];

		if (x == w || x == e || !writes_other(c, x, value) || causal_before(c, e, x))
			continue;
		if (w != CAUSAL_NONE && causal_before(c, x, w))
			continue;
		lits[0] = solve_not(v);
		lits[1] = solve_not(causal_in(x));
		lits[2] = w == CAUSAL_NONE ? SOLVE_FALSE : causal_order(c, x, w);
		lits[3] = causal_order(c, e, x);
		solve_formula_clause(&c->f, lits, 4);
	}
}

static void imply(struct solve_causal *c, solve_lit v, solve_lit what)
{
	solve_lit lits[2] = {solve_not(v), what};

	solve_formula_clause(&c->f, lits, 2);
}

/* v -> the write w happens and writes what it wrote. */
static void imply_whole(struct solve_causal *c, solve_lit v, uint32_t w)
{
	if (c->whole && c->whole[w] != CAUSAL_NONE)
		imply(c, v, solve_pos(c->whole[w]));
}

/* The variable rf(e, w); the value is that of w. */
static solve_lit source(struct solve_causal *c, uint32_t e, uint32_t w, uint64_t value)
{
	struct causal_slot *slot = causal_table_get(&c->sources, e, w);
	uint32_t own = buffered(c, e);
	solve_lit v;

	assert(w == CAUSAL_NONE || (c->events[w].writes && c->events[w].written == value));
	assert(w == CAUSAL_NONE || c->events[w].object == c->events[e].object);
	if (slot->var != CAUSAL_NONE)
		return solve_pos(slot->var);
	slot->var = solve_formula_plain(&c->f, false);
	v = solve_pos(slot->var);
	if (w != CAUSAL_NONE) {
		imply(c, v, causal_in(w));
		imply(c, v, causal_order(c, w, e));
		imply_whole(c, v, w);
	}
	if (own != CAUSAL_NONE) {
		imply(c, v, causal_in(own));
		imply(c, v, causal_order(c, own, e));
	}
	nothing_between(c, v, w, e, value);
	return v;
}

/* The variable "e sees the buffered store o of its thread". */
static solve_lit forwarded(struct solve_causal *c, uint32_t e, uint32_t o)
{
	struct causal_slot *slot = causal_table_get(&c->sources, e, UINT64_MAX);
	solve_lit lits[3];

	assert(c->o.forwarding && c->events[o].thread == c->events[e].thread);
	if (slot->var != CAUSAL_NONE)
		return solve_pos(slot->var);
	slot->var = solve_formula_plain(&c->f, false);
	lits[0] = solve_not(solve_pos(slot->var));
	lits[1] = solve_not(causal_in(o));
	lits[2] = causal_order(c, e, o);
	solve_formula_clause(&c->f, lits, 3);
	imply_whole(c, solve_pos(slot->var), o);
	return solve_pos(slot->var);
}

/* Whether another thread may read and write the location of e at once. */
static bool beside_atomics(const struct solve_causal *c, uint32_t e)
{
	for (uint32_t i = c->group_begin[e]; i < c->group_end[e]; i++) {
		const struct solve_event *x = &c->events[c->by_object[i]];

		if (x->op == SOLVE_RMW && x->thread != c->events[e].thread)
			return true;
	}
	return false;
}

/* guard -> e returns value; extra is one more literal it may be due to, or SOLVE_FALSE. */
static void returns(struct solve_causal *c, solve_lit guard, uint32_t e, uint64_t value,
		    solve_lit extra)
{
	uint32_t own = buffered(c, e);
	struct causal_list lits = VEC_INIT;

	assert(solve_event_reads(&c->events[e]) && c->group_begin[e] < c->group_end[e]);
	vec_push(&lits, solve_not(guard));
	vec_push(&lits, extra);
	if (own != CAUSAL_NONE && c->events[own].written == value)
		vec_push(&lits, forwarded(c, e, own));
	/* Latest first: the source it had, most often. */
	for (uint32_t i = c->group_end[e]; i-- > c->group_begin[e];) {
		uint32_t w = c->by_object[i];

		if (w == e || !c->events[w].writes || c->events[w].written != value)
			continue;
		if (!causal_before(c, e, w) && !hidden(c, w, e, value))
			vec_push(&lits, source(c, e, w, value));
	}
	if (c->own[e] == CAUSAL_NONE && c->o.initial(c->o.arg, c->events[e].object) == value)
		vec_push(&lits, source(c, e, CAUSAL_NONE, value));
	solve_formula_clause(&c->f, lits.items, lits.count);
	vec_free(&lits);
}

void causal_encode_reads(struct solve_causal *c)
{
	for (uint32_t e = 0; e < c->n; e++) {
		solve_lit extra = SOLVE_FALSE;

		c->extra[e] = CAUSAL_NONE;
		if (!solve_event_reads(&c->events[e]))
			continue;
		if (beside_atomics(c, e)) {
			c->extra[e] = solve_formula_plain(&c->f, false);
			extra = solve_pos(c->extra[e]);
		}
		returns(c, causal_kept(c, e), e, c->events[e].value, extra);
	}
}

/*
 * v -> nobody sees what the atomic access r writes: no kept read of the location lies behind r
 * unless its source does too.  Reads that return `same' may, when it is known.
 */
static void hide(struct solve_causal *c, solve_lit v, uint32_t r, const uint64_t *same)
{
	for (size_t i = 0; i < c->sources.capacity; i++) {
		const struct causal_slot *s = &c->sources.slots[i];
		uint32_t e = (uint32_t)s->a, w = (uint32_t)s->b;
		solve_lit lits[4] = {solve_not(v), SOLVE_FALSE, SOLVE_FALSE, SOLVE_FALSE};

		if (s->var == CAUSAL_NONE || e == r || s->b == UINT64_MAX ||
		    c->group_begin[e] != c->group_begin[r] || (same && c->events[e].value == *same))
			continue;
		lits[1] = solve_not(solve_pos(s->var));
		if (w != CAUSAL_NONE && w != r)
			lits[2] = causal_order(c, r, w);
		lits[3] = causal_order(c, e, r);
		solve_formula_clause(&c->f, lits, 4);
	}
}

/* Kept reads may take the value `written' from the target r. */
static void offer(struct solve_causal *c, solve_lit v, uint32_t r, uint64_t written)
{
	for (uint32_t i = c->group_begin[r]; i < c->group_end[r]; i++) {
		uint32_t e = c->by_object[i], own;
		solve_lit s, lits[3];

		if (c->extra[e] == CAUSAL_NONE || c->events[e].value != written || e == r ||
		    causal_before(c, e, r))
			continue;
		assert(e != r && !causal_before(c, e, r));
		own = buffered(c, e);
		s = solve_pos(solve_formula_plain(&c->f, false));
		imply(c, s, v);
		imply(c, s, causal_order(c, r, e));
		if (own != CAUSAL_NONE) {
			imply(c, s, causal_in(own));
			imply(c, s, causal_order(c, own, e));
		}
		nothing_between(c, s, r, e, written);
		lits[0] = solve_not(solve_pos(c->extra[e]));
		c->extra[e] = solve_formula_plain(&c->f, false);
		lits[1] = s;
		lits[2] = solve_pos(c->extra[e]);
		solve_formula_clause(&c->f, lits, 3);
	}
}

solve_lit causal_encode_target(struct solve_causal *c, const struct solve_target *t)
{
	uint32_t e = t->event;
	uint64_t key = c->events[e].op == SOLVE_RMW ? e | (uint64_t)t->effect << 32 : e;
	struct causal_slot *slot = causal_table_get(&c->targets, key, t->value);
	solve_lit v;

	if (slot->var != CAUSAL_NONE)
		return solve_pos(slot->var);
	slot->var = solve_formula_plain(&c->f, false);
	v = solve_pos(slot->var);
	for (uint32_t i = c->pred_first[e]; i < c->pred_first[e + 1]; i++)
		imply(c, v, causal_in(c->preds.items[i]));
	if (c->kept)
		causal_keep_for_target(c, v, e);
	returns(c, v, e, t->value, SOLVE_FALSE);
	if (c->events[e].op != SOLVE_RMW || t->effect == SOLVE_EFFECT_NONE)
		return v;
	hide(c, v, e, t->effect == SOLVE_EFFECT_WRITES ? &t->written : NULL);
	if (t->effect == SOLVE_EFFECT_WRITES) {
		offer(c, v, e, t->written);
		vec_push(&c->offered, v);
	}
	return v;
}
