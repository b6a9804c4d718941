/*
 * Mutexes of the model.  pthread_mutex_t, mtx_t and the lock of a FILE share it.
 *
 * The type of a mutex is what its initialiser left in the program's memory; it is read again
 * whenever the mutex is free, because static initialisers and reused memory announce nothing.
 * rt_obj fields: mutex as in wire/rules.h, type, robust, state (enum mutex_state).
 */
#ifndef HEDDLE_RT_HOOK_MUTEX_H
#define HEDDLE_RT_HOOK_MUTEX_H

#include <time.h>

#include "guest/check/sched/obj.h"
#include "guest/check/sched/thread.h"

enum mutex_type { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
enum mutex_state { MUTEX_SOUND, MUTEX_ORPHANED, MUTEX_INCONSISTENT, MUTEX_LOST };

/* A time limit for a lock; NULL pointers to it mean none. */
struct mutex_limit {
	clockid_t clock;
	const struct timespec *when;
};

/* The four operations with their scheduling step, results as pthread_mutex_*. */
int mutex_lock(const void *m, const struct mutex_limit *limit);
int mutex_trylock(const void *m);
int mutex_unlock(const void *m);
/* The step in which memory becomes a mutex, which nobody may hold; returns its site. */
uint32_t mutex_begin(const void *m);
/* Memory that becomes, or stops being, a mutex: what the model knew about it is over. */
void mutex_forget(const void *m);

/* The mutex as the model sees it now; made on first sight.  One that was destroyed is a failure. */
struct rt_obj *mutex_obj(const void *m, uint32_t site);
/* Makes a recursive one that has no pthread_mutex_t behind it. */
void mutex_declare_recursive(const void *address);

/*
 * What an attempt by t would give: 0 acquired, EBUSY must wait, or the error.
 * mutex_take() acquires after a verdict of 0 and returns 0 or EOWNERDEAD.
 */
int mutex_verdict(const struct rt_thread *t, const struct rt_obj *o);
int mutex_take(struct rt_thread *t, struct rt_obj *o, uint32_t site);
/* Gives up one level of a mutex that t owns and wakes others when it became free. */
void mutex_drop(struct rt_thread *t, struct rt_obj *o);

/* The thread ends: robust mutexes it holds become orphans. */
void mutex_thread_end(struct rt_thread *t);

#endif
