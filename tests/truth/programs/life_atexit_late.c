/*
 * The process ends while a thread that nobody joins is behind its registration.
 *
 * expect: 1
 * match: abort
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stage;

static void look(void)
{
	if (stage == 1)
		abort();
}

static void *worker(void *arg)
{
	stage = 1;
	atexit(look);
	stage = 2;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	return 0;
}
