/*
 * Two waits in an `if', and a third thread that signals once for each: whoever wakes up for no reason
 * finds what is there by then.
 * states: SC=15 TSO=15 PSO=15
 * spurious: SC=25 TSO=25 PSO=25
 * complete: less
 */
#include "program.h"

SHARED(x);
MUTEX(l);
CONDITION(c);

static int waiter(void)
{
	int r;

	LOCK(l);
	if (READ(x) == 0)
		WAIT(c, l);
	r = READ(x);
	UNLOCK(l);
	return r;
}

THREAD(t1)
{
	return waiter();
}

THREAD(t2)
{
	return waiter();
}

THREAD(t3)
{
	for (int i = 0; i < 2; i++) {
		LOCK(l);
		WRITE(x, READ(x) + 1);
		SIGNAL(c);
		UNLOCK(l);
	}
	return 0;
}

PROGRAM(anything, t1, t2, t3)
