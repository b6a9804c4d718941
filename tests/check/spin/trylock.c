/*
 * USERS threads that try a mutex, wait twice as long after each failure, and try again.
 * case: -DUSERS=2
 * states: SC=2 TSO=2 PSO=2
 * violations: SC=0 TSO=0 PSO=0
 * case: -DUSERS=3
 * states: SC=6 TSO=6 PSO=6
 * violations: SC=0 TSO=0 PSO=0
 */
#include "../programs/program.h"
#ifndef ENUMERATE
#include <sched.h>
#endif

MUTEX(lock);

static void wait_for(int turns)
{
#ifndef ENUMERATE
	while (turns-- > 0)
		sched_yield();
#endif
}

static void enter(int me)
{
	int turns = 1;

	for (ROUND(attempt); !TRYLOCK(lock); AGAIN(attempt)) {
		wait_for(turns);
		turns = turns < 64 ? 2 * turns : 64;
	}
}

static void leave(int me)
{
	UNLOCK(lock);
}

#include "lock.h"
