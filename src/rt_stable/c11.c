/*
 * C11 threads.  The C library builds them on hidden symbols, so they are wrapped on their own; the
 * objects have the layout of their POSIX counterparts.
 */
#include <errno.h>
#include <threads.h>
#include <unistd.h>

#include "rt_stable/cond.h"
#include "rt_stable/hook.h"
#include "rt_stable/mutex.h"
#include "rt_stable/once.h"
#include "rt_stable/real.h"
#include "rt_stable/thread.h"

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t is a pthread_mutex_t");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "cnd_t is a pthread_cond_t");
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "once_flag is a pthread_once_t");

static int answer(int result)
{
	switch (result) {
	case 0:
		return thrd_success;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	case EBUSY:
		return thrd_busy;
	default:
		return thrd_error;
	}
}

HOOK_EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_CREATE);
	if (!t)
		return real.thrd_create(thread, function, arg);
	struct thread_start start = {.c11 = function, .arg = arg};
	int result = thread_create(t, thread, NULL, &start);
	return answer(result == EAGAIN ? ENOMEM : result);
}

HOOK_EXPORT int thrd_join(thrd_t thread, int *result)
{
	void *value;
	int error = pthread_join(thread, &value);
	if (error == 0 && result)
		*result = (int)(intptr_t)value;
	return answer(error);
}

HOOK_EXPORT int thrd_detach(thrd_t thread)
{
	return answer(pthread_detach(thread));
}

HOOK_EXPORT _Noreturn void thrd_exit(int result)
{
	pthread_exit((void *)(intptr_t)result);
}

HOOK_EXPORT void thrd_yield(void)
{
	sched_yield();
}

HOOK_EXPORT int thrd_sleep(const struct timespec *length, struct timespec *left)
{
	return nanosleep(length, left) == 0 ? 0 : errno == EINTR ? -1 : -2;
}

HOOK_EXPORT int mtx_init(mtx_t *m, int type)
{
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE
							      : PTHREAD_MUTEX_NORMAL);
	int result = pthread_mutex_init((pthread_mutex_t *)m, &attr);
	pthread_mutexattr_destroy(&attr);
	return answer(result);
}

HOOK_EXPORT void mtx_destroy(mtx_t *m)
{
	pthread_mutex_destroy((pthread_mutex_t *)m);
}

HOOK_EXPORT int mtx_lock(mtx_t *m)
{
	return answer(mutex_lock((pthread_mutex_t *)m, HOOK_CALLER));
}

HOOK_EXPORT int mtx_trylock(mtx_t *m)
{
	return answer(mutex_trylock((pthread_mutex_t *)m, HOOK_CALLER));
}

HOOK_EXPORT int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict limit)
{
	return answer(mutex_timedlock((pthread_mutex_t *)m, CLOCK_REALTIME, limit, HOOK_CALLER));
}

HOOK_EXPORT int mtx_unlock(mtx_t *m)
{
	return answer(mutex_unlock((pthread_mutex_t *)m, HOOK_CALLER));
}

HOOK_EXPORT int cnd_init(cnd_t *c)
{
	return answer(pthread_cond_init((pthread_cond_t *)c, NULL));
}

HOOK_EXPORT void cnd_destroy(cnd_t *c)
{
	pthread_cond_destroy((pthread_cond_t *)c);
}

HOOK_EXPORT int cnd_signal(cnd_t *c)
{
	return answer(cond_wake((pthread_cond_t *)c, 0, HOOK_CALLER));
}

HOOK_EXPORT int cnd_broadcast(cnd_t *c)
{
	return answer(cond_wake((pthread_cond_t *)c, 1, HOOK_CALLER));
}

HOOK_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
	return answer(cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, (clockid_t)-1, NULL,
				HOOK_CALLER));
}

HOOK_EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
			      const struct timespec *restrict limit)
{
	return answer(cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, (clockid_t)-1, limit,
				HOOK_CALLER));
}

HOOK_EXPORT void call_once(once_flag *flag, void (*function)(void))
{
	once_run((pthread_once_t *)flag, function, HOOK_CALLER);
}
