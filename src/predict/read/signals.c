#include "predict/read/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

static int by_signal(const void *x, const void *y)
{
	const struct predict_waking *a = x, *b = y;

	if (a->sig != b->sig)
		return a->sig < b->sig ? -1 : 1;
	return a->wake < b->wake ? -1 : a->wake > b->wake;
}

/* Where the wait began that ends with this event. */
static uint32_t begin_of(const struct predict_maker *m, size_t wake)
{
	const struct wire_event *events = m->b->events.items;

	for (size_t i = wake; i-- > 0;) {
		if (events[i].kind == EVENT_COND_WAIT && events[i].tid == events[wake].tid &&
		    events[i].addr == events[wake].addr)
			return (uint32_t)i;
	}
	return PREDICT_NONE;
}

/*
 * The signal that ended a wait is the first one of the waker that can have done so: the waiter goes
 * on only when it gets the mutex, and the waker may have signalled again by then.  A signal knows
 * how many it woke; woken has, by event, how many of these are found.
 */
static uint32_t signal_of(const struct predict_maker *m, const uint32_t *woken, size_t begin,
			  size_t wake)
{
	const struct wire_event *events = m->b->events.items;

	for (size_t i = begin + 1; i < wake; i++) {
		const struct wire_event *e = &events[i];

		if ((e->kind == EVENT_COND_SIGNAL || e->kind == EVENT_COND_BROADCAST) &&
		    e->tid == events[wake].aux && e->addr == events[wake].addr && woken[i] < e->aux)
			return (uint32_t)i;
	}
	return PREDICT_NONE;
}

static void note_waiter(struct predict_maker *m, const struct wire_event *e)
{
	for (size_t i = 0; i < m->waiters.count; i++) {
		if (m->waiters.items[i].cond == e->addr && m->waiters.items[i].tid == e->tid)
			return;
	}
	vec_push(&m->waiters, ((struct predict_waiter){e->addr, e->tid}));
}

void predict_signals_scan(struct predict_maker *m)
{
	uint32_t *woken = xcalloc(m->b->events.count + 1, sizeof(*woken));

	for (size_t i = 0; i < m->b->events.count; i++) {
		const struct wire_event *e = &m->b->events.items[i];
		struct predict_waking w = {PREDICT_NONE, PREDICT_NONE, (uint32_t)i};

		m->sig_of[i] = PREDICT_NONE;
		if (e->kind == EVENT_COND_WAIT)
			note_waiter(m, e);
		if (e->kind != EVENT_COND_WAKE || e->aux == THREAD_NONE)
			continue;
		w.begin = begin_of(m, i);
		if (w.begin != PREDICT_NONE)
			w.sig = signal_of(m, woken, w.begin, i);
		if (w.sig == PREDICT_NONE)
			continue;
		vec_push(&m->wakings, w);
		m->sig_of[i] = w.sig;
		woken[w.sig]++;
	}
	free(woken);
	if (m->wakings.count > 0)
		qsort(m->wakings.items, m->wakings.count, sizeof(*m->wakings.items), by_signal);
}

/*
 * Whether a thread waits on a condition, as a location: beginning to wait writes it, what ends the
 * wait reads it, and every signal that would have ended the wait but did not writes it too.  So
 * such a signal stays outside, as recorded or on the other side.
 */
static uint32_t waits_id(struct predict_maker *m, uint64_t cond, uint32_t tid)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "T%u waits for %" PRIx64 "#%" PRIu64, tid, cond,
			 m->places.life_of[m->i]);

	return predict_names_add(&m->t->locs, text, (size_t)n);
}

/* What a signal does to the waits of other threads; the last one becomes its step. */
static void note_effect(struct predict_maker *m, uint8_t op, uint32_t tid)
{
	vec_push(&m->effects,
		 ((struct predict_effect){op, waits_id(m, predict_maker_current(m)->addr, tid)}));
}

