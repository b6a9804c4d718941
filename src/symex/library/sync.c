/*
 * Mutexes, rwlocks and spin locks: their events.
 *
 * With one memory for all threads the state of an object follows from the events; when threads are
 * executed apart it is only what the thread itself did, and how attempts end is for the source to
 * say, or unknown.
 */
#include "symex/library/sync.h"

#include <errno.h>

#include "wire/ctl.h"

#define MUTEX_KIND 16 /* offset of the kind in a pthread_mutex_t */
#define KIND_RECURSIVE 1
#define KIND_ERRORCHECK 2

struct machine_object *sync_object(struct machine *m, struct library_call *k, uint64_t addr,
				   uint32_t kind)
{
	/* Apart: the thread's own view of it. */
	uint64_t key = m->one_space ? addr : addr ^ (uint64_t)(k->t->tid + 1) << 52;

	return machine_object(m, key, kind);
}

/* The object's memory must be there. */
uint64_t sync_object_at(struct machine *m, struct library_call *k, unsigned n, uint64_t bytes,
			uint32_t site)
{
	uint64_t addr = library_arg(m, k, n);

	if (site != SYMEX_NONE)
		k->t->last_site = site;
	if (!machine_check(m, k->t, addr, bytes, site, true))
		machine_escape(m);
	return addr;
}

enum library_result sync_misuse(struct machine *m, struct library_call *k, uint32_t site,
				uint64_t addr, const char *what)
{
	machine_fail(m, k->t, FAILURE_SYNC_MISUSE, site, addr, "%s", what);
	return LIBRARY_END;
}

/* How an attempt ended, when nobody can tell: unknown, and the event carries it. */
enum library_result sync_unknown_attempt(struct machine *m, struct library_call *k,
					 struct symex_event *e)
{
	e->value_expr = k->result_expr = machine_unknown(m, k->t, 32);
	return LIBRARY_DONE;
}

void sync_life(struct machine *m, struct library_call *k, bool begins, uint32_t kind,
	       uint64_t value)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 4, site);
	struct machine_object *o = sync_object(m, k, addr, kind);

	*o = (struct machine_object){.addr = o->addr, .kind = kind, .destroyed = !begins};
	if (k->t->controlled)
		machine_event(m, k->t, begins ? EVENT_OBJ_INIT : EVENT_OBJ_DESTROY, site, addr,
			      value, kind);
}

/* ---- mutexes ---- */

static uint32_t mutex_type(struct machine *m, struct library_call *k, uint64_t addr)
{
	struct machine_object *o = sync_object(m, k, addr, OBJ_MUTEX);
	uint64_t kind = 0;
	expr_id e = EXPR_NONE;

	if (o->type)
		return o->type - 1;
	(void)mem_load(k->t->space, addr + MUTEX_KIND, 4, &kind, &e);
	return e ? 0 : (uint32_t)kind & 3;
}

void sync_mutex_take(struct machine *m, struct library_call *k, uint64_t addr)
{
	struct machine_object *o = sync_object(m, k, addr, OBJ_MUTEX);

	o->owner = k->t->tid + 1;
	o->maybe = false;
	o->depth++;
}

static enum library_result lock(struct machine *m, struct library_call *k, bool timed)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 40, site), way;
	struct machine_object *o = sync_object(m, k, addr, OBJ_MUTEX);
	struct symex_event *e;

	if (timed && library_outcome(m, k, EVENT_LOCK_TIMEOUT, addr, &way) && way) {
		e = machine_event(m, k->t, EVENT_LOCK_TIMEOUT, site, addr, EVENT_LOCK, 0);
		e->size = SYNC_TIMED;
		library_time_passed(m, k, site);
		return library_return(k, ETIMEDOUT);
	}
	if (o->owner == k->t->tid + 1 && mutex_type(m, k, addr) == KIND_ERRORCHECK) {
		machine_event(m, k->t, EVENT_TRYLOCK, site, addr, EDEADLK, 0);
		return library_return(k, EDEADLK);
	}
	if (o->owner == k->t->tid + 1 && mutex_type(m, k, addr) != KIND_RECURSIVE) {
		machine_end(m, k->t, SYMEX_END_BLOCKED, site, "locks a mutex that it holds");
		return LIBRARY_END;
	}
	sync_mutex_take(m, k, addr);
	e = machine_event(m, k->t, EVENT_LOCK, site, addr, 0,
			  sync_object(m, k, addr, OBJ_MUTEX)->depth);
	e->size = timed ? SYNC_TIMED : 0;
	return library_return(k, 0);
}

