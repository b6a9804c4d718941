/*
 * What all wrappers share.  Each has the same steps: current thread and re-entry guard
 * (hook_enter), the turn (sched_get_turn), the original operation, the log (hook_log), the next
 * thread's turn (sched_put_turn), and the guard again (hook_leave).  hook_enter() answers NULL when
 * the call must go straight to the original: the runtime is off or not ready, the thread is inside
 * the runtime (a signal handler, a callback), in a performance-critical section, unknown, or past
 * its end; a wrapper that wakes waiters then tells the scheduler by hook_outside().
 *
 * Wrappers tolerate: calls before main and from constructors, signal handlers, the child of a fork,
 * thread exit.
 */
#ifndef HEDDLE_RT_STABLE_HOOK_H
#define HEDDLE_RT_STABLE_HOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "guest/stable/obj.h"
#include "guest/stable/sched/profile.h"
#include "guest/stable/sched/sched.h"
#include "guest/stable/sched/schedlog.h"

#define HOOK_EXPORT __attribute__((visibility("default")))
#define HOOK_CALLER ((uintptr_t)__builtin_return_address(0))

extern bool hook_special; /* delays, hints at sites, cancellation: there is more to do */
/* Hints at call sites (hints/site.h); NULL when there are none. */
struct hook_sites {
	bool (*is_outside)(const struct sched_thread *t);
	void (*check)(struct sched_thread *t);
};
extern const struct hook_sites *hook_sites;

/* The calling thread has had its last event: what it still does is not looked at. */
extern __thread bool hook_ended __attribute__((tls_model("initial-exec")));
struct sched_thread *hook_enter_slow(uintptr_t caller);
/* False when this call must go to the original, outside the schedule. */
bool hook_enter_special(struct sched_thread *t);
void hook_leave_special(struct sched_thread *t);
/* Places where a turn was kept too long (sched/stall.h) are looked for from now on. */
void hook_learn_stalls(void);

static inline struct sched_thread *hook_enter(uintptr_t caller)
{
	struct sched_thread *t = sched_self;
	if (__builtin_expect(!t || t->bypass, 0)) {
		t = hook_enter_slow(caller);
		if (!t)
			return NULL;
	}
	t->bypass = 1;
	t->pc[0] = caller;
	t->pc_count = 1;
	if (__builtin_expect(hook_special, 0) && !hook_enter_special(t))
		return NULL;
	return t;
}

static inline void hook_leave(struct sched_thread *t)
{
	if (__builtin_expect(hook_special, 0))
		hook_leave_special(t);
	t->bypass = 0;
}

/* After hook_enter(): the turn. */
static inline void hook_turn(struct sched_thread *t, uint16_t op)
{
	if (__builtin_expect(conf_profile_on, 0))
		profile_request(t, op);
	sched_get_turn(t);
	if (__builtin_expect(conf_profile_on, 0))
		profile_granted(t, op);
}

/* hook_enter() and the turn. */
static inline struct sched_thread *hook_begin(uintptr_t caller, uint16_t op)
{
	struct sched_thread *t = hook_enter(caller);
	if (t)
		hook_turn(t, op);
	return t;
}

static inline void hook_end(struct sched_thread *t)
{
	if (__builtin_expect(conf_profile_on, 0))
		profile_left(t);
	sched_put_turn(t);
	hook_leave(t);
}

void hook_log_slow(struct sched_thread *t, uint16_t op, void *addr, uint16_t res, uint32_t arg);
void hook_log_thread(struct sched_thread *t, uint16_t op, uint32_t tid, uint16_t res);
void hook_note_object(struct sched_thread *t, uint16_t op, void *addr);

static inline void hook_log(struct sched_thread *t, uint16_t op, void *addr, uint16_t res,
			    uint32_t arg)
{
	if (__builtin_expect(schedlog_active, 0))
		hook_log_slow(t, op, addr, res, arg);
	if (__builtin_expect(sched.outside_seen, 0) && addr)
		hook_note_object(t, op, addr);
}

/* The caller is outside the schedule and used (wakes: signalled, all: broadcast) addr. */
void hook_outside(void *addr, uintptr_t caller);
void hook_outside_wake(void *addr, uintptr_t caller, bool all);

/* With the turn: leaves it, and the schedule, to wait for an object of several processes. */
void hook_leave_shared(struct sched_thread *t);

/* An operation that may have to wait for an object: try returns EBUSY while it must. */
struct hook_acquire {
	uint16_t op;
	void *addr;
	int (*try)(void *addr);
	int (*block)(void *addr); /* the original, when threads outside keep taking it; or NULL */
	uint64_t turns;		  /* limit, 0 = none */
	bool cancellable, interruptible;
	bool quiet; /* only blocks are logged */
	bool lock;  /* success means that the thread holds a lock */
};

/* The caller's thread has taken (1) or released (-1) a lock; for the policy "batch". */
static inline void hook_held(struct sched_thread *t, int change)
{
	t->keep.held += change;
	if (t->keep.held < 0)
		t->keep.held = 0;
}

/* With the turn; logs; returns try's result or ETIMEDOUT, ECANCELED or EINTR. */
int hook_acquire(struct sched_thread *t, const struct hook_acquire *a);

/* Waits on addr and logs the block; for operations that are not an acquire loop. */
int hook_wait(struct sched_thread *t, uint16_t op, void *addr, uint64_t turns);

/* If a cancellation is pending and enabled: leaves the wrapper and acts on it. */
void hook_test_cancel(struct sched_thread *t);
bool hook_cancel_pending(const struct sched_thread *t);

/* Logical length of a relative time, and of an absolute one on the given clock. */
uint64_t hook_turns(const struct timespec *relative);
uint64_t hook_turns_until(struct sched_thread *t, clockid_t clock, const struct timespec *absolute);
bool hook_valid_time(const struct timespec *time);

#endif
