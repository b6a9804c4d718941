/*
 * Two threads add each other's number to their own, K times.
 * case: -DK=3
 * states: SC=141 TSO=175 PSO=175
 * case: -DK=4
 * states: SC=1107 TSO=1764 PSO=1764
 * case: -DK=5 -DLONG
 * states: SC=8953 TSO=19404 PSO=19404
 * case: -DK=6 -DLONG
 * states: SC=73789
 */
#include "../../programs/program.h"

SHARED(i) = 1;
SHARED(j) = 1;

static void add(SHARED_TYPE *to, SHARED_TYPE *from)
{
	int own = READ(*to);

	WRITE(*to, own + READ(*from));
}

THREAD(t0)
{
	for (int k = 0; k < K; k++)
		add(&i, &j);
	return 0;
}

THREAD(t1)
{
	for (int k = 0; k < K; k++)
		add(&j, &i);
	return 0;
}

PROGRAM(anything, t0, t1)
