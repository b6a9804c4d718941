/*
 * A work-stealing deque after Chase and Lev, without its fences.  The owner must announce that it
 * takes from the bottom before it looks at the top; under PSO an element must also be there before
 * the bottom says so.
 * fails: tso pso
 */
#include "fences.h"

#define SLOTS 8

static _Atomic long top, bottom;
static _Atomic int slot[SLOTS], taken[SLOTS];

static void push(int value)
{
	long b = READ(bottom);

	WRITE(slot[b % SLOTS], value);
	RELEASE(2, bottom, b + 1); // release 2: pso
}

static int take(void)
{
	long b = READ(bottom) - 1, t;
	int value;

	WRITE(bottom, b); // full 1: tso pso
	FULL(1);
	t = READ(top);
	if (t > b) {
		WRITE(bottom, b + 1);
		return 0;
	}
	value = READ(slot[b % SLOTS]);
	if (t < b)
		return value;
	if (!atomic_compare_exchange_strong(&top, &t, t + 1))
		value = 0;
	WRITE(bottom, b + 1);
	return value;
}

static int steal(void)
{
	long t = READ(top), b = READ(bottom);
	int value;

	if (t >= b)
		return 0;
	value = READ(slot[t % SLOTS]);
	return atomic_compare_exchange_strong(&top, &t, t + 1) ? value : 0;
}

/* Each element is used once; 0 is none. */
static void use(int value)
{
	heddle_assert(value == 0 || atomic_fetch_add(&taken[value], 1) == 0);
}

static void *thief(void *arg)
{
	use(steal());
	use(steal());
	return arg;
}

static void *owner(void *arg)
{
	push(1);
	push(2);
	use(take());
	push(3);
	use(take());
	use(take());
	return arg;
}

PROGRAM(nothing, owner, thief)
