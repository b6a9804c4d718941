/*
 * Independent reads of independent writes: the two readers never see the writes in opposite orders.
 * states: SC=15 TSO=15 PSO=15
 * violations: SC=0 TSO=0 PSO=0
 * classic: SC=27/15
 * se: SC=15/15
 */
#include "program.h"

SHARED(x);
SHARED(y);

THREAD(w1)
{
	WRITE(x, 1);
	return 0;
}

THREAD(w2)
{
	WRITE(y, 1);
	return 0;
}

THREAD(r1)
{
	int a = READ(x);
	int b = READ(y);

	return 2 * a + b;
}

THREAD(r2)
{
	int c = READ(y);
	int d = READ(x);

	return 2 * c + d;
}

static void one_order(const int *r)
{
	heddle_assert(!(r[2] == 2 && r[3] == 2));
}

PROGRAM(one_order, w1, w2, r1, r2)
