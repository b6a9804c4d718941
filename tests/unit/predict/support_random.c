#include "support_random.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_THREADS 8
#define MAX_LOCKS 8

struct world {
	struct rng *r;
	const struct random_shape *shape;
	struct predict_trace *t;
	bool born[MAX_THREADS], ended[MAX_THREADS];
	uint32_t owner[MAX_LOCKS];   /* thread + 1 */
	uint32_t readers[MAX_LOCKS]; /* bit set of threads */
	VEC(uint32_t) signals;
};

static bool chance(struct rng *r, uint32_t percent)
{
	return rng_below(r, 100) < percent;
}

struct random_shape random_shape(struct rng *r)
{
	struct random_shape s;

	memset(&s, 0, sizeof(s));
	s.threads = 2 + (uint32_t)rng_below(r, 4);
	s.locks = 1 + (uint32_t)rng_below(r, 3);
	s.locs = 1 + (uint32_t)rng_below(r, 3);
	s.events = 6 + (uint32_t)rng_below(r, s.threads >= 4 ? 16 : 20);
	s.lock_weight = 20 + (uint32_t)rng_below(r, 50);
	s.forks = chance(r, 30);
	s.signals = chance(r, 20);
	s.shared = chance(r, 20);
	s.rmw = chance(r, 20);
	s.branches = chance(r, 50);
	s.glue = chance(r, 30);
	return s;
}

static uint32_t name(struct predict_names *names, char letter, uint32_t number)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%c%u", letter, number);

	return predict_names_add(names, text, (size_t)n);
}

/* Often one step with the event before, sometimes even one access. */
static uint8_t glue(struct world *w, const struct predict_event *ev)
{
	const struct predict_event *before =
		w->t->events.count > 0 ? &vec_last(&w->t->events) : NULL;
	bool same;

	if (!w->shape->glue || before == NULL || before->thread != ev->thread ||
	    ev->op == OP_FORK || ev->op == OP_SIG || ev->op == OP_WAIT || chance(w->r, 40))
		return 0;
	same = predict_op_accesses(ev->op) && ev->op == before->op && ev->object != before->object;
	return PREDICT_GLUED | (same && chance(w->r, 70) ? PREDICT_PART : 0);
}

static uint32_t add(struct world *w, uint32_t thread, uint8_t op, uint32_t object, uint8_t flags)
{
	struct predict_event ev = {
		.thread = thread, .object = object, .site = PREDICT_NONE, .op = op, .flags = flags};

	ev.line = (uint32_t)w->t->events.count + 1;
	ev.flags |= glue(w, &ev);
	return predict_trace_add(w->t, ev);
}

static bool try_lock(struct world *w, uint32_t thread)
{
	uint32_t l = (uint32_t)rng_below(w->r, w->shape->locks), bit = 1u << thread;

	if (w->owner[l] == thread + 1) {
		w->owner[l] = 0;
		add(w, thread, OP_REL, l, 0);
	} else if (w->readers[l] & bit) {
		w->readers[l] &= ~bit;
		add(w, thread, OP_REL, l, 0);
	} else if (w->owner[l] == 0 && w->shape->shared && chance(w->r, 50)) {
		w->readers[l] |= bit;
		add(w, thread, OP_ACQ, l, PREDICT_SHARED);
	} else if (w->owner[l] == 0 && w->readers[l] == 0) {
		w->owner[l] = thread + 1;
		add(w, thread, OP_ACQ, l, 0);
	} else {
		return false;
	}
	return true;
}

static void access_random(struct world *w, uint32_t thread)
{
	uint32_t x = (uint32_t)rng_below(w->r, w->shape->locs);

	if (w->shape->rmw && chance(w->r, 20))
		add(w, thread, OP_RMW, x, PREDICT_ATOMIC);
	else
		add(w, thread, chance(w->r, 50) ? OP_READ : OP_WRITE, x, 0);
}

static void signal_random(struct world *w, uint32_t thread)
{
	uint32_t event;

	if (w->signals.count > 0 && chance(w->r, 60)) {
		event = add(w, thread, OP_WAIT, 0, 0);
		predict_trace_pair(w->t, w->signals.items[rng_below(w->r, w->signals.count)],
				   event);
	} else {
		event = add(w, thread, OP_SIG, 0, 0);
		vec_push(&w->signals, event);
	}
}

static void life_random(struct world *w, uint32_t thread)
{
	uint32_t other = (uint32_t)rng_below(w->r, w->shape->threads);

	if (!w->born[other]) {
		w->born[other] = true;
		add(w, thread, OP_FORK, other, 0);
	} else if (other != thread && other != 0) {
		w->ended[other] = true;
		add(w, thread, OP_JOIN, other, 0);
	}
}

static void random_event(struct world *w)
{
	uint32_t thread = (uint32_t)rng_below(w->r, w->shape->threads);

	if (w->shape->glue && w->t->events.count > 0 && chance(w->r, 50))
		thread = vec_last(&w->t->events).thread;
	if (!w->born[thread] || w->ended[thread])
		return;
	if (w->shape->forks && chance(w->r, 12))
		life_random(w, thread);
	else if (w->shape->signals && chance(w->r, 15))
		signal_random(w, thread);
	else if (w->shape->branches && chance(w->r, 15))
		add(w, thread, OP_BRANCH, PREDICT_NONE, 0);
	else if (!chance(w->r, w->shape->lock_weight) || !try_lock(w, thread))
		access_random(w, thread);
}

