#include "predict/bundle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "predict/feed.h"
#include "predict/places.h"

#define MAX_FREED 256 /* places written by one free */
#define SMALL_OBJECT 64
#define STATE (PREDICT_ATOMIC | PREDICT_STATE)

/* A waiter that a signal woke: where it began to wait and where it went on. */
struct waking {
	uint32_t sig, begin, wake;
};

struct waiter {
	uint64_t cond;
	uint32_t tid;
};

struct effect {
	uint8_t op;
	uint32_t loc;
};

struct grave {
	uint64_t lock;
	size_t last; /* event of the thread that held it, before another one took it */
};

struct maker {
	const struct trace_bundle *b;
	struct predict_trace *t;
	struct predict_origin *origin;
	struct predict_feed *feed;
	struct predict_places places;
	struct predict_names objects; /* kind, address and life of what has a name already */
	VEC(uint32_t) object_names;   /* by object: its number in the table of its kind */
	VEC(struct waking) wakings;   /* by signal */
	VEC(struct effect) effects;   /* of the signal being looked at */
	VEC(struct waiter) waiters;   /* every thread that ever waits on a condition */
	uint32_t *sig_of;	      /* by wire event: the signal that woke this one */
	uint8_t *expired;	      /* by thread: its wait has timed out */
	VEC(struct grave) graves;
	VEC(uint64_t) tried; /* locks somebody failed to take */
	uint32_t *became;    /* by wire event: the OP_SIG it became, or PREDICT_NONE */
	bool markers;
	size_t i; /* event being looked at */
	struct err *e;
};

static const struct wire_event *current(const struct maker *m)
{
	return &m->b->events.items[m->i];
}

/* ---- names ---- */

static uint32_t thread_id(struct maker *m, uint32_t tid)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "T%u", tid);

	return predict_names_add(&m->t->threads, text, (size_t)n);
}

/* The variable's name when it is still free, with its address and life otherwise. */
static uint32_t unique_name(struct maker *m, struct predict_names *names, uint64_t addr,
			    const char *hint)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t id;

	if (!trace_symbols_print(&m->b->symbols, addr, &text))
		strbuf_add(&text, hint != NULL && *hint != '\0' ? hint : "memory");
	if (predict_names_find(names, text.text, text.length) != PREDICT_NAME_NONE)
		strbuf_addf(&text, "@0x%" PRIx64, addr);
	if (predict_names_find(names, text.text, text.length) != PREDICT_NAME_NONE)
		strbuf_addf(&text, "#%" PRIu64, m->places.life_of[m->i]);
	id = predict_names_add(names, text.text, text.length);
	strbuf_free(&text);
	return id;
}

/* Number of the object of this kind at this address, the same for its whole life. */
static uint32_t object_id(struct maker *m, struct predict_names *names, char kind, uint64_t addr)
{
	uint32_t count = predict_names_count(&m->objects), id;
	char key[64];
	int n = snprintf(key, sizeof(key), "%c%" PRIx64 "#%" PRIu64, kind, addr,
			 m->places.life_of[m->i]);

	id = predict_names_add(&m->objects, key, (size_t)n);
	if (id == count)
		vec_push(&m->object_names, unique_name(m, names, addr, NULL));
	return m->object_names.items[id];
}

static uint32_t lock_id(struct maker *m, uint64_t addr)
{
	return object_id(m, &m->t->locks, 'l', addr);
}

/* A location that stands for something else than memory: state of a lock, a descriptor, the clock.
 */
static uint32_t state_id(struct maker *m, const char *what, uint64_t number)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%s %" PRIx64, what, number);

	return predict_names_add(&m->t->locs, text, (size_t)n);
}

static uint32_t site_id(struct maker *m)
{
	const struct trace_site *s = trace_sites_find(&m->b->sites, current(m)->site);
	struct strbuf text = STRBUF_INIT;
	uint32_t id = PREDICT_NONE;

	if (s != NULL && s->line > 0) {
		trace_site_place(s, false, &text);
		if (s->column > 0)
			strbuf_addf(&text, ":%u", s->column);
		id = predict_names_add(&m->t->sites, text.text, text.length);
	}
	strbuf_free(&text);
	return id;
}

/* ---- events ---- */

static uint32_t add_event(struct maker *m, struct predict_event ev, bool stands)
{
	ev.thread = thread_id(m, current(m)->tid);
	ev.line = (uint32_t)m->i + 1;
	ev.site = site_id(m);
	vec_push(m->origin, stands ? (uint32_t)m->i : PREDICT_NONE);
	return predict_trace_add(m->t, ev);
}

