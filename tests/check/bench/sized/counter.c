/*
 * K increments against K decrements without a lock.
 * case: -DK=3
 * states: SC=140 TSO=140 PSO=140
 * case: -DK=4
 * states: SC=1091 TSO=1091 PSO=1091
 * case: -DK=5 -DLONG
 * states: SC=8747 TSO=8747 PSO=8747
 * case: -DK=6 -DLONG
 * states: SC=71460
 */
#include "../../programs/program.h"

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
