/*
 * With NUDGE the first thread comes twice before the second may: without it the order that was
 * recorded cannot be followed to its end.
 *
 * Expected: by name
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

static int shared;

static void *first(void *arg)
{
	shared = 1;
	if (nudge_on())
		shared = 2;
	nudge_pass(0);
	return arg;
}

static void *second(void *arg)
{
	nudge_wait(0);
	assert(shared != 2);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(1);
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
