/*
 * PUSHERS push a node each onto a stack, POPPERS wait until they have popped one.
 * case: -DPUSHERS=1 -DPOPPERS=1
 * states: SC=1 TSO=1 PSO=1
 * violations: SC=0 TSO=0 PSO=0
 * case: -DPUSHERS=2 -DPOPPERS=1
 * states: SC=12 TSO=12 PSO=12
 * violations: SC=0 TSO=0 PSO=0
 * case: -DPUSHERS=2 -DPOPPERS=2
 * states: SC=22 TSO=22 PSO=22
 * violations: SC=0 TSO=0 PSO=0
 */
#include "../programs/program.h"

SHARED(top); /* 1 + node, 0: empty */
SHARED(below[PUSHERS + 1]);

THREAD(pusher)
{
	int seen;

	do {
		seen = READ(top);
		WRITE(below[me], seen);
	} while (!CAS(top, seen, me + 1));
	return 0;
}

THREAD(popper)
{
	int seen;
	ROUND(wait);

	for (;;) {
		seen = READ(top);
		if (seen && CAS(top, seen, READ(below[seen - 1])))
			return seen;
		AGAIN(wait);
	}
}

/* No node is popped twice. */
static void once(const int *r)
{
	for (int i = PUSHERS; i < PUSHERS + POPPERS; i++)
		for (int k = PUSHERS; k < i; k++)
			heddle_assert(r[i] != r[k]);
}

PROGRAM(once, TIMES(PUSHERS, pusher), TIMES(POPPERS, popper))