/* One that stands for the event of the bundle. */
static uint32_t add(struct maker *m, uint8_t op, uint32_t object, uint8_t flags)
{
	return add_event(m, (struct predict_event){.op = op, .object = object, .flags = flags},
			 true);
}

/* One that only adds to its meaning. */
static uint32_t add_more(struct maker *m, uint8_t op, uint32_t object, uint8_t flags)
{
	return add_event(m, (struct predict_event){.op = op, .object = object, .flags = flags},
			 false);
}

/* The address may have been computed from what the thread read. */
static void depend_on_address(struct maker *m, uint64_t bytes)
{
	const struct trace_symbol *s = trace_symbols_find(&m->b->symbols, current(m)->addr);

	if (m->markers && !(s != NULL && s->addr == current(m)->addr && s->bytes <= bytes))
		add_more(m, OP_BRANCH, PREDICT_NONE, 0);
}

static bool was_tried(const struct maker *m, uint64_t lock)
{
	for (size_t i = 0; i < m->tried.count; i++) {
		if (m->tried.items[i] == lock)
			return true;
	}
	return false;
}

static void acquire(struct maker *m, uint64_t lock, uint8_t flags)
{
	add(m, OP_ACQ, lock_id(m, lock), flags);
	if (was_tried(m, lock))
		add_more(m, OP_WRITE, state_id(m, "lock", lock), STATE);
}

static void release(struct maker *m, uint64_t lock)
{
	if (was_tried(m, lock))
		add_more(m, OP_WRITE, state_id(m, "lock", lock), STATE);
	add(m, OP_REL, lock_id(m, lock), 0);
}

static void try_lock(struct maker *m, uint8_t flags)
{
	const struct wire_event *e = current(m);

	if (e->value == 0 && e->kind != EVENT_LOCK_TIMEOUT)
		acquire(m, e->addr, flags | PREDICT_TRY);
	else
		add(m, OP_READ, state_id(m, "lock", e->addr), STATE);
}

static void access_memory(struct maker *m)
{
	const struct wire_event *e = current(m);
	struct predict_place *p = &m->places.places.items[m->places.place_of[m->i]];
	const struct trace_site *s = trace_sites_find(&m->b->sites, e->site);
	uint64_t bytes = predict_places_bytes(e);
	struct predict_event ev = {.op = OP_READ};

	depend_on_address(m, bytes);
	if (p->loc == UINT32_MAX)
		p->loc = unique_name(m, &m->t->locs, e->addr, s != NULL ? s->name : NULL);
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
	add_event(m, ev, true);
}

static void free_memory(struct maker *m)
{
	uint32_t from = 0, to = 0;

	if (m->places.life_of[m->i] != 0)
		predict_places_of_life(&m->places, m->places.life_of[m->i], &from, &to);
	for (uint32_t i = from; i < to && i < from + MAX_FREED; i++) {
		if (m->places.places.items[i].loc != UINT32_MAX)
			add_more(m, OP_WRITE, m->places.places.items[i].loc, PREDICT_FREE);
	}
	/* The step comes last: as long as one of these writes is pending, the block is not freed.
	 */
	add(m, OP_NOP, PREDICT_NONE, 0);
}

/* A robust mutex that its owner took to the grave is free after the owner's last event. */
static void open_graves(struct maker *m)
{
	for (size_t i = 0; i < m->graves.count; i++) {
		if (m->graves.items[i].last == m->i)
			add_more(m, OP_REL, lock_id(m, m->graves.items[i].lock), 0);
	}
}

/* ---- conditions ---- */

static int by_signal(const void *x, const void *y)
{
	const struct waking *a = x, *b = y;

	if (a->sig != b->sig)
		return a->sig < b->sig ? -1 : 1;
	return a->wake < b->wake ? -1 : a->wake > b->wake;
}

/* Last event before `before' of the thread on the condition, of one of two kinds. */
static uint32_t last_of(const struct maker *m, size_t before, uint32_t tid, const uint8_t kinds[2])
{
	uint64_t addr = m->b->events.items[before].addr;

	while (before-- > 0) {
		const struct wire_event *e = &m->b->events.items[before];

		if (e->tid == tid && e->addr == addr &&
		    (e->kind == kinds[0] || e->kind == kinds[1]))
			return (uint32_t)before;
	}
	return PREDICT_NONE;
}

