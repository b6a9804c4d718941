/*
 * A lock-free stack of numbered nodes: two threads push PUSHES nodes each, a third pops POPS times.
 * case: -DPUSHES=2 -DPOPS=1
 * states: SC=864 TSO=864 PSO=864
 * case: -DPUSHES=2 -DPOPS=2 -DLONG
 * states: SC=6920 TSO=6920 PSO=6920
 * case: -DPUSHES=2 -DPOPS=3 -DLONG
 * states: SC=31154
 */
#include "../../programs/program.h"

SHARED(top);
SHARED(next_of[8]);

static int push(int node)
{
	int seen;

	do {
		seen = READ(top);
		WRITE(next_of[node], seen);
	} while (!CAS(top, seen, node));
	return seen;
}

THREAD(pusher)
{
	int last = 0;

	for (int i = 0; i < PUSHES; i++)
		last = push(me * PUSHES + i + 1);
	return last;
}

THREAD(popper)
{
	int last = 0;

	for (int i = 0; i < POPS; i++) {
		last = READ(top);
		if (last)
			(void)CAS(top, last, READ(next_of[last]));
	}
	return last;
}

PROGRAM(anything, TIMES(2, pusher), popper)
