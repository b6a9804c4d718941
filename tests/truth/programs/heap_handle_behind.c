/*
 * The handle of a new thread is stored behind the end of the block.
 *
 * expect: 1
 * match: heap
 */
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t *handles = calloc(2, sizeof(*handles));

	pthread_create(&handles[2], NULL, thread, NULL);
	return 0;
}
