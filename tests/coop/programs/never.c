/*
 * Fails by itself only with NUDGE, whatever the order: no execution without it fails.
 *
 * Expected: by name
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

static int shared;

static void *worker(void *arg)
{
	shared++;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	shared += 2;
	pthread_join(t, NULL);
	assert(!nudge_on());
	return 0;
}
