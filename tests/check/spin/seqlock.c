/*
 * Readers look again when a writer has been there.  With BUG they do not look at the number again.
 * case: -DWRITERS=1 -DREADERS=1
 * states: SC=2 TSO=2 PSO=5
 * violations: SC=0 TSO=0 PSO=2
 * case: -DWRITERS=2 -DREADERS=1
 * states: SC=6 TSO=6 PSO=28
 * violations: SC=0 TSO=0 PSO=16
 * case: -DWRITERS=1 -DREADERS=2
 * states: SC=4 TSO=4 PSO=25
 * violations: SC=0 TSO=0 PSO=16
 * case: -DWRITERS=1 -DREADERS=1 -DBUG
 * states: SC=5 TSO=5 PSO=8
 * violations: SC=2 TSO=2 PSO=4
 */
#include "../programs/program.h"

SHARED(number);
SHARED(a);
SHARED(b);

static int enter(void)
{
	int seen;
	ROUND(wait);

	while ((seen = READ(number)) & 1)
		AGAIN(wait);
	return seen;
}

THREAD(writer)
{
	ROUND(attempt);

	for (;;) {
		int seen = enter();

		if (CAS(number, seen, seen + 1)) {
			WRITE(a, me + 1);
			WRITE(b, me + 1);
			WRITE(number, seen + 2);
			return 0;
		}
		AGAIN(attempt);
	}
}

/* 1 when it saw half of a writer's work. */
THREAD(reader)
{
	ROUND(attempt);

	for (;;) {
		int seen = enter(), r = READ(a), s = READ(b);

#ifdef BUG
		return (void)seen, r != s;
#else
		if (READ(number) == seen)
			return r != s;
		AGAIN(attempt);
#endif
	}
}

static void whole(const int *r)
{
	for (int i = 0; i < WRITERS + READERS; i++)
		heddle_assert(!r[i]);
}

PROGRAM(whole, TIMES(WRITERS, writer), TIMES(READERS, reader))
