/*
 * Three threads under a ticket lock whose wait gives up after K looks.
 * case: -DK=3
 * states: SC=204 TSO=204 PSO=600
 * violations: SC=0 TSO=0 PSO=396
 * case: -DK=5
 * states: SC=666 TSO=666 PSO=2196
 * violations: SC=0 TSO=0 PSO=1530
 */
#include "../../programs/program.h"

SHARED(next_ticket);
SHARED(serving);
SHARED(x);

/* 1 when somebody else was in the critical section. */
static int enter(int me)
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

THREAD(t0)
{
	return enter(0);
}

THREAD(t1)
{
	return enter(1);
}

THREAD(t2)
{
	return enter(2);
}

static void alone(const int *r)
{
	heddle_assert(!r[0] && !r[1] && !r[2]);
}

PROGRAM(alone, t0, t1, t2)
