#include "explore/published/complete.h"

#include <assert.h>

static uint64_t initial(void *arg, uint64_t object)
{
	struct explore_executor *x = arg;

	return x->initial(x, object);
}

/* Reads and what waits for the store buffer take effect in program order. */
static void find_reads_before(struct complete *c)
{
	VEC(uint32_t) last = VEC_INIT; /* read of each thread */

	c->read_before = xmalloc((c->h.count + 1) * sizeof(*c->read_before));
	for (uint32_t e = 0; e < c->h.count; e++) {
		uint32_t t = c->h.items[e].thread;

		while (last.count <= t)
			vec_push(&last, UINT32_MAX);
		c->read_before[e] = last.items[t];
		if (solve_event_reads(&c->h.items[e]))
			last.items[t] = e;
	}
	vec_free(&last);
}

void complete_look_at(struct complete *c, uint32_t number)
{
	struct solve_causal_opts o = {.model = c->s->x->model,
				      .forwarding = true,
				      .initial = initial,
				      .arg = c->s->x,
				      .backend = c->s->o->backend};

	assert(number < c->s->states.items.count);
	if (c->state == number)
		return;
	solve_causal_free(c->causal);
	free(c->is_frozen);
	free(c->read_before);
	states_history(&c->s->states, number, &c->h, &c->nodes);
	c->causal = solve_causal_new(c->h.items, (uint32_t)c->h.count, &o);
	c->is_frozen = xcalloc(c->h.count + 1, 1);
	assert(c->h.count == c->nodes.count);
	find_reads_before(c);
	complete_forget(c, true);
	c->state = number;
}

/* Index after the last event the node wants of a thread besides reads. */
static uint32_t step_of(const struct wanted *w, uint32_t thread)
{
	return thread < w->steps.count ? w->steps.items[thread] : 0;
}

void complete_enter(struct complete *c, const struct work *w)
{
	assert(c->state != STATE_NONE);
	c->at = w;
	vec_clear(&c->must);
	for (uint32_t e = 0; e < c->h.count; e++) {
		const struct solve_event *ev = &c->h.items[e];
		uint32_t t = ev->thread, step = step_of(&w->wanted, t);
		uint32_t node = t < w->wanted.frozen.count ? w->wanted.frozen.items[t] : 0;

		c->is_frozen[e] = solve_event_reads(ev) && node &&
				  past_covers(&c->s->states.past, c->nodes.items[e], node);
		if (step ? ev->index + 1 == step : c->is_frozen[e] && c->nodes.items[e] == node)
			vec_push(&c->must, e);
	}
}

/* Steps the node wanted, and the target when it is one, unless a read of the seed is behind them.
 */
static void keep_steps(struct complete *c, const struct solve_target *t)
{
	vec_clear(&c->wanted.steps);
	for (size_t i = 0; i < c->seed.count; i++) {
		uint32_t e = c->seed.items[i];
		const struct solve_event *ev = &c->h.items[e];
		uint32_t *step, own = step_of(&c->at->wanted, ev->thread);

		while (c->wanted.steps.count <= ev->thread)
			vec_push(&c->wanted.steps, 0);
		step = &c->wanted.steps.items[ev->thread];
		if (solve_event_reads(ev))
			*step = 0;
		else if (ev->index + 1 == own || e == t->event)
			*step = ev->index + 1;
	}
}

void complete_freeze(struct complete *c, const struct solve_target *t)
{
	const struct solve_event *r = &c->h.items[t->event];
	uint32_t before = 0;

	assert(t->event < c->h.count);
	vec_clear(&c->wanted.frozen);
	for (size_t i = 0; i < c->seed.count; i++) {
		uint32_t e = c->seed.items[i], thread = c->h.items[e].thread;

		while (c->wanted.frozen.count <= thread)
			vec_push(&c->wanted.frozen, 0);
		/* Reads of a thread stay in their order: the last one has the longest past. */
		if (e != t->event && solve_event_reads(&c->h.items[e]))
			c->wanted.frozen.items[thread] = c->nodes.items[e];
	}
	keep_steps(c, t);
	if (!solve_event_reads(r))
		return;
	assert(r->thread < c->wanted.frozen.count); /* the target is in its seed */
	before = c->wanted.frozen.items[r->thread];
	c->wanted.frozen.items[r->thread] =
		past_child(&c->s->states.past, before, r->thread, t->value);
}

/* The node at hand is to be asked about t again when more is known. */
static void postpone(struct complete *c, const struct solve_target *t)
{
	const struct solve_event *r = &c->h.items[t->event];
	struct work *w = frontier_work_new(&c->at->wanted, c->at->steps);

	assert(r->op == SOLVE_RMW && w->steps == c->at->steps);
	memcpy(w->seed, c->at->seed, w->steps * sizeof(w->seed[0]));
	w->again = true;
	w->target = (struct solve_step){r->thread, r->index};
	w->value = t->value;
	w->parent = c->s->states.past.nodes.items[c->nodes.items[t->event]].parent;
	w->state = c->state;
	w->next = c->frontier.postponed;
	c->frontier.postponed = w;
}

void complete_learn_effect(struct complete *c, struct solve_target *t)
{
	const struct past *p = &c->s->states.past;
	uint32_t node;

	t->effect = SOLVE_EFFECT_UNKNOWN;
	if (c->h.items[t->event].op != SOLVE_RMW)
		return;
	node = past_look(p, p->nodes.items[c->nodes.items[t->event]].parent, t->value);
	if (!node || !p->nodes.items[node].known) {
		if (c->must.count)
			postpone(c, t);
		return;
	}
	t->effect = p->nodes.items[node].writes ? SOLVE_EFFECT_WRITES : SOLVE_EFFECT_NONE;
	t->written = p->nodes.items[node].written;
}

static bool effect_known(const struct complete *c, const struct work *w)
{
	uint32_t node = past_look(&c->s->states.past, w->parent, w->value);

	return node && c->s->states.past.nodes.items[node].known;
}

void complete_resume(struct complete *c)
{
	struct work *w = c->frontier.postponed;

	c->frontier.postponed = NULL;
	while (w) {
		struct work *next = w->next;

		assert(w->again);
		if (effect_known(c, w)) {
			frontier_add(&c->frontier, w);
		} else {
			w->next = c->frontier.postponed;
			c->frontier.postponed = w;
		}
		w = next;
	}
}
