/* atomics: a counter that hands out work by an atomic operation: the calls are the same in every
 * run, who takes what is not. */
#include <pthread.h>

#include "check.h"

#define ITEMS 300
#define THREADS 3

static int next, taken[ITEMS];

static void *takes(void *number)
{
	int i;
	while ((i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < ITEMS)
		taken[i] = (int)(long)number;
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, takes, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	unsigned hash = 0;
	for (int i = 0; i < ITEMS; i++)
		hash = hash * 31 + (unsigned)taken[i];
	printf("%x\n", hash);
	return 0;
}
