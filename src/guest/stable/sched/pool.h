/*
 * Workers and those who feed them (policy "local").
 *
 * Idea.  Round robin waits for every thread in turn, also for one that computes for long.  A pool
 * of workers that take items from a queue then works one at a time: whoever has to put in the next
 * item waits for the turn of a worker that is busy with the last one.  No schedule may know who
 * computes for how long.  But the operations tell who works for whom:
 *
 *  - A thread that was woken by a signal, with a mutex, ends an item each time it leaves that
 *    mutex: it has taken what it works on next.
 *  - Such a thread is a worker if it is one of several threads with the same start function.  If
 *    some of these wait for the same condition variable, only those are workers: programs start
 *    all their threads through one function of their own, too.
 *  - A worker that has taken an item is passed over for POOL_DEFER rounds, in which the others
 *    prepare the next items; if they all block, or are workers like it, nobody waits.
 *  - Between two items a worker keeps the turn for a few operations (putting the result away,
 *    asking for the next item), if the last item had no more than those.  Else it may compute
 *    between any two operations and is passed over after each.
 *  - A thread that waits for a signal sends the thread that woke it the last time to the front:
 *    that one has the turn next, and keeps it for a few operations, until it has signalled all
 *    who wait.  Not a worker: it is busy with an item.
 *  - A thread woken by one that waits for the same condition variable itself is at a barrier, and
 *    no worker.  Nor is one that meets others at soft barriers: the program says where it works.
 *    But a group that are all workers otherwise need not meet (soba.c).
 *
 * Everything is decided at turns, from the operations of the threads.
 */
#ifndef HEDDLE_RT_STABLE_POOL_H
#define HEDDLE_RT_STABLE_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "guest/stable/sched/sched.h"

/* All with the turn. */

/* A thread is made that starts at the given address. */
void pool_enlist(struct sched_thread *t, uintptr_t start);
/* t is about to wait for a signal on the condition variable. */
void pool_waits(struct sched_thread *t, void *cond);
/* t wakes the first or all waiters of the condition variable; how many. */
uint32_t pool_wake(struct sched_thread *t, void *cond, bool all);
/* t was woken; m is what it leaves when it has taken its item. */
void pool_woken(struct sched_thread *t, pthread_mutex_t *m);
/* A mutex or condition variable is no more; another one may be at its address soon. */
void pool_forget(void *object);
/* t, in no critical section, is about to pass the turn: false when it keeps it. */
bool pool_passes(struct sched_thread *t);

bool pool_takes_items(const struct sched_thread *t);

static inline bool pool_is_worker(const struct sched_thread *t)
{
	return !t->work.meets && pool_takes_items(t);
}

/* t has used a turn: whether it has the next one as well, because others wait for what it makes. */
static inline bool pool_keeps_supplying(struct sched_thread *t)
{
	if (!t->work.supplies)
		return false;
	t->work.supplies--;
	return true;
}

static inline void pool_released(struct sched_thread *t, pthread_mutex_t *m)
{
	if (__builtin_expect(t->work.queue == m, 0))
		t->work.item_ends = true;
}

#endif
