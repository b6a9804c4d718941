/*
 * Two sleepers of one condition, woken one after the other: a signal may wake either of them first.
 * states: SC=16 TSO=16 PSO=16
 * complete: less
 */
#include "program.h"

SHARED(waiting);
SHARED(turn);
MUTEX(l);
CONDITION(all_asleep);
CONDITION(queue);
CONDITION(had_turn);

static int sleeper(void)
{
	int r;

	LOCK(l);
	WRITE(waiting, READ(waiting) + 1);
	SIGNAL(all_asleep);
	WAIT(queue, l);
	r = READ(turn);
	WRITE(turn, r + 1);
	SIGNAL(had_turn);
	UNLOCK(l);
	return r;
}

THREAD(t1)
{
	return sleeper();
}

THREAD(t2)
{
	return sleeper();
}

THREAD(t3)
{
	LOCK(l);
	while (READ(waiting) < 2)
		WAIT(all_asleep, l);
	SIGNAL(queue);
	while (READ(turn) < 1)
		WAIT(had_turn, l);
	SIGNAL(queue);
	UNLOCK(l);
	return 0;
}

PROGRAM(anything, t1, t2, t3)
