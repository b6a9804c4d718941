/*
 * What the programs share.
 *
 * They are looked at in their first depth-first schedule: a thread goes on until it blocks, then
 * the next one in turn.  step_back() moves a thread to the end of the turn where the execution
 * needs it.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

/* A lock and the data it protects. */
struct object {
	pthread_mutex_t lock;
	int data;
};

#define OBJECT_INIT                                                                                \
	{                                                                                          \
		PTHREAD_MUTEX_INITIALIZER, 0                                                       \
	}

static inline void add(struct object *o)
{
	pthread_mutex_lock(&o->lock);
	o->data++;
	pthread_mutex_unlock(&o->lock);
}

static inline void set(struct object *o, int value)
{
	pthread_mutex_lock(&o->lock);
	o->data = value;
	pthread_mutex_unlock(&o->lock);
}

static inline int get(struct object *o)
{
	int value;

	pthread_mutex_lock(&o->lock);
	value = o->data;
	pthread_mutex_unlock(&o->lock);
	return value;
}

/* n sections without a shared access in them. */
static inline void pass(pthread_mutex_t *lock, int n)
{
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(lock);
		pthread_mutex_unlock(lock);
	}
}

/* Lets the other threads go on until they block. */
static inline void step_back(void)
{
	usleep(1000);
}

/* The handles are the harness's: reading them is no access of the program. */
__attribute__((disable_sanitizer_instrumentation)) static inline void join_all(pthread_t *threads,
									       int n)
{
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

#endif
