/*
 * Store buffering with variables that are not atomic.
 * fails: tso pso
 * says: made atomic
 */
#include "fences.h"

static int x, y;
static int a, b;

static void *first(void *arg)
{
	x = 1; // full 1: tso pso
	FULL(1);
	a = y;
	return arg;
}

static void *second(void *arg)
{
	y = 1; // full 2: tso pso
	FULL(2);
	b = x;
	return arg;
}

static void one_is_seen(void)
{
	heddle_assert(a == 1 || b == 1);
}

PROGRAM(one_is_seen, first, second)
