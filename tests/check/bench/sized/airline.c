/*
 * N clerks sell the seats of a flight under a lock: N! states.
 * case: -DN=5
 * states: SC=120 TSO=120 PSO=120
 * case: -DN=6
 * states: SC=720 TSO=720 PSO=720
 * case: -DN=7 -DLONG
 * states: SC=5040 TSO=5040 PSO=5040
 */
#include "../../programs/program.h"

SHARED(sold);
MUTEX(l);

static int clerk(void)
{
	int number;

	LOCK(l);
	number = READ(sold);
	WRITE(sold, number + 1);
	UNLOCK(l);
	return number;
}

THREAD(t0)
{
	return clerk();
}

THREAD(t1)
{
	return clerk();
}

THREAD(t2)
{
	return clerk();
}

THREAD(t3)
{
	return clerk();
}

THREAD(t4)
{
	return clerk();
}

#if N > 5
THREAD(t5)
{
	return clerk();
}
#endif

#if N > 6
THREAD(t6)
{
	return clerk();
}
#endif

#if N == 5
PROGRAM(anything, t0, t1, t2, t3, t4)
#elif N == 6
PROGRAM(anything, t0, t1, t2, t3, t4, t5)
#else
PROGRAM(anything, t0, t1, t2, t3, t4, t5, t6)
#endif
