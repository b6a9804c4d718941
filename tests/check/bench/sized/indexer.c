/*
 * THREADS threads enter messages into a hash table by compare-and-swap, from where they hash to on.
 * case: -DTHREADS=3 -DMESSAGES=2
 * states: SC=48 TSO=48 PSO=48
 * case: -DTHREADS=3 -DMESSAGES=3
 * states: SC=960 TSO=960 PSO=960
 * case: -DTHREADS=4 -DMESSAGES=2
 * states: SC=1152 TSO=1152 PSO=1152
 * case: -DTHREADS=3 -DMESSAGES=4 -DLONG
 * states: SC=20370 TSO=20370
 */
#include "../../programs/program.h"

#define SLOTS 12

SHARED(table[SLOTS]);

THREAD(clerk)
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

PROGRAM(anything, TIMES(THREADS, clerk))
