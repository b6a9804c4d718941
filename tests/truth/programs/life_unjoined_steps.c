/*
 * The failure of a thread that nobody joins lies beyond the limit on steps: main's end does not
 * make the execution a whole one.
 *
 * expect: 4
 * match: cut off by a limit
 * options: --max-steps=40
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *arg)
{
	for (;;)
		assert(atomic_fetch_add(&x, 1) != 1000);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	return 0;
}
