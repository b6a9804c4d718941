/*
 * Two threads raise a pair of numbers over each other, ROUNDS times.
 * Bug: the highest number is reached.
 * Cause: it takes strict alternation over all rounds.
 * expect: assert
 * found: --strategy=rr --runs=10000
 * Needed: round robin as for fib_long.c: 601 runs.
 */
#include "../bench.h"

#ifndef ROUNDS
#define ROUNDS 20
#endif

static _Atomic int i = 3, j = 6;

static void *raise_i(void *arg)
{
	for (int k = 0; k < ROUNDS; k++)
		i = j + 1;
	return arg;
}

static void *raise_j(void *arg)
{
	for (int k = 0; k < ROUNDS; k++)
		j = i + 1;
	return arg;
}

int main(void)
{
	start(raise_i, 0);
	start(raise_j, 0);
	join_all();
	assert(j < 6 + 2 * ROUNDS);
	return 0;
}
