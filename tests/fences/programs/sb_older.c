/*
 * Store buffering with stores before and after the one that matters: a fence behind the last of
 * them keeps all of them, so that one is enough in each thread.
 * fails: tso pso
 */
#include "fences.h"

static _Atomic int x, y, log_x[2], log_y[2];
static int a, b;

static void *first(void *arg)
{
	WRITE(log_x[0], 1);
	WRITE(x, 1);
	WRITE(log_x[1], 1); // full 1: tso pso
	FULL(1);
	a = READ(y);
	return arg;
}

static void *second(void *arg)
{
	WRITE(log_y[0], 1);
	WRITE(y, 1);
	WRITE(log_y[1], 1); // full 2: tso pso
	FULL(2);
	b = READ(x);
	return arg;
}

static void one_is_seen(void)
{
	heddle_assert(a == 1 || b == 1);
}

PROGRAM(one_is_seen, first, second)
