/*
 * Two producers and two consumers of a ring under a lock; consumers take what is there.
 * case: -DEACH=1
 * states: SC=22 TSO=22 PSO=22
 * case: -DEACH=2
 * states: SC=2178 TSO=2178 PSO=2178
 */
#include "../../programs/program.h"

SHARED(ring[8]);
SHARED(head);
SHARED(tail);
MUTEX(l);

static int produce(int me)
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

static int consume(void)
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

THREAD(p0)
{
	return produce(0);
}

THREAD(p1)
{
	return produce(1);
}

THREAD(c0)
{
	return consume();
}

THREAD(c1)
{
	return consume();
}

PROGRAM(anything, p0, p1, c0, c1)
