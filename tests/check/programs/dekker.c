/*
 * Dekker's algorithm; waiting loops give up in their third round, so exclusion is not guaranteed.
 * states: SC=84 TSO=86 PSO=154
 * classic: SC=228/71 TSO=911/86
 * se: SC=43/43
 */
#include "program.h"

SHARED(flag[2]);
SHARED(turn) = 1;
SHARED(x);

static int enter(int me)
{
	int other = 1 - me, n1 = 0, n2 = 0;

	WRITE(flag[me], 1);
	while (READ(flag[other]) == 1) {
		if (n2++ > 1)
			break;
		if (READ(turn) != me + 1) {
			WRITE(flag[me], 0);
			while (READ(turn) != me + 1)
				if (n1++ > 1)
					break;
			WRITE(flag[me], 1);
		}
	}
	WRITE(x, me + 1);
	int r = READ(x);
	WRITE(turn, other + 1);
	WRITE(flag[me], 0);
	return r;
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
