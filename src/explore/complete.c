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

#include "explore/search.h"
#include "solve/causal.h"

/* Sets of events to avoid that were tried for one target are more than this: something is odd. */
#define ALTERNATIVES 4096
/* Parts of a node tried with a target that does not go together with all of it. */
#define PARTS 512

struct work {
	struct work *next;
	struct wanted wanted;
	/* Nodes to look at again: for one target only. */
	bool again;
	struct solve_step target;
	uint32_t parent; /* where its thread stands before it */
	uint32_t state;	 /* execution it is about */
	uint64_t value;
	size_t steps;
	struct solve_step seed[];
};

struct complete {
	struct explore_search *s;
	struct work *first, *last;
	struct work *postponed; /* what an atomic target writes was not known */
	const struct work *at;
	/* Tuples met: open addressing over `tuples'. */
	VEC(uint32_t) tuples; /* length, then nodes */
	uint32_t *table;
	size_t capacity, used;
	VEC(uint32_t) key;

	/* The execution at hand. */
	uint32_t state;
	struct solve_history h;
	struct past_list nodes;
	struct solve_causal *causal;
	uint8_t *is_frozen; /* by event: a read the node at hand has fixed */
	struct solve_seed must;

	struct solve_seed seed;
	struct solve_values values;
	struct wanted wanted; /* by the seed */
	VEC(uint32_t) parts;  /* last reads per thread of a node, or UINT32_MAX */
	VEC(uint32_t) avoids; /* length, then events in order; all that were tried for a target */
};

static uint64_t hash_words(const uint32_t *v, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ v[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return h;
}

static size_t tuple_place(const struct complete *c, const uint32_t *v, uint32_t n)
{
	size_t at = hash_words(v, n) & (c->capacity - 1);

	while (c->table[at]) {
		const uint32_t *t = c->tuples.items + c->table[at] - 1;

		if (t[0] == n && !memcmp(t + 1, v, n * sizeof(*v)))
			break;
		at = (at + 1) & (c->capacity - 1);
	}
	return at;
}

static void grow_table(struct complete *c)
{
	free(c->table);
	c->capacity = c->capacity ? c->capacity * 2 : 1024;
	c->table = xcalloc(c->capacity, sizeof(*c->table));
	for (uint32_t at = 0; at < c->tuples.count; at += c->tuples.items[at] + 1) {
		const uint32_t *t = c->tuples.items + at;

		c->table[tuple_place(c, t + 1, t[0])] = at + 1;
	}
}

/* True when what the seed wants was not met before. */
static bool meet(struct complete *c)
{
	const struct frozen *f = &c->wanted.frozen;
	uint32_t n = (uint32_t)f->count;
	size_t at;

	while (n && !f->items[n - 1])
		n--;
	vec_clear(&c->key);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&c->key, f->items[i]);
	for (uint32_t i = 0; i < c->wanted.steps.count; i++) {
		if (c->wanted.steps.items[i]) {
			vec_push(&c->key, STATE_NONE - i);
			vec_push(&c->key, c->wanted.steps.items[i]);
		}
	}
	if (c->used * 2 >= c->capacity)
		grow_table(c);
	at = tuple_place(c, c->key.items, (uint32_t)c->key.count);
	if (c->table[at])
		return false;
	c->table[at] = (uint32_t)c->tuples.count + 1;
	vec_push(&c->tuples, (uint32_t)c->key.count);
	for (size_t i = 0; i < c->key.count; i++)
		vec_push(&c->tuples, c->key.items[i]);
	c->used++;
	return true;
}

static void enqueue(struct complete *c, struct work *w)
{
	w->next = NULL;
	if (c->s->o->last_in_first_out) {
		w->next = c->first;
		c->first = w;
		if (!c->last)
			c->last = w;
		return;
	}
	if (c->last)
		c->last->next = w;
	else
		c->first = w;
	c->last = w;
}

static struct work *new_work(const struct wanted *wanted, size_t steps)
{
	struct work *w = xcalloc(1, sizeof(*w) + steps * sizeof(w->seed[0]));

	w->steps = steps;
	for (size_t i = 0; i < wanted->steps.count; i++)
		vec_push(&w->wanted.steps, wanted->steps.items[i]);
	for (size_t i = 0; i < wanted->frozen.count; i++)
		vec_push(&w->wanted.frozen, wanted->frozen.items[i]);
	return w;
}

