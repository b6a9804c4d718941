/* Critical sections and locks of OpenMP.  A lock is the first word of the program's own object. */
#include <errno.h>
#include <string.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/init.h"
#include "guest/stable/omp/omp.h"
#include "guest/stable/os.h"

static int unnamed, atomics; /* the critical section without a name, and the atomic one */

static int try_lock(void *lock)
{
	int free = 0;
	return __atomic_compare_exchange_n((int *)lock, &free, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED)
		       ? 0
		       : EBUSY;
}

/* Threads outside the schedule take the same word by spinning. */
static void lock(int *word, uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_CRITICAL);
	if (!t) {
		/* Without the runtime this is all there is; with it, for threads outside. */
		while (try_lock(word) != 0)
			os_yield();
		return;
	}
	struct hook_acquire a = {
		.op = STABLE_OP_OMP_CRITICAL, .addr = word, .try = try_lock, .lock = true};
	hook_acquire(t, &a);
	hook_end(t);
}

static void unlock(int *word, uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_CRITICAL);
	__atomic_store_n(word, 0, __ATOMIC_RELEASE);
	if (!t) {
		if (init_is_active())
			sched_notify(word, false);
		return;
	}
	hook_held(t, -1);
	sched_signal(word);
	hook_log(t, STABLE_OP_OMP_CRITICAL, NULL, STABLE_RES_RETURN, 0);
	hook_end(t);
}

HOOK_EXPORT void GOMP_critical_start(void)
{
	lock(&unnamed, HOOK_CALLER);
}

HOOK_EXPORT void GOMP_critical_end(void)
{
	unlock(&unnamed, HOOK_CALLER);
}

HOOK_EXPORT void GOMP_critical_name_start(void **name)
{
	lock((int *)name, HOOK_CALLER);
}

HOOK_EXPORT void GOMP_critical_name_end(void **name)
{
	unlock((int *)name, HOOK_CALLER);
}

HOOK_EXPORT void GOMP_atomic_start(void)
{
	lock(&atomics, HOOK_CALLER);
}

HOOK_EXPORT void GOMP_atomic_end(void)
{
	unlock(&atomics, HOOK_CALLER);
}

/* omp_lock_t is one int, zero when free, in libgomp as here. */
HOOK_EXPORT void omp_init_lock(int *word)
{
	*word = 0;
}

HOOK_EXPORT void omp_destroy_lock(int *word)
{
	(void)word;
}

HOOK_EXPORT void omp_set_lock(int *word)
{
	lock(word, HOOK_CALLER);
}

HOOK_EXPORT void omp_unset_lock(int *word)
{
	unlock(word, HOOK_CALLER);
}

static int test(int *word, uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_CRITICAL);
	int got = try_lock(word) == 0;
	if (!t)
		return got;
	if (got)
		hook_held(t, 1);
	hook_log(t, STABLE_OP_OMP_CRITICAL, NULL, got ? 0 : EBUSY, 0);
	hook_end(t);
	return got;
}

HOOK_EXPORT int omp_test_lock(int *word)
{
	return test(word, HOOK_CALLER);
}

/* omp_nest_lock_t: all zero when free.  Only its owner changes count, and needs no turn for it. */
struct nest_lock {
	int word, count;
	void *owner;
};

static bool owns(const struct nest_lock *l)
{
	return __atomic_load_n(&l->owner, __ATOMIC_RELAXED) == (void *)pthread_self();
}

static void own(struct nest_lock *l, void *owner)
{
	__atomic_store_n(&l->owner, owner, __ATOMIC_RELAXED);
}

HOOK_EXPORT void omp_init_nest_lock(struct nest_lock *l)
{
	*l = (struct nest_lock){0};
}

HOOK_EXPORT void omp_destroy_nest_lock(struct nest_lock *l)
{
	(void)l;
}

HOOK_EXPORT void omp_set_nest_lock(struct nest_lock *l)
{
	if (!owns(l)) {
		lock(&l->word, HOOK_CALLER);
		own(l, (void *)pthread_self());
	}
	l->count++;
}

HOOK_EXPORT void omp_unset_nest_lock(struct nest_lock *l)
{
	if (--l->count > 0)
		return;
	own(l, NULL);
	unlock(&l->word, HOOK_CALLER);
}

HOOK_EXPORT int omp_test_nest_lock(struct nest_lock *l)
{
	if (!owns(l)) {
		if (!test(&l->word, HOOK_CALLER))
			return 0;
		own(l, (void *)pthread_self());
	}
	return ++l->count;
}
