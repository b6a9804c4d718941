/*
 * Dekker's algorithm where a thread whose wait runs out of K rounds stops: whoever enters must be
 * alone.  FENCED: after each raising of the flag.
 * case: -DK=1
 * states: SC=6 TSO=8 PSO=8
 * violations: SC=0 TSO=2 PSO=2
 * case: -DK=2
 * states: SC=16 TSO=18 PSO=24
 * violations: SC=0 TSO=2 PSO=8
 * case: -DK=2 -DFENCED
 * states: SC=16 TSO=16 PSO=24
 * violations: SC=0 TSO=0 PSO=8
 */
#include "program.h"

SHARED(flag[2]);
SHARED(turn) = 1;
SHARED(x);

static void raise_flag(int me)
{
	WRITE(flag[me], 1);
#ifdef FENCED
	FENCE();
#endif
}

/* 1 when somebody else was in the critical section. */
static int enter(int me)
{
	int other = 1 - me, n1 = 0, n2 = 0, r;

	raise_flag(me);
	while (READ(flag[other]) == 1) {
		if (READ(turn) != me + 1) {
			WRITE(flag[me], 0);
			while (READ(turn) != me + 1)
				if (++n1 == K)
					return 0;
			raise_flag(me);
		}
		if (++n2 == K)
			return 0;
	}
	WRITE(x, me + 1);
	r = READ(x);
	WRITE(turn, other + 1);
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
