/*
 * predict_trace_settle(): checks of well-formedness with repair, then the derived facts.
 *
 * The order of the passes matters.  Locks first, because folding recursive sections and dropping
 * impossible ones turns events into NOPs; then fork, join and waits; the facts last, so that they
 * speak of the repaired trace only.
 */
#include "predict/read/trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/read/facts.h"
#include "wire/rules.h"

struct settle {
	struct predict_trace *t;
	bool strict;
	struct err *e;
	const char *format; /* of the last warning: many of one kind are summed up */
	uint32_t repeated;
	uint64_t left_out;
	uint32_t left_out_line;
};

#define MAX_REPEATED 3

/* Sums up what was not shown of the last kind of warning. */
static void flush_repeated(struct settle *s)
{
	if (s->left_out > 0)
		predict_trace_warn(s->t, s->left_out_line, "%" PRIu64 " more of this kind",
				   s->left_out);
	s->left_out = 0;
	s->repeated = 0;
	s->format = NULL;
}

static void warn_once(struct settle *s, uint32_t line, const char *format, const char *text)
{
	if (s->format != format)
		flush_repeated(s);
	s->format = format;
	if (s->repeated++ < MAX_REPEATED)
		predict_trace_warn(s->t, line, "%s", text);
	else if (s->left_out++ == 0)
		s->left_out_line = line;
}

/* Drops event e for the given reason; an error in strict mode. */
__attribute__((format(printf, 3, 4))) static int repair(struct settle *s, uint32_t e,
							const char *format, ...)
{
	struct predict_event *ev = &s->t->events.items[e];
	char *text;
	va_list args;
	int code = 0;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	if (s->strict)
		code = err_set(s->e, ERR_FORMAT, "line %u: %s", ev->line, text);
	else
		warn_once(s, ev->line, format, text);
	ev->op = OP_NOP;
	free(text);
	return code;
}

/* ---- locks ---- */

struct lock_state {
	struct rule_rwlock lock; /* a thread reads once, however often it says so */
	uint32_t depth;		 /* recursion of the writer */
};

/* Shared sections and dropped ones are counted per (lock, thread) in this small list. */
struct side {
	uint32_t lock, thread, depth, dropped;
};

struct lock_pass {
	struct lock_state *locks;
	VEC(struct side) sides;
};

static struct side *side_of(struct lock_pass *p, uint32_t lock, uint32_t thread)
{
	for (size_t i = 0; i < p->sides.count; i++) {
		if (p->sides.items[i].lock == lock && p->sides.items[i].thread == thread)
			return &p->sides.items[i];
	}
	vec_push(&p->sides, ((struct side){lock, thread, 0, 0}));
	return &vec_last(&p->sides);
}

static void side_drop_if_idle(struct lock_pass *p, struct side *side)
{
	if (side->depth == 0 && side->dropped == 0)
		*side = vec_pop(&p->sides);
}

static int settle_acq(struct settle *s, struct lock_pass *p, uint32_t e)
{
	struct predict_event *ev = &s->t->events.items[e];
	struct lock_state *l = &p->locks[ev->object];
	const char *lock = predict_names_text(&s->t->locks, ev->object);
	bool write = !(ev->flags & PREDICT_SHARED);
	enum rule_answer answer = rule_rwlock_ask(&l->lock, ev->thread + 1, write);

	if (answer == RULE_OWN) {
		l->depth++;
		ev->op = OP_NOP; /* folded into the outermost section */
		return 0;
	}
	if (answer != RULE_GO) {
		side_of(p, ev->object, ev->thread)->dropped++;
		return repair(s, e,
			      "thread %s acquires lock %s while another thread holds it; this "
			      "critical section is ignored",
			      predict_names_text(&s->t->threads, ev->thread), lock);
	}
	if (!write && side_of(p, ev->object, ev->thread)->depth++ > 0) {
		ev->op = OP_NOP;
		return 0;
	}
	rule_rwlock_take(&l->lock, ev->thread + 1, write);
	l->depth = write;
	return 0;
}

