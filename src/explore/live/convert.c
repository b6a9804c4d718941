/* Events to steps: see ingest.h. */
#include "explore/live/ingest_thread.h"

#include <errno.h>

#define FDS_OBJECT UINT64_C(1) /* address of no object of the program */

/* ---- locks ---- */

static bool holds(const struct ingest *x, const struct ingest_thread *t, uint32_t object)
{
	return intern_has(&x->l->foot.sets, t->locks, FOOT_EXCLUSIVE(object));
}

static void hold(struct ingest *x, struct ingest_thread *t, uint32_t token)
{
	t->locks = intern_add(&x->l->foot.sets, t->locks, token);
}

static void unhold(struct ingest *x, struct ingest_thread *t, uint32_t token)
{
	t->locks = intern_remove(&x->l->foot.sets, t->locks, token);
}

/*
 * Whether a thread stands at a lock that it has, or gives back one that it has not.  What comes of
 * that depends on the kind of the lock (a deeper level, EDEADLK, EPERM), so nothing is announced.
 */
static bool is_own_affair(const struct ingest *x, const struct ingest_thread *t, uint32_t object,
			  bool takes, bool done)
{
	return !done && holds(x, t, object) == takes;
}

/* Attempts that fail for a reason that lies in the thread itself: EPERM of an unlock. */
static bool is_refused(const struct wire_event *ev)
{
	return ev->value == EPERM;
}

static int robust(struct err *e)
{
	return err_set(e, ERR_UNSUPPORTED, "robust mutexes whose owner has ended are not modelled");
}

static int convert_lock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s, struct err *e)
{
	struct learn_step *step = &s->step;
	bool timed = ev->size == SYNC_TIMED;

	step->op = LEARN_LOCK;
	step->object = ingest_object(x, ev->addr, LEARN_MUTEX);
	if (is_own_affair(x, t, step->object, true, done))
		return 0;
	if (done && ev->kind == EVENT_LOCK && ev->value)
		return robust(e);
	step->value = done && ev->kind != EVENT_LOCK_TIMEOUT && ev->aux ? ev->aux : 1;
	step->flags = timed ? LEARN_TIMED : 0;
	/* A timed attempt that has expired in one execution must look the same in another. */
	step->value = timed ? 1 : step->value;
	s->outcome = ev->kind == EVENT_LOCK_TIMEOUT;
	ingest_class(x, t, step->object, timed ? FOOT_TRY : FOOT_LOCK);
	if (done && ev->kind != EVENT_LOCK_TIMEOUT)
		hold(x, t, FOOT_EXCLUSIVE(step->object));
	return 1;
}

static int convert_unlock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  bool done, struct ingest_step *s)
{
	s->step.op = LEARN_UNLOCK;
	s->step.object = ingest_object(x, ev->addr, LEARN_MUTEX);
	if (is_own_affair(x, t, s->step.object, false, done))
		return 0;
	s->step.value = ev->aux;
	ingest_class(x, t, s->step.object, FOOT_UNLOCK);
	if (!ev->aux)
		unhold(x, t, FOOT_EXCLUSIVE(s->step.object));
	return 1;
}

static int convert_trylock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			   bool done, struct ingest_step *s, struct err *e)
{
	uint32_t o = ingest_object(x, ev->addr, LEARN_MUTEX);

	if (done && is_refused(ev))
		return 0;
	if (done && ev->value == ENOTRECOVERABLE)
		return robust(e);

	s->step.op = LEARN_TRYLOCK;
	s->step.object = o;
	s->writes = ev->value == 0;
	s->outcome = holds(x, t, o) ? LEARN_OWN : s->writes ? LEARN_FREE_LOCK : LEARN_OTHERS;
	ingest_class(x, t, o, FOOT_TRY);
	if (done && s->writes)
		hold(x, t, FOOT_EXCLUSIVE(o));
	return 1;
}

/* Attempts are reads of the object as far as a loop around them is concerned. */
static bool is_attempt(const struct wire_event *ev)
{
	return ev->kind == EVENT_TRYLOCK || ev->kind == EVENT_SPIN_TRYLOCK ||
	       ev->kind == EVENT_TRYRDLOCK || ev->kind == EVENT_TRYWRLOCK ||
	       (ev->kind == EVENT_SEM_TRYWAIT && ev->size != SYNC_LOOK);
}

