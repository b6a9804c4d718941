/*
 * Dynamic partial-order reduction with source sets and sleep sets: one execution for each class of
 * executions that differ only in the order of independent steps.  A baseline; SC.
 *
 * At each point of an execution, for what each thread would do next there: the latest step that is
 * dependent with it, could have come after it and is not ordered with it already is a race.  At the
 * point before that step, something that can come first in the reversal must be tried (one of the
 * initials of what follows the step without depending on it).  A thread whose next step has been
 * tried at a point sleeps in what is tried there later, until something dependent with it happens.
 *
 * Works on executions alone (upcoming.h).  The execution goes on by itself after what is asked for;
 * where it takes a step of a sleeping thread it is made anew with another thread there, and dropped
 * when all sleep.
 */
#include <assert.h>

#include "explore/published/search.h"
#include "explore/published/upcoming.h"
#include "wire/ctl.h"

#define DPOR_THREADS 64

struct point {
	struct solve_event e; /* performed here */
	uint64_t enabled, backtrack, done, sleep;
	uint32_t clock[DPOR_THREADS]; /* events of each thread before e, itself included */
};

struct dpor {
	struct explore_search *s;
	struct explore_run trial;
	VEC(struct point) path;
	VEC(struct solve_step) prefix;
	uint32_t threads;
};

static uint64_t bit(uint32_t t)
{
	assert(t < DPOR_THREADS);
	return UINT64_C(1) << t;
}

/* ---- dependence ---- */

static bool accesses(const struct solve_event *e)
{
	return e->op <= SOLVE_RMW;
}

static bool is_lock(const struct solve_event *e)
{
	return e->op == SOLVE_LOCK || e->op == SOLVE_UNLOCK;
}

static bool life(const struct solve_event *a, const struct solve_event *b)
{
	return (a->op == SOLVE_FORK && a->object == b->thread) ||
	       (a->op == SOLVE_END && b->op == SOLVE_JOIN && b->object == a->thread);
}

/* Whether their order matters; of different threads. */
static bool dependent(const struct solve_event *a, const struct solve_event *b)
{
	assert(a->thread != b->thread);
	if (accesses(a) && accesses(b))
		return a->object == b->object && (a->op != SOLVE_READ || b->op != SOLVE_READ);
	if (is_lock(a) && is_lock(b))
		return a->object == b->object;
	return life(a, b) || life(b, a);
}

/* Whether both could be possible at the same point. */
static bool coenabled(const struct solve_event *a, const struct solve_event *b)
{
	if (is_lock(a))
		return a->op == SOLVE_LOCK && b->op == SOLVE_LOCK;
	return accesses(a);
}

/* ---- clocks ---- */

/* What thread t knows of at point `at': its last event, or where it was begun. */
static const uint32_t *clock_of(const struct dpor *d, size_t at, uint32_t t)
{
	static const uint32_t nothing[DPOR_THREADS];

	for (size_t i = at; i-- > 0;) {
		const struct solve_event *e = &d->path.items[i].e;

		if (e->thread == t || (e->op == SOLVE_FORK && e->object == t))
			return d->path.items[i].clock;
	}
	return nothing;
}

static void join_clock(struct point *p, const uint32_t *with)
{
	for (uint32_t t = 0; t < DPOR_THREADS; t++)
		if (with[t] > p->clock[t])
			p->clock[t] = with[t];
}

static void set_clock(const struct dpor *d, size_t at, struct point *p)
{
	assert(at <= d->path.count);
	memcpy(p->clock, clock_of(d, at, p->e.thread), sizeof(p->clock));
	for (size_t i = 0; i < at; i++)
		if (d->path.items[i].e.thread != p->e.thread &&
		    dependent(&d->path.items[i].e, &p->e))
			join_clock(p, d->path.items[i].clock);
	p->clock[p->e.thread]++;
}

/* Whether the event at `i' comes before whatever has this clock. */
static bool in_past(const struct dpor *d, size_t i, const uint32_t *clock)
{
	const struct point *p = &d->path.items[i];

	return clock[p->e.thread] >= p->clock[p->e.thread];
}

/* ---- races ---- */

