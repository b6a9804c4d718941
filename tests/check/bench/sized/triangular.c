/*
 * Two threads raise a pair of numbers over each other, K times.
 * case: -DK=5
 * states: SC=665 TSO=882 PSO=882
 * case: -DK=7 -DLONG
 * states: SC=10271
 * case: -DK=9 -DLONG
 * states:
 */
#include "../../programs/program.h"

SHARED(i) = 3;
SHARED(j) = 6;

THREAD(t0)
{
	for (int k = 0; k < K; k++)
		WRITE(i, READ(j) + 1);
	return 0;
}

THREAD(t1)
{
	for (int k = 0; k < K; k++)
		WRITE(j, READ(i) + 1);
	return 0;
}

PROGRAM(anything, t0, t1)
