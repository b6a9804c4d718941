/*
 * Lamport's fast mutual exclusion for two threads.
 * fails: tso pso
 */
#include "fences.h"

static _Atomic int b[2], x, y;

static void lock(int me)
{
	int other = 1 - me;

	for (;;) {
		WRITE(b[me], 1);
		WRITE(x, me + 1); // full 1: tso pso
		FULL(1);
		if (READ(y) != 0) {
			WRITE(b[me], 0);
			while (READ(y) != 0)
				;
			continue;
		}
		WRITE(y, me + 1); // full 2: tso pso
		FULL(2);
		if (READ(x) == me + 1)
			return;
		WRITE(b[me], 0);
		while (READ(b[other]) == 1)
			;
		if (READ(y) == me + 1)
			return;
		while (READ(y) != 0)
			;
	}
}

static void *enter(void *arg)
{
	int me = (int)(long)arg;

	lock(me);
	be_alone(me);
	RELEASE(3, y, 0); // release 3: pso
	WRITE(b[me], 0);
	return NULL;
}

PROGRAM(nothing, enter, enter)
