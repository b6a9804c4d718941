/*
 * Store buffering.  One fence is not enough.
 * fails: tso pso
 */
#include "fences.h"

static _Atomic int x, y;
static int a, b;

static void *first(void *arg)
{
	WRITE(x, 1); // full 1: tso pso
	FULL(1);
	a = READ(y);
	return arg;
}

static void *second(void *arg)
{
	WRITE(y, 1); // full 2: tso pso
	FULL(2);
	b = READ(x);
	return arg;
}

static void one_is_seen(void)
{
	heddle_assert(a == 1 || b == 1);
}

PROGRAM(one_is_seen, first, second)
