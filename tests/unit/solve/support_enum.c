#include "support_enum.h"

#include <assert.h>

#include "base/rng.h"

#define MAX_THREADS 5
#define MAX_BUFFER 16
#define MAX_CELLS 8
#define MAX_OBJECTS 8
#define MAX_READS 64
#define MAX_STEPS 3000000

struct buffered {
	uint32_t event, cell, epoch;
	uint64_t value;
};

struct object {
	int owner, depth; /* owner + 1 */
	uint32_t readers; /* bits */
	uint32_t asleep, woken;
	uint64_t tokens, arrived, round, rounds[MAX_THREADS];
	bool set;
	int once;
};

struct state {
	uint32_t pc[MAX_THREADS];
	struct buffered buffer[MAX_THREADS][MAX_BUFFER];
	uint32_t stores[MAX_THREADS], epoch[MAX_THREADS];
	uint64_t memory[MAX_CELLS], reads[MAX_READS];
	struct object objects[MAX_OBJECTS];
	uint32_t begun, ended;
};

struct search {
	const struct text_trace *x;
	const struct strace *t;
	enum wire_model model;
	struct enum_result r;
	enum_fn each;
	void *arg;
	uint64_t steps;
	bool random, over;
	struct rng rng;
	struct strace_list *order;
};

static const struct strace_event *next_event(const struct search *s, const struct state *c,
					     uint32_t t)
{
	const struct strace_list *p = &s->t->program.items[t];

	return c->pc[t] < p->count ? &s->t->events.items[p->items[c->pc[t]]] : NULL;
}

static void see(struct state *c, uint32_t t, const struct strace_part *p)
{
	uint64_t v = c->memory[p->cell];

	for (uint32_t i = 0; i < c->stores[t]; i++)
		if (c->buffer[t][i].cell == p->cell)
			v = c->buffer[t][i].value;
	c->reads[p->read] = v;
}

static void access(struct search *s, struct state *c, uint32_t t, const struct strace_event *e)
{
	bool direct = s->model == MODEL_SC || e->op == STRACE_RMW || (e->flags & STRACE_THROUGH);

	for (uint32_t k = e->first; k < e->first + e->count; k++)
		if (s->t->parts.items[k].read != STRACE_NONE)
			see(c, t, &s->t->parts.items[k]);
	if (e->flags & STRACE_RELEASE)
		c->epoch[t]++;
	for (uint32_t k = e->first; k < e->first + e->count; k++) {
		const struct strace_part *p = &s->t->parts.items[k];
		uint64_t v;

		if (p->value == STRACE_NONE)
			continue;
		v = text_eval(s->x, p->value, c->reads);
		if (direct)
			c->memory[p->cell] = v;
		else
			c->buffer[t][c->stores[t]++] = (struct buffered){
				(uint32_t)(e - s->t->events.items), p->cell, c->epoch[t], v};
	}
	/* A releasing store is in the epoch it begins: the older ones go first, later ones with it.
	 */
}

