/*
 * Peterson's algorithm, ROUNDS times each; a wait gives up after K looks and the thread stops.
 * case: -DK=3 -DROUNDS=1
 * states: SC=32 TSO=32 PSO=32
 * violations: SC=0 TSO=0 PSO=0
 * case: -DK=2 -DROUNDS=2
 * states: SC=322 TSO=322 PSO=322
 * violations: SC=0 TSO=0 PSO=0
 * case: -DK=3 -DROUNDS=2
 * states: SC=1265 TSO=1265 PSO=1265
 * violations: SC=0 TSO=0 PSO=0
 * case: -DK=2 -DROUNDS=3 -DLONG
 * states: SC=5398 TSO=5398 PSO=5398
 * violations: SC=0 TSO=0 PSO=0
 * case: -DK=2 -DROUNDS=4 -DLONG
 * states: SC=88846
 * violations: SC=0
 */
#include "../../programs/program.h"

SHARED(flag[2]);
SHARED(turn);
SHARED(x);

static int enter(int me)
{
	int other = 1 - me, n = 0, r;

	WRITE(flag[me], 1);
	FENCE();
	WRITE(turn, other + 1);
	FENCE();
	while (READ(flag[other]) == 1 && READ(turn) == other + 1)
		if (++n == K)
			return -1;
	WRITE(x, me + 1);
	r = READ(x);
	FENCE();
	WRITE(flag[me], 0);
	return r != me + 1;
}

static int run(int me)
{
	int bad = 0;

	for (int i = 0; i < ROUNDS && bad == 0; i++)
		bad = enter(me);
	return bad;
}

THREAD(user)
{
	return run(me);
}

static void alone(const int *r)
{
	heddle_assert(r[0] != 1 && r[1] != 1);
}

PROGRAM(alone, TIMES(2, user))
