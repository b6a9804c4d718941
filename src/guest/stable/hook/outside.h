/*
 * Calls that may block for reasons outside the program: the thread leaves the schedule
 * for their duration, so that nobody waits for it.  Calls that cannot block stay in: on regular
 * files, on descriptors in non-blocking mode, with a zero timeout, small writes where there is
 * room, and everything while the program has a single thread.
 */
#ifndef HEDDLE_RT_STABLE_OUTSIDE_H
#define HEDDLE_RT_STABLE_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "guest/stable/sched/policy.h"

/* Leaves the schedule until the thread next synchronises.  Nothing for threads that are outside. */
void outside_leave(void);

/* The same, if reading from or writing to fd may block. */
void outside_leave_for_read(int fd);
void outside_leave_for_write(int fd, size_t bytes);
/* Back from such a call: where nobody may compute without the turn, the thread waits for it. */
void outside_return_serial(void);
static inline void outside_return(void)
{
	if (__builtin_expect(sched_policy && sched_policy->serial, 0))
		outside_return_serial();
}
struct stat;
/* null, zero, full, random and urandom: they answer at once. */
bool outside_is_memory(const struct stat *st);
/* Neither reading nor writing waits, now; what is found out is kept. */
bool outside_never_blocks(int fd);
/* Whatever was known of fd no longer holds. */
void outside_forget(int fd);
void outside_forget_all(void);

#endif
