/*
 * Load buffering: a=x; y=1 | b=y; x=1.
 * states: SC=3 TSO=3 PSO=3
 * violations: SC=0 TSO=0 PSO=0
 */
#include "program.h"

SHARED(x);
SHARED(y);

THREAD(t1)
{
	int a = READ(x);

	WRITE(y, 1);
	return a;
}

THREAD(t2)
{
	int b = READ(y);

	WRITE(x, 1);
	return b;
}

static void not_both(const int *r)
{
	heddle_assert(!(r[0] && r[1]));
}

PROGRAM(not_both, t1, t2)
