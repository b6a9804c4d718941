/*
 * Coherence of two reads of one variable.  TWO: two writers.
 * states: SC=3 TSO=3 PSO=3
 * violations: SC=0 TSO=0 PSO=0
 * case: -DTWO
 * states: SC=7 TSO=7 PSO=7
 */
#include "program.h"

SHARED(x);

THREAD(w1)
{
	WRITE(x, 1);
	return 0;
}

THREAD(reader)
{
	int a = READ(x);
	int b = READ(x);

	return 4 * a + b;
}

static void never_back(const int *r)
{
	heddle_assert(r[1] != 4 && r[1] != 8);
}

#ifdef TWO
THREAD(w2)
{
	WRITE(x, 2);
	return 0;
}

PROGRAM(never_back, w1, reader, w2)
#else
PROGRAM(never_back, w1, reader)
#endif
