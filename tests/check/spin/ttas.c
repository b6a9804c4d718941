/*
 * USERS threads under a lock that is looked at before it is tested and set.
 * case: -DUSERS=2
 * states: SC=2 TSO=2 PSO=3
 * violations: SC=0 TSO=0 PSO=1
 * case: -DUSERS=3
 * states: SC=6 TSO=6 PSO=13
 * violations: SC=0 TSO=0 PSO=7
 */
#include "../programs/program.h"

SHARED(held);

static void enter(int me)
{
	ROUND(attempt);

	for (;;) {
		ROUND(look);

		while (READ(held))
			AGAIN(look);
		if (!XCHG(held, 1))
			return;
		AGAIN(attempt);
	}
}

static void leave(int me)
{
	WRITE(held, 0);
}

#include "lock.h"
