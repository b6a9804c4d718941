#include "explore/reduce/reduce.h"

#include <assert.h>

static uint64_t bit(uint32_t t)
{
	assert(t < REDUCE_THREADS);
	return UINT64_C(1) << t;
}

const struct reduce_offer *reduce_offers(const struct reduce *r, const struct reduce_point *p)
{
	assert(p->position + p->offers <= r->offers.count);
	return r->offers.items + p->position;
}

static const struct reduce_offer *offer_of(const struct reduce *r, const struct reduce_point *p,
					   uint32_t thread)
{
	const struct reduce_offer *all = reduce_offers(r, p);

	for (uint32_t i = 0; i < p->offers; i++)
		if (all[i].op.thread == thread)
			return &all[i];
	return NULL;
}

static bool given_up(const struct reduce *r)
{
	return r->gives_up && r->gives_up(r->arg);
}

/* ---- clocks ---- */

static void join_clock(uint32_t *to, const uint32_t *with)
{
	for (uint32_t t = 0; t < REDUCE_THREADS; t++)
		if (with[t] > to[t])
			to[t] = with[t];
}

/* What thread t knows of at point `end': its last operation, and what made it go on. */
static void clock_of(const struct reduce *r, size_t end, uint32_t t, uint32_t *clock)
{
	memset(clock, 0, REDUCE_THREADS * sizeof(*clock));
	for (size_t i = end + 1; i-- > 0;) {
		const struct reduce_point *p = i < r->path.count ? &r->path.items[i] : NULL;

		if (i < end && (p->op.thread == t || p->op.begins == t + 1)) {
			join_clock(clock, p->clock);
			return;
		}
		if (p && r->appear && i > 0 && (p->fresh & bit(t)))
			join_clock(clock, r->path.items[i - 1].clock);
	}
}

static void set_clock(const struct reduce *r, size_t at, struct reduce_point *p)
{
	assert(at <= r->path.count);
	for (size_t i = 0; i < at; i++) {
		const struct reduce_op *e = &r->path.items[i].op;

		if (e->thread != p->op.thread && reduce_dependent(e, &p->op))
			join_clock(p->clock, r->path.items[i].clock);
	}
	p->clock[p->op.thread]++;
}

static void perform(struct reduce *r, size_t at, const struct reduce_op *op)
{
	struct reduce_point *p = &r->path.items[at];

	assert(p->enabled & bit(op->thread) && !(p->sleep & bit(op->thread)));
	p->op = *op;
	p->done |= bit(op->thread);
	p->backtrack |= bit(op->thread);
	clock_of(r, at, op->thread, p->clock);
	set_clock(r, at, p);
}

/* Whether what was performed at point i comes before whatever has this clock. */
static bool in_past(const struct reduce *r, size_t i, const uint32_t *clock)
{
	const struct reduce_point *p = &r->path.items[i];

	return clock[p->op.thread] >= p->clock[p->op.thread];
}

/* ---- races ---- */

/* The threads that can come first of what follows point i and does not depend on it, with o last.
 */
static uint64_t initials(const struct reduce *r, size_t i, size_t end, const struct reduce_op *o)
{
	uint32_t first_of[REDUCE_THREADS] = {0}; /* count of each thread's first operation there */
	uint64_t first = 0;
	bool o_first = true;

	for (size_t k = i + 1; k < end && (k % 64 || !given_up(r)); k++) {
		const struct reduce_point *p = &r->path.items[k];
		uint32_t t = p->op.thread;
		bool alone = first_of[t] == 0;

		if (in_past(r, i, p->clock))
			continue;
		for (uint32_t u = 0; alone && u < REDUCE_THREADS; u++)
			alone = !(first_of[u] && p->clock[u] >= first_of[u]);
		if (alone)
			first |= bit(t);
		if (!first_of[t])
			first_of[t] = p->clock[t];
		o_first &= t != o->thread && !reduce_dependent(&p->op, o);
	}
	return o_first ? first | bit(o->thread) : first;
}

/* Something of the reversal has to be tried at point i. */
static void reverse(struct reduce *r, size_t i, size_t end, const struct reduce_op *o)
{
	struct reduce_point *p = &r->path.items[i];
	uint64_t first = initials(r, i, end, o) & p->enabled;

	/* Not even the initials were possible: whatever is may lead to where they are. */
	assert(i < end && end < r->path.count);
	if (!first)
		p->backtrack |= p->enabled;
	else if (!(first & (p->backtrack | p->sleep)))
		p->backtrack |= first & bit(o->thread) ? bit(o->thread) : first & -first;
}

static void find_races(struct reduce *r, size_t end, const struct reduce_op *o)
{
	uint32_t known[REDUCE_THREADS];

	clock_of(r, end, o->thread, known);
	for (size_t i = end; i-- > 0;) {
		const struct reduce_op *e = &r->path.items[i].op;

		if (e->thread == o->thread || !reduce_dependent(e, o) || !reduce_coenabled(e, o))
			continue;
		if (in_past(r, i, known)) {
			if (reduce_covers_older(e, o))
				return;
			continue;
		}
		reverse(r, i, end, o);
		/* Of the times that others held the mutex, the last is enough. */
		if (reduce_acquires(o) && reduce_acquires(e))
			return;
	}
}

/* For what every thread would do at the last point of the path. */
static void analyse(struct reduce *r)
{
	size_t end = r->path.count - 1;
	const struct reduce_point *p = &r->path.items[end];
	uint32_t n = p->offers;

	for (uint32_t i = 0; i < n && !given_up(r); i++) {
		struct reduce_op o = r->offers.items[r->path.items[end].position + i].op;

		find_races(r, end, &o);
	}
}

