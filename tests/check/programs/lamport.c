/*
 * Lamport's fast mutual exclusion for two threads; loops give up in their third round.
 * states: SC=187 TSO=189 PSO=633
 * classic: SC=202/77
 * se: SC=84/63
 */
#include "program.h"

SHARED(b[2]);
SHARED(x);
SHARED(y);
SHARED(s);

static int enter(int me)
{
	int other = 1 - me, n1 = 0, n2 = 0, n3 = 0, n4 = 0;

	while (n1++ <= 1) {
		WRITE(b[me], 1);
		WRITE(x, me + 1);
		if (READ(y) != 0) {
			WRITE(b[me], 0);
			while (READ(y) != 0)
				if (n2++ > 1)
					break;
			continue;
		}
		WRITE(y, me + 1);
		if (READ(x) == me + 1)
			break;
		WRITE(b[me], 0);
		while (READ(b[other]) >= 1)
			if (n3++ > 1)
				break;
		if (READ(y) == me + 1)
			break;
		while (READ(y) != 0)
			if (n4++ > 1)
				break;
	}
	WRITE(s, me + 1);
	int r = READ(s);
	WRITE(y, 0);
	WRITE(b[me], 0);
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
