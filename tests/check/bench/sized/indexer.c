/*
 * Threads enter messages into a hash table of 8 slots by compare-and-swap, from where they hash to on.
 * case: -DMESSAGES=1
 * states: SC=2 TSO=2 PSO=2
 * case: -DMESSAGES=2
 * states: SC=48 TSO=48 PSO=48
 */
#include "../../programs/program.h"

#define SLOTS 8

SHARED(table[SLOTS]);

static int enter(int me)
{
	int tries = 0;

	for (int m = 0; m < MESSAGES; m++) {
		int value = me * MESSAGES + m + 1, at = value % 2;

		while (!CAS(table[at], 0, value)) {
			at = (at + 1) % SLOTS;
			tries++;
		}
	}
	return tries;
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
