/*
 * Lamport's bakery for two threads.  Everybody must see that a thread draws a number before it looks
 * at the other's, and the number itself before it looks who waits.
 * fails: tso pso
 */
#include "fences.h"

static _Atomic int entering[2], number[2];

static void *enter(void *arg)
{
	int me = (int)(long)arg, other = 1 - me, drawn;

	WRITE(entering[me], 1); // full 1: tso pso
	FULL(1);
	drawn = READ(number[other]) + 1;
	WRITE(number[me], drawn); // full 2: pso
	FULL(2);
	WRITE(entering[me], 0); // full 3: tso
	FULL(3);
	while (READ(entering[other]) == 1)
		;
	for (;;) {
		int theirs = READ(number[other]);

		if (theirs == 0 || theirs > drawn || (theirs == drawn && other > me))
			break;
	}
	be_alone(me);
	RELEASE(4, number[me], 0); // release 4: pso
	return NULL;
}

PROGRAM(nothing, enter, enter)
