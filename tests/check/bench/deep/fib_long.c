/*
 * Two threads add each other's number to their own, ROUNDS times.
 * Bug: the largest Fibonacci number is reached.
 * Cause: it takes strict alternation over all rounds; every other schedule stays below.
 * expect: assert
 * found: --strategy=rr --runs=10000
 * Needed: round robin with quanta that vary from run to run: 96 runs; random runs do not alternate for
 * so long, and an exhaustive search has far more than 10^8 states before it.
 */
#include "../bench.h"

#ifndef ROUNDS
#define ROUNDS 11
#endif

static _Atomic int i = 1, j = 1;

static int largest(void)
{
	int a = 1, b = 1;

	for (int k = 0; k < 2 * ROUNDS; k++) {
		int next = a + b;

		a = b;
		b = next;
	}
	return b;
}

static void *add_j(void *arg)
{
	for (int k = 0; k < ROUNDS; k++)
		i = i + j;
	return arg;
}

static void *add_i(void *arg)
{
	for (int k = 0; k < ROUNDS; k++)
		j = j + i;
	return arg;
}

int main(void)
{
	int most = largest();

	start(add_j, 0);
	start(add_i, 0);
	join_all();
	assert(i < most && j < most);
	return 0;
}