static enum library_result mutex_lock(struct machine *m, struct library_call *k)
{
	return k->t->controlled ? lock(m, k, false) : library_return(k, 0);
}

static enum library_result mutex_timedlock(struct machine *m, struct library_call *k)
{
	return k->t->controlled ? lock(m, k, true) : library_return(k, 0);
}

static enum library_result mutex_trylock(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 40, site), way = 0;
	struct machine_object *o = sync_object(m, k, addr, OBJ_MUTEX);
	bool mine = o->owner == k->t->tid + 1;

	if (!k->t->controlled)
		return library_return(k, 0);
	if (mine && mutex_type(m, k, addr) != KIND_RECURSIVE)
		way = EBUSY;
	else if (m->one_space && !mine)
		way = o->owner ? EBUSY : 0;
	else if (!mine && !library_outcome(m, k, EVENT_TRYLOCK, addr, &way)) {
		o->maybe = true;
		return sync_unknown_attempt(
			m, k, machine_event(m, k->t, EVENT_TRYLOCK, site, addr, 0, 0));
	}
	if (!way)
		sync_mutex_take(m, k, addr);
	machine_event(m, k->t, EVENT_TRYLOCK, site, addr, way,
		      way ? 0 : sync_object(m, k, addr, OBJ_MUTEX)->depth);
	return library_return(k, way);
}

void sync_mutex_drop(struct machine_object *o)
{
	if (o->depth && --o->depth == 0)
		o->owner = 0;
}

static enum library_result mutex_unlock(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 40, site);
	struct machine_object *o = sync_object(m, k, addr, OBJ_MUTEX);

	if (!k->t->controlled)
		return library_return(k, 0);
	if (o->owner != k->t->tid + 1) {
		/* An attempt whose end nobody knew may have taken it. */
		if (o->maybe) {
			machine_event(m, k->t, EVENT_UNLOCK, site, addr, 0, 0);
			return library_return(k, 0);
		}
		if (mutex_type(m, k, addr) == 0 || mutex_type(m, k, addr) == 3)
			return sync_misuse(m, k, site, addr,
					   "unlock of a mutex that it does not hold");
		machine_event(m, k->t, EVENT_TRYLOCK, site, addr, EPERM, 0);
		return library_return(k, EPERM);
	}
	sync_mutex_drop(o);
	machine_event(m, k->t, EVENT_UNLOCK, site, addr, 0, o->depth);
	return library_return(k, 0);
}

static enum library_result mutex_init(struct machine *m, struct library_call *k)
{
	uint64_t attr = k->count > 1 ? library_arg(m, k, 1) : 0, addr, kind = 0;

	sync_life(m, k, true, OBJ_MUTEX, 0);
	addr = library_arg(m, k, 0);
	if (attr)
		kind = library_word(m, k, attr, 4) & 3;
	(void)mem_fill(k->t->space, addr, 0, 40);
	(void)mem_store(k->t->space, addr + MUTEX_KIND, 4, kind, EXPR_NONE);
	return library_return(k, 0);
}

/* The results of C11: 0 success, 1 busy, 2 error, 4 out of time. */
static enum library_result c11_result(struct library_call *k, enum library_result r)
{
	if (r == LIBRARY_DONE && !k->result_expr)
		k->result = k->result == 0	     ? 0
			    : k->result == EBUSY     ? 1
			    : k->result == ETIMEDOUT ? 4
						     : 2;
	return r;
}

static enum library_result mtx_trylock(struct machine *m, struct library_call *k)
{
	return c11_result(k, mutex_trylock(m, k));
}

static enum library_result mtx_timedlock(struct machine *m, struct library_call *k)
{
	return c11_result(k, mutex_timedlock(m, k));
}

static enum library_result mtx_init(struct machine *m, struct library_call *k)
{
	uint64_t type = library_arg(m, k, 1), addr = library_arg(m, k, 0);

