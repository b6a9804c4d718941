/*
 * K increments against K decrements without a lock.
 * case: -DK=1
 * states: SC=3 TSO=3 PSO=3
 * classic: SC=3/3
 * se: SC=3/3
 * case: -DK=2
 * states: SC=19 TSO=19 PSO=19
 * classic: SC=19/19
 * se: SC=19/19
 * case: -DK=3
 * states: SC=140 TSO=140 PSO=140
 * classic: SC=141/140
 * se: SC=141/140
 * case: -DK=4
 * states: SC=1091 TSO=1091 PSO=1091
 * classic: SC=1107/1091
 * se: SC=1107/1091
 */
#include "program.h"

SHARED(c);

THREAD(t1)
{
	for (int i = 0; i < K; i++)
		WRITE(c, READ(c) + 1);
	return 0;
}

THREAD(t2)
{
	for (int i = 0; i < K; i++)
		WRITE(c, READ(c) - 1);
	return 0;
}

PROGRAM(anything, t1, t2)
