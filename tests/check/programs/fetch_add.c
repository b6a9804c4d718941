/*
 * Atomic additions: every order gives other old values, none is lost.
 * case: -DTHREADS=2 -DADDS=1
 * states: SC=2 TSO=2 PSO=2
 * case: -DTHREADS=3 -DADDS=1
 * states: SC=6 TSO=6 PSO=6
 * case: -DTHREADS=2 -DADDS=2
 * states: SC=6 TSO=6 PSO=6
 */
#include "program.h"

SHARED(x);

static int adder(void)
{
	int last = 0;

	for (int i = 0; i < ADDS; i++)
		last = ADD(x, 1);
	return last;
}

THREAD(t1)
{
	return adder();
}

THREAD(t2)
{
	return adder();
}

#if THREADS == 3
THREAD(t3)
{
	return adder();
}
#endif

static void none_lost(const int *r)
{
	int most = 0;

	for (int i = 0; i < THREADS; i++)
		most = r[i] > most ? r[i] : most;
	heddle_assert(most == THREADS * ADDS - 1);
}

#if THREADS == 3
PROGRAM(none_lost, t1, t2, t3)
#else
PROGRAM(none_lost, t1, t2)
#endif
