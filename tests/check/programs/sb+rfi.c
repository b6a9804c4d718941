/*
 * Store buffering where each thread first reads its own store: needs store-to-load forwarding.
 * states: SC=3 TSO=4 PSO=4
 * violations: SC=0 TSO=1 PSO=1
 * classic: SC=3/3 TSO=3/3 PSO=3/3
 */
#include "program.h"

SHARED(x);
SHARED(y);

THREAD(t1)
{
	WRITE(x, 1);
	int a = READ(x);
	int b = READ(y);

	return 2 * a + b;
}

THREAD(t2)
{
	WRITE(y, 1);
	int c = READ(y);
	int d = READ(x);

	return 2 * c + d;
}

static void not_both_early(const int *r)
{
	heddle_assert(!(r[0] == 2 && r[1] == 2));
}

PROGRAM(not_both_early, t1, t2)
