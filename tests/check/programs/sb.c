/*
 * Store buffering: x=1; a=y | y=1; b=x.  Both reads may miss both stores once stores are delayed.
 * FENCES: 1 in the first thread, 3 in both.  SWAP: the stores are exchanges.
 * states: SC=3 TSO=4 PSO=4
 * violations: SC=0 TSO=1 PSO=1
 * classic: SC=3/3 TSO=5/4 PSO=5/4
 * se: SC=3/3 TSO=4/4 PSO=4/4
 * case: -DFENCES=3
 * states: SC=3 TSO=3 PSO=3
 * violations: SC=0 TSO=0 PSO=0
 * case: -DFENCES=1
 * states: SC=3 TSO=4 PSO=4
 * violations: SC=0 TSO=1 PSO=1
 * case: -DSWAP
 * states: SC=3 TSO=3 PSO=3
 * violations: SC=0 TSO=0 PSO=0
 */
#include "program.h"

#ifndef FENCES
#define FENCES 0
#endif
#ifdef SWAP
#define STORE(variable, value) (void)XCHG(variable, value)
#else
#define STORE(variable, value) WRITE(variable, value)
#endif

SHARED(x);
SHARED(y);

THREAD(t1)
{
	STORE(x, 1);
	if (FENCES & 1)
		FENCE();
	return READ(y);
}

THREAD(t2)
{
	STORE(y, 1);
	if (FENCES & 2)
		FENCE();
	return READ(x);
}

static void one_is_seen(const int *r)
{
	heddle_assert(r[0] == 1 || r[1] == 1);
}

PROGRAM(one_is_seen, t1, t2)