struct owner {
	uint64_t lock;
	uint32_t tid, depth;
};

static struct owner *owner_of(struct owner *owners, size_t n, uint64_t lock)
{
	for (size_t i = 0; i < n; i++) {
		if (owners[i].lock == lock)
			return &owners[i];
	}
	return NULL;
}

/* Finds locks that are taken although their owner never released them: it has died. */
static void find_graves(struct maker *m)
{
	VEC(struct owner) owners = VEC_INIT;
	uint32_t *last = xcalloc(UINT16_MAX + 1, sizeof(*last));

	for (uint32_t i = 0; i < m->b->events.count; i++) {
		const struct wire_event *e = &m->b->events.items[i];
		bool takes = e->kind == EVENT_LOCK || (e->kind == EVENT_TRYLOCK && e->value == 0);
		bool wakes = e->kind == EVENT_COND_WAKE, waits = e->kind == EVENT_COND_WAIT;
		uint64_t lock = wakes || waits ? e->value : e->addr;
		struct owner *o;

		if (takes || wakes || waits || e->kind == EVENT_UNLOCK) {
			o = owner_of(owners.items, owners.count, lock);
			if (o == NULL) {
				vec_push(&owners, ((struct owner){lock, e->tid, 0}));
				o = &vec_last(&owners);
			}
			if ((takes || wakes) && o->depth > 0 && o->tid != e->tid) {
				vec_push(&m->graves, ((struct grave){lock, last[o->tid]}));
				o->depth = 0;
			}
			o->depth = takes || wakes ? o->depth + 1 : o->depth - (o->depth > 0);
			o->tid = e->tid;
		}
		last[e->tid] = i;
	}
	vec_free(&owners);
	free(last);
}

static void note_waiter(struct maker *m, const struct wire_event *e)
{
	for (size_t i = 0; i < m->waiters.count; i++) {
		if (m->waiters.items[i].cond == e->addr && m->waiters.items[i].tid == e->tid)
			return;
	}
	vec_push(&m->waiters, ((struct waiter){e->addr, e->tid}));
}

static void scan(struct maker *m)
{
	static const uint8_t signals[] = {EVENT_COND_SIGNAL, EVENT_COND_BROADCAST};
	static const uint8_t waits[] = {EVENT_COND_WAIT, EVENT_COND_WAIT};

	for (size_t i = 0; i < m->b->events.count; i++) {
		const struct wire_event *e = &m->b->events.items[i];
		struct waking w = {PREDICT_NONE, PREDICT_NONE, (uint32_t)i};

		m->markers |= e->kind == EVENT_BRANCH;
		m->sig_of[i] = PREDICT_NONE;
		if (e->kind == EVENT_COND_WAIT)
			note_waiter(m, e);
		if (e->kind == EVENT_LOCK_TIMEOUT ||
		    ((e->kind == EVENT_TRYLOCK || e->kind == EVENT_SPIN_TRYLOCK ||
		      e->kind == EVENT_TRYRDLOCK || e->kind == EVENT_TRYWRLOCK) &&
		     e->value != 0 && !was_tried(m, e->addr)))
			vec_push(&m->tried, e->addr);
		if (e->kind != EVENT_COND_WAKE || e->aux == THREAD_NONE)
			continue;
		w.sig = last_of(m, i, e->aux, signals);
		w.begin = last_of(m, i, e->tid, waits);
		if (w.sig == PREDICT_NONE || w.begin == PREDICT_NONE || w.begin > w.sig)
			continue;
		vec_push(&m->wakings, w);
		m->sig_of[i] = w.sig;
	}
	if (m->wakings.count > 0)
		qsort(m->wakings.items, m->wakings.count, sizeof(*m->wakings.items), by_signal);
}

/*
 * Whether a thread waits on a condition, as a location: beginning to wait writes it, what ends the
 * wait reads it, and every signal that would have ended the wait but did not writes it too.  So
 * such a signal stays outside, as recorded or on the other side.
 */
static uint32_t waits_id(struct maker *m, uint64_t cond, uint32_t tid)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "T%u waits for %" PRIx64 "#%" PRIu64, tid, cond,
			 m->places.life_of[m->i]);

	return predict_names_add(&m->t->locs, text, (size_t)n);
}

/* What a signal does to the waits of other threads; the last one becomes its step. */
static void note_effect(struct maker *m, uint8_t op, uint32_t tid)
{
	vec_push(&m->effects, ((struct effect){op, waits_id(m, current(m)->addr, tid)}));
}

