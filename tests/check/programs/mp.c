/*
 * Message passing: x=1; y=1 | a=y; b=x.  Under PSO the flag overtakes the data.
 * FENCED: a fence between the stores.
 * states: SC=3 TSO=3 PSO=4
 * violations: SC=0 TSO=0 PSO=1
 * classic: SC=3/3 TSO=3/3 PSO=4/4
 * se: SC=3/3 TSO=3/3 PSO=4/4
 * case: -DFENCED
 * states: SC=3 TSO=3 PSO=3
 * violations: SC=0 TSO=0 PSO=0
 */
#include "program.h"

SHARED(x);
SHARED(y);

THREAD(t1)
{
	WRITE(x, 1);
#ifdef FENCED
	FENCE();
#endif
	WRITE(y, 1);
	return 0;
}

THREAD(t2)
{
	int a = READ(y);
	int b = READ(x);

	return 2 * a + b;
}

static void flag_brings_data(const int *r)
{
	heddle_assert(r[1] != 2);
}

PROGRAM(flag_brings_data, t1, t2)
