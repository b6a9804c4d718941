/*
 * How a thread stands to others in the eyes of the kernel: scheduling policy, priority, nice value
 * and processors.  Who runs is the scheduler's business, so none of it has an effect here; but a
 * program may ask for what was set, and is told so.
 */
#ifndef HEDDLE_RT_HOOK_STANDING_H
#define HEDDLE_RT_HOOK_STANDING_H

#include <pthread.h>

#include "guest/check/sched/thread.h"

/* What attr asks for, for a thread to be begun: 0, or the error that its creator is told. */
int standing_asked(const pthread_attr_t *attr);
/* A thread begins, as its creator stands or as attr (or NULL) says. */
void standing_begin(struct rt_thread *t, const pthread_attr_t *attr, uint32_t site);

#endif
