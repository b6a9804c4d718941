#include "predict/order/check.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "wire/rules.h"

struct replay {
	const struct predict_trace *t;
	const struct predict_question *q;
	enum predict_model model;
	struct err *e;
	uint32_t *count;   /* by thread: executed events */
	struct rule_rwlock *locks; /* a mutex is one that nobody takes for reading */
	uint32_t *last;	   /* by location: last executed write */
	struct rule_barrier *rounds; /* of barriers */
	uint8_t *open; /* by round: all have arrived */
	uint8_t *done;	   /* by event */
	uint8_t *changed;  /* by write: its value may differ from the observed one */
	uint8_t *tainted;  /* by thread: it has read a value that may differ */
	uint8_t *ended;	   /* by thread: it must not go on (exempt read) */
	uint32_t before;   /* event executed last, PREDICT_NONE at the beginning */
};

static void replay_init(struct replay *r)
{
	const struct predict_trace *t = r->t;
	uint32_t locks = predict_names_count(&t->locks), locs = predict_names_count(&t->locs);

	r->count = xcalloc(t->thread_count + 1, sizeof(*r->count));
	r->tainted = xcalloc(t->thread_count + 1, 1);
	r->ended = xcalloc(t->thread_count + 1, 1);
	r->locks = xcalloc(locks + 1, sizeof(*r->locks));
	r->last = xmalloc((locs + 1) * sizeof(*r->last));
	r->rounds = xcalloc(t->rounds + 1, sizeof(*r->rounds));
	r->open = xcalloc(t->rounds + 1, 1);
	r->done = xcalloc(t->events.count + 1, 1);
	r->changed = xcalloc(t->events.count + 1, 1);
	for (uint32_t i = 0; i < locs; i++)
		r->last[i] = PREDICT_NONE;
	for (uint32_t i = 0; i < t->rounds && t->arrivals != NULL; i++) {
		r->rounds[i].limit = t->arrivals[i];
		r->open[i] = t->arrivals[i] == 0;
	}
}

static void replay_fini(struct replay *r)
{
	free(r->count);
	free(r->tainted);
	free(r->ended);
	free(r->locks);
	free(r->last);
	free(r->rounds);
	free(r->open);
	free(r->done);
	free(r->changed);
}

static int bad(struct replay *r, uint32_t event, const char *why)
{
	return err_set(r->e, ERR_MISMATCH, "event %u (line %u): %s", event + 1,
		       r->t->events.items[event].line, why);
}

static uint32_t who(const struct predict_event *ev)
{
	return ev->thread + 1;
}

static bool lock_is_free(const struct replay *r, const struct predict_event *ev)
{
	return rule_rwlock_ask(&r->locks[ev->object], who(ev), !(ev->flags & PREDICT_SHARED)) ==
	       RULE_GO;
}

static int replay_lock(struct replay *r, uint32_t event)
{
	const struct predict_event *ev = &r->t->events.items[event];
	struct rule_rwlock *l = &r->locks[ev->object];
	bool write = !(ev->flags & PREDICT_SHARED);

	if (ev->op == OP_ACQ) {
		if (!lock_is_free(r, ev))
			return bad(r, event, "the lock is held");
		rule_rwlock_take(l, who(ev), write);
		return 0;
	}
	/* The rule leaves it to the owner to know how he took it; the trace says how. */
	if (rule_rwlock_ask_drop(l, who(ev)) != RULE_GO || (l->writer == who(ev)) != write)
		return bad(r, event, "the lock is not held by this thread");
	rule_rwlock_drop(l, who(ev));
	return 0;
}

