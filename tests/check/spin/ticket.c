/*
 * USERS threads under a ticket lock that waits as long as it takes.
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
