/*
 * The scheduler: who may synchronise next.
 *
 * Idea.  Deterministic threads stand in one FIFO run queue; the head has the turn.  Only the holder
 * of the turn executes a synchronisation operation and only it changes the queues, so they need no
 * lock: passing the turn is a release/acquire pair on the word of the next thread.  Everything else
 * a thread does runs in parallel.  Blocked threads stand in a wait queue keyed by address, timed
 * ones also in a heap of logical deadlines.  Logical time counts turns.
 *
 * What happens to the turn between two operations is the policy's (policy.h): with "local", say, a
 * woken thread goes in front of those that may still compute, and a thread may be preferred or
 * deferred for a number of rounds (pool.h).
 *
 * A thread may leave the schedule (a blocking system call, a performance-critical section): it is
 * dropped lazily from the run queue, and returns through a lock-free list that the next holder
 * empties.  When nobody is runnable the turn is free: it lies in that list as a marker, and whoever
 * returns takes it.  Time then flows through the waiter with the earliest deadline, which dozes
 * until that deadline; there is no idle thread in the process, only its role (thread id
 * SCHED_IDLE_TID in counters).
 *
 * An operation that touches nothing another thread could use meanwhile (local.h) is done without
 * the turn, ahead of it: the thread counts it in its word, and whoever passes the turn passes such
 * a thread over, once for each.  The order is the one in which every operation had its turn.
 *
 * Invariants.
 *  - word: state in the low bits, turns used ahead above.  The state is RUN (not granted;
 *    computing, queued or waiting), GRANTED (has the turn, used or not), SLEEP (as RUN, asleep in
 *    the futex), DUTY (as RUN, asked to doze), NONDET (outside).
 *  - turns used ahead are added by the thread itself, moved to owed by the holder; a thread is
 *    granted the turn only when there are none of either.
 *  - RUN -> SLEEP, RUN/DUTY -> NONDET only by the thread itself; -> GRANTED only by the holder.
 *  - in_rq, rq_next, wait: touched by the holder only.
 *  - nondet counts threads outside; it is raised before a thread leaves, so that an empty queue
 * with nondet == 0 and no deadline is a deadlock.
 *
 * After PARROT (docs/algorithms.md).  Deviations: the idle thread is a role (same turns, same
 * times); a returning thread enters the list when it next needs the turn, not when its system call
 * returns.
 */
#ifndef HEDDLE_RT_STABLE_SCHED_H
#define HEDDLE_RT_STABLE_SCHED_H

#include "guest/stable/sched/state.h"

#define SCHED_IDLE_TID UINT32_MAX
#define SCHED_NEVER UINT64_MAX

extern struct sched sched;
extern __thread struct sched_thread *sched_self __attribute__((tls_model("initial-exec")));

static inline uint32_t *sched_waiting_at(void *addr)
{
	uint64_t h = (uint64_t)(uintptr_t)addr * UINT64_C(0x9e3779b97f4a7c15);
	return &sched.waiting_at[h >> 56];
}

/* Makes the calling thread thread 0 with the turn. */
void sched_init(struct sched_thread *main_thread);

/* Blocks until the caller has the turn; logical time advances by one. */
void sched_get_turn(struct sched_thread *t);
/* The operation is over: the policy passes the turn on, or lets the caller keep it (policy.h). */
#define SCHED_BATCH_MAX 32 /* operations in a row of a thread that keeps the turn */
void sched_put_turn(struct sched_thread *t);
/* Before that: the caller computes for long, or wants others to go on, and keeps it in no case. */
static inline void sched_yield_turn(struct sched_thread *t)
{
	t->keep.batch = SCHED_BATCH_MAX;
}
/*
 * With the turn, between operations: the others have theirs, for so many rounds, and the caller has
 * the turn again on return, not yet used.  Nothing happens when there are no others.
 */
void sched_let_others(struct sched_thread *t, uint32_t rounds);
/* Without the turn, in the run queue: until the caller has it, not yet used. */
void sched_await_turn(struct sched_thread *t);
/* As sched_put_turn(), between operations that belong together. */
void sched_keep_turn(struct sched_thread *t);
/* Without the turn: the caller has done an operation ahead of its turn. */
void sched_use_ahead(struct sched_thread *t);
static inline uint32_t sched_state(const struct sched_thread *t)
{
	return __atomic_load_n(&t->word, __ATOMIC_ACQUIRE) & SCHED_STATE;
}

/*
 * With the turn: waits for a signal on addr, at most turns of logical time (0 = no limit), and has
 * the turn again on return.  0, ETIMEDOUT, ECANCELED or EINTR.
 */
int sched_wait(struct sched_thread *t, void *addr, uint64_t turns);
/*
 * With the turn, before trying an object a last time and waiting for it: true when objects may
 * change outside the schedule, so that the caller must try once more after this call.  Followed by
 * sched_wait() or sched_wait_abandon().
 */
bool sched_wait_prepare(struct sched_thread *t, void *addr);
void sched_wait_abandon(struct sched_thread *t, void *addr);
/* With the turn: makes the first or all waiters of addr runnable; returns how many. */
uint32_t sched_signal(void *addr);
uint32_t sched_broadcast(void *addr);
/* With the turn: wakes one given waiter with a reason. */
void sched_wake(struct sched_thread *t, int reason);

/* With the turn: t is next, unless it has the turn, waits, or too many were put in front: false. */
bool sched_prefer(struct sched_thread *t);
/* With the turn: t is passed over for so many rounds, or until it waits or is preferred. */
void sched_defer(struct sched_thread *t, uint32_t rounds);

/*
 * Leaves the schedule, without the turn; a second call changes nothing.  The thread returns when it
 * next asks for the turn.
 */
void sched_nondet_begin(struct sched_thread *t);
/* The same for a call that will probably wait. */
void sched_nondet_wait(struct sched_thread *t);

/* With the turn, for policies: lets those in who came back; whether there may be some. */
void sched_look_outside(void);
bool sched_has_returned(void);

/* With the turn: a new thread enters at the tail. */
void sched_add(struct sched_thread *t);
/* With the turn: the caller leaves for good and passes the turn. */
void sched_remove(struct sched_thread *t);
/* With the turn: the caller leaves the run queue until time deadline (deterministic PCS exit). */
void sched_leave_until(struct sched_thread *t, uint64_t deadline);

/* Some thread uses originals from now on. */
static inline void sched_see_outside(void)
{
	if (!__atomic_load_n(&sched.outside_seen, __ATOMIC_RELAXED))
		__atomic_store_n(&sched.outside_seen, true, __ATOMIC_SEQ_CST);
}

/* From outside the schedule: waiters of addr must look again (count < 0: all of them). */
void sched_notify(void *addr, bool all);

/*
 * From the waiting thread t, after a long time: if all wait for somebody outside, whether that one
 * is still there.
 */
void sched_look_again(struct sched_thread *t);

/* For a nested scheduler: 1 + a thread that can let time pass, when the turn is free; else 0. */
uint32_t sched_next_deadline(void);
/* That thread does: time is that of the next deadline. */
void sched_pass_time(struct sched_thread *t);

/* From a handled signal in its wait: the calling thread t is to be woken with EINTR. */
void sched_interrupt(struct sched_thread *t);

/* In the child of a fork: only t is left, with the turn. */
void sched_fork_child(struct sched_thread *t);

#endif
