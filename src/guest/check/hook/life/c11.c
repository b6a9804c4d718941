/* C11 threads: the same model with the result codes of <threads.h>. */
#include "guest/check/engine/outsider.h"
#include "guest/check/hook/call.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/sync/cond.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/hook/sync/mutex.h"
#include "guest/check/hook/system/sleep.h"
#include "guest/check/hook/life/thread.h"
#include "guest/check/hook/life/tsd.h"
#include "guest/check/mem/undo.h"
#include "guest/os/c11.h"
#include "guest/os/real.h"

RT_EXPORT int thrd_create(thrd_t *handle, thrd_start_t routine, void *arg)
{
	if (!rt_controlled()) {
		outsider_early(1);
		return REAL(thrd_create)(handle, routine, arg);
	}
	struct hook_thread_start start = {(void *(*)(void *))(void (*)(void))routine, arg, false,
					  HOOK_START_C11, 0, false, NULL};
	int result = hook_thread_create(handle, &start);

	return result == EAGAIN ? thrd_nomem : c11_result(result);
}

RT_EXPORT int thrd_join(thrd_t handle, int *result)
{
	void *value = NULL;
	int failed;

	if (!rt_controlled()) {
		outsider_early(-1);
		return REAL(thrd_join)(handle, result);
	}
	failed = hook_thread_join(handle, result ? &value : NULL, 0, NULL);
	if (!failed && result)
		hook_thread_give(result, (uint32_t)(uintptr_t)value, sizeof(*result),
				 rt_self()->last_site);
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
	uint64_t left;

	if (!rt_controlled())
		return REAL(thrd_sleep)(duration, remaining);
	if (!call_time_valid(duration) || duration->tv_sec < 0)
		return -2;
	left = sleep_for(call_interval(duration));
	if (left && remaining) {
		undo_touch(remaining, sizeof(*remaining));
		*remaining = (struct timespec){(time_t)(left / 1000000000),
					       (long)(left % 1000000000)};
	}
	return left ? -1 : 0;
}

RT_EXPORT int mtx_init(mtx_t *m, int type)
{
	if (!rt_controlled())
		return REAL(mtx_init)(m, type);
	uint32_t site = mutex_begin(m);
	int result;

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
