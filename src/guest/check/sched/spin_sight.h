/*
 * Locks of waiting loops that others see.
 *
 * A round of a loop that finds nothing new leaves nothing behind, so the thread waits (spin.h) and
 * nobody asks for schedules in which it goes round once more.  That is right as long as no other
 * thread can tell that there was such a round.  A lock that is taken and given back in it can be
 * seen by an attempt that fails meanwhile, or by a limit that is over: one such round is in the
 * schedules, a second one is not. So when a round that was seen turns out to be in vain, and
 * whoever saw it did not do so in a round in vain of its own, more is possible than is looked at,
 * and rt_unseen() says so.
 */
#ifndef HEDDLE_RT_SCHED_SPIN_SIGHT_H
#define HEDDLE_RT_SCHED_SPIN_SIGHT_H

#include "guest/check/sched/thread.h"

/* A run begins. */
void spin_sight_reset(void);
/* The running thread did not get the lock at addr because holder has it. */
void spin_sight(const struct rt_thread *holder, uint64_t addr);
/*
 * The round of t that began as event `begin' - 1, with so many locks held, is in vain; site: of the
 * loop.
 */
void spin_sight_vain(const struct rt_thread *t, uint32_t begin, uint32_t held, uint32_t site);
/* A thread, or all of it, ends: what was seen for good is said. */
void spin_sight_settle(void);

#endif
