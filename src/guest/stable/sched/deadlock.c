#include "guest/stable/sched/deadlock.h"

#include <pthread.h>
#include <signal.h>

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/obj.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/foreign.h"
#include "guest/stable/sched/nested.h"
#include "guest/stable/sched/schedlog.h"
#include "guest/stable/stack.h"

bool (*deadlock_rescue)(void);
static uint32_t collecting, collected;

static struct sched_thread *by_os_tid(int os_tid)
{
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->os_tid == os_tid && !t->finished)
			return t;
	}
	return NULL;
}

/* Who must act before t can go on; NULL when that cannot be known. */
static struct sched_thread *awaited(const struct sched_thread *t)
{
	switch (t->wait.kind) {
	case OBJ_THREAD:
		return t->wait.target;
	case OBJ_MUTEX:
	case OBJ_STATE:
		return by_os_tid(((pthread_mutex_t *)t->wait.addr)->__data.__owner);
	case OBJ_RWLOCK:
		return by_os_tid(((pthread_rwlock_t *)t->wait.addr)->__data.__cur_writer);
	default:
		return NULL;
	}
}

static bool in_cycle(const struct sched_thread *t)
{
	const struct sched_thread *at = t;
	for (uint32_t steps = 0; steps <= sched.live; steps++) {
		at = awaited(at);
		if (!at || !at->waiting)
			return false;
		if (at == t)
			return true;
	}
	return false;
}

/*
 * Somebody outside may still wake a waiter: a handler of a signal, or a thread of this process that
 * the scheduler does not know, as the C library starts them for timers and asynchronous files.
 */
bool deadlock_tolerated(void)
{
	static bool said;
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->waiting && in_cycle(t))
			return false;
	}
	if (deadlock_rescue && deadlock_rescue())
		return true;
	bool foreign = !sched.handlers && foreign_threads();
	if (!sched.handlers && !foreign)
		return false;
	if (!said) {
		msg_say("every thread waits; only %s can wake one",
			foreign ? "a thread that is not in the schedule"
				: "a signal handler of the program");
		msg_urgent();
	}
	said = true;
	return true;
}

bool deadlock_give_stack(struct sched_thread *t)
{
	if (!__atomic_load_n(&collecting, __ATOMIC_ACQUIRE))
		return false;
	t->pc_count = stack_capture(t->pc[0], t->pc, STABLE_FRAMES);
	__atomic_add_fetch(&collected, 1, __ATOMIC_ACQ_REL);
	os_futex_wake(&collected, 1);
	return true;
}

/* Every waiter but the caller wakes, unwinds its own stack, and sleeps again. */
static void collect_stacks(void)
{
	uint32_t asked = 0;
	__atomic_store_n(&collecting, 1, __ATOMIC_RELEASE);
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t == sched_self)
			t->pc_count = stack_capture(t->pc[0], t->pc, STABLE_FRAMES);
		/* Under a nested scheduler they sleep elsewhere: the place of the call is enough.
		 */
		if (!t->waiting || t == sched_self || nested_on)
			continue;
		asked++;
		__atomic_store_n(&t->word, SCHED_DUTY, __ATOMIC_RELEASE);
		os_futex_wake(&t->word, 1);
	}
	for (int tries = 0; tries < 100; tries++) {
		uint32_t seen = __atomic_load_n(&collected, __ATOMIC_ACQUIRE);
		if (seen >= asked)
			return;
		os_futex_wait(&collected, seen, 10000000);
	}
}

static void describe(struct sched_thread *t)
{
	if (ctl->waiters >= STABLE_WAITERS)
		return;
	struct stable_waiter *w = &ctl->waiter[ctl->waiters++];
	struct sched_thread *owner = awaited(t);
	w->tid = t->tid;
	w->op = t->wait.op;
	w->kind = t->wait.kind == OBJ_THREAD ? STABLE_WAIT_THREAD
		  : owner		     ? STABLE_WAIT_OWNED
					     : STABLE_WAIT_UNOWNED;
	w->owner = owner ? owner->tid : UINT32_MAX;
	w->in_cycle = in_cycle(t);
	struct obj *o = t->wait.kind == OBJ_THREAD ? NULL : obj_find(t->wait.kind, t->wait.addr);
	w->obj = o ? o->ordinal : UINT32_MAX;
	w->site.count = t->pc_count;
	for (uint32_t i = 0; i < t->pc_count && i < STABLE_FRAMES; i++)
		w->site.pc[i] = t->pc[i];
	if (msg_has_host())
		return;
	msg_say("deadlock: T%u waits in operation %u for %p held by T%d, called from %p%s", w->tid,
		w->op, t->wait.addr, (int)w->owner, (void *)t->pc[0],
		w->in_cycle ? " (cycle)" : "");
}

static int by_tid(const struct sched_thread *a, const struct sched_thread *b)
{
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* Waiters in the order of their ids, whatever the order of the list. */
static void describe_all(void)
{
	struct sched_thread *last = NULL;
	for (;;) {
		struct sched_thread *next = NULL;
		for (struct sched_thread *t = sched.all; t; t = t->all_next) {
			if (t->waiting && (!last || by_tid(t, last) > 0) &&
			    (!next || by_tid(t, next) < 0))
				next = t;
		}
		if (!next)
			return;
		describe(next);
		last = next;
	}
}

void deadlock_report(void)
{
	static bool reported;
	if (reported)
		return;
	reported = true;
	stack_list_modules();
	collect_stacks();
	describe_all();
	ctl->time = sched.time;
	ctl->flags |= STABLE_FLAG_DEADLOCK;
	if (!msg_has_host())
		msg_say("deadlock at logical time %lu, schedule hash %lx",
			(unsigned long)sched.time, (unsigned long)ctl->hash);
	schedlog_close(true);
	if (conf.on_deadlock == CONF_DEADLOCK_ABORT) {
		sys_call3(SYS_tgkill, sys_getpid(), sys_gettid(), SIGABRT);
		sys_exit_group(1);
	}
	if (conf.on_deadlock == CONF_DEADLOCK_EXIT)
		sys_exit_group(1);
}