	sync_life(m, k, true, OBJ_MUTEX, 0);
	(void)mem_fill(k->t->space, addr, 0, 40);
	(void)mem_store(k->t->space, addr + MUTEX_KIND, 4, type & 1, EXPR_NONE);
	return library_return(k, 0);
}

static enum library_result mutex_destroy(struct machine *m, struct library_call *k)
{
	sync_life(m, k, false, OBJ_MUTEX, 0);
	return library_return(k, 0);
}

/* ---- locks for readers and writers ---- */

static enum library_result rwlock(struct machine *m, struct library_call *k, bool write, bool try)
{
	enum event_kind kind = try ? (write ? EVENT_TRYWRLOCK : EVENT_TRYRDLOCK)
				   : (write ? EVENT_WRLOCK : EVENT_RDLOCK);
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 56, site), way = 0;
	struct machine_object *o = sync_object(m, k, addr, OBJ_RWLOCK);

	if (!k->t->controlled)
		return library_return(k, 0);
	if (try && m->one_space)
		way = o->owner || (write && o->tokens) ? EBUSY : 0;
	else if (try && !library_outcome(m, k, kind, addr, &way))
		return sync_unknown_attempt(m, k, machine_event(m, k->t, kind, site, addr, 0, 0));
	if (!way && write)
		o->owner = k->t->tid + 1;
	else if (!way)
		o->tokens++;
	machine_event(m, k->t, kind, site, addr, way, (uint32_t)o->tokens);
	return library_return(k, way);
}

static enum library_result rdlock(struct machine *m, struct library_call *k)
{
	return rwlock(m, k, false, false);
}

static enum library_result wrlock(struct machine *m, struct library_call *k)
{
	return rwlock(m, k, true, false);
}

static enum library_result tryrdlock(struct machine *m, struct library_call *k)
{
	return rwlock(m, k, false, true);
}

static enum library_result trywrlock(struct machine *m, struct library_call *k)
{
	return rwlock(m, k, true, true);
}

static enum library_result timed_rwlock(struct machine *m, struct library_call *k, bool write)
{
	uint64_t addr = library_arg(m, k, 0), way = 0;
	enum library_result r;
	struct symex_event *e;
	uint32_t site = k->t->at_site;

	if (library_outcome(m, k, EVENT_LOCK_TIMEOUT, addr, &way) && way) {
		(void)library_take_site(k);
		e = machine_event(m, k->t, EVENT_LOCK_TIMEOUT, site, addr,
				  write ? EVENT_WRLOCK : EVENT_RDLOCK, 0);
		e->size = SYNC_TIMED;
		library_time_passed(m, k, site);
		return library_return(k, ETIMEDOUT);
	}
	r = rwlock(m, k, write, false);
	vec_last(&machine_out(m, k->t)->events).size = SYNC_TIMED;
	return r;
}

static enum library_result timedrdlock(struct machine *m, struct library_call *k)
{
	return timed_rwlock(m, k, false);
}

static enum library_result timedwrlock(struct machine *m, struct library_call *k)
{
	return timed_rwlock(m, k, true);
}

static enum library_result rwunlock(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 56, site);
	struct machine_object *o = sync_object(m, k, addr, OBJ_RWLOCK);

	if (!k->t->controlled)
		return library_return(k, 0);
	if (m->one_space && o->owner != k->t->tid + 1 && !o->tokens)
		return sync_misuse(m, k, site, addr, "unlock of a rwlock that it does not hold");
	if (o->owner == k->t->tid + 1)
		o->owner = 0;
	else if (o->tokens)
		o->tokens--;
	machine_event(m, k->t, EVENT_RWUNLOCK, site, addr, 0, (uint32_t)o->tokens);
	return library_return(k, 0);
}

static enum library_result rwlock_init(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0);

	sync_life(m, k, true, OBJ_RWLOCK, 0);
	(void)mem_fill(k->t->space, addr, 0, 56);
	return library_return(k, 0);
}

static enum library_result rwlock_destroy(struct machine *m, struct library_call *k)
{
	sync_life(m, k, false, OBJ_RWLOCK, 0);
	return library_return(k, 0);
}

/* ---- spin locks ---- */

