/*
 * A read whose existence depends on another one: if (x==0) r=x | x=1.
 * states: SC=3 TSO=3 PSO=3
 * classic: SC=3/3 TSO=3/3 PSO=3/3
 */
#include "program.h"

SHARED(x);

THREAD(p)
{
	return READ(x) == 0 ? READ(x) : -1;
}

THREAD(q)
{
	WRITE(x, 1);
	return 0;
}

PROGRAM(anything, p, q)
