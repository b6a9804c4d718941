/* Events to steps: see ingest.h. */
#include "check/ingest_thread.h"

#define ORDER(aux) ((aux) & 7)

static uint64_t load_image(const struct ingest *x, uint32_t offset, uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, x->image.items + offset, size < 8 ? size : 8);
	return value;
}

/* ---- memory ---- */

static int convert_access(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  struct ingest_step *s)
{
	struct learn_step *step = &s->step;
	uint32_t bytes, size = ev->size;

	step->object = cells_find(x->cells, x->l, ev->addr, size, &step->offset, &bytes);
	if (step->object == LEARN_NONE)
		return 0;
	step->size = (uint8_t)size;
	step->flags = ORDER(ev->aux) != ORDER_PLAIN ? LEARN_ATOMIC : 0;
	ingest_class(x, t, step->object, step->op == LEARN_READ ? FOOT_READ : FOOT_WRITE);
	return 1;
}

static int convert_read(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	s->step.op = LEARN_READ;
	s->outcome = ev->value;
	rc = convert_access(x, t, ev, s);
	if (done)
		vec_push(&t->reads, (uint8_t)(rc > 0));
	if (rc > 0 && done && x->model == MODEL_SC &&
	    load_image(x, s->step.offset, ev->size) != ev->value)
		return err_set(e, ERR_MISMATCH,
			       "memory at 0x%lx that threads share was written by code that is not "
			       "instrumented",
			       (unsigned long)ev->addr);
	return rc;
}

static int convert_write(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 struct ingest_step *s)
{
	int rc;

	s->step.op = LEARN_WRITE;
	s->step.value = ev->value;
	rc = convert_access(x, t, ev, s);
	if (rc > 0 && x->model != MODEL_SC && ev->kind == EVENT_WRITE)
		s->step.flags |= LEARN_THROUGH;
	if (rc > 0 && ev->kind == EVENT_ISSUE && ORDER(ev->aux) == ORDER_RELEASE)
		s->step.flags |= LEARN_EPOCH;
	return rc;
}

static int convert_rmw(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		       bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	s->step.op = LEARN_RMW;
	if (ev->size > 8)
		return err_set(e, ERR_UNSUPPORTED, "16-byte atomics are not modelled");
	rc = convert_access(x, t, ev, s);
	s->step.flags |= LEARN_ATOMIC;
	if (done && ev->kind == EVENT_CAS_FAIL)
		vec_push(&t->reads, (uint8_t)(rc > 0));
	if (rc <= 0)
		return rc;
	s->outcome = load_image(x, s->step.offset, ev->size);
	s->writes = ev->kind == EVENT_RMW;
	s->written = ev->value;
	if (done && ev->kind == EVENT_CAS_FAIL && s->outcome != ev->value)
		return err_set(e, ERR_MISMATCH, "shared memory at 0x%lx changed unseen",
			       (unsigned long)ev->addr);
	return 1;
}

/* The tracked objects of a range as a set, with a class for each. */
static uint32_t objects_of(struct ingest *x, struct ingest_thread *t, uint32_t first,
			   uint64_t end, enum foot_kind kind)
{
	uint32_t set = 0;

	for (uint32_t o = first; o < x->cells->tracked.count; o++) {
		if (x->l->objects.items[o].address >= end)
			break;
		set = intern_add(&x->l->sets, set, o);
		if (kind != FOOT_KINDS)
			ingest_class(x, t, o, kind);
	}
	return set;
}

static uint64_t hash_image(const struct ingest *x, uint32_t offset, uint32_t bytes)
{
	uint64_t h = bytes;

	for (uint32_t i = 0; i < bytes; i++)
		h = intern_hash(h, x->image.items[offset + i]);
	return h;
}