static int replay_access(struct replay *r, uint32_t event)
{
	const struct predict_event *ev = &r->t->events.items[event];
	uint32_t seen = r->last[ev->object];

	if (predict_op_reads(ev->op)) {
		bool same = seen == r->t->rf[event] && (seen == PREDICT_NONE || !r->changed[seen]);

		if (!same && r->model == MODEL_CDSR) {
			if (event != r->q->exempt || !predict_trace_alone(r->t, event))
				return bad(r, event, "the read sees another write than observed");
			r->ended[ev->thread] = 1;
		}
		r->tainted[ev->thread] |= !same;
	}
	if (predict_op_writes(ev->op)) {
		r->changed[event] = r->tainted[ev->thread];
		r->last[ev->object] = event;
	}
	return 0;
}

static int replay_wait(struct replay *r, uint32_t event)
{
	const struct predict_pair *pairs = r->t->pairs.items;
	size_t low = 0, high = r->t->pairs.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pairs[middle].wait < event)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < r->t->pairs.count && pairs[low].wait == event; low++) {
		if (!r->done[pairs[low].sig])
			return bad(r, event, "its signal has not been sent");
	}
	return 0;
}

static int replay_meeting(struct replay *r, uint32_t event)
{
	uint32_t round = r->t->round_of != NULL ? r->t->round_of[event] : PREDICT_NONE;

	if (round == PREDICT_NONE)
		return 0;
	if (r->t->events.items[event].op == OP_SIG)
		r->open[round] = rule_barrier_arrive(&r->rounds[round]);
	else if (!r->open[round])
		return bad(r, event, "a thread has not arrived at the barrier");
	return 0;
}

/* An event that waits for others to have done something. */
static int replay_waiting(struct replay *r, uint32_t event)
{
	const struct predict_trace *t = r->t;
	const struct predict_event *ev = &t->events.items[event];
	int code;

	assert(ev->op == OP_WAIT || ev->op == OP_JOIN);
	if (ev->op == OP_WAIT) {
		code = replay_meeting(r, event);
		return code != 0 ? code : replay_wait(r, event);
	}
	if (r->count[ev->object] != t->start[ev->object + 1] - t->start[ev->object])
		return bad(r, event, "the joined thread has not ended");
	return 0;
}

/* Most events are accesses, and every witness is carried out event by event. */
static int replay_effect(struct replay *r, uint32_t event)
{
	const struct predict_event *ev = &r->t->events.items[event];

	if (predict_op_accesses(ev->op))
		return replay_access(r, event);
	switch (ev->op) {
	case OP_ACQ:
	case OP_REL:
		return replay_lock(r, event);
	case OP_SIG:
		return replay_meeting(r, event);
	case OP_WAIT:
	case OP_JOIN:
		return replay_waiting(r, event);
	case OP_BRANCH:
		if (r->model == MODEL_BRANCH && r->tainted[ev->thread])
			return bad(r, event, "the branch may go the other way");
		return 0;
	default:
		return 0;
	}
}

static bool thread_exists(const struct replay *r, uint32_t thread)
{
	uint32_t fork = r->t->fork_of[thread];

	return fork == PREDICT_NONE || r->done[fork];
}

/* The event executed last is not the end of its step. */
static bool in_step(const struct replay *r)
{
	return r->before != PREDICT_NONE && predict_trace_tail(r->t, r->before) != r->before;
}

static int replay_event(struct replay *r, uint32_t event)
{
	const struct predict_event *ev;
	int code;

	if (event >= r->t->events.count)
		return err_set(r->e, ERR_MISMATCH, "no event %u in the trace", event);
	ev = &r->t->events.items[event];
	if (r->t->pos[event] != r->count[ev->thread])
		return bad(r, event, "not the next event of its thread");
	if (r->ended[ev->thread])
		return bad(r, event, "its thread has read another value and must not go on");
	if (!thread_exists(r, ev->thread))
		return bad(r, event, "its thread does not exist yet");
	if (predict_trace_head(r->t, event) != event && r->before != event - 1)
		return bad(r, event, "something comes between it and the rest of its step");
	if (in_step(r) && predict_trace_head(r->t, event) == event)
		return bad(r, event, "it comes into the middle of a step");
	r->before = event;
	for (size_t i = 0; i < r->q->order.count; i++) {
		if (r->q->order.items[i].wait == event && !r->done[r->q->order.items[i].sig])
			return bad(r, event, "comes before an event it was asked to follow");
	}
	code = replay_effect(r, event);
	r->done[event] = 1;
	r->count[ev->thread]++;
	return code;
}

