/*
 * Atomic accesses do not race with each other.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>

#include <stdatomic.h>

static atomic_int count;

static void *work(void *arg)
{
	atomic_fetch_add(&count, 1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	if (atomic_load(&count) > 2)
		abort();
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
