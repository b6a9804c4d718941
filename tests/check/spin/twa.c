/*
 * USERS threads under a ticket lock; who has more than one before him waits at an array first
 * (Dice and Kogan).
 * case: -DUSERS=2
 * states: SC=4 TSO=4 PSO=8
 * violations: SC=0 TSO=0 PSO=4
 * case: -DUSERS=3
 * states: SC=120 TSO=120 PSO=456
 * violations: SC=0 TSO=0 PSO=336
 */
#include "../programs/program.h"

SHARED(next_ticket);
SHARED(serving);
SHARED(array[2]);

static void wait_late(int ticket)
{
	int seen;

	for (ROUND(late); ticket - READ(serving) > 1; AGAIN(late)) {
		seen = READ(array[ticket % 2]);
		if (ticket - READ(serving) <= 1)
			return;
		for (ROUND(wait); READ(array[ticket % 2]) == seen; AGAIN(wait))
			;
	}
}

static void enter(int me)
{
	int ticket = ADD(next_ticket, 1);

	wait_late(ticket);
	for (ROUND(wait); READ(serving) != ticket; AGAIN(wait))
		;
}

static void leave(int me)
{
	int serves = READ(serving) + 1;

	WRITE(serving, serves);
	ADD(array[(serves + 1) % 2], 1);
}

#include "lock.h"
