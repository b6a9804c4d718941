#include "predict/read/bundle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "predict/read/graves.h"
#include "predict/read/maker.h"
#include "predict/read/signals.h"

#define MAX_FREED 4096 /* cells written by one free */

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

static bool is_atomic(const struct wire_event *e)
{
	return e->kind == EVENT_RMW || e->kind == EVENT_CAS_FAIL ||
	       (predict_places_bytes(e) > 0 && (e->aux & 7) != ORDER_PLAIN);
}

/* Aux says more about these. */
static bool has_bit(const struct wire_event *e, uint32_t bit)
{
	bool plain = e->kind == EVENT_READ || e->kind == EVENT_WRITE ||
		     e->kind == EVENT_READ_RANGE || e->kind == EVENT_WRITE_RANGE;

	return plain && e->aux & bit;
}

/*
 * Glued to the event before it, when that one is there: the first thing a library function does is
 * glued to a marker that only some recordings have.  Markers count in any case.
 */
static bool is_glued(const struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);

	return has_bit(e, EVENT_GLUED) && e->tix > 0 && m->next_tix[e->tid] == e->tix;
}

static uint8_t op_of(const struct wire_event *e)
{
	if (e->kind == EVENT_RMW)
		return OP_RMW;
	return predict_places_writes(e) ? OP_WRITE : OP_READ;
}

/* Location of the cell, named after whoever accesses just this. */
static uint32_t location(struct predict_maker *m, struct predict_cell *c)
{
	const struct trace_site *s =
		trace_sites_find(&m->b->sites, m->b->events.items[c->namer].site);

	if (c->loc == UINT32_MAX)
		c->loc = predict_maker_name(m, &m->t->locs, c->from, s != NULL ? s->name : NULL);
	return c->loc;
}

static void access_cell(struct predict_maker *m, struct predict_cell *c, bool stands)
{
	const struct wire_event *e = predict_maker_current(m);
	uint64_t bytes = predict_places_bytes(e);
	struct predict_event ev = {.op = op_of(e), .object = location(m, c)};

	if (is_atomic(e))
		ev.flags |= PREDICT_ATOMIC;
	if (has_bit(e, EVENT_HIDDEN))
		ev.flags |= PREDICT_HIDDEN;
	if (c->mixed) {
		ev.addr = e->addr;
		ev.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
		if (ev.op == OP_WRITE && bytes < c->to - c->from)
			ev.op = OP_RMW;
	}
	/* How far a string is read depends on what was read of it. */
	if (!stands && !has_bit(e, EVENT_STRING))
		ev.flags |= PREDICT_PART;
	predict_maker_event(m, ev, stands);
}

/* One event for each cell that matters; when none does, the first stands for the access. */
static void access_memory(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);
	struct predict_cell *cells = m->places.cells.items + m->places.first[m->i];
	uint32_t count = m->places.count[m->i];
	bool stands = true;

	/* What a library function does next may depend on all it has read. */
	if (m->glued)
		predict_maker_depend(m);
	else
		depend_on_address(m);
	m->begun = false;
	m->together = true;
	for (uint32_t i = 0; i < count; i++) {
		if (!cells[i].shared)
			continue;
		if (!stands && has_bit(e, EVENT_STRING))
			predict_maker_depend(m);
		access_cell(m, &cells[i], stands);
		stands = false;
	}
	if (stands)
		access_cell(m, &cells[0], true);
	m->together = false;
}

static void free_memory(struct predict_maker *m)
{
	uint32_t from = 0, to = 0, written = 0;

	if (m->places.life_of[m->i] != 0)
		predict_places_of_life(&m->places, m->places.life_of[m->i], &from, &to);
	m->begun = false;
	m->together = true;
	for (uint32_t i = from; i < to && written < MAX_FREED; i++) {
		const struct predict_cell *c = &m->places.cells.items[i];

		if (c->shared && c->loc != UINT32_MAX)
			predict_maker_more(m, OP_WRITE, c->loc,
					   PREDICT_FREE | (written++ > 0 ? PREDICT_PART : 0));
	}
	predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
	m->together = false;
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
	struct predict_cell *p;
	int rc = feed(m, "sig", 'o');

	vec_push(&m->onces, predict_maker_current(m)->addr);
	if (rc != 0 || at == UINT32_MAX)
		return rc;
	p = &m->places.cells.items[at];
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

static void send_signal(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);
	uint32_t event = predict_maker_add(m, OP_SIG,
					   predict_maker_object(m, &m->t->conds, 'k', e->value), 0);

	for (size_t i = 0; i < m->kills.count; i++) {
		if (m->kills.items[i].tid == e->aux && m->kills.items[i].number == e->value) {
			m->kills.items[i].event = event;
			return;
		}
	}
	vec_push(&m->kills, ((struct predict_kill){e->aux, e->value, event}));
}

