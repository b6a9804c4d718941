/*
 * N writers of one variable and a reader that looks READS times: N! orders of the writes, and few
 * values to see.
 */
#include "../../programs/program.h"

SHARED(x);

THREAD(writer)
{
	WRITE(x, me + 1);
	return 0;
}

THREAD(reader)
{
	int seen = 0;

	for (int i = 0; i < READS; i++)
		seen = seen * 16 + READ(x);
	return seen;
}

PROGRAM(anything, TIMES(N, writer), reader)
