/*
 * USERS threads in a queue, each waiting at a place of its own (Mellor-Crummey and Scott).
 * case: -DUSERS=2
 * states: SC=6 TSO=6 PSO=8
 * violations: SC=0 TSO=0 PSO=2
 * case: -DUSERS=3
 * states: SC=66 TSO=66 PSO=114
 * violations: SC=0 TSO=0 PSO=48
 */
#include "../programs/program.h"

SHARED(tail);
SHARED(next[USERS + 1]);
SHARED(blocked[USERS + 1]);

static void wait_for(SHARED_TYPE *place, int value)
{
	ROUND(wait);

	while (READ(*place) != value)
		AGAIN(wait);
}

static void enter(int me)
{
	int node = me + 1, before;

	WRITE(next[node], 0);
	WRITE(blocked[node], 1);
	before = XCHG(tail, node);
	if (!before)
		return;
	WRITE(next[before], node);
	wait_for(&blocked[node], 0);
}

static void leave(int me)
{
	int node = me + 1, after = READ(next[node]);

	if (!after) {
		if (CAS(tail, node, 0))
			return;
		for (ROUND(link); !(after = READ(next[node])); AGAIN(link))
			;
	}
	WRITE(blocked[after], 0);
}

#include "lock.h"
