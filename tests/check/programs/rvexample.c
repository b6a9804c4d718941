/*
 * Three threads with two rounds each and an error behind a rare combination: y read as 3 while x is 2.
 * states: SC=107 TSO=107 PSO=137
 * violations: SC=8 TSO=8 PSO=9
 * classic: SC=153/75 TSO=157/76
 * se: SC=130/75
 */
#include "program.h"

SHARED(x);
SHARED(y);
MUTEX(l);

THREAD(setter)
{
	for (int i = 0; i < 2; i++) {
		LOCK(l);
		WRITE(x, 1);
		WRITE(y, 1);
		UNLOCK(l);
	}
	return 0;
}

THREAD(t1)
{
	for (int i = 0; i < 2; i++) {
		LOCK(l);
		WRITE(x, 0);
		UNLOCK(l);
		if (READ(x) > 0) {
			WRITE(y, READ(y) + 1);
			WRITE(x, 2);
		}
	}
	return 0;
}

THREAD(t2)
{
	int errors = 0;

	for (int i = 0; i < 2; i++)
		if (READ(x) > 1) {
			if (READ(y) == 3)
				errors++;
			else
				WRITE(y, 2);
		}
	return errors;
}

static void no_error(const int *r)
{
	heddle_assert(r[2] == 0);
}

PROGRAM(no_error, setter, t1, t2)
