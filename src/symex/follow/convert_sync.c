/* Operations on synchronisation objects as events of a symbolic trace. */
#include "symex/follow/convert_priv.h"

#include <assert.h>
#include <inttypes.h>

#include "model/event.h"
#include "wire/ctl.h"

struct sync_row {
	uint8_t kind, op;
};

static const struct sync_row sync_rows[] = {
	{EVENT_THREAD_CREATE, STRACE_FORK},
	{EVENT_THREAD_JOIN, STRACE_JOIN},
	{EVENT_THREAD_BEGIN, STRACE_BEGIN},
	{EVENT_THREAD_END, STRACE_END},
	{EVENT_LOCK, STRACE_LOCK},
	{EVENT_UNLOCK, STRACE_UNLOCK},
	{EVENT_TRYLOCK, STRACE_LOCK},
	{EVENT_SPIN_LOCK, STRACE_LOCK},
	{EVENT_SPIN_UNLOCK, STRACE_UNLOCK},
	{EVENT_SPIN_TRYLOCK, STRACE_LOCK},
	{EVENT_RDLOCK, STRACE_RDLOCK},
	{EVENT_WRLOCK, STRACE_WRLOCK},
	{EVENT_TRYRDLOCK, STRACE_RDLOCK},
	{EVENT_TRYWRLOCK, STRACE_WRLOCK},
	{EVENT_RWUNLOCK, STRACE_RWUNLOCK},
	{EVENT_COND_WAIT, STRACE_WAIT},
	{EVENT_COND_WAKE, STRACE_WAKE},
	{EVENT_COND_TIMEOUT, STRACE_EXPIRE},
	{EVENT_COND_SIGNAL, STRACE_SIGNAL},
	{EVENT_COND_BROADCAST, STRACE_BROADCAST},
	{EVENT_BARRIER_ARRIVE, STRACE_ARRIVE},
	{EVENT_BARRIER_LEAVE, STRACE_LEAVE},
	{EVENT_SEM_WAIT, STRACE_TAKE},
	{EVENT_SEM_TRYWAIT, STRACE_TAKE},
	{EVENT_SEM_POST, STRACE_GIVE},
	{EVENT_ONCE_BEGIN, STRACE_ONCE_BEGIN},
	{EVENT_ONCE_END, STRACE_ONCE_END},
	{EVENT_ONCE_PASS, STRACE_ONCE_PASS},
};

static bool is_attempt(unsigned kind)
{
	return kind == EVENT_TRYLOCK || kind == EVENT_SPIN_TRYLOCK || kind == EVENT_TRYRDLOCK ||
	       kind == EVENT_TRYWRLOCK || kind == EVENT_SEM_TRYWAIT;
}

/* Tokens a semaphore has before the first event: as it was initialised. */
static uint64_t first_tokens(const struct follow_convert *x, uint64_t addr)
{
	for (size_t t = 0; t < x->from->threads.count; t++) {
		const struct symex_thread *th = &x->from->threads.items[t];

		for (size_t i = 0; i < th->events.count; i++)
			if (th->events.items[i].kind == EVENT_OBJ_INIT &&
			    th->events.items[i].addr == addr)
				return th->events.items[i].value;
	}
	return symex_trace_initial(x->from, addr, 4);
}

/* Nobody runs the routine of this once in the trace: it was done before the program began. */
static bool is_done_before(const struct follow_convert *x, uint64_t addr)
{
	for (size_t t = 0; t < x->from->threads.count; t++) {
		const struct symex_thread *th = &x->from->threads.items[t];

		for (size_t i = 0; i < th->events.count; i++)
			if (th->events.items[i].kind == EVENT_ONCE_BEGIN &&
			    th->events.items[i].addr == addr)
				return false;
	}
	return true;
}

/* expired: the wait that ends here was not woken. */
int convert_sync(struct follow_convert *x, const struct symex_event *e, bool expired,
		 struct err *err)
{
	struct strace_event *ev;
	size_t row = 0;

	while (row < sizeof(sync_rows) / sizeof(sync_rows[0]) && sync_rows[row].kind != e->kind)
		row++;
	if (row == sizeof(sync_rows) / sizeof(sync_rows[0]) ||
	    (e->kind == EVENT_ONCE_PASS && is_done_before(x, e->addr))) {
		/* What is no access and no marker waits for the store buffers, and nothing else. */
		if (model_event_class(e->kind) == EVENT_CLASS_MARKER && e->kind != EVENT_DRAIN)
			return 0;
		strace_add_event(&x->t, e->thread, STRACE_FENCE, 0);
		vec_last(&x->t.events).tag = e->tix;
		return 0;
	}
	if (e->value_expr || e->addr_expr)
		return err_set(err, ERR_UNSUPPORTED,
			       "how an attempt (%s) of thread %" PRIu32 " ended is not recorded",
			       model_event_name(e->kind), e->thread);
	strace_add_event(&x->t, e->thread, (enum strace_op)sync_rows[row].op, e->addr);
	ev = &vec_last(&x->t.events);
	ev->tag = e->tix;
	ev->site = e->site;
	if (ev->op == STRACE_FORK || ev->op == STRACE_JOIN)
		ev->object = e->aux;
	else if (ev->op == STRACE_WAIT || ev->op == STRACE_WAKE)
		ev->other = e->value;
	else if (ev->op == STRACE_ARRIVE)
		ev->other = e->value >> 32;
	else if (ev->op == STRACE_TAKE || ev->op == STRACE_GIVE)
		ev->other = first_tokens(x, e->addr);
	if ((is_attempt(e->kind) && e->value) || (ev->op == STRACE_WAKE && expired))
		ev->flags |= STRACE_FAILED;
	return 0;
}
