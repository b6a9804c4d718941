/*
 * Writers fill an array from left to right, a reader looks for the last zero from the right.
 * case: -DN=6
 * states: SC=144 TSO=144 PSO=144
 * case: -DN=8
 * states: SC=704 TSO=704
 * case: -DN=10 -DLONG
 * states:
 */
#include "../../programs/program.h"

SHARED(cells[N + 1]);

THREAD(reader)
{
	int at = N;

	while (READ(cells[at]) != 0)
		at--;
	return at;
}

THREAD(writer)
{
	WRITE(cells[me], READ(cells[me - 1]) + 1);
	return 0;
}

PROGRAM(anything, reader, TIMES(N, writer))
