/*
 * Szymanski's mutual exclusion for two threads; waits give up after K looks.
 * case: -DK=2
 * states: SC=516 TSO=1537 PSO=2047
 * violations: SC=0 TSO=108 PSO=612
 * case: -DK=4 -DLONG
 * states: SC=4914 TSO=12687 PSO=20207
 * violations: SC=0 TSO=244 PSO=7758
 * case: -DK=8 -DLONG
 * states: SC=85824
 * violations: SC=0
 */
#include "../../programs/program.h"

SHARED(flag[2]);
SHARED(x);

/* 1 while what is waited for has not come. */
static int wait_while(int other, int from, int to)
{
	for (int n = 0; n < K; n++) {
		int seen = READ(flag[other]);

		if (seen < from || seen > to)
			return 0;
	}
	return 1;
}

static int enter(int me)
{
	int other = 1 - me, r;

	WRITE(flag[me], 1);
	if (wait_while(other, 3, 4))
		return 0;
	WRITE(flag[me], 3);
	if (READ(flag[other]) == 1) {
		WRITE(flag[me], 2);
		if (wait_while(other, 0, 3))
			return 0;
	}
	WRITE(flag[me], 4);
	if (me == 1 && wait_while(other, 2, 4))
		return 0;
	WRITE(x, me + 1);
	r = READ(x);
	if (me == 0 && wait_while(other, 2, 3))
		return 0;
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
