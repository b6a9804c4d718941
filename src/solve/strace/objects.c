#include "solve/strace/objects.h"

#include <assert.h>

enum strace_family strace_family(enum strace_op op)
{
	switch (op) {
	case STRACE_LOCK:
	case STRACE_UNLOCK:
	case STRACE_RDLOCK:
	case STRACE_WRLOCK:
	case STRACE_RWUNLOCK:
		return FAMILY_LOCK;
	case STRACE_WAIT:
	case STRACE_WAKE:
	case STRACE_EXPIRE:
	case STRACE_SIGNAL:
	case STRACE_BROADCAST:
		return FAMILY_CONDITION;
	case STRACE_ARRIVE:
	case STRACE_LEAVE:
		return FAMILY_BARRIER;
	case STRACE_TAKE:
	case STRACE_GIVE:
		return FAMILY_SEMAPHORE;
	case STRACE_ONCE_BEGIN:
	case STRACE_ONCE_END:
	case STRACE_ONCE_PASS:
		return FAMILY_ONCE;
	default:
		return FAMILY_NONE;
	}
}

static uint32_t find(struct strace_objects *o, enum strace_family family, uint64_t name)
{
	struct strace_object fresh = {.name = name, .family = (uint8_t)family};

	for (uint32_t i = 0; i < o->items.count; i++)
		if (o->items.items[i].name == name && o->items.items[i].family == family)
			return i;
	vec_push(&o->items, fresh);
	return (uint32_t)o->items.count - 1;
}

/* What ends a WAIT: the next WAKE or EXPIRE of its thread. */
static void match_waits(struct strace_objects *o, const struct strace *t)
{
	for (uint32_t thread = 0; thread < t->threads; thread++) {
		const struct strace_list *p = &t->program.items[thread];
		uint32_t wait = STRACE_NONE;

		for (size_t i = 0; i < p->count; i++) {
			uint32_t e = p->items[i];

			if (t->events.items[e].op == STRACE_WAIT)
				wait = e;
			if ((t->events.items[e].op == STRACE_WAKE ||
			     t->events.items[e].op == STRACE_EXPIRE) &&
			    wait != STRACE_NONE) {
				o->wake[wait] = e;
				wait = STRACE_NONE;
			}
		}
	}
}

struct strace_objects *strace_objects_new(const struct strace *t)
{
	struct strace_objects *o = xcalloc(1, sizeof(*o));
	size_t n = t->events.count;

	o->of = xcalloc(n + 1, sizeof(*o->of));
	o->mutex = xcalloc(n + 1, sizeof(*o->mutex));
	o->wake = xcalloc(n + 1, sizeof(*o->wake));
	o->round = xcalloc(t->threads + 1, sizeof(*o->round));
	for (size_t i = 0; i < n; i++) {
		const struct strace_event *e = &t->events.items[i];
		enum strace_family family = strace_family(e->op);

		o->wake[i] = o->mutex[i] = o->of[i] = STRACE_NONE;
		if (family != FAMILY_NONE)
			o->of[i] = find(o, family, e->object);
		if (e->op == STRACE_WAIT || e->op == STRACE_WAKE)
			o->mutex[i] = find(o, FAMILY_LOCK, e->other);
	}
	match_waits(o, t);
	return o;
}

void strace_objects_free(struct strace_objects *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->items.count; i++) {
		vec_free(&o->items.items[i].readers);
		vec_free(&o->items.items[i].sleepers);
	}
	vec_free(&o->items);
	free(o->of);
	free(o->mutex);
	free(o->wake);
	free(o->round);
	free(o);
}

void strace_objects_reset(struct strace_objects *o, const uint32_t *rank)
{
	o->rank = rank;
	for (size_t i = 0; i < o->items.count; i++) {
		struct strace_object *x = &o->items.items[i];

		x->dead = x->set = false;
		x->owner = x->taken = STRACE_NONE;
		x->depth = x->state = 0;
		x->tokens = x->arrived = x->round = 0;
		vec_clear(&x->readers);
		vec_clear(&x->sleepers);
	}
}

/* ---- locks ---- */

static bool take(struct strace_object *x, const struct strace_event *ev, uint32_t e, uint32_t *by)
{
	bool reads = ev->op == STRACE_RDLOCK;

	assert(!(ev->flags & STRACE_FAILED) || ev->op == STRACE_WAKE);
	if (x->depth && (x->owner != ev->thread || ev->op == STRACE_WRLOCK)) {
		*by = x->taken;
		return false;
	}
	if (!reads && x->readers.count) {
		*by = x->readers.items[0];
		return false;
	}
	if (reads) {
		vec_push(&x->readers, e);
	} else {
		x->owner = ev->thread;
		assert(!x->readers.count);
		x->taken = x->depth++ ? x->taken : e;
	}
	return true;
}

