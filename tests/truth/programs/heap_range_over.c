/*
 * A block operation that begins in one block and ends in the next.
 *
 * expect: 1
 * match: of 200 bytes beyond the end of a block of 100
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *a, *b;

static void *worker(void *arg)
{
	memset(a, 1, (size_t)arg);
	return NULL;
}

int main(void)
{
	pthread_t t;

	a = malloc(100);
	b = malloc(400);
	pthread_create(&t, NULL, worker, (void *)200);
	pthread_join(t, NULL);
	free(a);
	free(b);
	return 0;
}
