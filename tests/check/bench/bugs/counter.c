/*
 * One thread increments a counter, the other decrements it, MAX times each, without a lock.
 * Bug: the sum is not 0 at the end.
 * Cause: updates get lost between read and write.
 * expect: assert
 * found: --strategy=random --runs=100
 */
#include "../bench.h"

#ifndef MAX
#define MAX 5
#endif

static int counter;

static void *add(void *amount)
{
	for (int i = 0; i < MAX; i++)
		counter += (int)(intptr_t)amount;
	return NULL;
}

int main(void)
{
	start(add, 1);
	start(add, -1);
	join_all();
	assert(counter == 0);
	return 0;
}
