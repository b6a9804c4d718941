/*
 * Two threads raise a pair of numbers over each other, K times.
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