static int settle_rel(struct settle *s, struct lock_pass *p, uint32_t e)
{
	struct predict_event *ev = &s->t->events.items[e];
	struct lock_state *l = &p->locks[ev->object];
	struct side *side;

	if (l->lock.writer == ev->thread + 1) {
		if (--l->depth > 0)
			ev->op = OP_NOP;
		else
			rule_rwlock_drop(&l->lock, ev->thread + 1);
		return 0;
	}
	side = side_of(p, ev->object, ev->thread);
	if (side->depth > 0) {
		ev->flags |= PREDICT_SHARED;
		if (--side->depth > 0)
			ev->op = OP_NOP;
		else
			rule_rwlock_drop(&l->lock, ev->thread + 1);
		side_drop_if_idle(p, side);
		return 0;
	}
	if (side->dropped > 0) {
		side->dropped--;
		ev->op = OP_NOP;
		side_drop_if_idle(p, side);
		return 0;
	}
	side_drop_if_idle(p, side);
	return repair(s, e, "thread %s releases lock %s without holding it; the release is ignored",
		      predict_names_text(&s->t->threads, ev->thread),
		      predict_names_text(&s->t->locks, ev->object));
}

static int settle_locks(struct settle *s)
{
	struct predict_trace *t = s->t;
	uint32_t lock_count = predict_names_count(&t->locks);
	struct lock_pass p = {xcalloc(lock_count + 1, sizeof(struct lock_state)), VEC_INIT};
	int code = 0;

	for (uint32_t e = 0; e < t->events.count && code == 0; e++) {
		if (t->events.items[e].op == OP_ACQ)
			code = settle_acq(s, &p, e);
		else if (t->events.items[e].op == OP_REL)
			code = settle_rel(s, &p, e);
	}
	free(p.locks);
	vec_free(&p.sides);
	return code;
}

/* ---- threads ---- */

struct life {
	uint32_t first, last; /* event, PREDICT_NONE when the thread has none */
	uint32_t fork, join;
};

static int settle_fork(struct settle *s, struct life *lives, uint32_t e)
{
	struct predict_event *ev = &s->t->events.items[e];
	struct life *child = &lives[ev->object];
	const char *name = predict_names_text(&s->t->threads, ev->object);

	if (ev->object == ev->thread)
		return repair(s, e, "thread %s forks itself; the event is ignored", name);
	if (child->fork != PREDICT_NONE)
		return repair(s, e, "thread %s is forked again; only its first fork counts", name);
	if (child->first != PREDICT_NONE && child->first < e)
		return repair(s, e,
			      "thread %s has events before it is forked (line %u); the fork orders "
			      "nothing",
			      name, s->t->events.items[child->first].line);
	child->fork = e;
	return 0;
}

static int settle_join(struct settle *s, struct life *lives, uint32_t e)
{
	struct predict_event *ev = &s->t->events.items[e];
	struct life *child = &lives[ev->object];
	const char *name = predict_names_text(&s->t->threads, ev->object);

	if (ev->object == ev->thread)
		return repair(s, e, "thread %s joins itself; the event is ignored", name);
	if (child->last != PREDICT_NONE && child->last > e)
		return repair(s, e,
			      "thread %s has events after it is joined (line %u); the join orders "
			      "nothing",
			      name, s->t->events.items[child->last].line);
	return 0;
}

