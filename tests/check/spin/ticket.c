/*
 * USERS threads under a ticket lock that waits as long as it takes.
 * case: -DUSERS=2
 * states: SC=2 TSO=2 PSO=4
 * violations: SC=0 TSO=0 PSO=2
 * case: -DUSERS=3
 * states: SC=6 TSO=6 PSO=24
 * violations: SC=0 TSO=0 PSO=18
 * case: -DUSERS=4 -DLONG
 * states: SC=24 TSO=24 PSO=192
 * violations: SC=0 TSO=0 PSO=168
 */
#include "../programs/program.h"

SHARED(next_ticket);
SHARED(serving);

static void enter(int me)
{
	int ticket = ADD(next_ticket, 1);
	ROUND(wait);

	while (READ(serving) != ticket)
		AGAIN(wait);
}

static void leave(int me)
{
	WRITE(serving, READ(serving) + 1);
}

#include "lock.h"
