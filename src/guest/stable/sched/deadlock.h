/*
 * Nobody can run, no deadline is pending, nobody is outside the schedule: a deadlock of the program
 * under this schedule.  Called by the thread that found it, with the turn.
 */
#ifndef HEDDLE_RT_STABLE_DEADLOCK_H
#define HEDDLE_RT_STABLE_DEADLOCK_H

#include <stdbool.h>

#include "guest/stable/sched/sched.h"

/*
 * True when somebody outside may still wake a waiter, and the waiters do not wait for each other in
 * a circle: handlers of signals are installed, or there are threads that are not in the schedule.
 */
bool deadlock_tolerated(void);

/* Describes the waiters in the control block and ends the process as the settings say. */
void deadlock_report(void);

/* Called by a parked thread that was asked for its stack; true when that was the request. */
bool deadlock_give_stack(struct sched_thread *t);

/* Whether somebody could still be woken, and has been; set by who knows. */
extern bool (*deadlock_rescue)(void);

#endif
