/* The clocks: real time that only goes forward, and time on the processor. */
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_now_ns(void);
/* Seconds since the same beginning. */
double clock_now(void);
/* Seconds that this process has spent on processors. */
double clock_cpu(void);

#endif
