/*
 * A publisher fills the two fields of a point and raises a flag, N times; a consumer that sees the
 * flag checks that the fields belong together.  With one round only PSO breaks it; with more, the
 * fields of two rounds mix under every model.
 * case: -DN=1
 * states: SC=2 TSO=2 PSO=10
 * violations: SC=0 TSO=0 PSO=8
 * classic: SC=2/2 TSO=2/2 PSO=10/10
 * case: -DN=2
 * states: SC=52 TSO=52 PSO=188
 * violations: SC=48 TSO=48 PSO=184
 * classic: SC=52/52 TSO=52/52 PSO=188/188
 * se: SC=52/52 TSO=52/52 PSO=188/188
 * case: -DN=3
 * states: SC=1016 TSO=1016 PSO=2728
 * violations: SC=1008 TSO=1008 PSO=2720
 * classic: SC=1016/1016 TSO=1016/1016
 * se: SC=1016/1016 TSO=1016/1016
 * case: -DN=4 -DLONG
 * states: SC=17680 TSO=17680
 * violations: SC=17664 TSO=17664
 */
#include "program.h"

SHARED(x);
SHARED(y);
SHARED(z);

THREAD(publisher)
{
	for (int i = 0; i < N; i++) {
		WRITE(z, 0);
		WRITE(x, 0);
		WRITE(y, 0);
		WRITE(x, 2);
		WRITE(y, 3);
		WRITE(z, 1);
	}
	return 0;
}

/* Evaluates x, then y, once each: the order in an expression would be the compiler's choice. */
static int is_torn(void)
{
	int px = READ(x);
	int py = READ(y);

	return px + 1 != py;
}

THREAD(consumer)
{
	int torn = 0;

	for (int i = 0; i < N; i++) {
		if (READ(z) == 1 && is_torn()) {
			/* What the message about it prints. */
			(void)READ(x);
			(void)READ(y);
			torn++;
		}
	}
	return torn;
}

static void never_torn(const int *r)
{
	heddle_assert(r[1] == 0);
}

PROGRAM(never_torn, publisher, consumer)
