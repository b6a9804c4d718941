/*
 * Thread-specific data and thread-local destructors under control.
 *
 * Keys made during a run have numbers from TSD_FIRST_KEY up and live here; smaller numbers are
 * keys of the C library from before control began and stay with it.
 */
#ifndef HEDDLE_RT_HOOK_TSD_H
#define HEDDLE_RT_HOOK_TSD_H

#include "guest/check/sched/thread.h"

#define TSD_FIRST_KEY 0x100000u

/* Results as the pthread functions. */
int tsd_key_create(unsigned int *key, void (*destructor)(void *));
int tsd_key_delete(unsigned int key);
void *tsd_get(unsigned int key);
/* The value as a number: nothing here looks at what it points to. */
int tsd_set(unsigned int key, uintptr_t value);

/* Runs the destructors of thread_local objects of the current thread, newest first. */
void tsd_run_local_destructors(struct rt_thread *t);

#endif
