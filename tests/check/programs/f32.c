/*
 * Two independent pairs: x=1 | r1=x | y=1 | r2=y.  SECOND: the last thread first stores x=2.
 * LOCKED: both reads inside critical sections of one lock.
 * states: SC=4 TSO=4 PSO=4
 * classic: SC=5/4 TSO=5/4 PSO=5/4
 * se: SC=4/4 TSO=4/4 PSO=4/4
 * case: -DSECOND
 * states: SC=6 TSO=6 PSO=6
 * classic: SC=7/6 TSO=8/6 PSO=8/6
 * se: SC=6/6 TSO=6/6 PSO=6/6
 * case: -DLOCKED
 * states: SC=4 TSO=4 PSO=4
 * classic: SC=5/4 TSO=5/4 PSO=5/4
 */
#include "program.h"

SHARED(x);
SHARED(y);
#ifdef LOCKED
MUTEX(l);
#else
#undef LOCK
#undef UNLOCK
#define LOCK(l)
#define UNLOCK(l)
#endif

THREAD(p)
{
	WRITE(x, 1);
	return 0;
}

THREAD(q)
{
	int r1;

	LOCK(l);
	r1 = READ(x);
	UNLOCK(l);
	return r1;
}

THREAD(r)
{
	WRITE(y, 1);
	return 0;
}

THREAD(s)
{
	int r2;

#ifdef SECOND
	WRITE(x, 2);
#endif
	LOCK(l);
	r2 = READ(y);
	UNLOCK(l);
	return r2;
}

PROGRAM(anything, p, q, r, s)
