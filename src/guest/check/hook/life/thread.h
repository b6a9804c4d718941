/* Threads as both the POSIX and the C11 interface need them, under control. */
#ifndef HEDDLE_RT_HOOK_THREAD_H
#define HEDDLE_RT_HOOK_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct hook_thread_start {
	void *(*routine)(void *);
	void *arg;
	bool detached;
	void *kind; /* NULL or HOOK_START_C11 */
	uint64_t blocked; /* signals, beside those that its creator blocks */
	bool inner;	  /* see thread_new() */
	const pthread_attr_t *attr; /* or NULL */
};

/*
 * Each has its scheduling step; results as the pthread functions.  when may be NULL, and so may
 * handle where nobody asks who it is.
 */
int hook_thread_create(pthread_t *handle, const struct hook_thread_start *start);
int hook_thread_join(pthread_t handle, void **result, clockid_t clock, const struct timespec *when);
int hook_thread_detach(pthread_t handle);
/* Hands a value to the program, as part of the running thread's step. */
void hook_thread_give(void *to, uint64_t value, uint8_t bytes, uint32_t site);
int hook_yield(void);

#endif
