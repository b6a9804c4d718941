/*
 * USERS threads under a ticket lock whose wait gives up after K looks.
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
