/*
 * A wait inside a wait: what the inner one met on the way is no part of the outer one's round.
 * states: SC=4 TSO=4 PSO=9
 * violations: SC=0 TSO=0 PSO=0
 */
#include "../programs/program.h"

SHARED(open);
SHARED(floor);
SHARED(x);

THREAD(waiter)
{
	for (ROUND(outer);; AGAIN(outer)) {
		for (ROUND(inner); !READ(open); AGAIN(inner))
			;
		if (READ(floor) == 2)
			return READ(x);
	}
}

THREAD(lift)
{
	WRITE(x, 1);
	WRITE(open, 1);
	WRITE(floor, 1);
	WRITE(open, 0);
	WRITE(floor, 2);
	WRITE(open, 1);
	WRITE(x, 2);
	return 0;
}

PROGRAM(anything, waiter, waiter, lift)
