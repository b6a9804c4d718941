/*
 * A stack in an array without a lock: one thread pushes, one pops after looking whether there is
 * something.
 * Bug: the stack underflows or hands out a value that was never pushed.
 * Cause: pushes and pops change the top with separate reads and writes.
 * expect: assert
 * found: --strategy=random --runs=2000
 */
#include "../bench.h"

#ifndef ITEMS
#define ITEMS 3
#endif

static int stack[ITEMS + 1], top;

static void *pusher(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		stack[top] = i + 1;
		top = top + 1;
	}
	return arg;
}

static void *popper(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		if (top > 0) {
			top = top - 1;
			assert(top >= 0);
			assert(stack[top] != 0);
			stack[top] = 0;
		}
	}
	return arg;
}

int main(void)
{
	start(pusher, 0);
	start(popper, 0);
	join_all();
	return 0;
}
