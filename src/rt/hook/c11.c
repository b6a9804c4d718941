/* C11 threads: the same model with the result codes of <threads.h>. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "rt/hook/call.h"
#include "rt/hook/cancel.h"
#include "rt/hook/cond.h"
#include "rt/hook/hook.h"
#include "rt/hook/mutex.h"
#include "rt/hook/sleep.h"
#include "rt/hook/thread.h"
#include "rt/hook/tsd.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t is a pthread_mutex_t inside");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "cnd_t is a pthread_cond_t inside");

static int c11_result(int number)
{
	switch (number) {
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

RT_EXPORT int thrd_create(thrd_t *handle, thrd_start_t routine, void *arg)
{
	if (!rt_controlled())
		return REAL(thrd_create)(handle, routine, arg);
	struct hook_thread_start start = {(void *(*)(void *))(void (*)(void))routine, arg, false,
					  HOOK_START_C11};
	int result = hook_thread_create(handle, &start);

	return result == EAGAIN ? thrd_nomem : c11_result(result);
}

RT_EXPORT int thrd_join(thrd_t handle, int *result)
{
	void *value = NULL;
	int failed;

	if (!rt_controlled())
		return REAL(thrd_join)(handle, result);
	failed = hook_thread_join(handle, &value, 0, NULL);
	if (!failed && result) {
		undo_touch(result, sizeof(*result));
		*result = (int)(intptr_t)value;
	}
	return c11_result(failed);
}

RT_EXPORT int thrd_detach(thrd_t handle)
{
	return rt_controlled() ? c11_result(hook_thread_detach(handle)) : REAL(thrd_detach)(handle);
}

RT_EXPORT void thrd_exit(int result)
{
	if (!rt_controlled())
		REAL(thrd_exit)(result);
	cancel_exit((void *)(intptr_t)result);
}

RT_EXPORT void thrd_yield(void)
{
	if (rt_controlled())
		hook_yield();
	else
		REAL(thrd_yield)();
}

RT_EXPORT int thrd_sleep(const struct timespec *duration, struct timespec *remaining)
{
	if (!rt_controlled())
		return REAL(thrd_sleep)(duration, remaining);
	if (!call_time_valid(duration) || duration->tv_sec < 0)
		return -2;
	sleep_for(call_interval(duration));
	return 0;
}

RT_EXPORT int mtx_init(mtx_t *m, int type)
{
	if (!rt_controlled())
		return REAL(mtx_init)(m, type);
	uint32_t site = sched_take_site();
	int result;

	sched_mark(EVENT_OBJ_INIT, site, (uintptr_t)m, 0, OBJ_MUTEX);
	undo_touch(m, sizeof(*m));
	result = REAL(mtx_init)(m, type);
	if (result == thrd_success) {
		mutex_forget(m);
		mutex_obj(m, site)->init_site = site;
	}
	return result;
}

RT_EXPORT void mtx_destroy(mtx_t *m)
{
	if (rt_controlled())
		pthread_mutex_destroy((pthread_mutex_t *)m);
	else
		REAL(mtx_destroy)(m);
}

RT_EXPORT int mtx_lock(mtx_t *m)
{
	return rt_controlled() ? c11_result(mutex_lock(m, NULL)) : REAL(mtx_lock)(m);
}

RT_EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *when)
{
	struct mutex_limit limit = {CLOCK_REALTIME, when};

	return rt_controlled() ? c11_result(mutex_lock(m, &limit)) : REAL(mtx_timedlock)(m, when);
}

RT_EXPORT int mtx_trylock(mtx_t *m)
{
	return rt_controlled() ? c11_result(mutex_trylock(m)) : REAL(mtx_trylock)(m);
}

RT_EXPORT int mtx_unlock(mtx_t *m)
{
	return rt_controlled() ? c11_result(mutex_unlock(m)) : REAL(mtx_unlock)(m);
}

RT_EXPORT int cnd_init(cnd_t *c)
{
	if (!rt_controlled())
		return REAL(cnd_init)(c);
	cond_init(c);
	undo_touch(c, sizeof(*c));
	return REAL(cnd_init)(c);
}

RT_EXPORT void cnd_destroy(cnd_t *c)
{
	if (rt_controlled())
		cond_fini(c);
	else
		REAL(cnd_destroy)(c);
}

RT_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
	return rt_controlled() ? c11_result(cond_wait(c, m, 0, NULL)) : REAL(cnd_wait)(c, m);
}

RT_EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *when)
{
	return rt_controlled() ? c11_result(cond_wait(c, m, CLOCK_REALTIME, when))
			       : REAL(cnd_timedwait)(c, m, when);
}

RT_EXPORT int cnd_signal(cnd_t *c)
{
	if (!rt_controlled())
		return REAL(cnd_signal)(c);
	cond_signal(c);
	return thrd_success;
}

RT_EXPORT int cnd_broadcast(cnd_t *c)
{
	if (!rt_controlled())
		return REAL(cnd_broadcast)(c);
	cond_broadcast(c);
	return thrd_success;
}

RT_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
	return rt_controlled() ? c11_result(tsd_key_create(key, destructor))
			       : REAL(tss_create)(key, destructor);
}

RT_EXPORT void tss_delete(tss_t key)
{
	pthread_key_delete(key);
}

RT_EXPORT void *tss_get(tss_t key)
{
	return pthread_getspecific(key);
}

RT_EXPORT int tss_set(tss_t key, void *value)
{
	return c11_result(pthread_setspecific(key, value));
}
