/*
 * READERS count themselves in as long as there is no writer; a writer needs nobody.
 * case: -DREADERS=1 -DWRITERS=1
 * states: SC=2 TSO=2 PSO=4
 * violations: SC=0 TSO=0 PSO=2
 * case: -DREADERS=2 -DWRITERS=1
 * states: SC=12 TSO=12 PSO=78
 * violations: SC=0 TSO=0 PSO=58
 * case: -DREADERS=1 -DWRITERS=2
 * states: SC=3 TSO=3 PSO=9
 * violations: SC=0 TSO=0 PSO=6
 */
#include "../programs/program.h"

SHARED(users); /* -1: a writer */
SHARED(a);
SHARED(b);

/* 1 when it saw half of a writer's work. */
THREAD(reader)
{
	int seen, r;
	ROUND(wait);

	for (;;) {
		seen = READ(users);
		if (seen >= 0 && CAS(users, seen, seen + 1))
			break;
		AGAIN(wait);
	}
	r = READ(a) != READ(b);
	ADD(users, -1);
	return r;
}

THREAD(writer)
{
	ROUND(wait);

	while (!CAS(users, 0, -1))
		AGAIN(wait);
	WRITE(a, me + 1);
	WRITE(b, me + 1);
	WRITE(users, 0);
	return 0;
}

static void whole(const int *r)
{
	for (int i = 0; i < WRITERS + READERS; i++)
		heddle_assert(!r[i]);
}

PROGRAM(whole, TIMES(WRITERS, writer), TIMES(READERS, reader))