void predict_signals_begin_wait(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);
	uint32_t cond = predict_maker_object(m, &m->t->conds, 'c', e->addr);

	predict_maker_more(m, OP_WRITE, waits_id(m, e->addr, e->tid), PREDICT_MAKER_STATE);
	predict_maker_release(m, e->value);
	m->became[m->i] = predict_maker_more(m, OP_SIG, cond, PREDICT_STATE);
}

/* First waking of the signal being looked at. */
static size_t first_waking(const struct predict_maker *m)
{
	size_t low = 0, high = m->wakings.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->wakings.items[middle].sig < m->i)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool woke(const struct predict_maker *m, uint32_t tid)
{
	for (size_t i = first_waking(m); i < m->wakings.count && m->wakings.items[i].sig == m->i;
	     i++) {
		if (m->b->events.items[m->wakings.items[i].wake].tid == tid)
			return true;
	}
	return false;
}

/* A broadcast, or a signal that woke nobody, did not fall into the waits of these threads. */
static void miss_waiters(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);
	size_t at = first_waking(m);
	bool woke_one = at < m->wakings.count && m->wakings.items[at].sig == m->i;

	if (e->kind == EVENT_COND_SIGNAL && woke_one)
		return; /* it picks one waiter; others may be waiting too */
	for (size_t i = 0; i < m->waiters.count; i++) {
		const struct predict_waiter *w = &m->waiters.items[i];

		if (w->cond == e->addr && w->tid != e->tid && !woke(m, w->tid))
			note_effect(m, OP_WRITE, w->tid);
	}
}

/* A signal comes after the waiters it woke began to wait; otherwise it would be lost. */
void predict_signals_send(struct predict_maker *m)
{
	uint32_t cond = predict_maker_object(m, &m->t->conds, 'c', predict_maker_current(m)->addr);

	for (size_t i = first_waking(m); i < m->wakings.count && m->wakings.items[i].sig == m->i;
	     i++) {
		const struct predict_waking *w = &m->wakings.items[i];

		if (m->became[w->begin] == PREDICT_NONE)
			continue;
		predict_trace_pair(m->t, m->became[w->begin],
				   predict_maker_more(m, OP_WAIT, cond, PREDICT_STATE));
		note_effect(m, OP_READ, m->b->events.items[w->wake].tid);
	}
	miss_waiters(m);
	for (size_t i = 0; i + 1 < m->effects.count; i++)
		predict_maker_more(m, m->effects.items[i].op, m->effects.items[i].loc,
				   PREDICT_MAKER_STATE);
	if (m->effects.count == 0) {
		m->became[m->i] = predict_maker_add(m, OP_SIG, cond, 0);
		return;
	}
	predict_maker_add(m, vec_last(&m->effects).op, vec_last(&m->effects).loc,
			  PREDICT_MAKER_STATE);
	predict_maker_depend(m);
	m->became[m->i] = predict_maker_more(m, OP_SIG, cond, 0);
	vec_clear(&m->effects);
}

void predict_signals_wake(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);
	uint32_t cond = predict_maker_object(m, &m->t->conds, 'c', e->addr), sig = m->sig_of[m->i];

	if (sig != PREDICT_NONE && m->became[sig] != PREDICT_NONE)
		predict_trace_pair(m->t, m->became[sig], predict_maker_more(m, OP_WAIT, cond, 0));
	predict_maker_acquire(m, e->value, 0);
	if (sig == PREDICT_NONE && !m->expired[e->tid]) { /* a spurious wake-up */
		predict_maker_more(m, OP_READ, waits_id(m, e->addr, e->tid), PREDICT_MAKER_STATE);
		predict_maker_depend(m);
	}
	m->expired[e->tid] = 0;
}

void predict_signals_expire(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);

	predict_maker_add(m, OP_READ, waits_id(m, e->addr, e->tid), PREDICT_MAKER_STATE);
	predict_maker_depend(m);
	m->expired[e->tid] = 1;
}
