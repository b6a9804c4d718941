#include "guest/stable/hook/thread.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/sched/local.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/hook/mutex.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/sched/park.h"
#include "guest/stable/sched/pool.h"
#include "guest/stable/sched/threads.h"
#include "guest/stable/real.h"
#include "guest/stable/sched/policy.h"

#define BUCKETS 1024

static struct sched_thread *buckets[BUCKETS];
static pthread_key_t end_key;

static struct sched_thread **bucket_of(pthread_t os)
{
	return &buckets[((uint64_t)os * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
}

static void map_add(struct sched_thread *t)
{
	struct sched_thread **bucket = bucket_of(t->os);
	t->map_next = *bucket;
	*bucket = t;
}

static void map_remove(struct sched_thread *t)
{
	for (struct sched_thread **link = bucket_of(t->os); *link; link = &(*link)->map_next) {
		if (*link == t) {
			*link = t->map_next;
			return;
		}
	}
}

struct sched_thread *thread_find(pthread_t os)
{
	struct sched_thread *t = *bucket_of(os);
	while (t && t->os != os)
		t = t->map_next;
	return t;
}

/* A robust mutex whose owner ends is released by the kernel, unseen: its waiters look again. */
static void wake_robust_waiters(struct sched_thread *owner)
{
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (!t->waiting || t->wait.kind != OBJ_MUTEX)
			continue;
		pthread_mutex_t *m = t->wait.addr;
		if ((m->__data.__kind & 16) && mutex_robust_owner(m) == owner->os_tid)
			sched_wake(t, 0);
	}
}

/* Sites are return addresses: the place behind the first instruction stands for the function. */
static uintptr_t start_site(const struct sched_thread *t)
{
	return (t->start ? (uintptr_t)t->start : (uintptr_t)t->start_c11) + 1;
}

/* The last event of a thread; its OS thread lives on for a moment, outside. */
static void thread_end(struct sched_thread *t)
{
	t->pcs.depth = 0;
	t->bypass = 0;
	hook_begin(start_site(t), STABLE_OP_THREAD_END);
	t->finished = true;
	hook_log(t, STABLE_OP_THREAD_END, NULL, 0, 0);
	sched_broadcast(t);
	wake_robust_waiters(t);
	t->hold = 0;
	if (t->detached) {
		map_remove(t);
		threads_release(t);
	}
	sched_remove(t);
	hook_ended = true;
	sched_self = NULL;
}

/* Runs in each round of destructors; the program's own may still synchronise until the last. */
static void end_destructor(void *value)
{
	struct sched_thread *t = value;
	if (++t->end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
		real.pthread_setspecific(end_key, t);
	else
		thread_end(t);
}

/* With the policy "local" the turn of its beginning was used when the thread was made. */
static void begin(struct sched_thread *t)
{
	if (sched_policy->local) {
		hook_enter(start_site(t));
		local_done(t, STABLE_OP_THREAD_BEGIN, NULL, false);
		if (conf_profile_on)
			profile_begin(t);
		hook_leave(t);
		return;
	}
	hook_begin(start_site(t), STABLE_OP_THREAD_BEGIN);
	hook_log(t, STABLE_OP_THREAD_BEGIN, NULL, 0, 0);
	hook_end(t);
}

static void *trampoline(void *argument)
{
	struct sched_thread *t = argument;
	sched_self = t;
	t->os_tid = sys_gettid();
	real.pthread_setspecific(end_key, t);
	begin(t);
	if (t->start_c11)
		return (void *)(intptr_t)t->start_c11(t->arg);
	return t->start(t->arg);
}

struct sched_thread *thread_init_main(void)
{
	struct sched_thread *t = threads_alloc();
	t->os = pthread_self();
	t->os_tid = sys_gettid();
	map_add(t);
	real.pthread_key_create(&end_key, end_destructor);
	real.pthread_setspecific(end_key, t);
	return t;
}

void thread_fork_child(struct sched_thread *t)
{
	memset(buckets, 0, sizeof(buckets));
	for (struct sched_thread *other = sched.all; other;) {
		struct sched_thread *next = other->all_next;
		if (other != t)
			threads_release(other);
		other = next;
	}
	t->os_tid = sys_gettid();
	map_add(t);
}

int thread_create(struct sched_thread *t, pthread_t *os, const pthread_attr_t *attr,
		  const struct thread_start *start)
{
	struct sched_thread *child = threads_alloc();
	int detached = PTHREAD_CREATE_JOINABLE;
	if (attr)
		pthread_attr_getdetachstate(attr, &detached);
	child->start = start->posix;
	child->start_c11 = start->c11;
	child->arg = start->arg;
	pool_enlist(child, start_site(child));
	child->detached = detached == PTHREAD_CREATE_DETACHED;
	/* It may run before we know that it does. */
	if (nested_on)
		nested_born(child);
	int result = real.pthread_create(os, attr, trampoline, child);
	hook_log(t, STABLE_OP_THREAD_CREATE, child, (uint16_t)result, 0);
	if (result == 0) {
		child->os = *os;
		map_add(child);
		sched_add(child);
	} else {
		sched.next_tid--;
		if (nested_on)
			nested_dies(child);
		threads_release(child);
	}
	/* Threads that are made together start together. */
	if (conf_profile_on)
		profile_left(t);
	sched_keep_turn(t);
	hook_leave(t);
	return result;
}

HOOK_EXPORT int pthread_create(pthread_t *os, const pthread_attr_t *attr, void *(*start)(void *),
			       void *arg)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_CREATE);
	if (!t) {
		section_note(HOOK_CALLER);
		return real.pthread_create(os, attr, start, arg);
	}
	return thread_create(t, os, attr, &(struct thread_start){.posix = start, .arg = arg});
}

