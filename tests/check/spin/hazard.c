/*
 * READERS say which of two objects they use before they use it; who replaces it waits until nobody
 * uses the old one.  With BUG readers do not look again whether it is still the one.
 * case: -DREADERS=1
 * states: SC=5 TSO=5 PSO=5
 * violations: SC=0 TSO=0 PSO=0
 * case: -DREADERS=2
 * states: SC=25 TSO=25 PSO=25
 * violations: SC=0 TSO=0 PSO=0
 * case: -DREADERS=1 -DBUG
 * states: SC=4 TSO=4 PSO=4
 * violations: SC=1 TSO=1 PSO=1
 */
#include "../programs/program.h"

SHARED(current);	     /* 0 or 1 */
SHARED(hazard[READERS + 1]); /* 1 + object, 0: none */
SHARED(dead[2]);

/* 1 when the object was given back while it was used. */
THREAD(reader)
{
	int seen, r;

	for (;;) {
		seen = READ(current);
		WRITE(hazard[me], seen + 1);
		FENCE();
#ifdef BUG
		break;
#else
		if (READ(current) == seen)
			break;
#endif
	}
	r = READ(dead[seen]);
	WRITE(hazard[me], 0);
	return r;
}

THREAD(writer)
{
	WRITE(current, 1);
	FENCE();
	for (int i = 0; i < READERS; i++) {
		ROUND(wait);
		while (READ(hazard[i]) == 1)
			AGAIN(wait);
	}
	WRITE(dead[0], 1);
	return 0;
}

static void alive(const int *r)
{
	for (int i = 0; i < READERS; i++)
		heddle_assert(!r[i]);
}

PROGRAM(alive, TIMES(READERS, reader), writer)
