#include "explore/published/complete.h"

#include <assert.h>

/*
 * Refusals.  A question that was refused because of some of its events is refused whenever those
 * are asked for again with the same target, be it by another node over the same execution.
 */

static bool has(const uint32_t *list, uint32_t n, uint32_t e)
{
	for (uint32_t i = 0; i < n; i++) {
		if (list[i] == e)
			return true;
	}
	return false;
}

/* Whether asking for the events of t brings e along. */
static bool asked_for(const struct complete *c, const struct solve_target *t, uint32_t e)
{
	for (uint32_t i = 0; i < t->must_count; i++) {
		if (t->must[i] == e || solve_causal_before(c->causal, e, t->must[i]))
			return true;
	}
	return false;
}

static bool applies(const struct complete *c, const struct refusal *r, const struct solve_target *t)
{
	const uint32_t *events = c->refusals.events.items;

	if (r->event != t->event || r->value != t->value || r->effect != t->effect)
		return false;
	assert(r->avoid + r->avoid_count <= c->refusals.events.count);
	for (uint32_t i = 0; i < r->must_count; i++) {
		if (!asked_for(c, t, events[r->must + i]))
			return false;
	}
	for (uint32_t i = 0; i < r->avoid_count; i++) {
		if (!has(t->avoid, t->avoid_count, events[r->avoid + i]))
			return false;
	}
	return true;
}

/* Fills c->conflict from a refusal known already. */
static bool refused_before(struct complete *c, const struct solve_target *t)
{
	for (size_t i = c->refusals.items.count; i-- > 0;) {
		const struct refusal *r = &c->refusals.items.items[i];

		if (!applies(c, r, t))
			continue;
		vec_clear(&c->conflict.must);
		for (uint32_t k = 0; k < r->must_count; k++)
			vec_push(&c->conflict.must, c->refusals.events.items[r->must + k]);
		return true;
	}
	return false;
}

static void remember(struct complete *c, const struct solve_target *t)
{
	struct refusal r = {.event = t->event,
			    .effect = t->effect,
			    .value = t->value,
			    .must_count = (uint32_t)c->conflict.must.count,
			    .avoid_count = (uint32_t)c->conflict.avoid.count,
			    .lasting = c->conflict.lasting};

	r.must = (uint32_t)c->refusals.events.count;
	for (uint32_t i = 0; i < r.must_count; i++)
		vec_push(&c->refusals.events, c->conflict.must.items[i]);
	r.avoid = (uint32_t)c->refusals.events.count;
	for (uint32_t i = 0; i < r.avoid_count; i++)
		vec_push(&c->refusals.events, c->conflict.avoid.items[i]);
	vec_push(&c->refusals.items, r);
}

void complete_forget(struct complete *c, bool all)
{
	size_t kept = 0;

	if (all)
		vec_clear(&c->refusals.events);
	for (size_t i = 0; i < c->refusals.items.count && !all; i++) {
		if (c->refusals.items.items[i].lasting)
			c->refusals.items.items[kept++] = c->refusals.items.items[i];
	}
	assert(kept <= c->refusals.items.count);
	c->refusals.items.count = kept;
}

enum solve_answer complete_ask(struct complete *c, struct solve_target *t)
{
	enum solve_answer a;

	assert(c->causal && t->event < c->h.count);
	if (refused_before(c, t))
		return SOLVE_UNSAT;
	if (explore_gives_up(c->s))
		return SOLVE_UNKNOWN;
	t->conflict = &c->conflict;
	t->limit = c->s->o->limit;
	a = solve_causal_ask(c->causal, t, &c->seed);
	c->s->stats->questions++;
	c->s->stats->answers += a == SOLVE_SAT;
	c->s->stats->unknown += a == SOLVE_UNKNOWN;
	if (a == SOLVE_UNSAT)
		remember(c, t);
	return a;
}
