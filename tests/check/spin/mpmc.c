/*
 * A bounded queue of two cells with a number in each (Vyukov); who finds it full or empty waits.
 * case: -DENQUEUERS=1 -DDEQUEUERS=1
 * states: SC=1 TSO=1 PSO=2
 * violations: SC=0 TSO=0 PSO=1
 * case: -DENQUEUERS=2 -DDEQUEUERS=1
 * states: SC=2 TSO=2 PSO=4
 * violations: SC=0 TSO=0 PSO=2
 * case: -DENQUEUERS=2 -DDEQUEUERS=2
 * states: SC=4 TSO=4 PSO=16
 * violations: SC=0 TSO=0 PSO=12
 */
#include "../programs/program.h"

SHARED(enqueue_at);
SHARED(dequeue_at);
SHARED(number[2]) = {0, 1};
SHARED(cell[2]);

THREAD(enqueuer)
{
	int at, seen;
	ROUND(attempt);

	for (;;) {
		at = READ(enqueue_at);
		seen = READ(number[at % 2]);
		if (seen == at && CAS(enqueue_at, at, at + 1))
			break;
		AGAIN(attempt);
	}
	WRITE(cell[at % 2], me + 1);
	WRITE(number[at % 2], at + 1);
	return 0;
}

THREAD(dequeuer)
{
	int at, seen, found;
	ROUND(attempt);

	for (;;) {
		at = READ(dequeue_at);
		seen = READ(number[at % 2]);
		if (seen == at + 1 && CAS(dequeue_at, at, at + 1))
			break;
		AGAIN(attempt);
	}
	found = READ(cell[at % 2]);
	WRITE(number[at % 2], at + 2);
	return found;
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
