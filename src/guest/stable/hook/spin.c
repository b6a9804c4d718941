#include <errno.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/real.h"

static int try_spin(void *s)
{
	return real.pthread_spin_trylock(s);
}

static void *plain(pthread_spinlock_t *s)
{
	return (void *)(uintptr_t)s;
}

HOOK_EXPORT int pthread_spin_init(pthread_spinlock_t *s, int shared)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SPIN_INIT);
	int result = real.pthread_spin_init(s, shared);
	if (!t)
		return result;
	if (schedlog_active)
		obj_new(OBJ_SPIN, plain(s));
	hook_log(t, STABLE_OP_SPIN_INIT, plain(s), (uint16_t)result, 0);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_spin_destroy(pthread_spinlock_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SPIN_DESTROY);
	int result = real.pthread_spin_destroy(s);
	if (!t)
		return result;
	hook_log(t, STABLE_OP_SPIN_DESTROY, plain(s), (uint16_t)result, 0);
	obj_forget(OBJ_SPIN, plain(s));
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_spin_lock(pthread_spinlock_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SPIN_LOCK);
	if (!t) {
		hook_outside(plain(s), HOOK_CALLER);
		section_ask(NESTED_SPIN, plain(s), HOOK_CALLER);
		return real.pthread_spin_lock(s);
	}
	struct hook_acquire a = {
		.op = STABLE_OP_SPIN_LOCK, .addr = plain(s), .try = try_spin, .lock = true};
	int result = hook_acquire(t, &a);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_spin_trylock(pthread_spinlock_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SPIN_TRYLOCK);
	if (!t)
		section_ask(NESTED_TRYLOCK, plain(s), HOOK_CALLER);
	int result = real.pthread_spin_trylock(s);
	if (!t) {
		hook_outside(plain(s), HOOK_CALLER);
		return result;
	}
	if (result == 0)
		hook_held(t, 1);
	hook_log(t, STABLE_OP_SPIN_TRYLOCK, plain(s), (uint16_t)result, 0);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_spin_unlock(pthread_spinlock_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SPIN_UNLOCK);
	if (!t)
		section_ask(NESTED_UNLOCK, plain(s), HOOK_CALLER);
	int result = real.pthread_spin_unlock(s);
	if (!t) {
		hook_outside_wake(plain(s), HOOK_CALLER, false);
		return result;
	}
	if (result == 0) {
		hook_held(t, -1);
		sched_signal(plain(s));
	}
	hook_log(t, STABLE_OP_SPIN_UNLOCK, plain(s), (uint16_t)result, 0);
	hook_end(t);
	return result;
}
