/*
 * Workers meet at a barrier; one that finds its work done by somebody else leaves early.
 * Bug: the others wait at the barrier for ever.
 * Cause: the barrier still counts the one that left.
 * expect: deadlock
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

#define COUNT 3

static pthread_barrier_t meeting;
static _Atomic int left = COUNT;

static void *worker(void *arg)
{
	int mine = left;

	if (mine == 0)
		return arg;
	left = mine - 1;
	if (left == 0 && mine != 1)
		return arg;
	pthread_barrier_wait(&meeting);
	return arg;
}

int main(void)
{
	pthread_barrier_init(&meeting, NULL, COUNT);
	for (int i = 0; i < COUNT; i++)
		start(worker, i);
	join_all();
	return 0;
}