static bool give(struct strace_object *x, const struct strace *t, uint32_t e)
{
	const struct strace_event *ev = &t->events.items[e];

	for (size_t i = 0; i < x->readers.count; i++) {
		if (t->events.items[x->readers.items[i]].thread == ev->thread) {
			x->readers.items[i] = vec_last(&x->readers);
			x->readers.count--;
			return true;
		}
	}
	/* Program order and exclusion see to it that the giver is the owner. */
	assert(x->depth && x->owner == ev->thread);
	x->depth -= ev->op == STRACE_WAIT ? x->depth : 1;
	return true;
}

static bool do_lock(struct strace_object *x, const struct strace *t, uint32_t e, uint32_t *by)
{
	const struct strace_event *ev = &t->events.items[e];
	bool busy = x->depth || x->readers.count;

	if (ev->op == STRACE_UNLOCK || ev->op == STRACE_RWUNLOCK)
		return give(x, t, e);
	/* Tried in vain: somebody must have it in a way that excludes this. */
	if (ev->flags & STRACE_FAILED)
		return ev->op == STRACE_RDLOCK ? x->depth > 0 : busy;
	return take(x, ev, e, by);
}

/* ---- conditions ---- */

/*
 * Whom a signal wakes: of those asleep the one that goes on first, so that most can.  Of those that
 * should not be woken at all the last one: its end may come after that of the run.
 */
static bool is_better(const struct strace_sleeper *a, const struct strace_sleeper *b)
{
	if (a->use != b->use)
		return a->use < b->use;
	return a->use == SLEEPER_WAKES ? a->rank < b->rank : a->rank > b->rank;
}

static void wake_one(struct strace_object *x, struct strace_sim *sim, uint32_t e)
{
	struct strace_sleeper *best = NULL;

	for (size_t i = 0; i < x->sleepers.count; i++) {
		struct strace_sleeper *s = &x->sleepers.items[i];

		if (s->by != STRACE_NONE)
			continue;
		if (!best || is_better(s, best))
			best = s;
	}
	if (!best)
		return;
	assert(best->wait < sim->t->events.count);
	best->by = e;
	sim->woken[e] = best->wait;
}

static bool is_stuck_asleep(const struct strace *t, uint32_t thread)
{
	for (size_t i = 0; i < t->stuck.count; i++)
		if (t->stuck.items[i].thread == thread && t->stuck.items[i].op == STRACE_WAKE)
			return true;
	return false;
}

static void sleep_now(struct strace_objects *o, struct strace_object *x, const struct strace *t,
		      uint32_t e)
{
	uint32_t wake = o->wake[e], thread = t->events.items[e].thread;
	struct strace_sleeper s = {.thread = thread, .wait = e, .by = STRACE_NONE};

	/* What comes after the end of the run does not happen. */
	if (wake != STRACE_NONE && t->until != STRACE_NONE && o->rank[wake] > o->rank[t->until])
		wake = STRACE_NONE;
	if (wake == STRACE_NONE)
		s.use = is_stuck_asleep(t, thread) ? SLEEPER_STUCK : SLEEPER_ENDS;
	else
		s.use = t->events.items[wake].op == STRACE_EXPIRE ? SLEEPER_EXPIRES : SLEEPER_WAKES;
	s.rank = wake == STRACE_NONE ? 0 : o->rank[wake];
	assert(wake == STRACE_NONE || o->rank[wake] > o->rank[e]);
	vec_push(&x->sleepers, s);
}

/* Leaves the sleepers: woken, or (expires) without that. */
static bool wake_up(struct strace_object *x, struct strace_sim *s, uint32_t e, bool expires)
{
	const struct strace_event *ev = &s->t->events.items[e];

	for (size_t i = 0; i < x->sleepers.count; i++) {
		struct strace_sleeper *k = &x->sleepers.items[i];

		if (k->thread != ev->thread)
			continue;
		if ((k->by == STRACE_NONE) != expires)
			return false;
		s->picked[e] = k->by;
		*k = vec_last(&x->sleepers);
		x->sleepers.count--;
		return true;
	}
	return false;
}

