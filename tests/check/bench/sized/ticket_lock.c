/*
 * USERS threads under a ticket lock whose wait gives up after K looks.
 * case: -DUSERS=3 -DK=3
 * states: SC=204 TSO=204 PSO=600
 * violations: SC=0 TSO=0 PSO=396
 * case: -DUSERS=3 -DK=5
 * states: SC=666 TSO=666 PSO=2196
 * violations: SC=0 TSO=0 PSO=1530
 * case: -DUSERS=4 -DK=4 -DLONG
 * states: SC=41400
 * violations: SC=0
 */
#include "../../programs/program.h"

SHARED(next_ticket);
SHARED(serving);
SHARED(x);

/* 1 when somebody else was in the critical section. */
THREAD(user)
{
	int ticket = ADD(next_ticket, 1), n = 0, r;

	while (READ(serving) != ticket)
		if (++n == K)
			return 0;
	WRITE(x, me + 1);
	r = READ(x);
	WRITE(serving, ticket + 1);
	return r != me + 1;
}

static void alone(const int *r)
{
	for (int i = 0; i < USERS; i++)
		heddle_assert(!r[i]);
}

PROGRAM(alone, TIMES(USERS, user))