/* READ_RANGE, WRITE_RANGE, FREE, ALLOC: value = number of bytes. */
static int convert_range(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 uint64_t size, enum learn_op op, struct ingest_step *s)
{
	struct learn_step *step = &s->step;
	uint32_t first, bytes;
	enum foot_kind kind = op == LEARN_READ_BYTES ? FOOT_READ
			      : op == LEARN_ALLOC    ? FOOT_KINDS
						     : FOOT_WRITE;

	step->op = (uint8_t)op;
	first = cells_find(x->cells, x->l, ev->addr, size, &step->offset, &bytes);
	if (first == LEARN_NONE)
		return 0;
	step->object = LEARN_NONE;
	step->value = bytes;
	step->objects = objects_of(x, t, first, ev->addr + size, kind);
	if (op == LEARN_READ_BYTES)
		s->outcome = hash_image(x, step->offset, bytes);
	return 1;
}

static uint64_t freed_size(const struct ingest *x, uint64_t address)
{
	for (size_t i = x->freed.count; i-- > 0;)
		if (x->freed.items[i].address == address)
			return x->freed.items[i].size;
	return 0;
}

static int convert_free(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s)
{
	struct ingest_block b = {ev->addr, ev->value};

	if (done)
		vec_push(&x->freed, b);
	return convert_range(x, t, ev, done ? ev->value : freed_size(x, ev->addr), LEARN_FREE, s);
}

static int convert_park(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s)
{
	uint32_t count = done ? ev->aux : ev->aux, node = t->at.node;

	s->step.op = LEARN_PARK;
	for (uint32_t i = 0; i < count && i < t->reads.count; i++)
		s->step.value += t->reads.items[t->reads.count - 1 - i];
	for (uint64_t i = 0; i < s->step.value && x->l->nodes.items[node].parent; i++) {
		node = x->l->nodes.items[node].parent;
		ingest_class(x, t, vec_last(&x->l->nodes.items[node].steps).object, FOOT_READ);
	}
	return 1;
}

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

static int convert_lock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s)
{
	struct learn_step *step = &s->step;
	bool timed = ev->size == SYNC_TIMED;

	step->op = LEARN_LOCK;
	step->object = ingest_object(x, ev->addr, LEARN_MUTEX);
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
			  struct ingest_step *s)
{
	s->step.op = LEARN_UNLOCK;
	s->step.object = ingest_object(x, ev->addr, LEARN_MUTEX);
	s->step.value = ev->aux;
	ingest_class(x, t, s->step.object, FOOT_UNLOCK);
	if (!ev->aux)
		unhold(x, t, FOOT_EXCLUSIVE(s->step.object));
	return 1;
}

static int convert_trylock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			   bool done, struct ingest_step *s)
{
	uint32_t o = ingest_object(x, ev->addr, LEARN_MUTEX);

	s->step.op = LEARN_TRYLOCK;
	s->step.object = o;
	s->writes = ev->value == 0;
	s->outcome = holds(x, t, o) ? LEARN_OWN : s->writes ? LEARN_FREE_LOCK : LEARN_OTHERS;
	ingest_class(x, t, o, FOOT_TRY);
	if (done && s->writes)
		hold(x, t, FOOT_EXCLUSIVE(o));
	return 1;
}

static int convert_rwlock(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  bool done, struct ingest_step *s)
{
	uint64_t kind = ev->kind == EVENT_LOCK_TIMEOUT ? ev->value : ev->kind;
	bool timed = ev->size == SYNC_TIMED, write = kind == EVENT_WRLOCK;
	uint32_t o = ingest_object(x, ev->addr, LEARN_RWLOCK);

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
	if (t->wait_timed)
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
	s->step.object = ingest_object(x, ev->addr, LEARN_BARRIER);
	s->step.op = ev->kind == EVENT_BARRIER_ARRIVE ? LEARN_ARRIVE : LEARN_LEAVE;
	s->outcome = ev->size == SYNC_LAST;
	/* Made before main began: it says how many it is for. */
	if (s->step.op == LEARN_ARRIVE && done && !x->l->objects.items[s->step.object].first)
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

	if (ev->aux >= sizeof(kinds) || ev->aux == 0)
		return 0;
	s->step.op = LEARN_SET;
	s->step.object = ingest_object(x, ev->addr, kinds[ev->aux]);
	s->step.value = ev->kind == EVENT_OBJ_INIT ? ev->value : 0;
	ingest_class(x, t, s->step.object, FOOT_ANY);
	return 1;
}

static int simple(struct ingest_step *s, enum learn_op op)
{
	s->step.op = (uint8_t)op;
	return 1;
}

