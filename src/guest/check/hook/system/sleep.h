/* Sleeping in virtual time. */
#ifndef HEDDLE_RT_HOOK_SLEEP_H
#define HEDDLE_RT_HOOK_SLEEP_H

#include <stdint.h>

/*
 * Until that much virtual time has gone by, or a signal handler has run; what is left then, or 0.
 * A cancellation point.
 */
uint64_t sleep_for(uint64_t ns);

#endif
