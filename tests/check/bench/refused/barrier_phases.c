/*
 * Workers compute in phases with a barrier between them.
 * Bug: a worker reads its neighbour's cell of the old phase.
 * Cause: the barrier between reading and writing is missing; there is one per phase, it takes two.
 * expect: assert
 * found: --strategy=random --runs=2000
 */
#include "../bench.h"

#define WORKERS 3
#define PHASES 2

static pthread_barrier_t phase;
static int cells[WORKERS];

static void *worker(void *number)
{
	int me = (int)(intptr_t)number;

	for (int i = 0; i < PHASES; i++) {
		int left = cells[(me + WORKERS - 1) % WORKERS];

		assert(left == i);
		cells[me] = left + 1;
		pthread_barrier_wait(&phase);
	}
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&phase, NULL, WORKERS);
	for (int i = 0; i < WORKERS; i++)
		start(worker, i);
	join_all();
	pthread_barrier_destroy(&phase);
	return 0;
}