/* A handler runs after the signal was sent, to its thread or to the process; others come from
 * elsewhere. */
static void begin_handler(struct predict_maker *m)
{
	const struct wire_event *e = predict_maker_current(m);
	uint32_t cond = predict_maker_object(m, &m->t->conds, 'k', e->value), event = PREDICT_NONE;

	for (size_t i = 0; i < m->kills.count; i++) {
		const struct predict_kill *k = &m->kills.items[i];

		if (k->number != e->value || (k->tid != e->tid && k->tid != THREAD_NONE))
			continue;
		if (event == PREDICT_NONE)
			event = predict_maker_add(m, OP_WAIT, cond, 0);
		predict_trace_pair(m->t, k->event, event);
	}
	if (event == PREDICT_NONE)
		predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
}

/* How many tokens a semaphore has, as a location: matters when somebody asked and got none. */
static uint32_t count_of(struct predict_maker *m)
{
	return predict_maker_state(m, "semaphore", predict_maker_current(m)->addr);
}

static int post(struct predict_maker *m)
{
	if (predict_maker_was_tried(m, predict_maker_current(m)->addr))
		predict_maker_more(m, OP_RMW, count_of(m), PREDICT_MAKER_STATE);
	return feed(m, "post", 's');
}

static int take(struct predict_maker *m)
{
	int rc = feed(m, "take", 's');

	if (rc == 0 && predict_maker_was_tried(m, predict_maker_current(m)->addr))
		predict_maker_more(m, OP_RMW, count_of(m), PREDICT_MAKER_STATE);
	return rc;
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
		return post(m);
	case EVENT_SEM_WAIT:
		return take(m);
	case EVENT_SEM_TRYWAIT:
		if (e->value == 0)
			return take(m);
		predict_maker_add(m, OP_READ, count_of(m), PREDICT_MAKER_STATE);
		return 0;
	case EVENT_SEM_TIMEOUT:
		predict_maker_add(m, OP_READ, count_of(m), PREDICT_MAKER_STATE);
		return 0;
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

	if (m->places.count[m->i] > 0 && predict_places_silent(&m->places, m->b, m->i)) {
		predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
		return 0;
	}
	if (m->places.count[m->i] > 0) {
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
	case EVENT_FD:
		predict_maker_depend(m);
		predict_maker_add(m, OP_RMW, predict_maker_state(m, "descriptors", 0),
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
		predict_maker_depend(m);
		return 0;
	case EVENT_ENTER:
		if (!m->direct)
			predict_maker_depend(m);
		return 0;
	case EVENT_CALL:
		predict_maker_depend(m);
		return 0;
	case EVENT_OUTSIDE:
		predict_maker_depend(m); /* the arguments */
		predict_maker_add(m, OP_NOP, PREDICT_NONE, 0);
		return 0;
	case EVENT_KILL:
		send_signal(m);
		return 0;
	case EVENT_HANDLER:
		begin_handler(m);
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
	if (wire_model_buffers(b->meta.model))
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

/* Logged only with markers; a run of instrumented code that took no branch has the others. */
static bool is_marker(uint8_t kind)
{
	return kind == EVENT_BRANCH || kind == EVENT_ENTER || kind == EVENT_LEAVE ||
	       kind == EVENT_CALL || kind == EVENT_INTO;
}

/* What has to be known of the whole recording before its first event is made. */
static void look_ahead(struct predict_maker *m)
{
	bool marked = false;

	for (size_t i = 0; i < m->b->events.count; i++) {
		marked |= is_marker(m->b->events.items[i].kind);
		predict_maker_note_tried(m, &m->b->events.items[i]);
	}
	m->markers = m->branches && marked;
	m->t->has_branches = m->markers;
	m->t->branches_known = marked;
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
		m.direct = calls_direct(&m.stacks.calls, b->events.items[m.i].tid);
		m.glued = is_glued(&m);
		m.next_tix[b->events.items[m.i].tid] = b->events.items[m.i].tix + 1;
		m.begun = false;
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
