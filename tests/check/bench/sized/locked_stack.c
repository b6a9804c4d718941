/*
 * USERS threads push and pop under a lock.
 * case: -DUSERS=3 -DPAIRS=1
 * states: SC=61 TSO=61 PSO=61
 * violations: SC=0 TSO=0 PSO=0
 * case: -DUSERS=4 -DPAIRS=1
 * states: SC=1347 TSO=1347 PSO=1347
 * violations: SC=0 TSO=0 PSO=0
 * case: -DUSERS=3 -DPAIRS=2 -DLONG
 * states: SC=14539 TSO=14539 PSO=14539
 * violations: SC=0 TSO=0 PSO=0
 */
#include "../../programs/program.h"

SHARED(stack[8]);
SHARED(top);
MUTEX(l);

static void push(int value)
{
	int at;

	LOCK(l);
	at = READ(top);
	WRITE(stack[at], value);
	WRITE(top, at + 1);
	UNLOCK(l);
}

static int pop(void)
{
	int at, value = 0;

	LOCK(l);
	at = READ(top);
	if (at > 0) {
		value = READ(stack[at - 1]);
		WRITE(top, at - 1);
	}
	UNLOCK(l);
	return value;
}

THREAD(user)
{
	int missing = 0;

	for (int i = 0; i < PAIRS; i++) {
		push(me * PAIRS + i + 1);
		missing += pop() == 0;
	}
	return missing;
}

/* Who has pushed finds something to pop. */
static void never_empty(const int *r)
{
	for (int i = 0; i < USERS; i++)
		heddle_assert(!r[i]);
}

PROGRAM(never_empty, TIMES(USERS, user))
