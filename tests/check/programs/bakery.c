/*
 * Lamport's bakery for two threads; loops give up in their third round.
 * states: SC=194 TSO=496 PSO=624
 * classic: SC=223/134
 * se: SC=95/95
 */
#include "program.h"

SHARED(entering[2]);
SHARED(number[2]);
SHARED(x);

/* Reads the first number first: the order in an expression would be the compiler's choice. */
static int is_before(int a, int b)
{
	int first = READ(number[a]);

	return first < READ(number[b]);
}

static void wait_for(int i, int j, int *k1, int *k2)
{
	while (READ(entering[j]) == 1)
		if ((*k1)++ > 1)
			break;
	while (READ(number[j]) != 0 && is_before(j, i))
		if ((*k2)++ > 1)
			break;
}

static int enter(int i)
{
	int m = 0, k1 = 0, k2 = 0;

	WRITE(entering[i], 1);
	for (int j = 0; j < 2; j++)
		if (READ(number[j]) > m)
			m = READ(number[j]);
	WRITE(number[i], m + 1);
	WRITE(entering[i], 0);
	for (int j = 0; j < 2; j++)
		wait_for(i, j, &k1, &k2);
	WRITE(x, i + 1);
	WRITE(number[i], 0);
	return 0;
}

THREAD(t0)
{
	return enter(0);
}

THREAD(t1)
{
	return enter(1);
}

PROGRAM(anything, t0, t1)
