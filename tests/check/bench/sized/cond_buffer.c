/*
 * A bounded buffer of one place with a lock and two condition variables; PAIRS producers and
 * consumers of EACH items.
 * case: -DPAIRS=2 -DEACH=1
 * states: SC=32 TSO=32 PSO=32
 * violations: SC=0 TSO=0 PSO=0
 * case: -DPAIRS=1 -DEACH=5
 * states: SC=512 TSO=512 PSO=512
 * violations: SC=0 TSO=0 PSO=0
 * case: -DPAIRS=2 -DEACH=2 -DLONG
 * states: SC=8204 TSO=8204 PSO=8204
 * violations: SC=0 TSO=0 PSO=0
 * case: -DPAIRS=1 -DEACH=8 -DLONG
 * states: SC=32768
 * violations: SC=0
 */
#include "../../programs/program.h"

SHARED(item);
SHARED(full);
MUTEX(l);
CONDITION(not_full);
CONDITION(not_empty);

THREAD(producer)
{
	for (int i = 0; i < EACH; i++) {
		LOCK(l);
		while (READ(full))
			WAIT(not_full, l);
		WRITE(item, me * EACH + i + 1);
		WRITE(full, 1);
		SIGNAL(not_empty);
		UNLOCK(l);
	}
	return 0;
}

THREAD(consumer)
{
	int sum = 0;

	for (int i = 0; i < EACH; i++) {
		LOCK(l);
		while (!READ(full))
			WAIT(not_empty, l);
		sum += READ(item);
		WRITE(full, 0);
		SIGNAL(not_full);
		UNLOCK(l);
	}
	return sum;
}

static void all_there(const int *r)
{
	int sum = 0, items = PAIRS * EACH;

	for (int i = 0; i < PAIRS; i++)
		sum += r[PAIRS + i];
	heddle_assert(sum == items * (items + 1) / 2);
}

PROGRAM(all_there, TIMES(PAIRS, producer), TIMES(PAIRS, consumer))
