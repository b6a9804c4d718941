/*
 * A critical section that must come before one of the prefix, while its rest is unknown: 71 states are
 * found when queries always include the prefix.
 * states: SC=72 TSO=72 PSO=72
 * classic: SC=53/34
 * se: SC=42/33
 */
#include "program.h"

SHARED(x);
SHARED(y);
SHARED(z);
MUTEX(l);

THREAD(t0)
{
	return READ(x);
}

THREAD(t1)
{
	int b;

	WRITE(z, 1);
	WRITE(z, 1);
	LOCK(l);
	b = READ(x);
	WRITE(x, b + 1);
	UNLOCK(l);
	return READ(z);
}

THREAD(t2)
{
	WRITE(z, 0);
	WRITE(x, 2);
	return 0;
}

THREAD(t3)
{
	int d = READ(z);
	int e;

	WRITE(x, d + 1);
	LOCK(l);
	e = READ(y);
	WRITE(y, e + 1);
	UNLOCK(l);
	return READ(x);
}

PROGRAM(anything, t0, t1, t2, t3)
