/*
 * One slot and a flag without synchronisation: the flag is set before the slot is filled.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

static int slot, full, seen;

static void *producer(void *arg)
{
	full = 1;
	nudge_pass(0);
	nudge_wait(1);
	slot = 42;
	return arg;
}

static void *consumer(void *arg)
{
	nudge_wait(0);
	if (full) {
		int value = slot;

		nudge_pass(1);
		seen++;
		assert(value == 42);
	}
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, producer, NULL);
	pthread_create(&t[1], NULL, consumer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