/* 0, or the error that joining target has natively. */
static int join_error(struct sched_thread *t, struct sched_thread *target)
{
	if (target == t)
		return EDEADLK;
	if (target->waiting && target->wait.kind == OBJ_THREAD && target->wait.target == t)
		return EDEADLK;
	if (target->detached || target->joining)
		return EINVAL;
	return 0;
}

enum join_mode { JOIN_WAIT, JOIN_TRY, JOIN_TIMED };

/* With the turn: until target has ended. */
static int join_wait(struct sched_thread *t, struct sched_thread *target, uint64_t turns)
{
	int reason = 0;
	uint64_t end = sched.time + turns;
	target->joining = true;
	t->wait.target = target;
	while (!target->finished && reason == 0) {
		if (hook_cancel_pending(t)) {
			reason = ECANCELED;
			break;
		}
		t->wait.cancellable = true;
		reason = hook_wait(t, STABLE_OP_THREAD_JOIN, target, turns ? end - sched.time : 0);
		t->wait.cancellable = false;
	}
	target->joining = false;
	return target->finished ? 0 : reason;
}

static int join_unknown(struct sched_thread *t, pthread_t os, void **value)
{
	hook_end(t);
	sched_nondet_begin(t);
	return real.pthread_join(os, value);
}

static int join(struct sched_thread *t, pthread_t os, void **value, enum join_mode mode,
		uint64_t turns)
{
	struct sched_thread *target = thread_find(os);
	if (!target)
		return mode == JOIN_WAIT ? join_unknown(t, os, value) : (hook_end(t), ESRCH);
	int result = join_error(t, target);
	if (result == 0 && mode == JOIN_TRY)
		result = target->finished ? 0 : EBUSY;
	else if (result == 0)
		result = join_wait(t, target, turns);
	hook_log(t, STABLE_OP_THREAD_JOIN, target, (uint16_t)result, 0);
	if (result == 0) {
		map_remove(target);
		threads_release(target);
	}
	hook_end(t);
	if (result == ECANCELED)
		hook_test_cancel(t);
	/* The target is past its last event and needs no turn to end. */
	return result ? result : real.pthread_join(os, value);
}

HOOK_EXPORT int pthread_join(pthread_t os, void **value)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_JOIN);
	if (!t)
		section_note(HOOK_CALLER);
	return t ? join(t, os, value, JOIN_WAIT, 0) : real.pthread_join(os, value);
}

HOOK_EXPORT int pthread_tryjoin_np(pthread_t os, void **value)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_JOIN);
	return t ? join(t, os, value, JOIN_TRY, 0) : real.pthread_tryjoin_np(os, value);
}

HOOK_EXPORT int pthread_clockjoin_np(pthread_t os, void **value, clockid_t clock,
				     const struct timespec *limit)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_JOIN);
	if (!t)
		return real.pthread_join(os, value);
	if (!limit)
		return join(t, os, value, JOIN_WAIT, 0);
	return join(t, os, value, JOIN_TIMED, hook_turns_until(t, clock, limit));
}

HOOK_EXPORT int pthread_timedjoin_np(pthread_t os, void **value, const struct timespec *limit)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_JOIN);
	if (!t)
		return real.pthread_join(os, value);
	if (!limit)
		return join(t, os, value, JOIN_WAIT, 0);
	return join(t, os, value, JOIN_TIMED, hook_turns_until(t, CLOCK_REALTIME, limit));
}

HOOK_EXPORT int pthread_detach(pthread_t os)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_DETACH);
	if (!t)
		return real.pthread_detach(os);
	struct sched_thread *target = thread_find(os);
	int result = real.pthread_detach(os);
	hook_log(t, STABLE_OP_THREAD_DETACH, target, (uint16_t)result, 0);
	if (target && result == 0) {
		target->detached = true;
		if (target->finished) {
			map_remove(target);
			threads_release(target);
		}
	}
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_cancel(pthread_t os)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_THREAD_CANCEL);
	if (!t) {
		sched_see_outside();
		section_note(HOOK_CALLER);
		return real.pthread_cancel(os);
	}
	struct sched_thread *target = thread_find(os);
	int result = target && target->finished ? 0 : real.pthread_cancel(os);
	hook_log(t, STABLE_OP_THREAD_CANCEL, target, (uint16_t)result, 0);
	if (target && result == 0) {
		target->cancel.pending = true;
		if (target->waiting && target->wait.cancellable && !target->cancel.disabled)
			sched_wake(target, ECANCELED);
	}
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_setcancelstate(int state, int *old)
{
	real_ready();
	int result = real.pthread_setcancelstate(state, old);
	if (result == 0 && sched_self)
		sched_self->cancel.disabled = state == PTHREAD_CANCEL_DISABLE;
	return result;
}

HOOK_EXPORT int pthread_setcanceltype(int type, int *old)
{
	real_ready();
	int result = real.pthread_setcanceltype(type, old);
	if (result == 0 && sched_self) {
		sched_self->cancel.async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
		if (sched_self->cancel.async) {
			hook_special = true;
			outside_leave();
		}
	}
	return result;
}
