/*
 * Six writers of one variable and a reader: 5,040 orders, 7 values.
 * states: SC=7 TSO=7 PSO=7
 */
#include "../../programs/program.h"

SHARED(x);

static int writer(int value)
{
	WRITE(x, value);
	return 0;
}

THREAD(t0)
{
	return writer(0 + 1);
}

THREAD(t1)
{
	return writer(1 + 1);
}

THREAD(t2)
{
	return writer(2 + 1);
}

THREAD(t3)
{
	return writer(3 + 1);
}

THREAD(t4)
{
	return writer(4 + 1);
}

THREAD(t5)
{
	return writer(5 + 1);
}

THREAD(reader)
{
	return READ(x);
}

PROGRAM(anything, t0, t1, t2, t3, t4, t5, reader)
