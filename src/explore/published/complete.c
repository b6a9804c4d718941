/*
 * Complete exploration: values are frozen, not orders.
 *
 * A node is a map from reads to values (a tuple of the tree in past.h) with one seed that realises
 * it.  A node looks at one execution that agrees with it, if possible one that has been made
 * already, and asks of every other read there whether it could return each other value its location
 * ever has, in an execution in which the node's reads still return theirs.  Each answer is a new
 * node.
 *
 *  - Neither the order of the seed is frozen nor the writes its reads took their values from, so
 *    nothing that agrees with the values is excluded.
 *  - A read may see its value for different reasons, which need different reads to have happened:
 *    the answer is asked for again without each read it needed and did not have to need (`avoid').
 *  - When nothing fits together with the node's reads, the read is tried without them (fallback):
 *    a critical section around it may have to come before one of theirs, or they may take their
 *    values from writes that this execution does not have.
 *  - In an execution that ends in a deadlock, the operations its threads are blocked at are targets
 *    too: another order may let them happen.
 *
 * An execution is made only when no known one agrees with the node, so every execution shows a
 * state not seen before.
 */
#include <assert.h>

#include "explore/published/complete.h"

/* Sets of events to avoid that were tried for one target are more than this: something is odd. */
#define ALTERNATIVES 4096
/* Parts of a node tried with a target that does not go together with all of it. */
#define PARTS 512

static void push(struct complete *c)
{
	struct work *w = frontier_work_new(&c->wanted, c->seed.count);

	for (size_t i = 0; i < c->seed.count; i++) {
		const struct solve_event *e = &c->h.items[c->seed.items[i]];

		w->seed[i] = (struct solve_step){e->thread, e->index};
	}
	frontier_add(&c->frontier, w);
	c->s->stats->nodes++;
}

/* An execution that agrees with w: the one at hand, a known one, or a new one. */
static int find_execution(struct complete *c, const struct work *w)
{
	struct explore_search *s = c->s;
	uint32_t number = STATE_NONE;
	bool fresh;
	int rc;

	if (w->again)
		number = w->state;
	else if (c->state != STATE_NONE && states_agree(&s->states, c->state, &w->wanted))
		number = c->state;
	else
		number = states_find(&s->states, &w->wanted);
	if (number != STATE_NONE) {
		s->stats->reused++;
	} else {
		rc = explore_execute(s, w->seed, w->steps, &number, &fresh);
		if (rc || number == STATE_NONE) {
			c->state = STATE_NONE;
			return rc;
		}
		if (!states_agree(&s->states, number, &w->wanted))
			return err_set(s->e, ERR_INTERNAL,
				       "an execution does not show what its seed promised");
	}
	complete_look_at(c, number);
	return 0;
}

/* Adds avoid ∪ {x} to the sets to try unless it is there. */
static void try_without(struct complete *c, const uint32_t *avoid, uint32_t n, uint32_t x)
{
	uint32_t set[64], at = 0;

	if (n + 1 > 64) {
		c->s->stats->unknown++;
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (avoid[i] == x)
			return;
		if (avoid[i] < x)
			at = i + 1;
	}
	memcpy(set, avoid, at * sizeof(*set));
	set[at] = x;
	memcpy(set + at + 1, avoid + at, (n - at) * sizeof(*set));
	for (size_t i = 0; i < c->avoids.count; i += c->avoids.items[i] + 1) {
		if (c->avoids.items[i] == n + 1 &&
		    !memcmp(c->avoids.items + i + 1, set, (n + 1) * sizeof(*set)))
			return;
	}
	vec_push(&c->avoids, n + 1);
	for (uint32_t i = 0; i <= n; i++)
		vec_push(&c->avoids, set[i]);
}

/* Makes the seed at hand a node; reads it needed without having to are to be tried without. */
static void branch(struct complete *c, const struct solve_target *t)
{
	complete_freeze(c, t);
	if (frontier_meet(&c->frontier, &c->wanted))
		push(c);
	c->s->stats->alternatives += t->avoid_count != 0;
	for (size_t i = 0; i < c->seed.count; i++) {
		uint32_t x = c->seed.items[i];

		if (solve_event_reads(&c->h.items[x]) && x != t->event && !c->is_frozen[x] &&
		    !solve_causal_before(c->causal, x, t->event))
			try_without(c, t->avoid, t->avoid_count, x);
	}
}

/* Adds to the parts to try the part at `at' with its thread `cut' going only up to `to'. */
static void add_part(struct complete *c, size_t at, uint32_t cut, uint32_t to)
{
	uint32_t n = (uint32_t)c->must.count;
	size_t new = c->parts.count;

	assert(cut < n && at + n <= new && new % n == 0);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&c->parts, i == cut ? to : c->parts.items[at + i]);
	for (size_t old = 0; old < new; old += n) {
		if (!memcmp(c->parts.items + old, c->parts.items + new, n * sizeof(uint32_t))) {
			c->parts.count = new;
			return;
		}
	}
}

/*
 * The part at `at' was refused because of the events in c->conflict: a part that fits lacks one of
 * them.
 */
static void cut_part(struct complete *c, size_t at)
{
	uint32_t n = (uint32_t)c->must.count;

	for (size_t k = 0; k < c->conflict.must.count; k++) {
		uint32_t e = c->conflict.must.items[k];

		for (uint32_t i = 0; i < n; i++) {
			uint32_t last = c->parts.items[at + i];

			if (last != UINT32_MAX && c->h.items[last].thread == c->h.items[e].thread)
				add_part(c, at, i, c->read_before[e]);
		}
	}
}

