/*
 * Whether a thread has ended is asked: not followed, and that is said.
 *
 * expect: 4
 * match: pthread_tryjoin_np
 */
#define _GNU_SOURCE
#include <pthread.h>

static void *worker(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	if (pthread_tryjoin_np(t, NULL))
		pthread_join(t, NULL);
	return 0;
}
