/*
 * N clerks sell seats of a flight one short of N, under a lock: each order of the clerks is a state.
 * case: -DN=2
 * states: SC=2 TSO=2 PSO=2
 * case: -DN=3
 * states: SC=6 TSO=6 PSO=6
 * classic: SC=6/6
 * se: SC=6/6
 * case: -DN=4
 * states: SC=24 TSO=24 PSO=24
 * classic: SC=24/24
 * se: SC=24/24
 */
#include "program.h"

#define CAPACITY (N - 1)

SHARED(sold);
SHARED(stop_sales);
MUTEX(l);

static int clerk(void)
{
	int refused = 0;

	LOCK(l);
	if (READ(sold) >= CAPACITY) {
		WRITE(stop_sales, 1);
		refused = 1;
	} else {
		/* Nobody else can change it: the value is that of the first read. */
		WRITE(sold, READ(sold) + 1);
	}
	UNLOCK(l);
	return refused;
}

THREAD(t1)
{
	return clerk();
}

THREAD(t2)
{
	return clerk();
}

#if N > 2
THREAD(t3)
{
	return clerk();
}
#endif

#if N > 3
THREAD(t4)
{
	return clerk();
}
#endif

static void one_is_refused(const int *r)
{
	int refused = 0;

	for (int i = 0; i < N; i++)
		refused += r[i];
	heddle_assert(refused == 1);
}

#if N == 2
PROGRAM(one_is_refused, t1, t2)
#elif N == 3
PROGRAM(one_is_refused, t1, t2, t3)
#else
PROGRAM(one_is_refused, t1, t2, t3, t4)
#endif
