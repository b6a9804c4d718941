/* Threads as both the POSIX and the C11 interface need them, under control. */
#ifndef HEDDLE_RT_HOOK_THREAD_H
#define HEDDLE_RT_HOOK_THREAD_H

#include <stdbool.h>
#include <pthread.h>
#include <time.h>

struct hook_thread_start {
	void *(*routine)(void *);
	void *arg;
	bool detached;
	void *kind; /* NULL or HOOK_START_C11 */
};

/* Each has its scheduling step; results as the pthread functions.  when may be NULL. */
int hook_thread_create(pthread_t *handle, const struct hook_thread_start *start);
int hook_thread_join(pthread_t handle, void **result, clockid_t clock, const struct timespec *when);
int hook_thread_detach(pthread_t handle);
int hook_yield(void);

#endif
