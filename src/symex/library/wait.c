/* Conditions, semaphores, barriers and what happens once: their events. */
#include <errno.h>
#include <pthread.h>

#include "symex/library/sync.h"

/* ---- conditions ---- */

static enum library_result cond_init(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0);

	sync_life(m, k, true, OBJ_COND, 0);
	(void)mem_fill(k->t->space, addr, 0, 48);
	return library_return(k, 0);
}

static enum library_result cond_destroy(struct machine *m, struct library_call *k)
{
	sync_life(m, k, false, OBJ_COND, 0);
	return library_return(k, 0);
}

/* Was it woken, or did the time run out?  The thread cannot tell by itself. */
static enum library_result wake(struct machine *m, struct library_call *k, bool timed)
{
	uint64_t c = k->local[0], mutex = k->local[1], way = 0, waker = THREAD_NONE;
	uint32_t site = (uint32_t)k->local[2];
	struct symex_event *e;

	if (k->phase == 1 && timed && library_outcome(m, k, EVENT_COND_TIMEOUT, c, &way) && way) {
		e = machine_event(m, k->t, EVENT_COND_TIMEOUT, site, c, mutex, 0);
		e->size = SYNC_TIMED;
		library_time_passed(m, k, site);
		k->local[3] = ETIMEDOUT;
		k->phase = 2;
		return LIBRARY_AGAIN;
	}
	(void)library_outcome(m, k, EVENT_COND_WAKE, c, &waker);
	sync_mutex_take(m, k, mutex);
	sync_object(m, k, mutex, OBJ_MUTEX)->depth = 1;
	machine_event(m, k->t, EVENT_COND_WAKE, site, c, mutex, (uint32_t)waker);
	return library_return(k, k->local[3]);
}

static enum library_result wait(struct machine *m, struct library_call *k, bool timed)
{
	struct machine_object *o;
	struct symex_event *e;

	if (k->phase)
		return wake(m, k, timed);
	k->local[2] = library_take_site(k);
	k->local[0] = sync_object_at(m, k, 0, 48, (uint32_t)k->local[2]);
	k->local[1] = sync_object_at(m, k, 1, 40, (uint32_t)k->local[2]);
	o = sync_object(m, k, k->local[1], OBJ_MUTEX);
	if (o->owner != k->t->tid + 1 && m->one_space)
		return sync_misuse(m, k, (uint32_t)k->local[2], k->local[1],
				   "wait on a condition with a mutex that it does not hold");
	e = machine_event(m, k->t, EVENT_COND_WAIT, (uint32_t)k->local[2], k->local[0], k->local[1],
			  0);
	e->size = timed ? SYNC_TIMED : 0;
	sync_mutex_drop(o);
	sync_object(m, k, k->local[0], OBJ_COND)->waiters++;
	k->phase = 1;
	return LIBRARY_AGAIN;
}

enum library_result sync_cond_wait(struct machine *m, struct library_call *k)
{
	return wait(m, k, false);
}

static enum library_result cond_timedwait(struct machine *m, struct library_call *k)
{
	return wait(m, k, true);
}

static enum library_result cnd_timedwait_model(struct machine *m, struct library_call *k)
{
	enum library_result r = wait(m, k, true);

	if (r == LIBRARY_DONE && k->result == ETIMEDOUT)
		k->result = 4;
	return r;
}

static enum library_result notify(struct machine *m, struct library_call *k, enum event_kind kind)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 48, site), woken = 0;

	if (!k->t->controlled)
		return library_return(k, 0);
	(void)library_outcome(m, k, kind, addr, &woken);
	machine_event(m, k->t, kind, site, addr, 0, (uint32_t)woken);
	return library_return(k, 0);
}

static enum library_result cond_signal(struct machine *m, struct library_call *k)
{
	return notify(m, k, EVENT_COND_SIGNAL);
}

static enum library_result cond_broadcast(struct machine *m, struct library_call *k)
{
	return notify(m, k, EVENT_COND_BROADCAST);
}

/* ---- semaphores ---- */

static enum library_result sem_init(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0), tokens = library_arg(m, k, 2);

	sync_life(m, k, true, OBJ_SEM, tokens);
	sync_object(m, k, addr, OBJ_SEM)->tokens = (int64_t)tokens;
	/* Where the C library keeps them: a constructor's are not among the events. */
	(void)mem_store(k->t->space, addr, 4, tokens, EXPR_NONE);
	return library_return(k, 0);
}

static enum library_result sem_destroy(struct machine *m, struct library_call *k)
{
	sync_life(m, k, false, OBJ_SEM, 0);
	return library_return(k, 0);
}

static enum library_result sem_post(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 32, site);
	struct machine_object *o = sync_object(m, k, addr, OBJ_SEM);

	o->tokens++;
	machine_event(m, k->t, EVENT_SEM_POST, site, addr, (uint64_t)o->tokens, 0);
	return library_return(k, 0);
}