/* Last event of the step before e that writes, or takes and leaves, the object. */
static uint32_t before_in_step(const struct predict_trace *t, uint32_t e, bool locks)
{
	const struct predict_event *ev = t->events.items;

	for (uint32_t m = e; m-- > predict_trace_head(t, e);) {
		bool is = locks ? ev[m].op == OP_REL || ev[m].op == OP_ACQ
				: predict_op_writes(ev[m].op);

		if (is && ev[m].object == ev[e].object)
			return m;
	}
	return PREDICT_NONE;
}

/* Would the event see what it saw, when its step went on now? */
static bool sees_the_same(const struct replay *r, uint32_t e)
{
	uint32_t own = before_in_step(r->t, e, false);
	uint32_t seen = own != PREDICT_NONE ? own : r->last[r->t->events.items[e].object];

	return seen == r->t->rf[e] &&
	       (seen == PREDICT_NONE || own != PREDICT_NONE || !r->changed[seen]);
}

/* ... or get the lock. */
static bool gets_the_lock(const struct replay *r, uint32_t e)
{
	/* With one before it, the step left the lock itself. */
	return before_in_step(r->t, e, true) != PREDICT_NONE ||
	       lock_is_free(r, &r->t->events.items[e]);
}

/* What the step of the target does before it could happen now. */
static int judge_prefix(struct replay *r, uint32_t target)
{
	const struct predict_trace *t = r->t;
	uint32_t end = predict_trace_access(t, target);
	bool tainted = r->tainted[t->events.items[target].thread];
	int code = 0;

	for (uint32_t e = predict_trace_head(t, target); e < end && code == 0; e++) {
		const struct predict_event *ev = &t->events.items[e];

		if (predict_op_reads(ev->op) && r->model != MODEL_CSR && !sees_the_same(r, e)) {
			if (r->model == MODEL_CDSR)
				return bad(r, e, "would see another write than observed");
			tainted = true;
		}
		if (ev->op == OP_BRANCH && r->model == MODEL_BRANCH && tainted)
			return bad(r, e, "the branch may go the other way");
		if (ev->op == OP_ACQ && !gets_the_lock(r, e))
			return bad(r, e, "the lock is held");
		if (ev->op == OP_JOIN || ev->op == OP_WAIT)
			code = replay_waiting(r, e);
	}
	return code;
}

/* Two ways to have one lock that do not go together. */
static bool exclude(const struct predict_event *a, const struct predict_event *b)
{
	return rule_rwlock_excludes(!(a->flags & PREDICT_SHARED), !(b->flags & PREDICT_SHARED));
}

/* Locks held by two threads where they stand, or would stand in their steps. */
static bool hold_one_lock(const struct replay *r, uint32_t a, uint32_t b)
{
	const struct predict_trace *t = r->t;

	for (uint32_t i = t->held[a]; i != 0; i = t->lists.items[i].next) {
		const struct predict_event *x = &t->events.items[t->lists.items[i].acq];

		for (uint32_t j = t->held[b]; j != 0; j = t->lists.items[j].next) {
			const struct predict_event *y = &t->events.items[t->lists.items[j].acq];

			if (x->object == y->object && exclude(x, y))
				return true;
		}
	}
	return false;
}