static void push(struct complete *c)
{
	struct work *w = new_work(&c->wanted, c->seed.count);

	for (size_t i = 0; i < c->seed.count; i++) {
		const struct solve_event *e = &c->h.items[c->seed.items[i]];

		w->seed[i] = (struct solve_step){e->thread, e->index};
	}
	enqueue(c, w);
	c->s->stats->nodes++;
}

/* The node at hand is to be asked about t again when more is known. */
static void postpone(struct complete *c, const struct solve_target *t)
{
	const struct solve_event *r = &c->h.items[t->event];
	struct work *w = new_work(&c->at->wanted, c->at->steps);

	memcpy(w->seed, c->at->seed, w->steps * sizeof(w->seed[0]));
	w->again = true;
	w->target = (struct solve_step){r->thread, r->index};
	w->value = t->value;
	w->parent = c->s->states.past.nodes.items[c->nodes.items[t->event]].parent;
	w->state = c->state;
	w->next = c->postponed;
	c->postponed = w;
}

static uint64_t initial(void *arg, uint64_t object)
{
	struct explore_executor *x = arg;

	return x->initial(x, object);
}

/* Makes state `number' the execution at hand. */
static void look_at(struct complete *c, uint32_t number)
{
	struct solve_causal_opts o = {.model = c->s->x->model,
				      .forwarding = true,
				      .initial = initial,
				      .arg = c->s->x,
				      .backend = c->s->o->backend};

	if (c->state == number)
		return;
	solve_causal_free(c->causal);
	free(c->is_frozen);
	states_history(&c->s->states, number, &c->h, &c->nodes);
	c->causal = solve_causal_new(c->h.items, (uint32_t)c->h.count, &o);
	c->is_frozen = xcalloc(c->h.count + 1, 1);
	c->state = number;
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
		if (rc || number == STATE_NONE)
			return rc;
		if (!states_agree(&s->states, number, &w->wanted))
			return err_set(s->e, ERR_INTERNAL,
				       "an execution does not show what its seed promised");
	}
	look_at(c, number);
	return 0;
}

/* Index after the last event the node wants of a thread besides reads. */
static uint32_t step_of(const struct wanted *w, uint32_t thread)
{
	return thread < w->steps.count ? w->steps.items[thread] : 0;
}

/* Marks the reads that w froze; the last event of each thread stands for those before it. */
static void enter_node(struct complete *c, const struct work *w)
{
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

/* The map the seed at hand realises, its target with the new value. */
static void freeze(struct complete *c, const struct solve_target *t)
{
	const struct solve_event *r = &c->h.items[t->event];
	uint32_t before = 0;

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
	before = c->wanted.frozen.items[r->thread];
	c->wanted.frozen.items[r->thread] =
		past_child(&c->s->states.past, before, r->thread, t->value);
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

static enum solve_answer ask(struct complete *c, struct solve_target *t)
{
	enum solve_answer a = solve_causal_ask(c->causal, t, &c->seed);

	c->s->stats->questions++;
	c->s->stats->answers += a == SOLVE_SAT;
	c->s->stats->unknown += a == SOLVE_UNKNOWN;
	return a;
}

/* Makes the seed at hand a node; reads it needed without having to are to be tried without. */
static void branch(struct complete *c, const struct solve_target *t)
{
	freeze(c, t);
	if (meet(c))
		push(c);
	c->s->stats->alternatives += t->avoid_count != 0;
	for (size_t i = 0; i < c->seed.count; i++) {
		uint32_t x = c->seed.items[i];

		if (solve_event_reads(&c->h.items[x]) && x != t->event && !c->is_frozen[x] &&
		    !solve_causal_before(c->causal, x, t->event))
			try_without(c, t->avoid, t->avoid_count, x);
	}
}

/* The read before e in its thread, UINT32_MAX when there is none. */
static uint32_t read_before(const struct complete *c, uint32_t e)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < c->h.count; i++) {
		const struct solve_event *x = &c->h.items[i];

		if (x->thread == c->h.items[e].thread && x->index < c->h.items[e].index &&
		    solve_event_reads(x) && c->is_frozen[i] &&
		    (best == UINT32_MAX || x->index > c->h.items[best].index))
			best = i;
	}
	return best;
}