/* ---- the path ---- */

/* Those still asleep after what was done at the point before. */
static uint64_t still_asleep(const struct reduce *r, size_t at)
{
	const struct reduce_point *last = at ? &r->path.items[at - 1] : NULL;
	uint64_t set = 0;

	for (uint32_t t = 0; last && t < REDUCE_THREADS; t++) {
		const struct reduce_offer *o = last->sleep & bit(t) ? offer_of(r, last, t) : NULL;

		if (o && t != last->op.thread && !reduce_dependent(&last->op, &o->op))
			set |= bit(t);
	}
	return set;
}

static uint64_t threads_of(const struct reduce *r, const struct reduce_point *p)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < p->offers; i++)
		set |= bit(reduce_offers(r, p)[i].op.thread);
	return set;
}

/*
 * Threads that stood at an operation and stand at none now, without having performed it: the
 * process has come to its end.  Races with what they would have done are not met any more, so
 * whatever else was possible has to be tried in place of what ended it.
 */
static void note_vanished(struct reduce *r, uint64_t now)
{
	struct reduce_point *last = r->path.count ? &vec_last(&r->path) : NULL;

	if (last && (threads_of(r, last) & ~now & ~bit(last->op.thread)))
		last->backtrack |= last->enabled;
}

static void add_point(struct reduce *r, const struct reduce_offer *offers, size_t n)
{
	struct reduce_point p = {.position = r->offers.count, .offers = (uint32_t)n};

	for (size_t i = 0; i < n; i++) {
		vec_push(&r->offers, offers[i]);
		if (offers[i].enabled)
			p.enabled |= bit(offers[i].op.thread);
	}
	p.fresh = threads_of(r, &p);
	note_vanished(r, p.fresh);
	if (r->path.count)
		p.fresh &= ~threads_of(r, &vec_last(&r->path));
	if (!r->whole)
		p.sleep = still_asleep(r, r->path.count);
	else
		p.backtrack = p.enabled;
	vec_push(&r->path, p);
}

static void drop_point(struct reduce *r)
{
	assert(r->path.count > 0 && vec_last(&r->path).position <= r->offers.count);
	r->offers.count = vec_last(&r->path).position;
	r->path.count--;
}

static bool same_offers(const struct reduce *r, const struct reduce_point *p,
			const struct reduce_offer *offers, size_t n)
{
	const struct reduce_offer *known = reduce_offers(r, p);

	if (p->offers != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!reduce_same(&known[i].op, &offers[i].op) ||
		    known[i].enabled != offers[i].enabled)
			return false;
	return true;
}

/* A point that no execution has come to before. */
static enum reduce_answer go_on(struct reduce *r, const struct reduce_offer *offers, size_t n,
				uint32_t preferred, uint32_t *thread)
{
	struct reduce_point *p;
	enum reduce_answer answer = REDUCE_PERFORM;
	uint64_t awake;

	add_point(r, offers, n);
	if (!r->whole)
		analyse(r);
	p = &vec_last(&r->path);
	awake = p->enabled & ~p->sleep;
	if (given_up(r))
		answer = REDUCE_GIVEN_UP;
	else if (!p->enabled)
		answer = REDUCE_LEAF;
	else if (!awake)
		answer = REDUCE_REDUNDANT;
	if (answer != REDUCE_PERFORM) {
		drop_point(r);
		return answer;
	}
	*thread = preferred != REDUCE_ANY && (awake & bit(preferred))
			  ? preferred
			  : (uint32_t)__builtin_ctzll(awake);
	perform(r, r->path.count - 1, &offer_of(r, p, *thread)->op);
	r->at++;
	return REDUCE_PERFORM;
}

enum reduce_answer reduce_next(struct reduce *r, const struct reduce_offer *offers, size_t n,
			       uint32_t preferred, uint32_t *thread)
{
	const struct reduce_point *p;

	assert(r->at <= r->path.count);
	if (r->at == r->path.count)
		return go_on(r, offers, n, preferred, thread);
	p = &r->path.items[r->at];
	if (!same_offers(r, p, offers, n))
		return REDUCE_DIVERGED;
	*thread = p->op.thread;
	r->at++;
	return REDUCE_PERFORM;
}

void reduce_begin(struct reduce *r)
{
	r->at = 0;
}

void reduce_followed(struct reduce *r)
{
	r->at = r->path.count;
}

bool reduce_backtrack(struct reduce *r)
{
	while (r->path.count) {
		struct reduce_point *p = &vec_last(&r->path);
		uint64_t left;

		if (!r->whole)
			p->sleep |= bit(p->op.thread);
		left = p->backtrack & p->enabled & ~(p->done | p->sleep);
		if (left) {
			uint32_t t = (uint32_t)__builtin_ctzll(left);

			perform(r, r->path.count - 1, &offer_of(r, p, t)->op);
			return true;
		}
		drop_point(r);
	}
	return false;
}

void reduce_refuse(struct reduce *r)
{
	struct reduce_point *p = &vec_last(&r->path);

	assert(r->path.count > 0);
	p->enabled &= ~bit(p->op.thread);
	p->backtrack |= p->enabled;
}

void reduce_ways(const struct reduce_point *p, bool whole, uint64_t *ways, uint64_t *over)
{
	uint64_t known = whole ? p->enabled : (p->backtrack & p->enabled & ~p->sleep) | p->done;

	*ways = (uint64_t)__builtin_popcountll(known);
	/* The one under way is not over. */
	*over = (uint64_t)__builtin_popcountll(p->done) - (p->done != 0);
	assert(*over <= *ways);
}

void reduce_fini(struct reduce *r)
{
	vec_free(&r->path);
	vec_free(&r->offers);
}
