/*
 * Waiting for the turn without wasting the core another thread needs.
 *
 * A parked thread spins on its own word for a bounded number of cycles and then sleeps on it. While
 * there is a processor for each thread that is awake, the bound is what a sleep costs, and less
 * after waits that were longer.  With more threads than processors the spinning thread yields its
 * processor between looks, and the bound follows the waits that spinning could have bridged.  A
 * thread that the kernel has preempted between two looks, twice within a short time, shows that
 * other programs want the processors, and nobody spins for a while.  None of this influences the
 * schedule.
 */
#ifndef HEDDLE_RT_STABLE_PARK_H
#define HEDDLE_RT_STABLE_PARK_H

#include "guest/stable/sched/sched.h"

typedef void (*park_doze_fn)(struct sched_thread *t);

void park_init_thread(struct sched_thread *t);

/* Returns when t has the turn.  A doze that reaches its end calls over. */
void park(struct sched_thread *t, park_doze_fn over);

/* Somebody's word leaves the state SLEEP. */
static inline void park_woken(void)
{
	__atomic_add_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
}

/* Makes waiter t sleep until the given time at most; is_self: the caller is t and parks next. */
void park_ask_doze(struct sched_thread *t, uint64_t until_ns, bool is_self);

#endif
