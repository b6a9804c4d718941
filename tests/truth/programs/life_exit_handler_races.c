/*
 * Threads still run while main's exit handlers do.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int closed;

static void close_all(void)
{
	atomic_store(&closed, 1);
}

static void *thread(void *arg)
{
	assert(!atomic_load(&closed));
	return arg;
}

int main(void)
{
	pthread_t t;

	atexit(close_all);
	pthread_create(&t, NULL, thread, NULL);
	return 0;
}