/* Adds to the parts to try the part at `at' without the last read of its thread `drop'. */
static void add_part(struct complete *c, size_t at, uint32_t drop)
{
	uint32_t n = (uint32_t)c->must.count;
	size_t new = c->parts.count;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = c->parts.items[at + i];

		vec_push(&c->parts, i == drop ? read_before(c, e) : e);
	}
	for (size_t old = 0; old < new; old += n) {
		if (!memcmp(c->parts.items + old, c->parts.items + new, n * sizeof(uint32_t))) {
			c->parts.count = new;
			return;
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
	VEC(uint32_t) must = VEC_INIT;

	c->s->stats->fallbacks++;
	t->must_count = 0;
	if (ask(c, t) != SOLVE_SAT)
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
		if (at && ask(c, t) == SOLVE_SAT) {
			branch(c, t);
			continue;
		}
		for (uint32_t i = 0; i < n; i++) {
			if (c->parts.items[at + i] != UINT32_MAX)
				add_part(c, at, i);
		}
	}
	vec_free(&must);
}

/* What the target writes, when an execution has shown it. */
static void learn_effect(struct complete *c, struct solve_target *t)
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

/* Every way to let one read return one value. */
static void reach_value(struct complete *c, struct solve_target *t)
{
	uint32_t tried = 0;

	learn_effect(c, t);

	vec_clear(&c->avoids);
	vec_push(&c->avoids, 0);
	for (size_t at = 0; at < c->avoids.count; at += c->avoids.items[at] + 1) {
		uint32_t avoid[64], n = c->avoids.items[at];
		enum solve_answer a;

		if (tried++ >= ALTERNATIVES) {
			c->s->stats->unknown++;
			return;
		}
		memcpy(avoid, c->avoids.items + at + 1, n * sizeof(*avoid));
		t->avoid = avoid;
		t->avoid_count = n;
		t->must = c->must.items;
		t->must_count = (uint32_t)c->must.count;
		a = ask(c, t);
		if (a == SOLVE_SAT)
			branch(c, t);
		else if (a == SOLVE_UNSAT && c->must.count)
			fall_back(c, t);
	}
}

static void expand_read(struct complete *c, uint32_t r)
{
	struct solve_target t = {.event = r, .budget = c->s->o->budget};

	solve_causal_values(c->causal, r, &c->values);
	for (size_t i = 0; i < c->values.count; i++) {
		if (c->values.items[i] == c->h.items[r].value)
			continue;
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
	enter_node(c, w);
	c->at = w;
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
	for (t.event = n; t.event < c->h.count; t.event++)
		reach_value(c, &t);
	return 0;
}

static bool effect_known(const struct complete *c, const struct work *w)
{
	uint32_t node = past_look(&c->s->states.past, w->parent, w->value);

	return node && c->s->states.past.nodes.items[node].known;
}

/* Queues postponed nodes whose question can be answered now; false when there are none. */
static bool resume(struct complete *c)
{
	struct work *w = c->postponed;
	bool any = false;

	c->postponed = NULL;
	while (w) {
		struct work *next = w->next;

		if (effect_known(c, w)) {
			enqueue(c, w);
			any = true;
		} else {
			w->next = c->postponed;
			c->postponed = w;
		}
		w = next;
	}
	return any;
}

static void free_works(struct work *w)
{
	while (w) {
		struct work *next = w->next;

		vec_free(&w->wanted.frozen);
		vec_free(&w->wanted.steps);
		free(w);
		w = next;
	}
}

int explore_complete(struct explore_search *s)
{
	struct complete c = {.s = s, .state = STATE_NONE};
	int rc = 0;

	meet(&c);
	push(&c);
	while ((c.first || resume(&c)) && !rc && !s->over) {
		struct work *w = c.first;

		c.first = w->next;
		if (!c.first)
			c.last = NULL;
		rc = expand(&c, w);
		vec_free(&w->wanted.frozen);
		vec_free(&w->wanted.steps);
		free(w);
	}
	free_works(c.first);
	free_works(c.postponed);
	solve_causal_free(c.causal);
	free(c.is_frozen);
	free(c.table);
	vec_free(&c.tuples);
	vec_free(&c.h);
	vec_free(&c.nodes);
	vec_free(&c.must);
	vec_free(&c.seed);
	vec_free(&c.values);
	vec_free(&c.wanted.frozen);
	vec_free(&c.wanted.steps);
	vec_free(&c.avoids);
	vec_free(&c.parts);
	vec_free(&c.key);
	return rc;
}
