/*
 * Bug: a store behind the end of a heap block.
 * Cause: the free place is tested before the lock is taken; two writers take the last one.
 * expect: heap-range
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PLACES 4

static int *places;
static atomic_int used = PLACES - 1;

static void *append(void *arg)
{
	if (atomic_load(&used) < PLACES) {
		int i = atomic_fetch_add(&used, 1);

		places[i * 16] = 1;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	places = malloc(PLACES * 16 * sizeof(*places));
	pthread_create(&a, NULL, append, NULL);
	pthread_create(&b, NULL, append, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(places);
	return 0;
}
