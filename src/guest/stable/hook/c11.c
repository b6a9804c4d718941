/*
 * C11 threads.  The C library builds them on hidden symbols, so they are wrapped on their own; the
 * objects have the layout of their POSIX counterparts.
 */
#include <unistd.h>

#include "guest/os/c11.h"
#include "guest/stable/hook/cond.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/mutex.h"
#include "guest/stable/hook/once.h"
#include "guest/stable/real.h"
#include "guest/stable/hook/thread.h"

HOOK_EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_CREATE);
	if (!t)
		return real.thrd_create(thread, function, arg);
	struct thread_start start = {.c11 = function, .arg = arg};
	int result = thread_create(t, thread, NULL, &start);
	return c11_result(result == EAGAIN ? ENOMEM : result);
}

HOOK_EXPORT int thrd_join(thrd_t thread, int *result)
{
	void *value;
	int error = pthread_join(thread, &value);
	if (error == 0 && result)
		*result = (int)(intptr_t)value;
	return c11_result(error);
}

HOOK_EXPORT int thrd_detach(thrd_t thread)
{
	return c11_result(pthread_detach(thread));
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
	return c11_result(result);
}

HOOK_EXPORT void mtx_destroy(mtx_t *m)
{
	pthread_mutex_destroy((pthread_mutex_t *)m);
}

HOOK_EXPORT int mtx_lock(mtx_t *m)
{
	return c11_result(mutex_lock((pthread_mutex_t *)m, HOOK_CALLER));
}

HOOK_EXPORT int mtx_trylock(mtx_t *m)
{
	return c11_result(mutex_trylock((pthread_mutex_t *)m, HOOK_CALLER));
}

HOOK_EXPORT int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict limit)
{
	return c11_result(mutex_timedlock((pthread_mutex_t *)m, CLOCK_REALTIME, limit, HOOK_CALLER));
}

HOOK_EXPORT int mtx_unlock(mtx_t *m)
{
	return c11_result(mutex_unlock((pthread_mutex_t *)m, HOOK_CALLER));
}

HOOK_EXPORT int cnd_init(cnd_t *c)
{
	return c11_result(pthread_cond_init((pthread_cond_t *)c, NULL));
}

HOOK_EXPORT void cnd_destroy(cnd_t *c)
{
	pthread_cond_destroy((pthread_cond_t *)c);
}

HOOK_EXPORT int cnd_signal(cnd_t *c)
{
	return c11_result(cond_wake((pthread_cond_t *)c, 0, HOOK_CALLER));
}

HOOK_EXPORT int cnd_broadcast(cnd_t *c)
{
	return c11_result(cond_wake((pthread_cond_t *)c, 1, HOOK_CALLER));
}

HOOK_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
	return c11_result(cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, (clockid_t)-1, NULL,
				HOOK_CALLER));
}

HOOK_EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
			      const struct timespec *restrict limit)
{
	return c11_result(cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, (clockid_t)-1, limit,
				HOOK_CALLER));
}

HOOK_EXPORT void call_once(once_flag *flag, void (*function)(void))
{
	once_run((pthread_once_t *)flag, function, HOOK_CALLER);
}