/*
 * The target does not go together with the node.  If it can be had at all: with each part of the
 * node, cut short thread by thread, that is as large as possible.
 */
static void fall_back(struct complete *c, struct solve_target *t)
{
	uint32_t n = (uint32_t)c->must.count, tried = 0;
	struct solve_seed must = VEC_INIT;

	assert(n > 0); /* otherwise there is nothing to give up */
	c->s->stats->fallbacks++;
	t->must_count = 0;
	if (complete_ask(c, t) != SOLVE_SAT)
		return;
	branch(c, t);
	vec_clear(&c->parts);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&c->parts, c->must.items[i]);
	for (size_t at = 0; at < c->parts.count; at += n) {
		/* Giving up here may miss something, and is said like any other budget. */
		if (tried++ == PARTS) {
			c->s->stats->unknown++;
			break;
		}
		vec_clear(&must);
		for (uint32_t i = 0; i < n; i++) {
			if (c->parts.items[at + i] != UINT32_MAX)
				vec_push(&must, c->parts.items[at + i]);
		}
		t->must = must.items;
		t->must_count = (uint32_t)must.count;
		if (!must.count)
			continue;
		switch (complete_ask(c, t)) {
		case SOLVE_SAT:
			branch(c, t);
			break;
		case SOLVE_UNSAT:
			cut_part(c, at);
			break;
		default:
			break;
		}
	}
	vec_free(&must);
}

/* Every way to let one read return one value. */
static void reach_value(struct complete *c, struct solve_target *t)
{
	uint32_t tried = 0;

	complete_learn_effect(c, t);
	complete_forget(c, false);
	vec_clear(&c->avoids);
	vec_push(&c->avoids, 0);
	for (size_t at = 0; at < c->avoids.count; at += c->avoids.items[at] + 1) {
		uint32_t avoid[64], n = c->avoids.items[at];
		enum solve_answer a;

		if (tried++ >= ALTERNATIVES) {
			c->s->stats->unknown++;
			return;
		}
		assert(n <= 64 && at + n < c->avoids.count);
		memcpy(avoid, c->avoids.items + at + 1, n * sizeof(*avoid));
		t->avoid = avoid;
		t->avoid_count = n;
		t->must = c->must.items;
		t->must_count = (uint32_t)c->must.count;
		a = complete_ask(c, t);
		if (a == SOLVE_SAT)
			branch(c, t);
		else if (a == SOLVE_UNSAT && c->must.count)
			fall_back(c, t);
	}
}

static void expand_read(struct complete *c, uint32_t r)
{
	struct solve_target t = {.event = r, .budget = c->s->o->budget};

	assert(solve_event_reads(&c->h.items[r]) && !c->is_frozen[r]);
	solve_causal_values(c->causal, r, &c->values);
	for (size_t i = 0; i < c->values.count; i++) {
		if (c->values.items[i] == c->h.items[r].value)
			continue;
		t.value = c->values.items[i];
		reach_value(c, &t);
	}
}

/* A read that did not happen: with every value. */
static void expand_pending(struct complete *c, uint32_t r)
{
	struct solve_target t = {.event = r, .budget = c->s->o->budget};

	solve_causal_values(c->causal, r, &c->values);
	for (size_t i = 0; i < c->values.count; i++) {
		t.value = c->values.items[i];
		reach_value(c, &t);
	}
}

static int expand(struct complete *c, const struct work *w)
{
	int rc = find_execution(c, w);
	struct solve_target t = {.value = w->value, .budget = c->s->o->budget};
	uint32_t n;

	if (rc || c->state == STATE_NONE || c->s->over)
		return rc;
	complete_enter(c, w);
	if (w->again) {
		t.event = solve_causal_find(c->causal, w->target);
		assert(t.event != UINT32_MAX);
		reach_value(c, &t);
		return 0;
	}
	n = c->s->states.items.items[c->state].events;
	for (uint32_t r = 0; r < n; r++) {
		if (solve_event_reads(&c->h.items[r]) && !c->is_frozen[r])
			expand_read(c, r);
	}
	/* A deadlock: can what its threads wait for happen in another order? */
	for (t.event = n; t.event < c->h.count; t.event++) {
		if (solve_event_reads(&c->h.items[t.event]))
			expand_pending(c, t.event);
		else
			reach_value(c, &t);
	}
	return 0;
}

static void complete_fini(struct complete *c)
{
	frontier_fini(&c->frontier);
	solve_causal_free(c->causal);
	free(c->is_frozen);
	free(c->read_before);
	vec_free(&c->refusals.items);
	vec_free(&c->refusals.events);
	vec_free(&c->conflict.must);
	vec_free(&c->conflict.avoid);
	vec_free(&c->h);
	vec_free(&c->nodes);
	vec_free(&c->must);
	vec_free(&c->seed);
	vec_free(&c->values);
	vec_free(&c->wanted.frozen);
	vec_free(&c->wanted.steps);
	vec_free(&c->avoids);
	vec_free(&c->parts);
}

int explore_complete(struct explore_search *s)
{
	struct complete c = {.s = s, .state = STATE_NONE};
	struct work *w;
	int rc = 0;

	c.frontier.last_in_first_out = s->o->last_in_first_out;
	frontier_meet(&c.frontier, &c.wanted);
	push(&c);
	while (!rc && !s->over) {
		if (!c.frontier.first)
			complete_resume(&c);
		w = frontier_next(&c.frontier);
		if (!w)
			break;
		rc = expand(&c, w);
		frontier_work_free(w);
	}
	complete_fini(&c);
	return rc;
}
