/*
 * A lock-free stack of numbered nodes: two threads push two nodes each, a third pops twice.
 * case: -DPOPS=1
 * states: SC=864 TSO=864 PSO=864
 * case: -DPOPS=2 -DLONG
 * states: SC=6920 TSO=6920 PSO=6920
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

THREAD(t0)
{
	push(1);
	return push(2);
}

THREAD(t1)
{
	push(3);
	return push(4);
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

PROGRAM(anything, t0, t1, popper)