static int convert_rwlock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  bool done, struct ingest_step *s)
{
	uint64_t kind = ev->kind == EVENT_LOCK_TIMEOUT ? ev->value : ev->kind;
	bool timed = ev->size == SYNC_TIMED, write = kind == EVENT_WRLOCK;
	uint32_t o = ingest_object(x, ev->addr, LEARN_RWLOCK);

	if (is_own_affair(x, t, o, true, done))
		return 0;
	s->step.op = write ? LEARN_WRLOCK : LEARN_RDLOCK;
	s->step.object = o;
	s->step.flags = timed ? LEARN_TIMED : 0;
	s->outcome = ev->kind == EVENT_LOCK_TIMEOUT;
	ingest_class(x, t, o, timed ? FOOT_TRY : write ? FOOT_LOCK : FOOT_SHARE);
	if (done && ev->kind != EVENT_LOCK_TIMEOUT)
		hold(x, t, write ? FOOT_EXCLUSIVE(o) : FOOT_SHARED(o));
	return 1;
}

static int convert_rwtry(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 bool done, struct ingest_step *s)
{
	bool write = ev->kind == EVENT_TRYWRLOCK;
	uint32_t o = ingest_object(x, ev->addr, LEARN_RWLOCK);

	s->step.op = write ? LEARN_TRYWRLOCK : LEARN_TRYRDLOCK;
	s->step.object = o;
	s->writes = ev->value == 0;
	s->outcome = holds(x, t, o) ? LEARN_OWN : s->writes ? LEARN_FREE_LOCK : LEARN_OTHERS;
	ingest_class(x, t, o, FOOT_TRY);
	if (done && s->writes)
		hold(x, t, write ? FOOT_EXCLUSIVE(o) : FOOT_SHARED(o));
	return 1;
}

static int convert_rwunlock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			    struct ingest_step *s)
{
	uint32_t o = ingest_object(x, ev->addr, LEARN_RWLOCK);

	s->step.op = LEARN_RWUNLOCK;
	s->step.object = o;
	ingest_class(x, t, o, FOOT_UNLOCK);
	unhold(x, t, FOOT_EXCLUSIVE(o));
	unhold(x, t, FOOT_SHARED(o));
	return 1;
}

/* ---- conditions ---- */

static int convert_wait(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s)
{
	x->may_spur = true;
	s->step.op = LEARN_WAIT;
	s->step.object = ingest_object(x, ev->addr, LEARN_CONDITION);
	s->step.other = ingest_object(x, ev->value, LEARN_MUTEX);
	ingest_class(x, t, s->step.object, FOOT_SLEEP);
	ingest_class(x, t, s->step.other, FOOT_UNLOCK);
	if (!done)
		return 1;
	t->waits = true;
	t->wait_timed = ev->size == SYNC_TIMED;
	t->expired = false;
	t->condition = ev->addr;
	t->mutex = ev->value;
	unhold(x, t, FOOT_EXCLUSIVE(s->step.other));
	return 1;
}

/* The end of a wait: woken and with the mutex again, or expired and without. */
static int convert_wake(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s)
{
	bool expires = ev->kind == EVENT_COND_TIMEOUT;

	s->step.op = LEARN_WAKE;
	s->step.object = ingest_object(x, t->condition, LEARN_CONDITION);
	s->step.other = ingest_object(x, t->mutex, LEARN_MUTEX);
	s->step.flags = t->wait_timed ? LEARN_TIMED : 0;
	s->outcome = expires;
	ingest_class(x, t, s->step.other, FOOT_LOCK);
	if (t->wait_timed || x->spurious)
		ingest_class(x, t, s->step.object, FOOT_EXPIRE);
	if (!done)
		return 1;
	t->waits = false;
	t->expired = expires;
	if (!expires)
		hold(x, t, FOOT_EXCLUSIVE(s->step.other));
	return 1;
}

static int convert_retake(struct ingest *x, struct ingest_thread *t, bool done,
			  struct ingest_step *s)
{
	s->step.op = LEARN_LOCK;
	s->step.object = ingest_object(x, t->mutex, LEARN_MUTEX);
	s->step.value = 1;
	ingest_class(x, t, s->step.object, FOOT_LOCK);
	if (!done)
		return 1;
	t->expired = false;
	hold(x, t, FOOT_EXCLUSIVE(s->step.object));
	return 1;
}

/* ---- the rest ---- */

static int convert_semaphore(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			     bool done, struct ingest_step *s)
{
	uint32_t known = (uint32_t)x->l->objects.count;
	uint32_t o = ingest_object(x, ev->addr, LEARN_SEMAPHORE);
	struct learn_object *object = &x->l->objects.items[o];
	bool timed = ev->size == SYNC_TIMED;

	s->step.object = o;
	switch (ev->kind) {
	case EVENT_SEM_POST:
		s->step.op = LEARN_GIVE;
		if (o == known && done)
			object->first = (uint32_t)ev->value - 1;
		ingest_class(x, t, o, FOOT_GIVE);
		return 1;
	case EVENT_SEM_TRYWAIT:
		s->step.op = ev->size == SYNC_LOOK ? LEARN_COUNT : LEARN_TRYTAKE;
		s->writes = ev->value == 0;
		s->outcome = ev->size == SYNC_LOOK ? ev->aux : ev->value != 0;
		if (o == known && done)
			object->first = ev->aux + s->writes;
		ingest_class(x, t, o, FOOT_TRY);
		return 1;
	default:
		s->step.op = LEARN_TAKE;
		s->step.flags = timed ? LEARN_TIMED : 0;
		s->outcome = ev->kind == EVENT_SEM_TIMEOUT;
		if (o == known && done && ev->kind == EVENT_SEM_WAIT)
			object->first = (uint32_t)ev->value + 1;
		ingest_class(x, t, o, timed ? FOOT_TRY : FOOT_TAKE);
		return 1;
	}
}

