/*
 * USERS threads in a queue, each waiting at the place of the one before (Craig, Landin and
 * Hagersten).
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
