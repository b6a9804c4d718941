/*
 * Burns and Lynch's mutual exclusion for two threads with fences; waits give up after K looks.
 * case: -DK=6
 * states: SC=44 TSO=44 PSO=44
 * violations: SC=0 TSO=0 PSO=0
 * case: -DK=12
 * states: SC=158 TSO=158 PSO=158
 * violations: SC=0 TSO=0 PSO=0
 * case: -DK=20
 * states: SC=422 TSO=422 PSO=422
 * violations: SC=0 TSO=0 PSO=0
 */
#include "../../programs/program.h"

SHARED(flag[2]);
SHARED(x);

static void raise_flag(int me, int value)
{
	WRITE(flag[me], value);
	FENCE();
}

static int enter(int me)
{
	int n = 0, r;

	raise_flag(me, 1);
	while (me == 1 && READ(flag[0])) {
		raise_flag(me, 0);
		if (++n == K)
			return 0;
		raise_flag(me, 1);
	}
	while (me == 0 && READ(flag[1]))
		if (++n == K)
			return 0;
	WRITE(x, me + 1);
	r = READ(x);
	FENCE();
	WRITE(flag[me], 0);
	return r != me + 1;
}

THREAD(user)
{
	return enter(me);
}

static void alone(const int *r)
{
	heddle_assert(!r[0] && !r[1]);
}

PROGRAM(alone, TIMES(2, user))
