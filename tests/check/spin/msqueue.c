/*
 * ENQUEUERS and DEQUEUERS at a queue without locks (Michael and Scott); who takes out waits for
 * something to take.
 * case: -DENQUEUERS=1 -DDEQUEUERS=1
 * states: SC=2 TSO=2 PSO=2
 * violations: SC=0 TSO=0 PSO=0
 * case: -DENQUEUERS=2 -DDEQUEUERS=1
 * states: SC=20 TSO=20 PSO=20
 * violations: SC=0 TSO=0 PSO=0
 * case: -DENQUEUERS=2 -DDEQUEUERS=2
 * states: SC=84 TSO=84 PSO=84
 * violations: SC=0 TSO=0 PSO=0
 */
#include "../programs/program.h"

SHARED(head); /* node 0 is the first that is empty */
SHARED(tail);
SHARED(next[ENQUEUERS + 1]);

THREAD(enqueuer)
{
	int node = me + 1, at, after;

	for (;;) {
		ROUND(attempt);

		at = READ(tail);
		after = READ(next[at]);
		if (!after && CAS(next[at], 0, node))
			break;
		if (!after || !CAS(tail, at, after))
			AGAIN(attempt);
	}
	CAS(tail, at, node);
	return 0;
}

THREAD(dequeuer)
{
	int at, last, after;

	for (;;) {
		ROUND(attempt);

		at = READ(head);
		last = READ(tail);
		after = READ(next[at]);
		if (at != last && CAS(head, at, after))
			return after;
		if (at != last || !after || !CAS(tail, last, after))
			AGAIN(attempt);
	}
}

static void once(const int *r)
{
	for (int i = ENQUEUERS; i < ENQUEUERS + DEQUEUERS; i++) {
		heddle_assert(r[i]);
		for (int k = ENQUEUERS; k < i; k++)
			heddle_assert(r[i] != r[k]);
	}
}

PROGRAM(once, TIMES(ENQUEUERS, enqueuer), TIMES(DEQUEUERS, dequeuer))