static int judge_targets(struct replay *r)
{
	const struct predict_trace *t = r->t;
	const struct predict_question *q = r->q;

	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t target = q->targets.items[i];
		const struct predict_event *ev = &t->events.items[target];

		if (r->count[ev->thread] != t->pos[predict_trace_head(t, target)] ||
		    !thread_exists(r, ev->thread))
			return bad(r, target, "is not the next event of its thread at the end");
		if (r->ended[ev->thread])
			return bad(r, target, "its thread has read another value");
		if (q->strict && r->model != MODEL_CSR && predict_op_reads(ev->op) &&
		    r->last[ev->object] != t->rf[target])
			return bad(r, target, "would see another write than observed");
		if (judge_prefix(r, target) != 0)
			return r->e->code;
		for (size_t j = 0; j < i && t->head != NULL; j++) {
			if (hold_one_lock(r, target, q->targets.items[j]))
				return bad(r, target, "another one holds the lock it needs");
		}
	}
	return 0;
}

static int judge_race(struct replay *r)
{
	const struct predict_event *a = &r->t->events.items[r->q->targets.items[0]];
	const struct predict_event *b = &r->t->events.items[r->q->targets.items[1]];

	if (r->q->targets.count != 2 || a->thread == b->thread || a->object != b->object ||
	    !predict_op_accesses(a->op) || !predict_op_accesses(b->op) ||
	    !(predict_op_writes(a->op) || predict_op_writes(b->op)))
		return bad(r, r->q->targets.items[0], "the targets do not conflict");
	return 0;
}

/* The thread that stands at this event holds the lock in a way that keeps the request waiting. */
static bool holds_against(const struct replay *r, uint32_t event, const struct predict_event *want)
{
	const struct predict_trace *t = r->t;

	for (uint32_t l = t->held[event]; l != 0; l = t->lists.items[l].next) {
		uint32_t acq = t->lists.items[l].acq;
		const struct predict_event *have = &t->events.items[acq];

		if (have->object == want->object && r->done[acq] && exclude(have, want))
			return true;
	}
	return false;
}

/* Each requested lock is held by the thread of another request. */
static int judge_deadlock(struct replay *r)
{
	const struct predict_trace *t = r->t;
	size_t n = r->q->targets.count;

	for (size_t i = 0; i < n; i++) {
		const struct predict_event *ev = &t->events.items[r->q->targets.items[i]];
		bool held = false;

		for (size_t j = 0; j < n && !held; j++)
			held = j != i && holds_against(r, r->q->targets.items[j], ev);
		if (ev->op != OP_ACQ || ev->flags & PREDICT_TRY || !held ||
		    predict_trace_head(t, r->q->targets.items[i]) != r->q->targets.items[i])
			return bad(r, r->q->targets.items[i],
				   "the requested lock is not held by the other threads");
	}
	return 0;
}

static int judge(struct replay *r)
{
	int code;

	if (in_step(r))
		return bad(r, r->before, "the step it belongs to is not finished");
	code = judge_targets(r);

	for (size_t i = 0; i < r->q->required.count && code == 0; i++) {
		if (!r->done[r->q->required.items[i]])
			code = bad(r, r->q->required.items[i], "was required and is not executed");
	}
	if (code == 0 && r->q->kind == KIND_RACE)
		code = judge_race(r);
	if (code == 0 && r->q->kind == KIND_DEADLOCK)
		code = judge_deadlock(r);
	return code;
}

int predict_check_witness(const struct predict_trace *t, const struct predict_question *q,
			  enum predict_model model, const uint32_t *order, size_t n, struct err *e)
{
	struct replay r = {.t = t, .q = q, .model = model, .e = e, .before = PREDICT_NONE};
	int code = 0;

	replay_init(&r);
	for (size_t i = 0; i < n && code == 0; i++)
		code = replay_event(&r, order[i]);
	if (code == 0)
		code = judge(&r);
	replay_fini(&r);
	return code;
}

int predict_check_trace(const struct predict_trace *t, struct err *e)
{
	struct predict_question q = PREDICT_QUESTION_INIT;
	uint32_t *order = xmalloc((t->events.count + 1) * sizeof(*order));
	int code;

	q.kind = KIND_ORDER;
	for (uint32_t i = 0; i < t->events.count; i++)
		order[i] = i;
	code = predict_check_witness(t, &q, MODEL_CDSR, order, t->events.count, e);
	free(order);
	return code;
}
