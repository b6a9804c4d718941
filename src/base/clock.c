#include "base/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double clock_now(void)
{
	return (double)clock_now_ns() * 1e-9;
}

double clock_cpu(void)
{
	return (double)read_clock(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}