/*
 * The analysis of a long path takes the cube of its length; whatever it makes of the path once the
 * limit was reached, nothing is executed any more.
 */
static bool given_up(const struct dpor *d)
{
	return d->s->over || explore_gives_up(d->s);
}

/* Whether e depends on what is before it in the reversal: events after i that i is not before. */
static bool depends_on_earlier(const struct dpor *d, size_t i, size_t end,
			       const struct solve_event *e)
{
	for (size_t k = i + 1; k < end; k++) {
		const struct point *p = &d->path.items[k];

		if (!in_past(d, i, p->clock) &&
		    (p->e.thread == e->thread || dependent(&p->e, e)))
			return true;
	}
	return false;
}

/* Threads that can come first when o and what does not depend on event i precede it. */
static uint64_t initials(const struct dpor *d, size_t i, size_t end, const struct solve_event *o)
{
	uint64_t first = 0;

	for (size_t k = i + 1; k < end && (k % 64 || !given_up(d)); k++) {
		const struct point *p = &d->path.items[k];

		if (!in_past(d, i, p->clock) && !depends_on_earlier(d, i, k, &p->e))
			first |= bit(p->e.thread);
	}
	if (!depends_on_earlier(d, i, end, o))
		first |= bit(o->thread);
	return first & d->path.items[i].enabled;
}

/* Something of the reversal has to be tried at point i. */
static void reverse(struct dpor *d, size_t i, size_t end, const struct solve_event *o)
{
	struct point *p = &d->path.items[i];
	uint64_t first = initials(d, i, end, o);

	assert(!(first & ~p->enabled));
	if (!first)
		p->backtrack |= p->enabled;
	else if (!(first & (p->backtrack | p->sleep)))
		p->backtrack |= first & bit(o->thread) ? bit(o->thread) : first & -first;
}

static void find_races(struct dpor *d, size_t end, const struct solve_event *o)
{
	const uint32_t *known = clock_of(d, end, o->thread);
	bool acquires = o->op == SOLVE_LOCK;

	for (size_t i = end; i-- > 0;) {
		const struct solve_event *e = &d->path.items[i].e;

		if (e->thread == o->thread || !dependent(e, o) || !coenabled(e, o))
			continue;
		if (in_past(d, i, known)) {
			/* A read that is ordered says nothing about older reads. */
			if (acquires || e->op == SOLVE_WRITE || e->op == SOLVE_RMW)
				return;
			continue;
		}
		reverse(d, i, end, o);
		if (acquires)
			return;
	}
}

/* For what every thread would do at the end of the path so far. */
static void analyse(struct dpor *d)
{
	size_t end = d->path.count;

	for (uint32_t t = 0; t < d->threads; t++) {
		const struct solve_event *o = upcoming_next(&d->s->run, end, t);

		if (o)
			find_races(d, end, o);
	}
}

/* ---- the path ---- */

static uint64_t enabled_at(const struct dpor *d, size_t at)
{
	uint64_t set = 0;

	for (uint32_t t = 0; t < d->threads; t++) {
		const struct solve_event *e = upcoming_next(&d->s->run, at, t);

		if (e && upcoming_enabled(&d->s->run, at, e))
			set |= bit(t);
	}
	return set;
}

/* Those still asleep after what was done at the last point. */
static uint64_t sleep_at(const struct dpor *d, size_t at)
{
	const struct point *last = at ? &d->path.items[at - 1] : NULL;
	uint64_t set = 0;

	for (uint32_t t = 0; last && t < d->threads; t++) {
		const struct solve_event *next = upcoming_next(&d->s->run, at - 1, t);

		if ((last->sleep & bit(t)) && t != last->e.thread && next &&
		    !dependent(&last->e, next))
			set |= bit(t);
	}
	return set;
}

enum grown { GROWN, ANEW, REDUNDANT, GIVEN_UP };

/*
 * Takes over the run at hand from where the path ends.  ANEW: the path has one more point, where
 * the run did something else than the path does now.
 */
static enum grown grow(struct dpor *d)
{
	const struct explore_run *r = &d->s->run;