struct predict_trace *random_trace(struct rng *r, const struct random_shape *shape)
{
	struct world w = {.r = r, .shape = shape, .t = predict_trace_new()};
	struct err e = ERR_INIT;

	assert(shape->threads <= MAX_THREADS && shape->locks <= MAX_LOCKS);
	for (uint32_t i = 0; i < shape->threads; i++) {
		name(&w.t->threads, 'T', i);
		w.born[i] = !shape->forks || i == 0;
	}
	for (uint32_t i = 0; i < shape->locks; i++)
		name(&w.t->locks, 'l', i);
	for (uint32_t i = 0; i < shape->locs; i++)
		name(&w.t->locs, 'x', i);
	name(&w.t->conds, 'c', 0);
	for (uint32_t guard = 0; w.t->events.count < shape->events && guard < 1000 * shape->events;
	     guard++)
		random_event(&w);
	/* Most sections end, some stay open as in a trace that was cut. */
	for (uint32_t l = 0; l < shape->locks; l++) {
		if (w.owner[l] != 0 && !w.ended[w.owner[l] - 1] && chance(r, 70))
			add(&w, w.owner[l] - 1, OP_REL, l, 0);
	}
	vec_free(&w.signals);
	if (predict_trace_settle(w.t, true, &e) != 0)
		fprintf(stderr, "random trace is not well-formed: %s\n", e.text);
	assert(e.code == 0);
	return w.t;
}

/* ---- questions ---- */

static uint32_t pick(struct rng *r, const struct predict_trace *t)
{
	return (uint32_t)rng_below(r, t->events.count);
}

static bool conflicting(const struct predict_trace *t, uint32_t a, uint32_t b)
{
	const struct predict_event *x = &t->events.items[a], *y = &t->events.items[b];

	return x->thread != y->thread && predict_op_accesses(x->op) && predict_op_accesses(y->op) &&
	       x->object == y->object && (predict_op_writes(x->op) || predict_op_writes(y->op));
}

static bool question_race(struct rng *r, const struct predict_trace *t, struct predict_question *q)
{
	for (int i = 0; i < 200; i++) {
		uint32_t a = pick(r, t), b = pick(r, t);

		if (conflicting(t, a, b)) {
			predict_question_race(q, a, b);
			q->strict = chance(r, 20);
			return true;
		}
	}
	return false;
}

/* Any acquisitions of different threads pending together, not only cycles. */
static bool question_requests(struct rng *r, const struct predict_trace *t,
			      struct predict_question *q)
{
	uint32_t found[3], n = 0, want = 2 + (uint32_t)rng_below(r, 2);

	for (int i = 0; i < 300 && n < want; i++) {
		uint32_t e = pick(r, t);
		bool fresh = t->events.items[e].op == OP_ACQ;

		for (uint32_t j = 0; j < n; j++)
			fresh &= t->events.items[found[j]].thread != t->events.items[e].thread;
		if (fresh)
			found[n++] = e;
	}
	if (n < 2)
		return false;
	predict_question_deadlock(q, found, n);
	q->kind = KIND_ORDER; /* the judge asks for a cycle otherwise */
	return true;
}

static bool question_atomicity(struct rng *r, const struct predict_trace *t,
			       struct predict_question *q)
{
	for (int i = 0; i < 400; i++) {
		uint32_t a = pick(r, t), b = pick(r, t), c = pick(r, t);
		const struct predict_event *x = &t->events.items[a], *y = &t->events.items[b];

		if (a < b && x->thread == y->thread && predict_op_accesses(x->op) &&
		    predict_op_accesses(y->op) && x->object == y->object &&
		    t->events.items[c].object == x->object &&
		    predict_op_accesses(t->events.items[c].op) &&
		    t->events.items[c].thread != x->thread &&
		    (conflicting(t, a, c) || conflicting(t, b, c))) {
			predict_question_atomicity(q, t, a, c, b);
			return true;
		}
	}
	return false;
}

static bool question_order(struct rng *r, const struct predict_trace *t, struct predict_question *q)
{
	struct predict_pair edges[6];
	uint32_t n = 1 + (uint32_t)rng_below(r, 6), chain[3];

	if (chance(r, 40)) {
		for (uint32_t i = 0; i < 3; i++)
			chain[i] = pick(r, t);
		predict_question_sequence(q, chain, 2 + (uint32_t)rng_below(r, 2));
		return true;
	}
	for (uint32_t i = 0; i < n; i++) {
		edges[i].sig = pick(r, t);
		edges[i].wait = pick(r, t);
	}
	predict_question_whole(q, t, edges, n);
	return true;
}

bool random_question(struct rng *r, const struct predict_trace *t, enum predict_kind kind,
		     struct predict_question *q)
{
	switch (kind) {
	case KIND_RACE:
		return question_race(r, t, q);
	case KIND_DEADLOCK:
		return question_requests(r, t, q);
	case KIND_ATOMICITY:
		return question_atomicity(r, t, q);
	default:
		return question_order(r, t, q);
	}
}
