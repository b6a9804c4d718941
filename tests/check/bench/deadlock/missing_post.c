/*
 * Two producers announce items with a semaphore, unless the consumer has something to do anyway.
 * Bug: the consumer waits for a post that never comes.
 * Cause: the producer's test and the consumer's are not one step with the count.
 * expect: deadlock
 * found: --strategy=random --runs=1000
 */
#include <semaphore.h>

#include "../bench.h"

#define PRODUCERS 2

static sem_t items;
static _Atomic int waiting;

static void *producer(void *arg)
{
	if (waiting++ == 0)
		sem_post(&items);
	return arg;
}

static void *consumer(void *arg)
{
	int taken = 0;

	while (taken < PRODUCERS) {
		sem_wait(&items);
		taken += waiting;
		waiting = 0;
	}
	return arg;
}

int main(void)
{
	sem_init(&items, 0, 0);
	start(consumer, 0);
	for (int i = 0; i < PRODUCERS; i++)
		start(producer, i);
	join_all();
	return 0;
}
