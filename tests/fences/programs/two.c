/*
 * Two failures: one that needs weak memory, and a lost update that does not.
 * fails: sc tso pso
 * several: one of them needs no weak memory
 */
#include "fences.h"

static _Atomic int x, y, counter;
static int a, b;

static void *first(void *arg)
{
	WRITE(x, 1); // full 1: tso pso
	FULL(1);
	a = READ(y);
	WRITE(counter, READ(counter) + 1);
	return arg;
}

static void *second(void *arg)
{
	WRITE(y, 1); // full 2: tso pso
	FULL(2);
	b = READ(x);
	WRITE(counter, READ(counter) + 1);
	return arg;
}

static void check(void)
{
	heddle_assert(a == 1 || b == 1);
	heddle_assert(READ(counter) == 2);
}

PROGRAM(check, first, second)
