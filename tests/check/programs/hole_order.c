/*
 * Freezing the order of a prefix loses states: a=x | b=x | x=1, readers before the writer.
 * WRITER_FIRST: the other way round, where nothing is lost.
 * states: SC=4 TSO=4 PSO=4
 * classic: SC=3/2
 * se: SC=3/2
 * case: -DWRITER_FIRST
 * states: SC=4 TSO=4 PSO=4
 * classic: SC=5/4
 * se: SC=4/4
 */
#include "program.h"

SHARED(x);

THREAD(a)
{
	return READ(x);
}

THREAD(b)
{
	return READ(x);
}

THREAD(writer)
{
	WRITE(x, 1);
	return 0;
}

#ifdef WRITER_FIRST
PROGRAM(anything, writer, a, b)
#else
PROGRAM(anything, a, b, writer)
#endif
