#include "predict/check.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

struct replay {
	const struct predict_trace *t;
	const struct predict_question *q;
	enum predict_model model;
	struct err *e;
	uint32_t *count;   /* by thread: executed events */
	uint32_t *owner;   /* by lock: exclusive owner */
	uint32_t *readers; /* by lock */
	uint32_t *last;	   /* by location: last executed write */
	uint8_t *done;	   /* by event */
	uint8_t *changed;  /* by write: its value may differ from the observed one */
	uint8_t *tainted;  /* by thread: it has read a value that may differ */
	uint8_t *ended;	   /* by thread: it must not go on (exempt read) */
};

static void replay_init(struct replay *r)
{
	const struct predict_trace *t = r->t;
	uint32_t locks = predict_names_count(&t->locks), locs = predict_names_count(&t->locs);

	r->count = xcalloc(t->thread_count + 1, sizeof(*r->count));
	r->tainted = xcalloc(t->thread_count + 1, 1);
	r->ended = xcalloc(t->thread_count + 1, 1);
	r->owner = xmalloc((locks + 1) * sizeof(*r->owner));
	r->readers = xcalloc(locks + 1, sizeof(*r->readers));
	r->last = xmalloc((locs + 1) * sizeof(*r->last));
	r->done = xcalloc(t->events.count + 1, 1);
	r->changed = xcalloc(t->events.count + 1, 1);
	for (uint32_t i = 0; i < locks; i++)
		r->owner[i] = PREDICT_NONE;
	for (uint32_t i = 0; i < locs; i++)
		r->last[i] = PREDICT_NONE;
}

static void replay_fini(struct replay *r)
{
	free(r->count);
	free(r->tainted);
	free(r->ended);
	free(r->owner);
	free(r->readers);
	free(r->last);
	free(r->done);
	free(r->changed);
}

static int bad(struct replay *r, uint32_t event, const char *why)
{
	return err_set(r->e, ERR_MISMATCH, "event %u (line %u): %s", event + 1,
		       r->t->events.items[event].line, why);
}

static int replay_lock(struct replay *r, uint32_t event)
{
	const struct predict_event *ev = &r->t->events.items[event];
	bool shared = ev->flags & PREDICT_SHARED;

	if (ev->op == OP_ACQ) {
		if (r->owner[ev->object] != PREDICT_NONE || (!shared && r->readers[ev->object] > 0))
			return bad(r, event, "the lock is held");
		if (shared)
			r->readers[ev->object]++;
		else
			r->owner[ev->object] = ev->thread;
		return 0;
	}
	if (shared) {
		if (r->readers[ev->object] == 0)
			return bad(r, event, "the lock is not held");
		r->readers[ev->object]--;
		return 0;
	}
	if (r->owner[ev->object] != ev->thread)
		return bad(r, event, "the lock is not held by this thread");
	r->owner[ev->object] = PREDICT_NONE;
	return 0;
}

static int replay_access(struct replay *r, uint32_t event)
{
	const struct predict_event *ev = &r->t->events.items[event];
	uint32_t seen = r->last[ev->object];

	if (predict_op_reads(ev->op)) {
		bool same = seen == r->t->rf[event] && (seen == PREDICT_NONE || !r->changed[seen]);

		if (!same && r->model == MODEL_CDSR) {
			if (event != r->q->exempt)
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

static int replay_effect(struct replay *r, uint32_t event)
{
	const struct predict_trace *t = r->t;
	const struct predict_event *ev = &t->events.items[event];

	switch (ev->op) {
	case OP_READ:
	case OP_WRITE:
	case OP_RMW:
		return replay_access(r, event);
	case OP_ACQ:
	case OP_REL:
		return replay_lock(r, event);
	case OP_WAIT:
		return replay_wait(r, event);
	case OP_JOIN:
		if (r->count[ev->object] != t->start[ev->object + 1] - t->start[ev->object])
			return bad(r, event, "the joined thread has not ended");
		return 0;
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
	for (size_t i = 0; i < r->q->order.count; i++) {
		if (r->q->order.items[i].wait == event && !r->done[r->q->order.items[i].sig])
			return bad(r, event, "comes before an event it was asked to follow");
	}
	code = replay_effect(r, event);
	r->done[event] = 1;
	r->count[ev->thread]++;
	return code;
}

static int judge_targets(struct replay *r)
{
	const struct predict_trace *t = r->t;
	const struct predict_question *q = r->q;

	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t target = q->targets.items[i];
		const struct predict_event *ev = &t->events.items[target];

		if (r->count[ev->thread] != t->pos[target] || !thread_exists(r, ev->thread))
			return bad(r, target, "is not the next event of its thread at the end");
		if (r->ended[ev->thread])
			return bad(r, target, "its thread has read another value");
		if (q->strict && r->model != MODEL_CSR && predict_op_reads(ev->op) &&
		    r->last[ev->object] != t->rf[target])
			return bad(r, target, "would see another write than observed");
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

/* Each requested lock is held by the thread of the next request in the cycle. */
static int judge_deadlock(struct replay *r)
{
	const struct predict_trace *t = r->t;
	size_t n = r->q->targets.count;

	for (size_t i = 0; i < n; i++) {
		uint32_t event = r->q->targets.items[i];
		uint32_t next = r->q->targets.items[(i + 1) % n];
		const struct predict_event *ev = &t->events.items[event];
		uint32_t list = t->held[next];

		while (list != 0 && t->events.items[t->lists.items[list].acq].object != ev->object)
			list = t->lists.items[list].next;
		if (ev->op != OP_ACQ || list == 0 || !r->done[t->lists.items[list].acq])
			return bad(r, event, "the requested lock is not held by the next thread");
	}
	return 0;
}

static int judge(struct replay *r)
{
	int code = judge_targets(r);

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
	struct replay r = {.t = t, .q = q, .model = model, .e = e};
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
