/*
 * The wait queue: blocked threads by address, FIFO for each address, and the heap of logical
 * deadlines ordered by (deadline, sequence).  Addresses are compared for equality only; all order
 * comes from sequence numbers.  Called by the holder of the turn only.
 */
#ifndef HEDDLE_RT_STABLE_WAITQ_H
#define HEDDLE_RT_STABLE_WAITQ_H

#include "guest/stable/sched/sched.h"

/* Counts a waiter of addr in or out, ordered against a notifier's look: see sched_notify(). */
void waitq_announce(void *addr, int change);
void waitq_add(struct sched_thread *t);
void waitq_remove(struct sched_thread *t);
/* First waiter of addr, NULL when none. */
struct sched_thread *waitq_first(void *addr);
/* The waiter of the same address after t, NULL when t is the last. */
struct sched_thread *waitq_after(const struct sched_thread *t);
/* Waiter t waits for another address from now on, as the last. */
void waitq_move(struct sched_thread *t, void *addr);
/* The waiter with the earliest deadline, NULL when none has one. */
struct sched_thread *waitq_earliest(void);
/* Forgets every waiter (child of a fork). */
void waitq_clear(void);

#endif
