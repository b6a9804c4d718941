/* An event that happened as a step of its thread: what it read and wrote, and whether it is glued.
 */
#include "explore/live/ingest_thread.h"

#include <assert.h>
#include <stdlib.h>

/* The call of an operation on descriptors, from the DATA events behind it. */
int ingest_call(struct ingest *x, struct learn_step *s, const struct wire_event *ev,
		const struct wire_event *end, struct err *e)
{
	const struct wire_event *d = ev + 1;

	vec_clear(&x->call);
	/* The clock that a wait has moved on comes first. */
	while (d < end && (d->kind == EVENT_READ || d->kind == EVENT_WRITE) &&
	       (d->aux & EVENT_HIDDEN))
		d++;
	for (; d < end && d->kind == EVENT_DATA; d++)
		for (uint32_t i = 0; i < d->size && i < 8; i++)
			vec_push(&x->call, (uint8_t)(d->value >> i * 8));
	s->value = learn_fds_call(&x->l->fds, x->call.items, x->call.count);
	if (s->value == LEARN_FDS_NO_CALL)
		return err_set(e, ERR_FORMAT, "a call on descriptors was not logged whole");
	return 1;
}

/* A write of the same bytes as before shares their place. */
int ingest_share_data(struct ingest *x, const struct ingest_thread *t, struct learn_step *s,
		      struct err *e)
{
	const struct learn_step *known = learn_at(x->l, t->at);

	if (!known || known->op != LEARN_WRITE_BYTES || known->value != s->value)
		return 0;
	if (memcmp(x->l->data.items + known->data, x->l->data.items + s->data, s->value) != 0)
		return err_set(e, ERR_MISMATCH,
			       "thread %u wrote other bytes after reading the same values",
			       t->number);
	x->l->data.count = s->data;
	s->data = known->data;
	return 0;
}

/* Part of one step with the event before. */
static bool is_glued(const struct wire_event *ev)
{
	switch (ev->kind) {
	case EVENT_READ:
	case EVENT_WRITE:
	case EVENT_READ_RANGE:
	case EVENT_WRITE_RANGE:
		return ev->aux & EVENT_GLUED;
	/* Nobody goes on between what a thread did and its return. */
	case EVENT_STACK:
		return ev->aux == STACK_RETURNS;
	default:
		return false;
	}
}

bool ingest_is_point(const struct wire_event *ev)
{
	switch (ev->kind) {
	case EVENT_ALLOC:
	case EVENT_BRANCH:
	case EVENT_ENTER:
	case EVENT_LEAVE:
	case EVENT_INTO:
	case EVENT_CALL:
	case EVENT_NOTE:
	case EVENT_DRAIN:
	case EVENT_DATA:
	case EVENT_STACK:
	case EVENT_ATOMIC_BEGIN:
	case EVENT_ATOMIC_END:
		return false;
	default:
		return !is_glued(ev);
	}
}

/*
 * The step is taken over; the first of an indivisible one leads those behind it.  What only comes
 * along (a block that is allocated, a wait for the buffers) neither leads nor is led.
 */
int ingest_take_step(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		     struct ingest_step *s, struct err *e)
{
	struct learn_cursor at = t->at;
	bool glued = is_glued(ev) && t->leads;
	int rc;

	s->step.tix -= t->waited;
	if (glued) {
		x->parts |= x->threads.count > 1 && (ev->aux & EVENT_HIDDEN) != 0;
		s->step.flags |= LEARN_GLUED;
		learn_lead(x->l, t->lead, &s->step);
	}
	rc = learn_follow(x->l, &t->at, &s->step, e);
	if (rc)
		return rc;
	ingest_late(x, t, ev, &s->step);
	if (!glued && (ingest_is_point(ev) || is_glued(ev))) {
		t->lead = at;
		t->leads = true;
	}
	if (learn_reads(&s->step))
		learn_outcome(x->l, &t->at, s->outcome, s->writes, s->written);
	else if (s->step.op == LEARN_PARK)
		ingest_take_back(x, t, ev);
	return 0;
}
