/*
 * Threads that have the turn and do not come for it.  Round robin waits for a thread that computes;
 * a thread that spins on a variable (ad hoc synchronisation) may thereby wait for ever for somebody
 * who waits for its turn.
 *
 * A waiting thread that sleeps for a while sends the holder a signal.  When its handler finds, by
 * proof (probe.h), that the holder waits for memory, and all others wait for their turns, the
 * holder hands the turn on and looks again when it comes back, after more and more rounds: which
 * rounds those are depends on the operations of the others alone.
 *
 * A holder of which nothing is known (setting STALL, a long time) is left behind: it leaves the
 * schedule until its next operation.  The report, made at once, names the place; the schedule is
 * then no longer deterministic, but the program goes on.  The place is remembered: the next time,
 * whoever comes there leaves at once.
 */
#ifndef HEDDLE_RT_STABLE_STALL_H
#define HEDDLE_RT_STABLE_STALL_H

#include <stdbool.h>
#include <stdint.h>

struct sched_thread;

/* Nanoseconds a thread sleeps before it looks for a stall, -1 for ever. */
int64_t stall_patience(void);

/* A thread slept so many nanoseconds; time is the logical time when it fell asleep. */
void stall_suspect(uint64_t time, uint64_t slept);

/* A turn was kept too long after an operation called from site. */
bool stall_is_known(uintptr_t site);
/* Called when the first such place is known; NULL = nobody wants to know. */
extern void (*stall_learned)(void);

/* Called by a thread t that waits long: what it waits for may have come from outside, unseen. */
extern void (*stall_unseen)(struct sched_thread *t);

#endif
