/*
 * Peterson's algorithm.  Under TSO one fence before the loop; under PSO the flag must also be there
 * before the turn is given away, and what was done inside before the flag is taken back.
 * fails: tso pso
 */
#include "fences.h"

static _Atomic int flag[2], turn;

static void *enter(void *arg)
{
	int me = (int)(long)arg, other = 1 - me;

	WRITE(flag[me], 1);
	RELEASE(2, turn, other); // full 1: tso pso, release 2: pso
	FULL(1);
	while (READ(flag[other]) == 1 && READ(turn) == other)
		;
	be_alone(me);
	RELEASE(3, flag[me], 0); // release 3: pso
	return NULL;
}

PROGRAM(nothing, enter, enter)
