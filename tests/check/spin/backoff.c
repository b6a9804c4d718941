/*
 * USERS threads under a test-and-set lock that counts its failures, to give way every third time.
 * case: -DUSERS=2
 * states: SC=2 TSO=2 PSO=3
 * violations: SC=0 TSO=0 PSO=1
 * case: -DUSERS=3
 * states: SC=6 TSO=6 PSO=13
 * violations: SC=0 TSO=0 PSO=7
 */
#include "../programs/program.h"
#ifndef ENUMERATE
#include <sched.h>
#else
#define sched_yield() ((void)0)
#endif

SHARED(held);

static void enter(int me)
{
	int failures = 0;

	for (ROUND(wait); XCHG(held, 1); AGAIN(wait))
		if (++failures % 3 == 0)
			sched_yield();
}

static void leave(int me)
{
	WRITE(held, 0);
}

#include "lock.h"
