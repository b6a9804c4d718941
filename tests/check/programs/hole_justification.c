/*
 * One justification per value loses states: reading x=1 from the nearer of two writers freezes what
 * that writer had read.
 * states: SC=3 TSO=3 PSO=3
 * classic: SC=2/2
 * se: SC=2/2
 */
#include "program.h"

SHARED(x);
SHARED(y);
SHARED(p);

THREAD(c)
{
	if (READ(x) == 1)
		WRITE(y, 5);
	return 0;
}

THREAD(a)
{
	int r = READ(y);

	WRITE(x, 1);
	return r;
}

THREAD(b)
{
	WRITE(p, 1);
	WRITE(p, 2);
	WRITE(p, 3);
	WRITE(x, 1);
	return 0;
}

/* What only one thread uses is left out of an execution; looking at p in the end keeps it in. */
static void look_at_p(const int *results)
{
	(void)results;
#ifndef ENUMERATE
	(void)READ(p);
#endif
}

PROGRAM(look_at_p, c, a, b)
