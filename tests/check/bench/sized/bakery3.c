/*
 * Lamport's bakery for three threads; a wait gives up after one look and the thread stops.
 * case: -DTHREADS=3
 * states: SC=838 TSO=2667 PSO=2744
 */
#include "../../programs/program.h"

SHARED(entering[3]);
SHARED(number[3]);

static int must_wait(int i, int mine, int j)
{
	int theirs;

	if (READ(entering[j]))
		return 1;
	theirs = READ(number[j]);
	return theirs != 0 && (theirs < mine || (theirs == mine && j < i));
}

static int enter(int i)
{
	int m = 0;

	WRITE(entering[i], 1);
	for (int j = 0; j < 3; j++) {
		int seen = j == i ? 0 : READ(number[j]);

		m = seen > m ? seen : m;
	}
	WRITE(number[i], m + 1);
	WRITE(entering[i], 0);
	for (int j = 0; j < 3; j++)
		if (j != i && must_wait(i, m + 1, j))
			return 0;
	WRITE(number[i], 0);
	return 1;
}

THREAD(t0)
{
	return enter(0);
}

THREAD(t1)
{
	return enter(1);
}

THREAD(t2)
{
	return enter(2);
}

PROGRAM(anything, t0, t1, t2)
