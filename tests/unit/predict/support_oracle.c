#include "support_oracle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct state {
	uint8_t pos[ORACLE_THREADS];
	uint8_t last[ORACLE_LOCS]; /* event + 1 of the last write, 0 = initial */
	uint8_t tainted;	   /* threads that read something else than observed */
	uint8_t changed;	   /* locations whose last write came from such a thread */
	uint8_t ended;		   /* threads that must not go on */
	uint8_t zero;
};

struct oracle {
	const struct predict_trace *t;
	const struct predict_question *q;
	enum predict_model model;
	struct state *seen;
	size_t seen_size, seen_count;
	bool found;
};

static bool executed(const struct oracle *o, const struct state *s, uint32_t e)
{
	return o->t->pos[e] < s->pos[o->t->events.items[e].thread];
}

static bool exists(const struct oracle *o, const struct state *s, uint32_t thread)
{
	uint32_t fork = o->t->fork_of[thread];

	return fork == PREDICT_NONE || executed(o, s, fork);
}

static bool is_target(const struct oracle *o, uint32_t e)
{
	for (size_t i = 0; i < o->q->targets.count; i++) {
		if (o->q->targets.items[i] == e)
			return true;
	}
	return false;
}

/* The lock is inside a section that excludes an acquisition of this mode. */
static bool lock_blocks(const struct oracle *o, const struct state *s, uint32_t acq)
{
	const struct predict_event *want = &o->t->events.items[acq];

	for (uint32_t e = 0; e < o->t->events.count; e++) {
		const struct predict_event *ev = &o->t->events.items[e];
		uint32_t rel = o->t->match[e];

		if (ev->op != OP_ACQ || ev->object != want->object || !executed(o, s, e) ||
		    (rel != PREDICT_NONE && executed(o, s, rel)))
			continue;
		if (!(ev->flags & want->flags & PREDICT_SHARED))
			return true;
	}
	return false;
}

static bool joined_ended(const struct oracle *o, const struct state *s, uint32_t thread)
{
	return s->pos[thread] == o->t->start[thread + 1] - o->t->start[thread];
}

static bool signals_sent(const struct oracle *o, const struct state *s, uint32_t wait)
{
	for (size_t i = 0; i < o->t->pairs.count; i++) {
		if (o->t->pairs.items[i].wait == wait && !executed(o, s, o->t->pairs.items[i].sig))
			return false;
	}
	return true;
}

static bool order_kept(const struct oracle *o, const struct state *s, uint32_t e)
{
	for (size_t i = 0; i < o->q->order.count; i++) {
		if (o->q->order.items[i].wait == e && !executed(o, s, o->q->order.items[i].sig))
			return false;
	}
	return true;
}

static bool read_step(const struct oracle *o, struct state *s, uint32_t e)
{
	const struct predict_event *ev = &o->t->events.items[e];
	uint32_t rf = o->t->rf[e];
	uint8_t observed = rf == PREDICT_NONE ? 0 : (uint8_t)(rf + 1);
	bool same = s->last[ev->object] == observed && !(s->changed >> ev->object & 1);

	if (same || o->model == MODEL_CSR)
		return true;
	if (o->model == MODEL_CDSR) {
		if (e != o->q->exempt || !predict_trace_alone(o->t, e))
			return false;
		s->ended |= (uint8_t)(1u << ev->thread);
		return true;
	}
	s->tainted |= (uint8_t)(1u << ev->thread);
	return true;
}

/* Executes e in s when it can happen now. */
static bool happen(const struct oracle *o, struct state *s, uint32_t e)
{
	const struct predict_event *ev = &o->t->events.items[e];
	uint8_t bit = (uint8_t)(1u << ev->thread);

	if (!exists(o, s, ev->thread) || s->ended & bit)
		return false;
	if (ev->op == OP_ACQ && lock_blocks(o, s, e))
		return false;
	if (ev->op == OP_JOIN && !joined_ended(o, s, ev->object))
		return false;
	if (ev->op == OP_WAIT && !signals_sent(o, s, e))
		return false;
	if (ev->op == OP_BRANCH && o->model == MODEL_BRANCH && s->tainted & bit)
		return false;
	if (predict_op_reads(ev->op) && !read_step(o, s, e))
		return false;
	if (predict_op_writes(ev->op) && o->model != MODEL_CSR) {
		s->last[ev->object] = (uint8_t)(e + 1);
		s->changed &= (uint8_t) ~(1u << ev->object);
		if (s->tainted & bit)
			s->changed |= (uint8_t)(1u << ev->object);
	}
	s->pos[ev->thread]++;
	return true;
}

