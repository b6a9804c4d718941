/*
 * The scheduler: whose turn is it.
 *
 * A thread of the program runs its own code until it stands at a visible operation.  There it calls
 * sched_step() with a description.  The scheduler asks the strategy for the next action: some
 * thread's pending operation (RUN), a buffered store reaching memory (FLUSH), a timed wait expiring
 * (TIMEOUT), an operation ending for no reason (SPURIOUS).  sched_step() returns when its own operation was chosen; the caller then performs the
 * operation's effect; nothing else runs until the caller's next sched_step().
 *
 * An operation whose ready() says no is not offered to the strategy.  ready() is asked when the
 * operation is announced, and again after sched_wake(addr) for threads that stand at an operation
 * with that addr.  So: whoever changes an object calls sched_wake() with its address.
 *
 * Under TSO and PSO, an operation that drains (everything except READ, WRITE, ISSUE and markers)
 * is ready only when the thread's store buffers are empty; the scheduler sees to it.
 *
 * Nothing enabled and not everybody finished: deadlock (or livelock when a spinner is among them),
 * reported from the threads' pending operations, op.addr and the owners in their objects.
 */
#ifndef HEDDLE_RT_SCHED_CORE_H
#define HEDDLE_RT_SCHED_CORE_H

#include "guest/check/thread.h"

/* See above.  op must stay valid until it returns (a local variable is). */
enum step_result sched_step(struct rt_op *op);

/* The object at addr changed: threads standing at it are asked again. */
void sched_wake(uint64_t addr);
/* Asks again whether the thread could perform its pending operation. */
void sched_refresh(struct rt_thread *t);
/* After an input or output call: threads at OP_IO operations are asked again. */
void sched_wake_io(void);

/* An internal choice among n > 0 alternatives, recorded in the schedule. */
uint32_t sched_pick(uint32_t n);

/* Virtual ns since the run began, without the cost of reading a clock; and where clocks start. */
uint64_t sched_now(void);
#define SCHED_EPOCH_NS UINT64_C(1700000000000000000)
#define SCHED_BOOT_NS UINT64_C(1000000000000)

/*
 * The program reads a clock: virtual time in ns since the epoch (CLOCK_REALTIME) and since boot
 * (CLOCK_MONOTONIC).  Reading takes time.
 */
uint64_t sched_clock_real(void);
uint64_t sched_clock_mono(void);

/*
 * Whether all other threads were joined.  That they have ended is not enough: in another order they
 * would not have.
 */
bool sched_alone(void);
/* The running thread has joined one. */
void sched_joined(void);

/* Simple operations: always ready, one event, no effect to model. */
void sched_mark(enum event_kind kind, uint32_t site, uint64_t addr, uint64_t value, uint32_t aux);

/* Waits until the running thread's stores have reached memory; no step when none are pending. */
void sched_drain(uint32_t site);

/* The process is about to end: while others live, they may do something before. */
void sched_exit_point(void);

/* Site named by the last heddle_hook_at() of this thread, and forgets it; SITE_NONE when none. */
uint32_t sched_take_site(void);

#endif
