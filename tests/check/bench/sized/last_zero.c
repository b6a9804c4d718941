/*
 * Writers fill an array from left to right, a reader looks for the last zero from the right.
 * case: -DN=4
 * states: SC=28 TSO=28 PSO=28
 * case: -DN=6
 * states: SC=144 TSO=144 PSO=144
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

static int writer(int i)
{
	WRITE(cells[i], READ(cells[i - 1]) + 1);
	return 0;
}

THREAD(w1)
{
	return writer(1);
}

THREAD(w2)
{
	return writer(2);
}

THREAD(w3)
{
	return writer(3);
}

THREAD(w4)
{
	return writer(4);
}

#if N == 6
THREAD(w5)
{
	return writer(5);
}

THREAD(w6)
{
	return writer(6);
}

PROGRAM(anything, reader, w1, w2, w3, w4, w5, w6)
#else
PROGRAM(anything, reader, w1, w2, w3, w4)
#endif