/* No branch is recorded here, but the end of a wait depends on what it reads all the same. */
static void depend_on_wait(struct maker *m)
{
	if (m->markers)
		add_more(m, OP_BRANCH, PREDICT_NONE, 0);
}

static void begin_wait(struct maker *m)
{
	const struct wire_event *e = current(m);
	uint32_t cond = object_id(m, &m->t->conds, 'c', e->addr);

	add_more(m, OP_WRITE, waits_id(m, e->addr, e->tid), STATE);
	release(m, e->value);
	m->became[m->i] = add_more(m, OP_SIG, cond, 0);
}

/* First waking of the signal being looked at. */
static size_t first_waking(const struct maker *m)
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

static bool woke(const struct maker *m, uint32_t tid)
{
	for (size_t i = first_waking(m); i < m->wakings.count && m->wakings.items[i].sig == m->i;
	     i++) {
		if (m->b->events.items[m->wakings.items[i].wake].tid == tid)
			return true;
	}
	return false;
}

/* A broadcast, or a signal that woke nobody, did not fall into the waits of these threads. */
static void miss_waiters(struct maker *m)
{
	const struct wire_event *e = current(m);
	size_t at = first_waking(m);
	bool woke_one = at < m->wakings.count && m->wakings.items[at].sig == m->i;

	if (e->kind == EVENT_COND_SIGNAL && woke_one)
		return; /* it picks one waiter; others may be waiting too */
	for (size_t i = 0; i < m->waiters.count; i++) {
		const struct waiter *w = &m->waiters.items[i];

		if (w->cond == e->addr && w->tid != e->tid && !woke(m, w->tid))
			note_effect(m, OP_WRITE, w->tid);
	}
}

/* A signal comes after the waiters it woke began to wait; otherwise it would be lost. */
static void send_signal(struct maker *m)
{
	uint32_t cond = object_id(m, &m->t->conds, 'c', current(m)->addr);

	for (size_t i = first_waking(m); i < m->wakings.count && m->wakings.items[i].sig == m->i;
	     i++) {
		const struct waking *w = &m->wakings.items[i];

		if (m->became[w->begin] == PREDICT_NONE)
			continue;
		predict_trace_pair(m->t, m->became[w->begin], add_more(m, OP_WAIT, cond, 0));
		note_effect(m, OP_READ, m->b->events.items[w->wake].tid);
	}
	miss_waiters(m);
	for (size_t i = 0; i + 1 < m->effects.count; i++)
		add_more(m, m->effects.items[i].op, m->effects.items[i].loc, STATE);
	if (m->effects.count == 0) {
		m->became[m->i] = add(m, OP_SIG, cond, 0);
		return;
	}
	add(m, vec_last(&m->effects).op, vec_last(&m->effects).loc, STATE);
	depend_on_wait(m);
	m->became[m->i] = add_more(m, OP_SIG, cond, 0);
	vec_clear(&m->effects);
}

static void wake(struct maker *m)
{
	const struct wire_event *e = current(m);
	uint32_t cond = object_id(m, &m->t->conds, 'c', e->addr), sig = m->sig_of[m->i];

	if (sig != PREDICT_NONE && m->became[sig] != PREDICT_NONE)
		predict_trace_pair(m->t, m->became[sig], add_more(m, OP_WAIT, cond, 0));
	acquire(m, e->value, 0);
	if (sig == PREDICT_NONE && !m->expired[e->tid]) { /* a spurious wake-up */
		add_more(m, OP_READ, waits_id(m, e->addr, e->tid), STATE);
		depend_on_wait(m);
	}
	m->expired[e->tid] = 0;
}

static void expire(struct maker *m)
{
	const struct wire_event *e = current(m);

	add(m, OP_READ, waits_id(m, e->addr, e->tid), STATE);
	depend_on_wait(m);
	m->expired[e->tid] = 1;
}

/* ---- the rest ---- */

/* Semaphores, barriers and once are matched as in the text form. */
static int feed(struct maker *m, const char *op, char kind)
{
	const struct wire_event *e = current(m);
	uint32_t cond = object_id(m, &m->t->conds, kind, e->addr), event;
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
		m->t->events.items[event].site = site_id(m);
		vec_push(m->origin, (uint32_t)m->i);
	}
	return rc;
}