static enum library_result sem_take(struct machine *m, struct library_call *k, bool timed)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 32, site), way;
	struct machine_object *o = sync_object(m, k, addr, OBJ_SEM);
	struct symex_event *e;

	if (timed && library_outcome(m, k, EVENT_SEM_TIMEOUT, addr, &way) && way) {
		e = machine_event(m, k->t, EVENT_SEM_TIMEOUT, site, addr, 0, 0);
		e->size = SYNC_TIMED;
		library_time_passed(m, k, site);
		library_set_errno(m, k, ETIMEDOUT);
		return library_return(k, (uint64_t)-1);
	}
	o->tokens--;
	e = machine_event(m, k->t, EVENT_SEM_WAIT, site, addr, (uint64_t)o->tokens, 0);
	e->size = timed ? SYNC_TIMED : 0;
	return library_return(k, 0);
}

static enum library_result sem_wait(struct machine *m, struct library_call *k)
{
	return sem_take(m, k, false);
}

static enum library_result sem_timedwait(struct machine *m, struct library_call *k)
{
	return sem_take(m, k, true);
}

static enum library_result sem_trywait(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 32, site), way = 0;
	struct machine_object *o = sync_object(m, k, addr, OBJ_SEM);
	struct symex_event *e;

	if (m->one_space)
		way = o->tokens > 0 ? 0 : EAGAIN;
	else if (!library_outcome(m, k, EVENT_SEM_TRYWAIT, addr, &way)) {
		e = machine_event(m, k->t, EVENT_SEM_TRYWAIT, site, addr, 0, 0);
		return sync_unknown_attempt(m, k, e);
	}
	if (way) {
		machine_event(m, k->t, EVENT_SEM_TRYWAIT, site, addr, way, 0);
		library_set_errno(m, k, (int)way);
		return library_return(k, (uint64_t)-1);
	}
	o->tokens--;
	machine_event(m, k->t, EVENT_SEM_TRYWAIT, site, addr, 0, (uint32_t)o->tokens);
	return library_return(k, 0);
}

static enum library_result sem_getvalue(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 32, site), to = library_arg(m, k, 1);
	struct machine_object *o = sync_object(m, k, addr, OBJ_SEM);
	uint64_t tokens = (uint64_t)o->tokens;
	expr_id e = EXPR_NONE;
	struct symex_event *event;

	event = machine_event(m, k->t, EVENT_SEM_TRYWAIT, site, addr, EAGAIN, (uint32_t)tokens);
	event->size = SYNC_LOOK;
	if (!m->one_space)
		event->value_expr = e = machine_unknown(m, k->t, 32);
	(void)mem_store(k->t->space, to, 4, tokens, e);
	return library_return(k, 0);
}

/* ---- barriers ---- */

static enum library_result barrier_init(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0), n = library_arg(m, k, 2);

	if (n == 0)
		return library_return(k, EINVAL);
	sync_life(m, k, true, OBJ_BARRIER, n);
	sync_object(m, k, addr, OBJ_BARRIER)->tokens = (int64_t)n;
	/* For threads that see it later: where the C library keeps it. */
	(void)mem_store(k->t->space, addr + 8, 4, n, EXPR_NONE);
	return library_return(k, 0);
}

static enum library_result barrier_destroy(struct machine *m, struct library_call *k)
{
	sync_life(m, k, false, OBJ_BARRIER, 0);
	return library_return(k, 0);
}

static enum library_result barrier_leave(struct machine *m, struct library_call *k)
{
	uint64_t addr = k->local[0], serial = k->local[1];
	struct machine_object *o = sync_object(m, k, addr, OBJ_BARRIER);

	machine_event(m, k->t, EVENT_BARRIER_LEAVE, (uint32_t)k->local[2], addr, o->round, 0);
	return library_return(k, serial ? (uint64_t)PTHREAD_BARRIER_SERIAL_THREAD : 0);
}

static enum library_result barrier_wait(struct machine *m, struct library_call *k)
{
	struct machine_object *o;
	struct symex_event *e;
	uint64_t last = 0;

	if (k->phase)
		return barrier_leave(m, k);
	k->local[2] = library_take_site(k);
	k->local[0] = sync_object_at(m, k, 0, 32, (uint32_t)k->local[2]);
	o = sync_object(m, k, k->local[0], OBJ_BARRIER);
	if (!o->tokens)
		o->tokens = (int64_t)library_word(m, k, k->local[0] + 8, 4);
	o->arrived++;
	e = machine_event(m, k->t, EVENT_BARRIER_ARRIVE, (uint32_t)k->local[2], k->local[0],
			  (uint64_t)o->tokens << 32 | o->round, o->arrived);
	if (m->one_space)
		last = o->arrived == (uint32_t)o->tokens;
	else
		(void)library_outcome(m, k, EVENT_BARRIER_ARRIVE, k->local[0], &last);
	e->size = last ? SYNC_LAST : 0;
	k->local[1] = last;
	k->phase = 1;
	if (last) {
		o->arrived = 0;
		o->round++;
		return barrier_leave(m, k);
	}
	return LIBRARY_AGAIN;
}

