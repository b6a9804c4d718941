/*
 * Which code makes round-robin slow.  A region is the code a thread runs between two of
 * its operations, named by their callers.  While the head of the run queue computes, threads that
 * want the turn wait for it: that time is charged to the head's region.  Regions live in the
 * control block; the host names them and proposes hints.
 */
#ifndef HEDDLE_RT_STABLE_PROFILE_H
#define HEDDLE_RT_STABLE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/stable/sched/sched.h"

extern bool conf_profile_on;

void profile_init(void);
void profile_request(struct sched_thread *t, uint16_t op);
void profile_granted(struct sched_thread *t, uint16_t op);
void profile_left(struct sched_thread *t);
/* In a new thread that begins without the turn: it computes from here on. */
void profile_begin(struct sched_thread *t);

#endif
