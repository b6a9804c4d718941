#include <assert.h>

#include "solve/causal_priv.h"

/*
 * Reads whose values matter.  kept(r) implies in(r) and a source for the value r had (enc_rf.c);
 * whole(w) implies kept(r) for every read r that the write w depends on.
 */

static void imply(struct solve_causal *c, solve_lit v, solve_lit what)
{
	solve_lit lits[2] = {solve_not(v), what};

	solve_formula_clause(&c->f, lits, 2);
}

static bool writes(const struct solve_event *e)
{
	return e->op <= SOLVE_RMW && e->writes;
}

/* An atomic access writes according to what it read itself. */
static bool matters(const struct solve_causal *c, uint32_t r, uint32_t w)
{
	if (!solve_event_reads(&c->events[r]))
		return false;
	return r == w || (causal_before(c, r, w) && causal_depends(c, r, w));
}

static void encode_whole(struct solve_causal *c, uint32_t w)
{
	for (uint32_t r = 0; r < c->n; r++) {
		if (!matters(c, r, w))
			continue;
		if (c->whole[w] == CAUSAL_NONE)
			c->whole[w] = solve_formula_plain(&c->f, false);
		assert(c->kept[r] != CAUSAL_NONE);
		imply(c, solve_pos(c->whole[w]), solve_pos(c->kept[r]));
	}
}

void causal_encode_dependences(struct solve_causal *c)
{
	c->kept = xcalloc((size_t)c->n + 1, sizeof(*c->kept));
	c->whole = xcalloc((size_t)c->n + 1, sizeof(*c->whole));
	for (uint32_t e = 0; e < c->n; e++) {
		c->kept[e] = c->whole[e] = CAUSAL_NONE;
		if (!solve_event_reads(&c->events[e]))
			continue;
		c->kept[e] = solve_formula_plain(&c->f, false);
		imply(c, solve_pos(c->kept[e]), causal_in(e));
	}
	for (uint32_t e = 0; e < c->n; e++) {
		if (writes(&c->events[e]))
			encode_whole(c, e);
	}
}

static bool target_needs(const struct solve_causal *c, uint32_t r, uint32_t e)
{
	return solve_event_reads(&c->events[r]) && causal_before(c, r, e) &&
	       (c->o.target_keeps_all || causal_depends(c, r, e));
}

void causal_keep_for_target(struct solve_causal *c, solve_lit v, uint32_t e)
{
	for (uint32_t r = 0; r < c->n; r++) {
		if (!target_needs(c, r, e))
			continue;
		assert(c->kept[r] != CAUSAL_NONE);
		imply(c, v, solve_pos(c->kept[r]));
	}
}

struct measure {
	struct solve_causal *c;
	uint8_t *seen; /* by event */
	struct causal_list todo;
	uint64_t constraints;
};

static void need(struct measure *m, uint32_t r)
{
	if (!m->seen[r])
		vec_push(&m->todo, r);
	m->seen[r] = 1;
}

/* Writes that may lie between w (CAUSAL_NONE: the beginning) and e and must not. */
static uint32_t others(const struct solve_causal *c, uint32_t w, uint32_t e, uint64_t value)
{
	uint32_t n = 0;

	for (uint32_t i = c->group_begin[e]; i < c->group_end[e]; i++) {
		uint32_t x = c->by_object[i];

		n += x != w && x != e && c->events[x].writes && c->events[x].written != value &&
		     !causal_before(c, e, x) && (w == CAUSAL_NONE || !causal_before(c, x, w));
	}
	return n;
}

static void measure_read(struct measure *m, uint32_t e, uint64_t value)
{
	struct solve_causal *c = m->c;

	if (c->o.initial(c->o.arg, c->events[e].object) == value && c->own[e] == CAUSAL_NONE)
		m->constraints += others(c, CAUSAL_NONE, e, value);
	for (uint32_t i = c->group_begin[e]; i < c->group_end[e]; i++) {
		uint32_t w = c->by_object[i];

		if (w == e || !c->events[w].writes || c->events[w].written != value ||
		    causal_before(c, e, w))
			continue;
		m->constraints += others(c, w, e, value);
		for (uint32_t r = 0; r < c->n; r++) {
			if (matters(c, r, w))
				need(m, r);
		}
	}
}

void solve_causal_measure(struct solve_causal *c, const struct solve_target *t, uint64_t *reads,
			  uint64_t *constraints)
{
	struct measure m = {.c = c, .seen = xcalloc((size_t)c->n + 1, 1)};

	for (uint32_t r = 0; r < c->n; r++) {
		if (target_needs(c, r, t->event))
			need(&m, r);
	}
	measure_read(&m, t->event, t->value);
	for (size_t i = 0; i < m.todo.count; i++)
		measure_read(&m, m.todo.items[i], c->events[m.todo.items[i]].value);
	*reads += m.todo.count + 1;
	*constraints += m.constraints;
	vec_free(&m.todo);
	free(m.seen);
}
