/* pthread_once, for the C11 wrapper. */
#ifndef HEDDLE_RT_STABLE_ONCE_H
#define HEDDLE_RT_STABLE_ONCE_H

#include <pthread.h>
#include <stdint.h>

int once_run(pthread_once_t *control, void (*function)(void), uintptr_t caller);

#endif