	for (;;) {
		size_t at = d->path.count;
		struct point p = {.enabled = enabled_at(d, at), .sleep = sleep_at(d, at)};
		uint64_t awake = p.enabled & ~p.sleep;
		uint32_t t;

		analyse(d);
		if (given_up(d))
			return GIVEN_UP;
		if (at >= r->history.count)
			return GROWN;
		t = r->history.items[at].thread;
		if (!awake && (p.sleep & bit(t)))
			return REDUNDANT;
		if (p.sleep & bit(t))
			t = (uint32_t)__builtin_ctzll(awake);
		assert(upcoming_next(r, at, t));
		p.e = *upcoming_next(r, at, t);
		p.backtrack = p.done = bit(t);
		set_clock(d, at, &p);
		vec_push(&d->path, p);
		if (t != r->history.items[at].thread)
			return ANEW;
	}
}

/* Goes back to the last point with something to try. */
static bool backtrack(struct dpor *d)
{
	while (d->path.count) {
		struct point *p = &vec_last(&d->path);
		size_t at = d->path.count - 1;
		uint64_t left;

		p->sleep |= bit(p->e.thread);
		left = p->backtrack & p->enabled & ~(p->done | p->sleep);
		if (left) {
			uint32_t t = (uint32_t)__builtin_ctzll(left);

			assert(upcoming_next(&d->s->run, at, t));
			p->done |= bit(t);
			p->e = *upcoming_next(&d->s->run, at, t);
			memset(p->clock, 0, sizeof(p->clock));
			set_clock(d, at, p);
			return true;
		}
		d->path.count--;
	}
	return false;
}

/* The last choice was not possible: whatever else is there may be needed instead. */
static void give_up(struct dpor *d)
{
	struct point *p = &vec_last(&d->path);

	assert(d->path.count > 0); /* an empty prefix fits every program */
	p->enabled &= ~bit(p->e.thread);
	p->backtrack |= p->enabled;
}

static int run(struct dpor *d, bool *fits)
{
	struct explore_search *s = d->s;
	struct explore_run swap;
	int rc;

	vec_clear(&d->prefix);
	for (size_t i = 0; i < d->path.count; i++) {
		struct solve_step step = {d->path.items[i].e.thread, d->path.items[i].e.index};

		vec_push(&d->prefix, step);
	}
	rc = s->x->execute(s->x, d->prefix.items, d->prefix.count, &d->trial, s->e);
	if (rc)
		return rc;
	*fits = d->trial.outcome != EXPLORE_DIVERGED;
	s->stats->diverged += !*fits;
	if (!*fits)
		return 0;
	swap = s->run;
	s->run = d->trial;
	d->trial = swap;
	d->threads = upcoming_threads(&s->run);
	if (d->threads > DPOR_THREADS)
		return err_set(s->e, ERR_UNSUPPORTED, "dpor knows %d threads at most", DPOR_THREADS);
	return 0;
}

/* The path and what follows it; then the path is that of the next execution. */
static int visit(struct dpor *d)
{
	uint32_t number;
	bool fresh, fits;
	int rc;

	for (;;) {
		enum grown how;

		rc = run(d, &fits);
		if (rc)
			return rc;
		if (!fits) {
			give_up(d);
			return 0;
		}
		/* What the last point's event returned is known now. */
		assert(d->path.count <= d->s->run.history.count);
		if (d->path.count)
			vec_last(&d->path).e = d->s->run.history.items[d->path.count - 1];
		how = grow(d);
		if (how == GROWN)
			return explore_account(d->s, &number, &fresh);
		d->s->stats->redundant += how == REDUNDANT;
		if (how == REDUNDANT || how == GIVEN_UP)
			return 0;
	}
}

int explore_dpor(struct explore_search *s)
{
	struct dpor d = {.s = s};
	int rc;

	if (wire_model_buffers(s->x->model))
		return err_set(s->e, ERR_UNSUPPORTED, "dpor knows sequential consistency only");
	do {
		rc = visit(&d);
	} while (!rc && !s->over && backtrack(&d));
	vec_free(&d.path);
	vec_free(&d.prefix);
	explore_run_fini(&d.trial);
	return rc;
}
