/* Threads of the program and their life cycle. */
#ifndef HEDDLE_RT_STABLE_THREAD_H
#define HEDDLE_RT_STABLE_THREAD_H

#include "guest/stable/sched/sched.h"

/* Makes the calling thread T0. */
struct sched_thread *thread_init_main(void);

/* With the turn: the thread behind a pthread_t, NULL when unknown. */
struct sched_thread *thread_find(pthread_t os);

/* What a new thread runs: one of the two start functions. */
struct thread_start {
	void *(*posix)(void *);
	int (*c11)(void *);
	void *arg;
};

/* With the turn: creates a thread and gives the turn away; an errno value on failure. */
int thread_create(struct sched_thread *t, pthread_t *os, const pthread_attr_t *attr,
		  const struct thread_start *start);

/* In the child of a fork: forgets everybody but t. */
void thread_fork_child(struct sched_thread *t);

#endif
