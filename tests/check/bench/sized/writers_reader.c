/*
 * N writers of one variable and a reader that looks READS times: N! orders of the writes, and few
 * values to see.
 * case: -DN=6 -DREADS=1
 * states: SC=7 TSO=7 PSO=7
 * case: -DN=6 -DREADS=3
 * states: SC=229 TSO=229 PSO=229
 * case: -DN=8 -DREADS=5 -DLONG
 * states:
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
