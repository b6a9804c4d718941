/*
 * Descriptor numbers are the lowest that are free, so they depend on who comes first.
 * expect: 1
 * match: assertion failed at pipe_numbers.c
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int first;

static void *make(void *arg)
{
	int ends[2];

	assert(pipe(ends) == 0);
	if (arg)
		first = ends[0];
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	int spare[2];

	assert(pipe(spare) == 0);
	pthread_create(&t, NULL, make, &first);
	pthread_create(&u, NULL, make, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(first == spare[1] + 1);
	return 0;
}
