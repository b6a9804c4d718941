/*
 * Synchronisation, only for times and for what a thread waits on: the originals do the work.  A free
 * lock costs one addition; a stamp is taken at the first operations of a thread, then at every
 * EVERY-th, and whenever the thread had to wait.
 */
#include "guest/record/record.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "guest/os/real.h"

#define EVERY 64u
#define FIRST 512u

void rec_stamp(struct rec_thread *t, enum record_stamp_kind kind, uint64_t object)
{
	struct record_stamp s;
	uint32_t cpu;

	if (!t->row)
		return;
	s.tsc = rec_tsc(&cpu);
	s.cpu = (uint16_t)cpu;
	s.kind = (uint16_t)kind;
	s.bits = rec_stream_bits(t);
	s.object = object;
	s.ops = t->ops;
	t->row->ops = t->ops;
	rec_stream_add(t, RECORD_STREAM_STAMPS, &s, sizeof(s));
}

static inline void operation(struct rec_thread *t, enum record_stamp_kind kind, const void *object)
{
	if (!t->row)
		return;
	if (t->ops < FIRST || t->ops % EVERY == 0)
		rec_stamp(t, kind, (uint64_t)(uintptr_t)object);
	t->ops++;
}

static inline void wait_begins(struct rec_thread *t, enum record_stamp_kind kind,
			       const void *object, const void *caller)
{
	if (!t->row)
		return;
	t->row->spare[1] = (uint64_t)(uintptr_t)caller;
	t->row->waits_at = kind;
	t->row->waits_on = (uint64_t)(uintptr_t)object;
}

static inline void wait_ends(struct rec_thread *t, enum record_stamp_kind kind, const void *object)
{
	if (!t->row)
		return;
	t->row->waits_on = 0;
	rec_stamp(t, kind, (uint64_t)(uintptr_t)object);
	t->ops++;
}

static inline void wait_broken_off(struct rec_thread *t)
{
	if (t->row)
		t->row->waits_on = 0;
}

/* The lock is the caller's, also when its last owner died with it; other answers are no operation. */
static inline bool has_lock(int rc)
{
	return rc == 0 || rc == EOWNERDEAD;
}

/* A lock that somebody has: the original waits, or says why not. */
static int lock_slowly(void *object, int (*lock)(void *), const void *caller)
{
	struct rec_thread *t = &rec_self;
	int rc;

	wait_begins(t, RECORD_AT_LOCK, object, caller);
	rc = lock(object);
	if (has_lock(rc))
		wait_ends(t, RECORD_AT_LOCK, object);
	else
		wait_broken_off(t);
	return rc;
}

/* Waits around a blocking call; the kinds are those before and after it. */
#define WAITING(before, after, object, call)                                                       \
	({                                                                                         \
		struct rec_thread *waiter = &rec_self;                                             \
		wait_begins(waiter, before, object, __builtin_return_address(0));                  \
		int waited = (call);                                                               \
		wait_ends(waiter, after, object);                                                  \
		waited;                                                                            \
	})

RECORD_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	int rc;

	if (!rec_self.row)
		return REAL(pthread_mutex_lock)(m);
	rc = REAL(pthread_mutex_trylock)(m);
	if (rc == EBUSY)
		return lock_slowly(m, (int (*)(void *))REAL(pthread_mutex_lock), REC_CALLER);
	if (has_lock(rc))
		operation(&rec_self, RECORD_AT_LOCK, m);
	return rc;
}

RECORD_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	operation(&rec_self, RECORD_AT_UNLOCK, m);
	return REAL(pthread_mutex_unlock)(m);
}

RECORD_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
	int rc = REAL(pthread_mutex_trylock)(m);

	if (has_lock(rc))
		operation(&rec_self, RECORD_AT_LOCK, m);
	return rc;
}

RECORD_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	int rc = REAL(pthread_rwlock_tryrdlock)(l);

	if (rc == EBUSY)
		return lock_slowly(l, (int (*)(void *))REAL(pthread_rwlock_rdlock), REC_CALLER);
	if (has_lock(rc))
		operation(&rec_self, RECORD_AT_LOCK, l);
	return rc;
}

RECORD_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	int rc = REAL(pthread_rwlock_trywrlock)(l);

	/* A thread that locks twice gets EDEADLK from the original only. */
	if (rc == EBUSY)
		return lock_slowly(l, (int (*)(void *))REAL(pthread_rwlock_wrlock), REC_CALLER);
	if (has_lock(rc))
		operation(&rec_self, RECORD_AT_LOCK, l);
	return rc;
}

RECORD_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	operation(&rec_self, RECORD_AT_UNLOCK, l);
	return REAL(pthread_rwlock_unlock)(l);
}

RECORD_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	operation(&rec_self, RECORD_AT_WAIT, c);
	return WAITING(RECORD_AT_WAIT, RECORD_AT_WAKE, c, REAL(pthread_cond_wait)(c, m));
}

RECORD_EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
					 const struct timespec *until)
{
	int rc;

	operation(&rec_self, RECORD_AT_WAIT, c);
	rc = REAL(pthread_cond_timedwait)(c, m, until);
	operation(&rec_self, RECORD_AT_WAKE, c);
	return rc;
}

RECORD_EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
	operation(&rec_self, RECORD_AT_SIGNAL, c);
	return REAL(pthread_cond_signal)(c);
}

RECORD_EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
	operation(&rec_self, RECORD_AT_SIGNAL, c);
	return REAL(pthread_cond_broadcast)(c);
}

RECORD_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
	operation(&rec_self, RECORD_AT_BARRIER, b);
	return WAITING(RECORD_AT_BARRIER, RECORD_AT_BARRIER, b, REAL(pthread_barrier_wait)(b));
}

RECORD_EXPORT int sem_wait(sem_t *s)
{
	if (rec_self.row && !REAL(sem_trywait)(s)) {
		operation(&rec_self, RECORD_AT_WAKE, s);
		return 0;
	}
	return WAITING(RECORD_AT_WAIT, RECORD_AT_WAKE, s, REAL(sem_wait)(s));
}

RECORD_EXPORT int sem_post(sem_t *s)
{
	operation(&rec_self, RECORD_AT_SIGNAL, s);
	return REAL(sem_post)(s);
}
