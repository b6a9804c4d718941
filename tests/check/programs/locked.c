/*
 * Two critical sections: r=x; x=7 | x=8.
 * states: SC=2 TSO=2 PSO=2
 */
#include "program.h"

SHARED(x);
MUTEX(l);

THREAD(t1)
{
	int r;

	LOCK(l);
	r = READ(x);
	WRITE(x, 7);
	UNLOCK(l);
	return r;
}

THREAD(t2)
{
	LOCK(l);
	WRITE(x, 8);
	UNLOCK(l);
	return 0;
}

PROGRAM(anything, t1, t2)