static int settle_threads(struct settle *s)
{
	struct predict_trace *t = s->t;
	uint32_t count = predict_names_count(&t->threads);
	struct life *lives = xcalloc(count + 1, sizeof(*lives));
	int code = 0;

	for (uint32_t i = 0; i < count; i++)
		lives[i] = (struct life){PREDICT_NONE, PREDICT_NONE, PREDICT_NONE, PREDICT_NONE};
	for (uint32_t e = 0; e < t->events.count; e++) {
		struct life *l = &lives[t->events.items[e].thread];

		if (l->first == PREDICT_NONE)
			l->first = e;
		l->last = e;
	}
	for (uint32_t e = 0; e < t->events.count && code == 0; e++) {
		if (t->events.items[e].op == OP_FORK)
			code = settle_fork(s, lives, e);
		else if (t->events.items[e].op == OP_JOIN)
			code = settle_join(s, lives, e);
	}
	t->fork_of = xmalloc((count + 1) * sizeof(*t->fork_of));
	for (uint32_t i = 0; i < count; i++)
		t->fork_of[i] = lives[i].fork;
	free(lives);
	return code;
}

/* ---- waits ---- */

static int by_wait(const void *a, const void *b)
{
	const struct predict_pair *x = a, *y = b;

	if (x->wait != y->wait)
		return x->wait < y->wait ? -1 : 1;
	return x->sig < y->sig ? -1 : x->sig > y->sig;
}

/* A leave that names its signals instead has given up its round. */
static void settle_meetings(struct predict_trace *t)
{
	if (t->rounds == 0)
		return;
	t->round_of = xmalloc((t->events.count + 1) * sizeof(*t->round_of));
	t->arrivals = xcalloc(t->rounds, sizeof(*t->arrivals));
	for (size_t e = 0; e < t->events.count; e++)
		t->round_of[e] = PREDICT_NONE;
	for (size_t i = 0; i < t->meetings.count; i++) {
		const struct predict_meeting *m = &t->meetings.items[i];

		t->round_of[m->event] = m->round;
		t->arrivals[m->round] += t->events.items[m->event].op == OP_SIG;
	}
}

static int settle_waits(struct settle *s)
{
	struct predict_trace *t = s->t;
	size_t kept = 0, next = 0;
	int code = 0;

	for (size_t i = 0; i < t->pairs.count; i++) {
		if (t->pairs.items[i].sig < t->pairs.items[i].wait)
			t->pairs.items[kept++] = t->pairs.items[i];
	}
	t->pairs.count = kept;
	if (kept > 0)
		qsort(t->pairs.items, kept, sizeof(*t->pairs.items), by_wait);
	for (uint32_t e = 0; e < t->events.count && code == 0; e++) {
		if (t->events.items[e].op != OP_WAIT)
			continue;
		while (next < kept && t->pairs.items[next].wait < e)
			next++;
		if ((next == kept || t->pairs.items[next].wait != e) &&
		    (t->round_of == NULL || t->round_of[e] == PREDICT_NONE))
			code = repair(s, e,
				      "wait on %s without an earlier signal; it is taken as a "
				      "spurious wake-up",
				      predict_trace_object(t, e));
	}
	return code;
}

/* ---- all of it ---- */

static void note_open_sections(struct predict_trace *t)
{
	uint32_t open = 0;

	for (uint32_t i = 0; i < t->thread_count; i++) {
		for (uint32_t l = t->held_end[i]; l != 0; l = t->lists.items[l].next)
			open++;
	}
	if (open > 0)
		predict_trace_warn(
			t, 0,
			"the trace ends inside %u critical section%s; nothing that needs "
			"their release is predicted",
			open, open == 1 ? "" : "s");
}

int predict_trace_settle(struct predict_trace *t, bool strict, struct err *e)
{
	struct settle s = {t, strict, e, NULL, 0, 0, 0};
	int code;

	t->thread_count = predict_names_count(&t->threads);
	code = settle_locks(&s);
	flush_repeated(&s);
	if (code == 0)
		code = settle_threads(&s);
	flush_repeated(&s);
	settle_meetings(t);
	if (code == 0)
		code = settle_waits(&s);
	flush_repeated(&s);
	if (code != 0)
		return code;
	for (size_t i = 0; i < t->events.count; i++)
		t->has_branches |= t->events.items[i].op == OP_BRANCH;
	predict_facts_derive(t);
	note_open_sections(t);
	return 0;
}
