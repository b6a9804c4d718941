/*
 * Peterson's algorithm; a waiting loop gives up in its third round, so exclusion is not guaranteed.
 * states: SC=36 TSO=36 PSO=36
 * classic: SC=35/32 TSO=73/36
 * se: SC=23/23
 */
#include "program.h"

SHARED(flag[2]);
SHARED(turn);
SHARED(x);

static int enter(int me)
{
	int other = 1 - me, n = 0;

	WRITE(flag[me], 1);
	WRITE(turn, other + 1);
	while (READ(flag[other]) == 1 && READ(turn) == other + 1)
		if (n++ > 1)
			break;
	WRITE(x, me + 1);
	WRITE(flag[me], 0);
	return 0;
}

THREAD(t1)
{
	return enter(0);
}

THREAD(t2)
{
	return enter(1);
}

PROGRAM(anything, t1, t2)
