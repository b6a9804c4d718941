/*
 * A value that flows through another thread's read: r=y | x=1; y=x | x=2.  Forgetting the data
 * dependence makes the query r=1 answer with a schedule that gives r=2.
 * states: SC=4 TSO=4 PSO=4
 * classic: SC=4/4 TSO=4/4 PSO=4/4
 */
#include "program.h"

SHARED(x);
SHARED(y);

THREAD(t1)
{
	return READ(y);
}

THREAD(t2)
{
	WRITE(x, 1);
	WRITE(y, READ(x));
	return 0;
}

THREAD(t3)
{
	WRITE(x, 2);
	return 0;
}

PROGRAM(anything, t1, t2, t3)