/* Executes the step that begins with e, when the question allows it. */
static bool step(const struct oracle *o, struct state *s, uint32_t e)
{
	for (uint32_t m = e; m <= predict_trace_tail(o->t, e); m++) {
		if (is_target(o, m) || !order_kept(o, s, m) || !happen(o, s, m))
			return false;
	}
	return true;
}

/* The step of the target is next, and goes on to the target. */
static bool comes_to(const struct oracle *o, const struct state *s, uint32_t target)
{
	struct state now = *s;
	uint32_t head = predict_trace_head(o->t, target);
	uint32_t thread = o->t->events.items[target].thread;

	if (s->pos[thread] != o->t->pos[head] || !exists(o, s, thread))
		return false;
	for (uint32_t m = head; m < predict_trace_access(o->t, target); m++) {
		if (!happen(o, &now, m))
			return false;
	}
	return true;
}

/* Two that come to their targets only with one lock in hand do not do so together. */
static bool exclude_each_other(const struct oracle *o)
{
	const struct predict_trace *t = o->t;

	for (size_t i = 0; i < o->q->targets.count; i++) {
		for (size_t j = 0; j < i; j++) {
			uint32_t a = t->held[o->q->targets.items[i]];
			uint32_t b = t->held[o->q->targets.items[j]];

			if (!predict_trace_sets_disjoint(t, t->lists.items[a].set,
							 t->lists.items[b].set))
				return true;
		}
	}
	return false;
}

static bool goal(const struct oracle *o, const struct state *s)
{
	if (exclude_each_other(o))
		return false;
	for (size_t i = 0; i < o->q->required.count; i++) {
		if (!executed(o, s, o->q->required.items[i]))
			return false;
	}
	for (size_t i = 0; i < o->q->targets.count; i++) {
		uint32_t e = o->q->targets.items[i], rf = o->t->rf[e];
		const struct predict_event *ev = &o->t->events.items[e];

		if (s->ended >> ev->thread & 1 || !comes_to(o, s, e))
			return false;
		if (o->q->strict && o->model != MODEL_CSR && predict_op_reads(ev->op) &&
		    s->last[ev->object] != (rf == PREDICT_NONE ? 0 : rf + 1))
			return false;
	}
	return true;
}

static uint64_t hash(const struct state *s)
{
	const uint8_t *p = (const uint8_t *)s;
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < sizeof(*s); i++)
		h = (h ^ p[i]) * 1099511628211u;
	return h ^ h >> 31;
}

static void grow(struct oracle *o);

/* True when the state is new. */
static bool remember(struct oracle *o, const struct state *s)
{
	size_t i;

	if ((o->seen_count + 1) * 2 > o->seen_size)
		grow(o);
	for (i = hash(s) & (o->seen_size - 1); o->seen[i].zero != 0;
	     i = (i + 1) & (o->seen_size - 1)) {
		if (memcmp(&o->seen[i], s, sizeof(*s)) == 0)
			return false;
	}
	o->seen[i] = *s;
	o->seen_count++;
	return true;
}

static void grow(struct oracle *o)
{
	struct state *old = o->seen;
	size_t size = o->seen_size;

	o->seen_size = size ? size * 2 : 256;
	o->seen = xcalloc(o->seen_size, sizeof(*o->seen));
	o->seen_count = 0;
	for (size_t i = 0; i < size; i++) {
		if (old[i].zero != 0)
			remember(o, &old[i]);
	}
	free(old);
}

static void explore(struct oracle *o, const struct state *s)
{
	const struct predict_trace *t = o->t;

	if (o->found || !remember(o, s))
		return;
	if (goal(o, s)) {
		o->found = true;
		return;
	}
	for (uint32_t i = 0; i < t->thread_count; i++) {
		struct state next = *s;

		if (s->pos[i] < t->start[i + 1] - t->start[i] &&
		    step(o, &next, t->order[t->start[i] + s->pos[i]]))
			explore(o, &next);
	}
}

bool oracle_feasible(const struct predict_trace *t, const struct predict_question *q,
		     enum predict_model model)
{
	struct oracle o = {.t = t, .q = q, .model = model};
	struct state s;

	assert(t->thread_count <= ORACLE_THREADS && t->events.count <= ORACLE_EVENTS);
	assert(predict_names_count(&t->locs) <= ORACLE_LOCS);
	memset(&s, 0, sizeof(s));
	s.zero = 1; /* marks a used slot */
	explore(&o, &s);
	free(o.seen);
	return o.found;
}