/* 1: done, 0: not possible now.  choice: whom a signal wakes. */
static int sync(struct state *c, uint32_t t, const struct strace_event *e, uint32_t choice)
{
	struct object *o = &c->objects[e->object % MAX_OBJECTS];
	struct object *m = &c->objects[e->other % MAX_OBJECTS];
	bool busy = o->depth || o->readers;

	switch (e->op) {
	case STRACE_LOCK:
	case STRACE_WRLOCK:
		if (e->flags & STRACE_FAILED)
			return busy;
		if (busy && !(e->op == STRACE_LOCK && o->depth && o->owner == (int)t + 1))
			return 0;
		o->owner = (int)t + 1;
		o->depth++;
		return 1;
	case STRACE_RDLOCK:
		if (e->flags & STRACE_FAILED)
			return o->depth > 0;
		if (o->depth)
			return 0;
		o->readers |= 1u << t;
		return 1;
	case STRACE_UNLOCK:
		o->depth--;
		return 1;
	case STRACE_RWUNLOCK:
		if (o->readers >> t & 1)
			o->readers &= ~(1u << t);
		else
			o->depth--;
		return 1;
	case STRACE_WAIT:
		m->depth = 0;
		o->asleep |= 1u << t;
		return 1;
	case STRACE_EXPIRE:
		if (!(o->asleep >> t & 1))
			return 0;
		o->asleep &= ~(1u << t);
		return 1;
	case STRACE_WAKE:
		if ((!(e->flags & STRACE_FAILED) && !(o->woken >> t & 1)) || m->depth)
			return 0;
		o->woken &= ~(1u << t);
		m->owner = (int)t + 1;
		m->depth = 1;
		return 1;
	case STRACE_SIGNAL:
		if (!o->asleep)
			return choice == 0;
		if (!(o->asleep >> choice & 1))
			return 0;
		o->asleep &= ~(1u << choice);
		o->woken |= 1u << choice;
		return 1;
	case STRACE_BROADCAST:
		o->woken |= o->asleep;
		o->asleep = 0;
		return 1;
	case STRACE_ARRIVE:
		o->rounds[t] = o->round;
		if (++o->arrived == e->other) {
			o->arrived = 0;
			o->round++;
		}
		return 1;
	case STRACE_LEAVE:
		return o->rounds[t] < o->round;
	case STRACE_TAKE:
	case STRACE_GIVE:
		if (!o->set)
			o->tokens = e->other;
		o->set = true;
		if (e->op == STRACE_TAKE && !o->tokens)
			return 0;
		o->tokens += e->op == STRACE_GIVE ? 1 : UINT64_MAX;
		return 1;
	case STRACE_ONCE_BEGIN:
		return o->once == 0 ? (o->once = 1) : 0;
	case STRACE_ONCE_END:
		o->once = 2;
		return 1;
	case STRACE_ONCE_PASS:
		return o->once == 2;
	default:
		return 1;
	}
}

static bool forked(const struct search *s, uint32_t t)
{
	for (size_t i = 0; i < s->t->events.count; i++)
		if (s->t->events.items[i].op == STRACE_FORK && s->t->events.items[i].object == t)
			return true;
	return false;
}

static bool finished(const struct search *s, const struct state *c, uint32_t t)
{
	return !next_event(s, c, t) && !c->stores[t];
}

/* The next operation of t; false when it is not possible. */
static bool step(struct search *s, struct state *c, uint32_t t, uint32_t choice)
{
	const struct strace_event *e = next_event(s, c, t);

	if (!e || (forked(s, t) && !(c->begun >> t & 1)))
		return false;
	if (strace_event_drains(e) && c->stores[t])
		return false;
	if (e->op == STRACE_JOIN && !finished(s, c, (uint32_t)e->object))
		return false;
	if (e->op == STRACE_FORK)
		c->begun |= 1u << e->object;
	if (e->op <= STRACE_RMW)
		access(s, c, t, e);
	else if (!sync(c, t, e, choice))
		return false;
	if (s->order &&
	    !(e->op == STRACE_WRITE && s->model != MODEL_SC && !(e->flags & STRACE_THROUGH)))
		vec_push(s->order, (uint32_t)(e - s->t->events.items));
	c->pc[t]++;
	return true;
}

static bool may_go(const struct search *s, const struct state *c, uint32_t t, uint32_t i)
{
	const struct buffered *b = c->buffer[t];

	if (s->model == MODEL_TSO)
		return i == 0;
	for (uint32_t k = 0; k < i; k++)
		if (b[k].cell == b[i].cell || b[k].epoch != b[i].epoch)
			return false;
	return true;
}

static bool flush(struct search *s, struct state *c, uint32_t t, uint32_t i)
{
	if (i >= c->stores[t] || !may_go(s, c, t, i))
		return false;
	c->memory[c->buffer[t][i].cell] = c->buffer[t][i].value;
	if (s->order)
		vec_push(s->order, c->buffer[t][i].event);
	memmove(&c->buffer[t][i], &c->buffer[t][i + 1],
		(c->stores[t] - i - 1) * sizeof(c->buffer[t][0]));
	c->stores[t]--;
	return true;
}

static bool is_done(const struct search *s, const struct state *c, uint32_t event)
{
	uint32_t t = s->t->events.items[event].thread;

	for (uint32_t i = 0; i < c->pc[t]; i++)
		if (s->t->program.items[t].items[i] == event)
			return true;
	return false;
}

static bool all_over(const struct search *s, const struct state *c)
{
	if (s->t->until != STRACE_NONE)
		return is_done(s, c, s->t->until);
	for (uint32_t t = 0; t < s->t->threads; t++)
		if (!finished(s, c, t))
			return false;
	return true;
}

