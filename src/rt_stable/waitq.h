/*
 * The wait queue: blocked threads by address, FIFO for each address, and the heap of logical
 * deadlines ordered by (deadline, sequence).  Addresses are compared for equality only; all order
 * comes from sequence numbers.  Called by the holder of the turn only.
 */
#ifndef HEDDLE_RT_STABLE_WAITQ_H
#define HEDDLE_RT_STABLE_WAITQ_H

#include "rt_stable/sched.h"

/* Counts a waiter of addr in or out, ordered against a notifier's look: see sched_notify(). */
void waitq_announce(void *addr, int change);
void waitq_add(struct sched_thread *t);
void waitq_remove(struct sched_thread *t);
/* First waiter of addr, NULL when none. */
struct sched_thread *waitq_first(void *addr);
/* The waiter with the earliest deadline, NULL when none has one. */
struct sched_thread *waitq_earliest(void);
/* Forgets every waiter (child of a fork). */
void waitq_clear(void);

#endif
