/* Sleeping in virtual time. */
#ifndef HEDDLE_RT_HOOK_SLEEP_H
#define HEDDLE_RT_HOOK_SLEEP_H

#include <stdint.h>

/* Until that much virtual time has gone by; a cancellation point. */
void sleep_for(uint64_t ns);

#endif
