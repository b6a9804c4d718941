/*
 * Producers and consumers of a ring under a lock; consumers take what is there.
 * case: -DPRODUCERS=2 -DCONSUMERS=2 -DEACH=1
 * states: SC=22 TSO=22 PSO=22
 * case: -DPRODUCERS=2 -DCONSUMERS=2 -DEACH=2
 * states: SC=2178 TSO=2178 PSO=2178
 * case: -DPRODUCERS=3 -DCONSUMERS=2 -DEACH=2 -DLONG
 * states: SC=105210
 */
#include "../../programs/program.h"

SHARED(ring[8]);
SHARED(head);
SHARED(tail);
MUTEX(l);

THREAD(producer)
{
	for (int i = 0; i < EACH; i++) {
		int at;

		LOCK(l);
		at = READ(tail);
		WRITE(ring[at], me * EACH + i + 1);
		WRITE(tail, at + 1);
		UNLOCK(l);
	}
	return 0;
}

THREAD(consumer)
{
	int sum = 0;

	for (int i = 0; i < EACH; i++) {
		int at;

		LOCK(l);
		at = READ(head);
		if (at != READ(tail)) {
			sum += READ(ring[at]);
			WRITE(head, at + 1);
		}
		UNLOCK(l);
	}
	return sum;
}

PROGRAM(anything, TIMES(PRODUCERS, producer), TIMES(CONSUMERS, consumer))
