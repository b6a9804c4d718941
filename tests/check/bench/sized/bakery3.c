/*
 * Lamport's bakery for three threads; a wait gives up after K looks and the thread stops.
 * case: -DK=1
 * states: SC=838 TSO=2667
 * case: -DK=2 -DLONG
 * states: SC=6043 TSO=37166
 * case: -DK=3 -DLONG
 * states: SC=28855
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

static int gives_up(int i, int mine, int j)
{
	for (int n = 0; n < K; n++)
		if (!must_wait(i, mine, j))
			return 0;
	return 1;
}

THREAD(customer)
{
	int m = 0;

	WRITE(entering[me], 1);
	for (int j = 0; j < 3; j++) {
		int seen = j == me ? 0 : READ(number[j]);

		m = seen > m ? seen : m;
	}
	WRITE(number[me], m + 1);
	WRITE(entering[me], 0);
	for (int j = 0; j < 3; j++)
		if (j != me && gives_up(me, m + 1, j))
			return 0;
	WRITE(number[me], 0);
	return 1;
}

PROGRAM(anything, TIMES(3, customer))
