#include "predict/bundle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "predict/graves.h"
#include "predict/maker.h"
#include "predict/signals.h"

#define MAX_FREED 256 /* places written by one free */

/* The address may have been computed from what the thread read, unless the source names the object.
 */
static void depend_on_address(struct predict_maker *m)
{
	const struct trace_site *s = trace_sites_find(&m->b->sites, predict_maker_current(m)->site);

	if (s == NULL || !(s->flags & SITE_FIXED))
		predict_maker_depend(m);
}

static void try_lock(struct predict_maker *m, uint8_t flags)
{
	const struct wire_event *e = predict_maker_current(m);

	if (e->value == 0 && e->kind != EVENT_LOCK_TIMEOUT)
		predict_maker_acquire(m, e->addr, flags | PREDICT_TRY);
	else
		predict_maker_add(m, OP_READ, predict_maker_state(m, "lock", e->addr),
				  PREDICT_MAKER_STATE);
}

static void access_memory(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);
	struct predict_place *p = &m->places.places.items[m->places.place_of[m->i]];
	const struct trace_site *s = trace_sites_find(&m->b->sites, e->site);
	uint64_t bytes = predict_places_bytes(e);
	struct predict_event ev = {.op = OP_READ};

	depend_on_address(m);
	if (p->loc == UINT32_MAX)
		p->loc = predict_maker_name(m, &m->t->locs, e->addr, s != NULL ? s->name : NULL);
	ev.object = p->loc;
	if (e->kind == EVENT_WRITE || e->kind == EVENT_WRITE_RANGE)
		ev.op = p->mixed && bytes < p->to - p->from ? OP_RMW : OP_WRITE;
	else if (e->kind == EVENT_RMW)
		ev.op = OP_RMW;
	if (e->kind == EVENT_RMW || e->kind == EVENT_CAS_FAIL ||
	    ((e->kind == EVENT_READ || e->kind == EVENT_WRITE) && (e->aux & 7) != ORDER_PLAIN))
		ev.flags = PREDICT_ATOMIC;
	if (p->mixed) {
		ev.addr = e->addr;
		ev.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
	}
	predict_maker_event(m, ev, true);
}

static void free_memory(struct predict_maker *m)
{
	uint32_t from = 0, to = 0;

	if (m->places.life_of[m->i] != 0)
		predict_places_of_life(&m->places, m->places.life_of[m->i], &from, &to);
	for (uint32_t i = from; i < to && i < from + MAX_FREED; i++) {
		if (m->places.places.items[i].loc != UINT32_MAX)
			predict_maker_more(m, OP_WRITE, m->places.places.items[i].loc,
					   PREDICT_FREE);
	}
	/* The step comes last: as long as one of these writes is pending, the block is not freed.
	 */
	predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
}

/* Semaphores, barriers and once are matched as in the text form. */
static int feed(struct predict_maker *m, const char *op, char kind)
{
	const struct wire_event *e = predict_maker_current(m);
	uint32_t cond = predict_maker_object(m, &m->t->conds, kind, e->addr), event;
	struct predict_item item = {.line = (uint32_t)m->i + 1};
	char thread[16];
	int rc;

	snprintf(thread, sizeof(thread), "T%u", e->tid);
	item.thread = (struct predict_text){thread, strlen(thread)};
	item.op = (struct predict_text){op, strlen(op)};
	item.arg.at = predict_names_text(&m->t->conds, cond);
	item.arg.bytes = strlen(item.arg.at);
	rc = predict_feed_event(m->feed, &item, &event, m->e);
	if (rc == 0) {
		m->t->events.items[event].site = predict_maker_site(m);
		m->t->events.items[event].frame = m->frame;
		m->t->events.items[event].branches = m->branch_count[e->tid];
		vec_push(m->origin, (uint32_t)m->i);
	}
	return rc;
}

/* The end of a once writes what later callers read directly. */
static int end_once(struct predict_maker *m)
{
	uint32_t at = predict_places_find(&m->places, m->places.life_of[m->i],
					  predict_maker_current(m)->addr);
	struct predict_place *p;
	int rc = feed(m, "sig", 'o');

	vec_push(&m->onces, predict_maker_current(m)->addr);
	if (rc != 0 || at == UINT32_MAX)
		return rc;
	p = &m->places.places.items[at];
	if (p->loc == UINT32_MAX)
		p->loc = predict_maker_name(m, &m->t->locs, predict_maker_current(m)->addr, NULL);
	predict_maker_more(m, OP_WRITE, p->loc, PREDICT_ATOMIC);
	return 0;
}

/* One that ended before the recording began orders nothing. */
static int pass_once(struct predict_maker *m)
{
	for (size_t i = 0; i < m->onces.count; i++) {
		if (m->onces.items[i] == predict_maker_current(m)->addr)
			return feed(m, "wait", 'o');
	}
	predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
	return 0;
}

static int make_sync(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);

	switch (e->kind) {
	case EVENT_BARRIER_ARRIVE:
		return feed(m, "arrive", 'b');
	case EVENT_BARRIER_LEAVE:
		return feed(m, "leave", 'b');
	case EVENT_SEM_POST:
		return feed(m, "post", 's');
	case EVENT_SEM_WAIT:
		return feed(m, "take", 's');
	case EVENT_ONCE_END:
		return end_once(m);
	case EVENT_ONCE_PASS:
		return pass_once(m);
	default:
		predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
		return 0;
	}
}

