/*
 * Three threads under a test-and-set lock whose wait gives up after K attempts.
 * case: -DK=3
 * states: SC=75 TSO=75 PSO=181
 * case: -DK=5
 * states: SC=183 TSO=183 PSO=481
 */
#include "../../programs/program.h"

SHARED(held);
SHARED(count);

static int enter(int me)
{
	int n = 0;

	(void)me;
	while (XCHG(held, 1))
		if (++n == K)
			return 0;
	WRITE(count, READ(count) + 1);
	WRITE(held, 0);
	return 1;
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

PROGRAM(anything, t0, t1, t2)