static bool waits_for_ever(const struct state *c, const struct strace_stuck *k)
{
	const struct object *o = &c->objects[k->object % MAX_OBJECTS];

	switch (k->op) {
	case STRACE_LOCK:
	case STRACE_WRLOCK:
		return o->depth || o->readers;
	case STRACE_RDLOCK:
		return o->depth;
	case STRACE_WAKE:
		return o->asleep >> k->thread & 1;
	case STRACE_TAKE:
		return o->tokens == 0;
	case STRACE_LEAVE:
		return o->rounds[k->thread] == o->round;
	default:
		return true;
	}
}

/* The thread has gone past it: it is the one that ends the run, or has done what follows. */
static bool counts(const struct search *s, const struct state *c, const struct strace_condition *d)
{
	return s->t->until == STRACE_NONE || d->thread == s->t->events.items[s->t->until].thread ||
	       (d->next != STRACE_NONE && is_done(s, c, d->next));
}

static void judge(struct search *s, const struct state *c)
{
	bool good = true;

	s->r.runs++;
	for (size_t i = 0; i < s->t->conditions.count; i++)
		good &= !counts(s, c, &s->t->conditions.items[i]) ||
			text_eval(s->x, s->t->conditions.items[i].expr, c->reads) != 0;
	for (size_t i = 0; i < s->t->stuck.count; i++)
		good &= waits_for_ever(c, &s->t->stuck.items[i]);
	s->r.good += good;
	if (good)
		memcpy(s->r.values, c->reads, sizeof(c->reads));
	if (s->each)
		s->each(s->arg, c->reads, good);
	else if (good)
		s->over = true;
}

static void search(struct search *s, const struct state *c)
{
	struct state n;

	if (s->over || s->r.cut)
		return;
	if (++s->steps > MAX_STEPS) {
		s->r.cut = true;
		return;
	}
	if (all_over(s, c)) {
		judge(s, c);
		return;
	}
	for (uint32_t t = 0; t < s->t->threads; t++) {
		const struct strace_event *e = next_event(s, c, t);
		uint32_t choices = e && e->op == STRACE_SIGNAL ? s->t->threads : 1;

		for (uint32_t k = 0; k < choices; k++) {
			n = *c;
			if (step(s, &n, t, k))
				search(s, &n);
		}
		for (uint32_t i = 0; i < c->stores[t]; i++) {
			n = *c;
			if (flush(s, &n, t, i))
				search(s, &n);
		}
	}
}

static void begin(struct search *s, struct state *c, const struct text_trace *x,
		  enum wire_model model)
{
	*s = (struct search){.x = x, .t = &x->t, .model = model};
	memset(c, 0, sizeof(*c));
	assert(x->t.threads <= MAX_THREADS && x->t.cells.count <= MAX_CELLS);
	assert(x->t.reads <= MAX_READS && x->objects.count <= MAX_OBJECTS);
	for (size_t i = 0; i < x->t.cells.count; i++)
		c->memory[i] = x->t.cells.items[i];
}

struct enum_result enum_runs(const struct text_trace *x, enum wire_model model, enum_fn each,
			     void *arg)
{
	struct search s;
	struct state c;

	begin(&s, &c, x, model);
	s.each = each;
	s.arg = arg;
	s.r.values = xcalloc(MAX_READS, sizeof(uint64_t));
	search(&s, &c);
	return s.r;
}

bool enum_draw(const struct text_trace *x, enum wire_model model, uint64_t seed, uint64_t *reads,
	       struct strace_list *order)
{
	struct search s;
	struct state c, n;

	begin(&s, &c, x, model);
	s.order = order;
	rng_seed(&s.rng, seed);
	for (int tries = 0; !all_over(&s, &c); tries++) {
		uint32_t t = (uint32_t)rng_below(&s.rng, x->t.threads);

		if (tries > 2000)
			return false;
		n = c;
		if (rng_below(&s.rng, 3) == 0
			    ? flush(&s, &n, t, (uint32_t)rng_below(&s.rng, 3))
			    : step(&s, &n, t, (uint32_t)rng_below(&s.rng, x->t.threads)))
			c = n;
	}
	memcpy(reads, c.reads, x->t.reads * sizeof(*reads));
	return true;
}
