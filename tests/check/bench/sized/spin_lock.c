/*
 * USERS threads under a test-and-set lock whose wait gives up after K attempts.
 * case: -DUSERS=3 -DK=5
 * states: SC=183 TSO=183 PSO=481
 * case: -DUSERS=4 -DK=4
 * states: SC=1972 TSO=1972 PSO=7265
 * case: -DUSERS=4 -DK=8 -DLONG
 * states: SC=13924 TSO=13924 PSO=55617
 */
#include "../../programs/program.h"

SHARED(held);
SHARED(count);

THREAD(user)
{
	int n = 0;

	while (XCHG(held, 1))
		if (++n == K)
			return 0;
	WRITE(count, READ(count) + 1);
	WRITE(held, 0);
	return 1;
}

PROGRAM(anything, TIMES(USERS, user))
