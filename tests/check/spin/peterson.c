/*
 * Peterson's algorithm, waiting as long as it takes: every round looks at two variables.
 * Safe under SC alone.
 * states: SC=3 TSO=9 PSO=9
 * violations: SC=0 TSO=6 PSO=6
 */
#include "../programs/program.h"

SHARED(flag[2]);
SHARED(turn);
SHARED(x);

/* 1 when somebody else was in the critical section. */
THREAD(user)
{
	int other = 1 - me, r;

	WRITE(flag[me], 1);
	WRITE(turn, other + 1);
	{
		ROUND(wait);
		while (READ(flag[other]) == 1 && READ(turn) == other + 1)
			AGAIN(wait);
	}
	WRITE(x, me + 1);
	r = READ(x);
	WRITE(flag[me], 0);
	return r != me + 1;
}

static void alone(const int *r)
{
	heddle_assert(!r[0] && !r[1]);
}

PROGRAM(alone, user, user)
