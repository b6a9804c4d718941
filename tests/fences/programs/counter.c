/*
 * A counter without a lock: it fails under SC as well, and no fence helps.
 * fails: sc tso pso
 */
#include "fences.h"

static _Atomic int counter;

static void *add(void *arg)
{
	WRITE(counter, READ(counter) + 1);
	return arg;
}

static void both_count(void)
{
	heddle_assert(READ(counter) == 2);
}

PROGRAM(both_count, add, add)
