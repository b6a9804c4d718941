/*
 * Dekker's algorithm.  Each thread enters once, so only the first raising of the flag matters.
 * fails: tso pso
 */
#include "fences.h"

static _Atomic int flag[2], turn;

static void *enter(void *arg)
{
	int me = (int)(long)arg, other = 1 - me;

	WRITE(flag[me], 1); // full 1: tso pso
	FULL(1);
	while (READ(flag[other]) == 1) {
		if (READ(turn) == me)
			continue;
		WRITE(flag[me], 0);
		while (READ(turn) != me)
			;
		WRITE(flag[me], 1);
	}
	be_alone(me);
	WRITE(turn, other);
	RELEASE(2, flag[me], 0); // release 2: pso
	return NULL;
}

PROGRAM(nothing, enter, enter)
