/*
 * N clerks sell the seats of a flight under a lock: N! states.
 * case: -DN=5
 * states: SC=120 TSO=120 PSO=120
 * case: -DN=6
 * states: SC=720 TSO=720 PSO=720
 * case: -DN=7 -DLONG
 * states: SC=5040 TSO=5040 PSO=5040
 * case: -DN=8 -DLONG
 * states: SC=40320
 */
#include "../../programs/program.h"

SHARED(sold);
MUTEX(l);

THREAD(clerk)
{
	int number;

	LOCK(l);
	number = READ(sold);
	WRITE(sold, number + 1);
	UNLOCK(l);
	return number;
}

PROGRAM(anything, TIMES(N, clerk))
