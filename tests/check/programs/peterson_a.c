/*
 * Peterson's algorithm where a thread whose wait runs out of K rounds stops: whoever enters must be
 * alone.  FENCES: 1 after the flag is raised, 2 after the turn is given, 4 before the flag is lowered.
 * case: -DK=2
 * states: SC=18 TSO=28 PSO=34
 * violations: SC=0 TSO=10 PSO=16
 * case: -DK=2 -DFENCES=2
 * states: SC=18 TSO=18 PSO=32
 * violations: SC=0 TSO=0 PSO=14
 * case: -DK=2 -DFENCES=3
 * states: SC=18 TSO=18 PSO=30
 * violations: SC=0 TSO=0 PSO=12
 * case: -DK=2 -DFENCES=6
 * states: SC=18 TSO=18 PSO=22
 * violations: SC=0 TSO=0 PSO=4
 * case: -DK=2 -DFENCES=7
 * states: SC=18 TSO=18 PSO=18
 * violations: SC=0 TSO=0 PSO=0
 * case: -DK=2 -DFENCES=5
 * states: SC=18 TSO=26 PSO=26
 * violations: SC=0 TSO=8 PSO=8
 */
#include "program.h"

#ifndef FENCES
#define FENCES 0
#endif

SHARED(flag[2]);
SHARED(turn);
SHARED(x);

static void fence(int which)
{
	if (FENCES & which)
		FENCE();
}

/* 1 when somebody else was in the critical section. */
static int enter(int me)
{
	int other = 1 - me, n = 0, r;

	WRITE(flag[me], 1);
	fence(1);
	WRITE(turn, other + 1);
	fence(2);
	while (READ(flag[other]) == 1 && READ(turn) == other + 1)
		if (++n == K)
			return 0;
	WRITE(x, me + 1);
	r = READ(x);
	fence(4);
	WRITE(flag[me], 0);
	return r != me + 1;
}

THREAD(t1)
{
	return enter(0);
}

THREAD(t2)
{
	return enter(1);
}

static void alone(const int *r)
{
	heddle_assert(!r[0] && !r[1]);
}

PROGRAM(alone, t1, t2)