/* ---- once ---- */

#define ONCE_DONE 2

static enum library_result once(struct machine *m, struct library_call *k)
{
	uint64_t control, word, way;
	uint32_t site;

	if (k->phase == 0) {
		k->local[1] = site = library_take_site(k);
		k->local[0] = control = sync_object_at(m, k, 0, 4, site);
		word = library_word(m, k, control, 4);
		way = (word & ONCE_DONE) != 0;
		if (!m->one_space)
			(void)library_outcome(m, k, EVENT_ONCE_PASS, control, &way);
		if (way) {
			if (k->t->controlled)
				machine_event(m, k->t, EVENT_ONCE_PASS, site, control, 0, 0);
			return library_return(k, 0);
		}
		if (k->t->controlled)
			machine_event(m, k->t, EVENT_ONCE_BEGIN, site, control, 0, 0);
		k->phase = 1;
		k->callee = library_arg(m, k, 1);
		k->callee_count = 0;
		return LIBRARY_CALL;
	}
	(void)mem_store(k->t->space, k->local[0], 4, ONCE_DONE, EXPR_NONE);
	/* Called from the library: the place of the call is used up. */
	if (k->t->controlled)
		machine_event(m, k->t, EVENT_ONCE_END, SYMEX_NONE, k->local[0], 1, 0);
	return library_return(k, 0);
}

static enum library_result guard_acquire(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t guard = sync_object_at(m, k, 0, 8, site);
	uint64_t way = library_word(m, k, guard, 1);

	if (!k->t->controlled)
		return library_return(k, !way);
	if (!m->one_space)
		(void)library_outcome(m, k, EVENT_ONCE_PASS, guard, &way);
	machine_event(m, k->t, way ? EVENT_ONCE_PASS : EVENT_ONCE_BEGIN, site, guard, 0, 0);
	return library_return(k, !way);
}

static enum library_result guard_end(struct machine *m, struct library_call *k, bool done)
{
	uint32_t site = library_take_site(k);
	uint64_t guard = sync_object_at(m, k, 0, 8, site);
	struct symex_event *e;

	if (!k->t->controlled) {
		(void)mem_store(k->t->space, guard, 1, done, EXPR_NONE);
		return LIBRARY_DONE;
	}
	machine_event(m, k->t, EVENT_ONCE_END, site, guard, done, 0);
	if (!done)
		return LIBRARY_DONE;
	e = machine_event(m, k->t, EVENT_WRITE, site, guard, 1, ORDER_RELEASE | EVENT_GLUED);
	e->size = 1;
	access_write(m, k->t, e, guard, 1, 1, EXPR_NONE);
	return LIBRARY_DONE;
}

static enum library_result guard_release(struct machine *m, struct library_call *k)
{
	return guard_end(m, k, true);
}

static enum library_result guard_abort(struct machine *m, struct library_call *k)
{
	return guard_end(m, k, false);
}

static enum library_result nothing(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return library_return(k, 0);
}

const struct library_row library_wait[] = {
	{"pthread_cond_init", cond_init},
	{"pthread_cond_destroy", cond_destroy},
	{"pthread_cond_wait", sync_cond_wait},
	{"pthread_cond_timedwait", cond_timedwait},
	{"pthread_cond_clockwait", cond_timedwait},
	{"pthread_cond_signal", cond_signal},
	{"pthread_cond_broadcast", cond_broadcast},
	{"cnd_init", cond_init},
	{"cnd_destroy", cond_destroy},
	{"cnd_wait", sync_cond_wait},
	{"cnd_signal", cond_signal},
	{"cnd_timedwait", cnd_timedwait_model},
	{"cnd_broadcast", cond_broadcast},
	{"_ZNSt18condition_variableC1Ev", nothing},
	{"_ZNSt18condition_variableD1Ev", cond_destroy},
	{"_ZNSt18condition_variable10notify_oneEv", cond_signal},
	{"_ZNSt18condition_variable10notify_allEv", cond_broadcast},
	{"sem_init", sem_init},
	{"sem_destroy", sem_destroy},
	{"sem_post", sem_post},
	{"sem_wait", sem_wait},
	{"sem_timedwait", sem_timedwait},
	{"sem_trywait", sem_trywait},
	{"sem_getvalue", sem_getvalue},
	{"pthread_barrier_init", barrier_init},
	{"pthread_barrier_destroy", barrier_destroy},
	{"pthread_barrier_wait", barrier_wait},
	{"pthread_once", once},
	{"call_once", once},
	{"__cxa_guard_acquire", guard_acquire},
	{"__cxa_guard_release", guard_release},
	{"__cxa_guard_abort", guard_abort},
	{NULL, NULL},
};
