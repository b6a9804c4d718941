/*
 * Write to read causality: x=1 | a=x; y=1 | b=y; c=x.
 * states: SC=7 TSO=7 PSO=7
 * violations: SC=0 TSO=0 PSO=0
 * classic: SC=10/7
 * se: SC=7/7
 */
#include "program.h"

SHARED(x);
SHARED(y);

THREAD(t1)
{
	WRITE(x, 1);
	return 0;
}

THREAD(t2)
{
	int a = READ(x);

	WRITE(y, 1);
	return a;
}

THREAD(t3)
{
	int b = READ(y);
	int c = READ(x);

	return 2 * b + c;
}

static void causal(const int *r)
{
	heddle_assert(!(r[1] == 1 && r[2] == 2));
}

PROGRAM(causal, t1, t2, t3)
