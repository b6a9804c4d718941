/*
 * Nine threads set two flags, one checks that they belong together.
 * Bug: the checker sees the first flag and not the second.
 * Cause: it can only do so while no setter at all has set its second flag.
 * expect: assert
 * found: --strategy=random --runs=20000
 * Needed: PCT of depth 3: 166 runs, random switching: 2,162.
 */
#include "../bench.h"

#ifndef SETTERS
#define SETTERS 9
#endif

static _Atomic int a, b;

static void *setter(void *arg)
{
	a = 1;
	b = -1;
	return arg;
}

static void *checker(void *arg)
{
	int seen_a = a, seen_b = b;

	assert(seen_a + seen_b == 0 || (seen_a == 0 && seen_b == -1));
	return arg;
}

int main(void)
{
	for (int i = 0; i < SETTERS; i++)
		start(setter, i);
	start(checker, 0);
	join_all();
	return 0;
}