static int convert_once(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s)
{
	uint32_t known = (uint32_t)x->l->objects.count;
	uint32_t o = ingest_object(x, ev->addr, LEARN_ONCE_FLAG);

	s->step.object = o;
	if (ev->kind == EVENT_ONCE_END) {
		s->step.op = LEARN_ONCE_END;
		s->step.value = ev->value;
		ingest_class(x, t, o, FOOT_UNLOCK);
		unhold(x, t, FOOT_EXCLUSIVE(o));
		return 1;
	}
	s->step.op = LEARN_ONCE;
	s->outcome = ev->kind == EVENT_ONCE_PASS;
	if (o == known && s->outcome)
		x->l->objects.items[o].first = 2;
	ingest_class(x, t, o, FOOT_LOCK);
	if (done && !s->outcome)
		hold(x, t, FOOT_EXCLUSIVE(o));
	return 1;
}

static int convert_barrier(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			   bool done, struct ingest_step *s)
{
	uint32_t known = (uint32_t)x->l->objects.count;

	s->step.object = ingest_object(x, ev->addr, LEARN_BARRIER);
	s->step.op = ev->kind == EVENT_BARRIER_ARRIVE ? LEARN_ARRIVE : LEARN_LEAVE;
	s->outcome = ev->size == SYNC_LAST;
	/* Made before main began: it says how many it is for. */
	if (s->step.op == LEARN_ARRIVE && done && s->step.object == known)
		x->l->objects.items[s->step.object].first = (uint32_t)(ev->value >> 32);
	if (s->step.op == LEARN_ARRIVE)
		ingest_class(x, t, s->step.object, FOOT_MEET);
	return 1;
}

static int convert_futex(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 bool done, struct ingest_step *s, struct err *e)
{
	struct learn_step *step = &s->step;
	uint32_t bytes;

	step->object = ingest_object(x, ev->addr, LEARN_FUTEX);
	if (ev->kind == EVENT_FUTEX_WAKE) {
		step->op = LEARN_FUTEX_WAKE;
		step->value = ev->value;
		ingest_class(x, t, step->object, FOOT_WAKE);
		if (ev->value > 1 && ev->aux > 1 && ev->aux >= ev->value)
			return err_set(e, ERR_UNSUPPORTED, "a futex that wakes some of its sleepers");
		return 1;
	}
	if (t->futex_asleep) {
		step->op = LEARN_FUTEX_WOKEN;
		step->flags = ev->size == SYNC_TIMED ? LEARN_TIMED : 0;
		s->outcome = ev->aux > 1;
		ingest_class(x, t, step->object, FOOT_EXPIRE);
		t->futex_asleep = !done;
		return 1;
	}
	step->op = LEARN_FUTEX_WAIT;
	step->value = ev->value;
	if (cells_find(x->cells, x->l, ev->addr, 4, &step->offset, &bytes) == LEARN_NONE)
		return err_set(e, ERR_UNSUPPORTED, "a futex on memory that only one thread uses");
	s->outcome = ev->aux != 0;
	ingest_class(x, t, step->object, FOOT_SLEEP);
	ingest_class(x, t, cells_find(x->cells, x->l, ev->addr, 4, &step->offset, &bytes),
		     FOOT_READ);
	if (done)
		t->futex_asleep = !s->outcome;
	return 1;
}

static int convert_begin_object(struct ingest *x, struct ingest_thread *t,
				const struct wire_event *ev, struct ingest_step *s)
{
	static const uint8_t kinds[] = {[OBJ_MUTEX] = LEARN_MUTEX,   [OBJ_RWLOCK] = LEARN_RWLOCK,
					[OBJ_SPIN] = LEARN_MUTEX,    [OBJ_COND] = LEARN_CONDITION,
					[OBJ_SEM] = LEARN_SEMAPHORE, [OBJ_BARRIER] = LEARN_BARRIER};

	uint32_t known = (uint32_t)x->l->objects.count;

	if (ev->aux >= sizeof(kinds) || ev->aux == 0)
		return 0;
	s->step.op = ev->kind == EVENT_OBJ_INIT ? LEARN_SET : LEARN_DESTROY;
	s->step.object = ingest_object(x, ev->addr, kinds[ev->aux]);
	s->step.value = ev->value;
	/* What has no static initialiser and is initialised now was not before. */
	if (s->step.object == known && ev->aux == OBJ_SPIN && ev->kind == EVENT_OBJ_INIT)
		x->l->objects.items[known].unborn = true;
	ingest_class(x, t, s->step.object, FOOT_ANY);
	return 1;
}

