/*
 * Switch equivalence loses a state: r1=x; r2=x; x=1 | r3=x | x=2.
 * states: SC=9 TSO=9 PSO=9
 * classic: SC=9/8
 * se: SC=7/7
 */
#include "program.h"

SHARED(x);

THREAD(t0)
{
	int r1 = READ(x);
	int r2 = READ(x);

	WRITE(x, 1);
	return 4 * r1 + r2;
}

THREAD(t1)
{
	return READ(x);
}

THREAD(t2)
{
	WRITE(x, 2);
	return 0;
}

PROGRAM(anything, t0, t1, t2)
