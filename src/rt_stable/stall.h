/*
 * Threads that have the turn and do not come for it.  Round robin waits for a thread that computes;
 * a thread that spins on a variable (ad hoc synchronisation) may thereby wait for ever for somebody
 * who waits for its turn.  After a while (setting STALL) a waiting thread sends the holder a
 * signal; its handler, in the holder itself, leaves the schedule until the next operation.  The
 * report names the place; the schedule is then no longer deterministic, but the program goes on.
 */
#ifndef HEDDLE_RT_STABLE_STALL_H
#define HEDDLE_RT_STABLE_STALL_H

#include <stdint.h>

/* Nanoseconds a thread sleeps before it looks for a stall, -1 for ever. */
int64_t stall_patience(void);

/* A thread slept that long; time is the logical time when it fell asleep. */
void stall_suspect(uint64_t time);

#endif
