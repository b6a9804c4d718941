/* The threads there are, and places for new ones.  With the turn. */
#ifndef HEDDLE_STABLE_SCHED_THREADS_H
#define HEDDLE_STABLE_SCHED_THREADS_H

#include "guest/stable/sched/sched.h"

/* A new thread with the next logical id; everything else is 0. */
struct sched_thread *threads_alloc(void);
/* It has ended and nobody asks for it any more. */
void threads_release(struct sched_thread *t);
/* By logical id; NULL when it has ended. */
struct sched_thread *threads_by_id(uint32_t tid);

#endif