/* The end of a once writes what later callers read directly. */
static int end_once(struct maker *m)
{
	uint32_t at = predict_places_find(&m->places, m->places.life_of[m->i], current(m)->addr);
	struct predict_place *p;
	int rc = feed(m, "sig", 'o');

	if (rc != 0 || at == UINT32_MAX)
		return rc;
	p = &m->places.places.items[at];
	if (p->loc == UINT32_MAX)
		p->loc = unique_name(m, &m->t->locs, current(m)->addr, NULL);
	add_more(m, OP_WRITE, p->loc, PREDICT_ATOMIC);
	return 0;
}

static int make_sync(struct maker *m)
{
	const struct wire_event *e = current(m);

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
		return feed(m, "wait", 'o');
	default:
		add(m, OP_NOP, PREDICT_NONE, 0);
		return 0;
	}
}

static int make_event(struct maker *m)
{
	const struct wire_event *e = current(m);

	if (m->places.place_of[m->i] != UINT32_MAX) {
		access_memory(m);
		return 0;
	}
	if (e->kind >= EVENT_LOCK && e->kind <= EVENT_FUTEX_WAKE)
		depend_on_address(m, SMALL_OBJECT);
	switch (e->kind) {
	case EVENT_LOCK:
	case EVENT_WRLOCK:
	case EVENT_SPIN_LOCK:
		acquire(m, e->addr, 0);
		return 0;
	case EVENT_RDLOCK:
		acquire(m, e->addr, PREDICT_SHARED);
		return 0;
	case EVENT_UNLOCK:
	case EVENT_RWUNLOCK:
	case EVENT_SPIN_UNLOCK:
		release(m, e->addr);
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
		begin_wait(m);
		return 0;
	case EVENT_COND_WAKE:
		wake(m);
		return 0;
	case EVENT_COND_TIMEOUT:
		expire(m);
		return 0;
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		send_signal(m);
		return 0;
	case EVENT_THREAD_CREATE:
		add(m, OP_FORK, thread_id(m, e->aux), 0);
		return 0;
	case EVENT_THREAD_JOIN:
		add(m, OP_JOIN, thread_id(m, e->aux), 0);
		return 0;
	case EVENT_IO:
		add(m, OP_RMW, state_id(m, "descriptor", e->addr), STATE);
		return 0;
	case EVENT_CLOCK:
	case EVENT_RANDOM:
		add(m, OP_RMW, state_id(m, "clock", 0), STATE);
		return 0;
	case EVENT_FREE:
		free_memory(m);
		return 0;
	case EVENT_ATOMIC_BEGIN:
		add(m, OP_BEGIN, PREDICT_NONE, 0);
		return 0;
	case EVENT_ATOMIC_END:
		add(m, OP_END, PREDICT_NONE, 0);
		return 0;
	case EVENT_BRANCH:
	case EVENT_ENTER:
	case EVENT_CALL:
		add_more(m, OP_BRANCH, PREDICT_NONE, 0);
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

int predict_bundle_trace(const struct trace_bundle *b, bool strict, struct predict_trace **out,
			 struct predict_origin *origin, struct err *e)
{
	struct maker m = {.b = b, .origin = origin, .e = e};
	int rc = refuse(b, e);

	if (rc != 0)
		return rc;
	m.t = predict_trace_new();
	m.feed = predict_feed_new(m.t);
	m.became = xmalloc((b->events.count + 1) * sizeof(*m.became));
	m.sig_of = xmalloc((b->events.count + 1) * sizeof(*m.sig_of));
	m.expired = xcalloc(UINT16_MAX + 1, 1);
	predict_places_init(&m.places, b);
	scan(&m);
	find_graves(&m);
	for (m.i = 0; m.i < b->events.count && rc == 0; m.i++) {
		m.became[m.i] = PREDICT_NONE;
		rc = make_event(&m);
		open_graves(&m);
	}
	if (rc == 0)
		rc = predict_trace_settle(m.t, strict, e);
	predict_feed_free(m.feed);
	predict_places_fini(&m.places);
	predict_names_fini(&m.objects);
	vec_free(&m.object_names);
	vec_free(&m.wakings);
	vec_free(&m.waiters);
	vec_free(&m.effects);
	free(m.sig_of);
	free(m.expired);
	vec_free(&m.tried);
	vec_free(&m.graves);
	free(m.became);
	if (rc == 0)
		*out = m.t;
	else
		predict_trace_free(m.t);
	return rc;
}
