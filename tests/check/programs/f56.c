/*
 * Three independent pairs, readers first: r1=x | r2=y | r3=z | x=1 | y=1 | z=1.
 * states: SC=8 TSO=8 PSO=8
 * classic: SC=16/8 TSO=16/8 PSO=16/8
 * se: SC=8/8 TSO=8/8 PSO=8/8
 */
#include "program.h"

SHARED(x);
SHARED(y);
SHARED(z);

THREAD(p)
{
	return READ(x);
}

THREAD(q)
{
	return READ(y);
}

THREAD(r)
{
	return READ(z);
}

THREAD(s)
{
	WRITE(x, 1);
	return 0;
}

THREAD(t)
{
	WRITE(y, 1);
	return 0;
}

THREAD(u)
{
	WRITE(z, 1);
	return 0;
}

PROGRAM(anything, p, q, r, s, t, u)
