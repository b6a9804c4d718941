/*
 * USERS threads in a queue, each waiting at the place of the one before (Craig, Landin and
 * Hagersten).
 * case: -DUSERS=2
 * states: SC=2 TSO=2 PSO=4
 * violations: SC=0 TSO=0 PSO=2
 * case: -DUSERS=3
 * states: SC=6 TSO=6 PSO=24
 * violations: SC=0 TSO=0 PSO=18
 */
#include "../programs/program.h"

SHARED(tail); /* 0: the place nobody holds */
SHARED(held[USERS + 1]);

static void enter(int me)
{
	int before;

	WRITE(held[me + 1], 1);
	before = XCHG(tail, me + 1);
	for (ROUND(wait); READ(held[before]); AGAIN(wait))
		;
}

static void leave(int me)
{
	WRITE(held[me + 1], 0);
}

#include "lock.h"