static enum library_result spin_op(struct machine *m, struct library_call *k, enum event_kind kind)
{
	uint32_t site = library_take_site(k);
	uint64_t addr = sync_object_at(m, k, 0, 4, site), way = 0;
	struct machine_object *o = sync_object(m, k, addr, OBJ_SPIN);

	if (!k->t->controlled)
		return library_return(k, 0);
	if (kind == EVENT_SPIN_TRYLOCK && m->one_space)
		way = o->owner ? EBUSY : 0;
	else if (kind == EVENT_SPIN_TRYLOCK && !library_outcome(m, k, kind, addr, &way))
		return sync_unknown_attempt(m, k, machine_event(m, k->t, kind, site, addr, 0, 0));
	if (!way)
		o->owner = kind == EVENT_SPIN_UNLOCK ? 0 : k->t->tid + 1;
	machine_event(m, k->t, kind, site, addr, way, 0);
	return library_return(k, way);
}

static enum library_result spin_lock(struct machine *m, struct library_call *k)
{
	return spin_op(m, k, EVENT_SPIN_LOCK);
}

static enum library_result spin_trylock(struct machine *m, struct library_call *k)
{
	return spin_op(m, k, EVENT_SPIN_TRYLOCK);
}

static enum library_result spin_unlock(struct machine *m, struct library_call *k)
{
	return spin_op(m, k, EVENT_SPIN_UNLOCK);
}

static enum library_result spin_init(struct machine *m, struct library_call *k)
{
	sync_life(m, k, true, OBJ_SPIN, 0);
	return library_return(k, 0);
}

static enum library_result spin_destroy(struct machine *m, struct library_call *k)
{
	sync_life(m, k, false, OBJ_SPIN, 0);
	return library_return(k, 0);
}

static enum library_result nothing(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return library_return(k, 0);
}

static enum library_result attr_settype(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	(void)mem_store(k->t->space, library_arg(m, k, 0), 4, library_arg(m, k, 1), EXPR_NONE);
	return library_return(k, 0);
}

static enum library_result attr_init(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	(void)mem_fill(k->t->space, library_arg(m, k, 0), 0, 4);
	return library_return(k, 0);
}

const struct library_row library_sync[] = {
	{"pthread_mutex_init", mutex_init},
	{"pthread_mutex_destroy", mutex_destroy},
	{"pthread_mutex_lock", mutex_lock},
	{"pthread_mutex_trylock", mutex_trylock},
	{"pthread_mutex_timedlock", mutex_timedlock},
	{"pthread_mutex_clocklock", mutex_timedlock},
	{"pthread_mutex_unlock", mutex_unlock},
	{"mtx_init", mtx_init},
	{"mtx_destroy", mutex_destroy},
	{"mtx_lock", mutex_lock},
	{"mtx_trylock", mtx_trylock},
	{"mtx_timedlock", mtx_timedlock},
	{"mtx_unlock", mutex_unlock},
	{"pthread_rwlock_init", rwlock_init},
	{"pthread_rwlock_destroy", rwlock_destroy},
	{"pthread_rwlock_rdlock", rdlock},
	{"pthread_rwlock_wrlock", wrlock},
	{"pthread_rwlock_tryrdlock", tryrdlock},
	{"pthread_rwlock_trywrlock", trywrlock},
	{"pthread_rwlock_timedrdlock", timedrdlock},
	{"pthread_rwlock_timedwrlock", timedwrlock},
	{"pthread_rwlock_unlock", rwunlock},
	{"pthread_spin_init", spin_init},
	{"pthread_spin_destroy", spin_destroy},
	{"pthread_spin_lock", spin_lock},
	{"pthread_spin_trylock", spin_trylock},
	{"pthread_spin_unlock", spin_unlock},
	{"pthread_mutexattr_init", attr_init},
	{"pthread_mutexattr_destroy", nothing},
	{"pthread_mutexattr_settype", attr_settype},
	{"pthread_condattr_init", attr_init},
	{"pthread_condattr_destroy", nothing},
	{"pthread_condattr_setclock", nothing},
	{"pthread_rwlockattr_init", attr_init},
	{"pthread_rwlockattr_destroy", nothing},
	{NULL, NULL},
};
