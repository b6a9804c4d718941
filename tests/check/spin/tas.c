/*
 * USERS threads under a test-and-set lock.
 * case: -DUSERS=2
 * states: SC=2 TSO=2 PSO=3
 * violations: SC=0 TSO=0 PSO=1
 * case: -DUSERS=3
 * states: SC=6 TSO=6 PSO=13
 * violations: SC=0 TSO=0 PSO=7
 * case: -DUSERS=4
 * states: SC=24 TSO=24 PSO=75
 * violations: SC=0 TSO=0 PSO=51
 */
#include "../programs/program.h"

SHARED(held);

static void enter(int me)
{
	ROUND(wait);

	while (XCHG(held, 1))
		AGAIN(wait);
}

static void leave(int me)
{
	WRITE(held, 0);
}

#include "lock.h"
