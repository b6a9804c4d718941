#include "solve/strace/schedule.h"

#include <assert.h>

struct maker {
	const struct strace_sim *s;
	const struct strace *t;
	struct model_schedule *out;
	uint32_t *tid;		   /* by thread of the trace; STRACE_NONE: not created yet */
	uint32_t threads;	   /* created */
	struct strace_list asleep; /* WAIT events of threads that sleep */
};

static void choose(struct maker *m, enum choice_kind kind, uint32_t tid, uint32_t arg)
{
	assert(tid < m->threads && tid <= UINT16_MAX);
	vec_push(m->out, ((struct wire_choice){(uint8_t)kind, 0, (uint16_t)tid, arg}));
}

/* The thread of an event runs until it has happened; of neighbours the last one says it all. */
static void run_until(struct maker *m, const struct strace_event *e)
{
	uint32_t tid = m->tid[e->thread];

	assert(tid < m->threads); /* it has been created */
	if (m->out->count) {
		struct wire_choice *last = &vec_last(m->out);

		if (last->kind == CHOICE_UNTIL && last->tid == tid) {
			last->arg = last->arg > e->tag ? last->arg : e->tag;
			return;
		}
	}
	choose(m, CHOICE_UNTIL, tid, e->tag);
}

static void create(struct maker *m, uint32_t thread)
{
	if (thread < m->t->threads && m->tid[thread] == STRACE_NONE)
		m->tid[thread] = m->threads++;
	assert(m->threads <= m->t->threads);
}

static void leave(struct maker *m, size_t i)
{
	assert(i < m->asleep.count);
	memmove(&m->asleep.items[i], &m->asleep.items[i + 1],
		(m->asleep.count - i - 1) * sizeof(uint32_t));
	m->asleep.count--;
}

/* Which of the sleepers a signal wakes: they are numbered as their threads are. */
static void pick(struct maker *m, uint32_t signal)
{
	const struct strace_event *e = &m->t->events.items[signal];
	uint32_t woken = m->s->woken[signal], place = 0, sleepers = 0;

	for (size_t i = 0; i < m->asleep.count; i++) {
		const struct strace_event *w = &m->t->events.items[m->asleep.items[i]];

		if (w->object != e->object)
			continue;
		sleepers++;
		place += woken != STRACE_NONE &&
			 m->tid[w->thread] < m->tid[m->t->events.items[woken].thread];
	}
	assert(!sleepers == (woken == STRACE_NONE));
	assert(place < sleepers || !sleepers);
	if (sleepers > 1)
		choose(m, CHOICE_PICK, m->tid[e->thread], place);
}

/* Sleepers that are none any more after this event. */
static void wake(struct maker *m, uint32_t event)
{
	const struct strace_event *e = &m->t->events.items[event];

	for (size_t i = m->asleep.count; i-- > 0;) {
		const struct strace_event *w = &m->t->events.items[m->asleep.items[i]];

		if ((e->op == STRACE_BROADCAST && w->object == e->object) ||
		    (e->op == STRACE_EXPIRE && w->thread == e->thread) ||
		    (e->op == STRACE_SIGNAL && m->s->woken[event] == m->asleep.items[i]))
			leave(m, i);
	}
}

static void add_event(struct maker *m, uint32_t event, bool buffered)
{
	const struct strace_event *e = &m->t->events.items[event];

	/* A thread whose creation is not in the trace is the first one. */
	create(m, e->thread);
	if (e->op == STRACE_SIGNAL)
		pick(m, event);
	wake(m, event);
	run_until(m, e);
	if (e->op == STRACE_FORK)
		create(m, (uint32_t)e->object);
	if (e->op == STRACE_WAIT)
		vec_push(&m->asleep, event);
	if (buffered && e->op == STRACE_WRITE && !(e->flags & STRACE_THROUGH))
		choose(m, CHOICE_COMMIT, m->tid[e->thread], e->tag);
}

/* Threads go on until they wait; those that close the circle come last. */
static void go_to_waits(struct maker *m)
{
	for (int joins = 1; joins >= 0; joins--)
		for (size_t i = 0; i < m->t->stuck.count; i++) {
			const struct strace_stuck *k = &m->t->stuck.items[i];

			if ((k->op == STRACE_JOIN) == joins && m->tid[k->thread] != STRACE_NONE)
				choose(m, CHOICE_UNTIL, m->tid[k->thread], UINT32_MAX - 1);
		}
}

void strace_schedule_make(const struct strace_sim *s, const uint32_t *order, enum wire_model model,
			  uint32_t last, struct model_schedule *out)
{
	struct maker m = {.s = s, .t = s->t, .out = out};

	m.tid = xcalloc(s->t->threads + 1, sizeof(*m.tid));
	memset(m.tid, 0xff, s->t->threads * sizeof(*m.tid));
	create(&m, 0);
	for (size_t i = 0; i < s->t->events.count; i++) {
		add_event(&m, order[i], wire_model_buffers(model));
		if (order[i] == s->t->until)
			break;
	}
	if (last < s->t->threads && m.tid[last] != STRACE_NONE)
		choose(&m, CHOICE_UNTIL, m.tid[last], UINT32_MAX - 1);
	go_to_waits(&m);
	vec_free(&m.asleep);
	free(m.tid);
}