static bool do_condition(struct strace_objects *o, struct strace_sim *s, uint32_t e, uint32_t *by)
{
	const struct strace_event *ev = &s->t->events.items[e];
	struct strace_object *x = &o->items.items[o->of[e]];
	struct strace_object *mutex =
		o->mutex[e] == STRACE_NONE ? NULL : &o->items.items[o->mutex[e]];

	if (ev->op == STRACE_WAIT) {
		if (!mutex->dead)
			give(mutex, s->t, e);
		sleep_now(o, x, s->t, e);
	} else if (ev->op == STRACE_EXPIRE) {
		return wake_up(x, s, e, true);
	} else if (ev->op == STRACE_WAKE) {
		if (!(ev->flags & STRACE_FAILED) && !wake_up(x, s, e, false))
			return false;
		if (!mutex->dead && !take(mutex, ev, e, by))
			return false;
	} else if (ev->op == STRACE_SIGNAL) {
		wake_one(x, s, e);
	} else {
		for (size_t i = 0; i < x->sleepers.count; i++)
			if (x->sleepers.items[i].by == STRACE_NONE)
				x->sleepers.items[i].by = e;
	}
	return true;
}

/* ---- the others ---- */

static bool do_barrier(struct strace_objects *o, struct strace_object *x,
		       const struct strace_event *ev)
{
	if (ev->op == STRACE_ARRIVE) {
		o->round[ev->thread] = x->round;
		if (++x->arrived >= ev->other) {
			x->arrived = 0;
			x->round++;
		}
		return true;
	}
	return o->round[ev->thread] < x->round;
}

static bool do_semaphore(struct strace_object *x, const struct strace_event *ev)
{
	if (!x->set)
		x->tokens = ev->other;
	x->set = true;
	if (ev->op == STRACE_GIVE) {
		x->tokens++;
		return true;
	}
	if (ev->flags & STRACE_FAILED)
		return x->tokens == 0;
	if (x->tokens == 0)
		return false;
	x->tokens--;
	return true;
}

static bool do_once(struct strace_object *x, const struct strace_event *ev)
{
	uint32_t before = ev->op == STRACE_ONCE_BEGIN ? 0 : ev->op == STRACE_ONCE_END ? 1 : 2;

	if (x->state != before)
		return false;
	x->state = before < 2 ? before + 1 : 2;
	return true;
}

/* Who has the mutex of a wait that went wrong is not known either. */
static void kill_mutex(struct strace_objects *o, uint32_t e)
{
	if (o->mutex[e] != STRACE_NONE)
		o->items.items[o->mutex[e]].dead = true;
}

bool strace_objects_do(struct strace_objects *o, struct strace_sim *s, uint32_t e, uint32_t *by)
{
	const struct strace_event *ev = &s->t->events.items[e];
	struct strace_object *x;
	bool good = true;

	*by = STRACE_NONE;
	if (o->of[e] == STRACE_NONE)
		return true;
	x = &o->items.items[o->of[e]];
	if (x->dead) {
		kill_mutex(o, e);
		return true;
	}
	if (x->family == FAMILY_LOCK)
		good = do_lock(x, s->t, e, by);
	else if (x->family == FAMILY_CONDITION)
		good = do_condition(o, s, e, by);
	else if (x->family == FAMILY_BARRIER)
		good = do_barrier(o, x, ev);
	else if (x->family == FAMILY_SEMAPHORE)
		good = do_semaphore(x, ev);
	else
		good = do_once(x, ev);
	x->dead = !good;
	if (!good)
		kill_mutex(o, e);
	return good;
}

/* ---- deadlock ---- */

static const struct strace_object *look(const struct strace_objects *o, enum strace_family family,
					uint64_t name)
{
	for (size_t i = 0; i < o->items.count; i++)
		if (o->items.items[i].name == name && o->items.items[i].family == family)
			return &o->items.items[i];
	return NULL;
}

static bool sleeps(const struct strace_object *x, uint32_t thread)
{
	for (size_t i = 0; x && i < x->sleepers.count; i++)
		if (x->sleepers.items[i].thread == thread)
			return x->sleepers.items[i].by == STRACE_NONE;
	return false;
}

static bool is_stuck(const struct strace_objects *o, const struct strace *t,
		     const struct strace_stuck *k)
{
	const struct strace_object *x = look(o, strace_family(k->op), k->object);

	switch (k->op) {
	case STRACE_LOCK:
	case STRACE_WRLOCK:
		return x && (x->depth || x->readers.count);
	case STRACE_RDLOCK:
		return x && x->depth;
	case STRACE_WAKE:
		return sleeps(x, k->thread);
	case STRACE_LEAVE:
		return x && o->round[k->thread] == x->round;
	case STRACE_TAKE:
		return !x || x->tokens == 0;
	case STRACE_JOIN:
		/* The one it waits for waits as well. */
		for (size_t i = 0; i < t->stuck.count; i++)
			if (t->stuck.items[i].thread == k->object)
				return true;
		return false;
	default:
		return false;
	}
}

bool strace_objects_stuck(const struct strace_objects *o, const struct strace *t)
{
	for (size_t i = 0; i < t->stuck.count; i++)
		if (!is_stuck(o, t, &t->stuck.items[i]))
			return false;
	return true;
}