/* The call itself, in step.value, comes from the events behind it. */
static int convert_descriptor(struct ingest *x, struct ingest_thread *t,
			      const struct wire_event *ev, struct ingest_step *s)
{
	uint32_t o = ingest_object(x, FDS_OBJECT, LEARN_DESCRIPTORS);

	s->step.op = LEARN_FD;
	s->step.object = o;
	s->step.flags = ev->size == SYNC_TIMED ? LEARN_TIMED : 0;
	s->outcome = ev->value;
	ingest_class(x, t, o, FOOT_WRITE);
	return 1;
}

static int simple(struct ingest_step *s, enum learn_op op)
{
	s->step.op = (uint8_t)op;
	return 1;
}

static int convert_timeout(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			   bool done, struct ingest_step *s, struct err *e)
{
	return ev->value == EVENT_LOCK ? convert_lock(x, t, ev, done, s, e)
				       : convert_rwlock(x, t, ev, done, s);
}

/* Events of a wait under way; the time that passes in it is one of hidden memory. */
static bool is_of_wait(const struct wire_event *ev)
{
	return ev->kind == EVENT_COND_WAKE || ev->kind == EVENT_COND_TIMEOUT ||
	       ev->kind == EVENT_LOCK;
}

static int convert_event(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 bool done, struct ingest_step *s, struct err *e)
{
	if (t->waits && is_of_wait(ev))
		return convert_wake(x, t, ev, done, s);
	if (t->expired && is_of_wait(ev))
		return convert_retake(x, t, done, s);
	switch (ev->kind) {
	case EVENT_LOCK:
	case EVENT_SPIN_LOCK:
		return convert_lock(x, t, ev, done, s, e);
	case EVENT_LOCK_TIMEOUT:
		return convert_timeout(x, t, ev, done, s, e);
	case EVENT_UNLOCK:
	case EVENT_SPIN_UNLOCK:
		return convert_unlock(x, t, ev, done, s);
	case EVENT_TRYLOCK:
	case EVENT_SPIN_TRYLOCK:
		return convert_trylock(x, t, ev, done, s, e);
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
		return convert_rwlock(x, t, ev, done, s);
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
		return convert_rwtry(x, t, ev, done, s);
	case EVENT_RWUNLOCK:
		return convert_rwunlock(x, t, ev, s);
	case EVENT_COND_WAIT:
		return convert_wait(x, t, ev, done, s);
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		s->step.object = ingest_object(x, ev->addr, LEARN_CONDITION);
		ingest_class(x, t, s->step.object, FOOT_WAKE);
		return simple(s, ev->kind == EVENT_COND_SIGNAL ? LEARN_SIGNAL : LEARN_BROADCAST);
	case EVENT_BARRIER_ARRIVE:
	case EVENT_BARRIER_LEAVE:
		return convert_barrier(x, t, ev, done, s);
	case EVENT_SEM_WAIT:
	case EVENT_SEM_POST:
	case EVENT_SEM_TRYWAIT:
	case EVENT_SEM_TIMEOUT:
		return convert_semaphore(x, t, ev, done, s);
	case EVENT_ONCE_BEGIN:
	case EVENT_ONCE_END:
	case EVENT_ONCE_PASS:
		return convert_once(x, t, ev, done, s);
	case EVENT_FUTEX_WAIT:
	case EVENT_FUTEX_WAKE:
		return convert_futex(x, t, ev, done, s, e);
	case EVENT_FD:
		return convert_descriptor(x, t, ev, s);
	case EVENT_OBJ_INIT:
	case EVENT_OBJ_DESTROY:
		return convert_begin_object(x, t, ev, s);
	case EVENT_THREAD_BEGIN:
		return simple(s, LEARN_BEGIN);
	case EVENT_THREAD_END:
		return simple(s, LEARN_END);
	case EVENT_EXIT:
		return simple(s, LEARN_EXIT);
	case EVENT_THREAD_CANCEL: /* the write behind it is the step */
		return 0;
	default:
		return ingest_convert_memory(x, t, ev, done, s, e);
	}
}

int ingest_convert(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		   bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	vec_clear(&x->classes);
	*s = (struct ingest_step){.step = {.site = ev->site,
					   .tix = ev->tix,
					   .object = LEARN_NONE,
					   .other = LEARN_NONE}};
	rc = convert_event(x, t, ev, done, s, e);
	if (done && is_attempt(ev))
		vec_push(&t->reads, rc > 0);
	return rc;
}