static int make_event(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);

	if (m->places.place_of[m->i] != UINT32_MAX) {
		access_memory(m);
		return 0;
	}
	if (e->kind >= EVENT_LOCK && e->kind <= EVENT_FUTEX_WAKE)
		depend_on_address(m);
	switch (e->kind) {
	case EVENT_LOCK:
	case EVENT_WRLOCK:
	case EVENT_SPIN_LOCK:
		predict_maker_acquire(m, e->addr, 0);
		return 0;
	case EVENT_RDLOCK:
		predict_maker_acquire(m, e->addr, PREDICT_SHARED);
		return 0;
	case EVENT_UNLOCK:
	case EVENT_RWUNLOCK:
	case EVENT_SPIN_UNLOCK:
		predict_maker_release(m, e->addr);
		return 0;
	case EVENT_TRYLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_TRYLOCK:
	case EVENT_LOCK_TIMEOUT:
		try_lock(m, 0);
		return 0;
	case EVENT_TRYRDLOCK:
		try_lock(m, PREDICT_SHARED);
		return 0;
	case EVENT_COND_WAIT:
		predict_signals_begin_wait(m);
		return 0;
	case EVENT_COND_WAKE:
		predict_signals_wake(m);
		return 0;
	case EVENT_COND_TIMEOUT:
		predict_signals_expire(m);
		return 0;
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		predict_signals_send(m);
		return 0;
	case EVENT_THREAD_CREATE:
		predict_maker_depend(m); /* the argument */
		predict_maker_add(m, OP_FORK, predict_maker_thread(m, e->aux), 0);
		return 0;
	case EVENT_THREAD_JOIN:
		predict_maker_add(m, OP_JOIN, predict_maker_thread(m, e->aux), 0);
		return 0;
	case EVENT_IO:
		predict_maker_depend(m); /* what is written */
		predict_maker_add(m, OP_RMW, predict_maker_state(m, "descriptor", e->addr),
				  PREDICT_MAKER_STATE);
		return 0;
	case EVENT_CLOCK:
	case EVENT_RANDOM:
		predict_maker_add(m, OP_RMW, predict_maker_state(m, "clock", 0),
				  PREDICT_MAKER_STATE);
		return 0;
	case EVENT_FREE:
		predict_maker_depend(m);
		free_memory(m);
		return 0;
	case EVENT_ALLOC:      /* its size */
	case EVENT_THREAD_END: /* its result */
	case EVENT_SLEEP:
		predict_maker_depend(m);
		predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
		return 0;
	case EVENT_ATOMIC_BEGIN:
		predict_maker_add(m, OP_BEGIN, PREDICT_NONE, 0);
		return 0;
	case EVENT_ATOMIC_END:
		predict_maker_add(m, OP_END, PREDICT_NONE, 0);
		return 0;
	case EVENT_BRANCH:
		m->branch_count[e->tid]++;
		m->t->branches_known = true;
		predict_maker_depend(m);
		return 0;
	case EVENT_ENTER:
		if (!m->direct)
			predict_maker_depend(m);
		return 0;
	case EVENT_CALL:
		predict_maker_depend(m);
		return 0;
	case EVENT_LEAVE:
	case EVENT_INTO:
		return 0;
	default:
		return make_sync(m);
	}
}

static int refuse(const struct trace_bundle *b, struct err *e)
{
	if (b->meta.model != MODEL_SC)
		return err_set(e, ERR_UNSUPPORTED,
			       "recorded under a weak memory model; predict needs one recorded "
			       "with --model=sc");
	if (b->counters.events_lost > 0)
		return err_set(e, ERR_INCOMPLETE,
			       "%" PRIu64 " events were lost while recording; an order of the rest "
			       "says nothing",
			       b->counters.events_lost);
	if (b->events.count == 0)
		return err_set(e, ERR_FORMAT, "the bundle has no events (record with heddle run)");
	return 0;
}

/* What has to be known of the whole recording before its first event is made. */
static void look_ahead(struct predict_maker *m)
{
	for (size_t i = 0; i < m->b->events.count; i++) {
		m->markers |= m->branches && m->b->events.items[i].kind == EVENT_BRANCH;
		predict_maker_note_tried(m, &m->b->events.items[i]);
	}
	predict_signals_scan(m);
	predict_graves_find(m);
}

int predict_bundle_trace(const struct trace_bundle *b, const struct predict_bundle_opts *o,
			 struct predict_trace **out, struct predict_origin *origin, struct err *e)
{
	struct predict_maker m = {.origin = origin, .branches = o->branches, .e = e};
	int rc = refuse(b, e);

	if (rc != 0)
		return rc;
	predict_maker_init(&m, b);
	look_ahead(&m);
	for (m.i = 0; m.i < b->events.count && rc == 0; m.i++) {
		m.became[m.i] = PREDICT_NONE;
		m.direct = m.stacks.count > b->events.items[m.i].tid &&
			   m.stacks.items[b->events.items[m.i].tid].direct;
		m.frame = predict_stacks_follow(&m.stacks, m.t, b, &b->events.items[m.i]);
		rc = make_event(&m);
		predict_graves_open(&m);
	}
	if (rc == 0)
		rc = predict_trace_settle(m.t, o->strict, e);
	predict_maker_fini(&m);
	if (rc == 0)
		*out = m.t;
	else
		predict_trace_free(m.t);
	return rc;
}
