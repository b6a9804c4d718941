/*
 * One store, K reads of it: K+1 states, while without order between independent reads there would be
 * 2^K executions.
 * case: -DK=2
 * states: SC=3 TSO=3 PSO=3
 * classic: SC=3/3 TSO=3/3 PSO=3/3
 * static: MCR-S=4 MCR-S+=3
 * case: -DK=3
 * states: SC=4 TSO=4 PSO=4
 * static: MCR-S=8 MCR-S+=4
 * case: -DK=4
 * states: SC=5 TSO=5 PSO=5
 * static: MCR-S=16 MCR-S+=5
 * case: -DK=5
 * states: SC=6 TSO=6 PSO=6
 * static: MCR-S=32 MCR-S+=6
 */
#include "program.h"

SHARED(x);

THREAD(t1)
{
	WRITE(x, 1);
	return 0;
}

THREAD(t2)
{
	int sum = 0;

	for (int i = 0; i < K; i++)
		sum += READ(x);
	return sum;
}

PROGRAM(anything, t1, t2)