static int convert_fence(struct ingest *x, const struct wire_event *ev, struct ingest_step *s)
{
	uint32_t order = ev->kind == EVENT_DRAIN ? ORDER_SEQ_CST : ev->aux;

	if (x->model == MODEL_SC)
		return 0;
	if (order == ORDER_SEQ_CST)
		return simple(s, LEARN_FENCE);
	return order == ORDER_RELEASE || order == ORDER_ACQ_REL ? simple(s, LEARN_RELEASE) : 0;
}

static int convert_timeout(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			   bool done, struct ingest_step *s)
{
	return ev->value == EVENT_LOCK ? convert_lock(x, t, ev, done, s)
				       : convert_rwlock(x, t, ev, done, s);
}

/* Touches memory of its thread alone, but not before the thread's stores have reached theirs. */
static bool drains_unseen(const struct ingest *x, const struct wire_event *ev)
{
	return x->model != MODEL_SC &&
	       (ev->kind == EVENT_WRITE || ev->kind == EVENT_RMW || ev->kind == EVENT_CAS_FAIL ||
		ev->kind == EVENT_READ_RANGE || ev->kind == EVENT_WRITE_RANGE ||
		ev->kind == EVENT_FREE);
}

static int convert_event(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 bool done, struct ingest_step *s, struct err *e)
{
	if (t->waits)
		return convert_wake(x, t, ev, done, s);
	if (t->expired)
		return convert_retake(x, t, done, s);
	switch (ev->kind) {
	case EVENT_READ:
		return convert_read(x, t, ev, done, s, e);
	case EVENT_WRITE:
	case EVENT_ISSUE:
		return convert_write(x, t, ev, s);
	case EVENT_RMW:
	case EVENT_CAS_FAIL:
		return convert_rmw(x, t, ev, done, s, e);
	case EVENT_READ_RANGE:
		return convert_range(x, t, ev, ev->value, LEARN_READ_BYTES, s);
	case EVENT_WRITE_RANGE:
		return convert_range(x, t, ev, ev->value, LEARN_WRITE_BYTES, s);
	case EVENT_FREE:
		return convert_free(x, t, ev, done, s);
	case EVENT_ALLOC:
		return convert_range(x, t, ev, ev->value, LEARN_ALLOC, s);
	case EVENT_SPIN_PARK:
		return convert_park(x, t, ev, done, s);
	case EVENT_FENCE:
	case EVENT_DRAIN:
		return convert_fence(x, ev, s);
	case EVENT_LOCK:
	case EVENT_SPIN_LOCK:
		return convert_lock(x, t, ev, done, s);
	case EVENT_LOCK_TIMEOUT:
		return convert_timeout(x, t, ev, done, s);
	case EVENT_UNLOCK:
	case EVENT_SPIN_UNLOCK:
		return convert_unlock(x, t, ev, s);
	case EVENT_TRYLOCK:
	case EVENT_SPIN_TRYLOCK:
		return convert_trylock(x, t, ev, done, s);
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
	case EVENT_OBJ_INIT:
	case EVENT_OBJ_DESTROY:
		return convert_begin_object(x, t, ev, s);
	case EVENT_THREAD_BEGIN:
		return simple(s, LEARN_BEGIN);
	case EVENT_THREAD_END:
		return simple(s, LEARN_END);
	case EVENT_EXIT:
		return simple(s, LEARN_EXIT);
	case EVENT_THREAD_CANCEL:
		return err_set(e, ERR_UNSUPPORTED, "cancellation of threads is not modelled");
	default:
		return 0;
	}
}

int ingest_convert(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		   bool done, struct ingest_step *s, struct err *e)
{
	const struct ingest_step empty = {.step = {.site = ev->site,
						   .tix = ev->tix,
						   .object = LEARN_NONE,
						   .other = LEARN_NONE}};
	int rc;

	vec_clear(&x->classes);
	*s = empty;
	rc = convert_event(x, t, ev, done, s, e);
	if (rc != 0 || !drains_unseen(x, ev))
		return rc;
	*s = empty;
	return simple(s, LEARN_FENCE);
}
