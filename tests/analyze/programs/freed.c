/*
 * A block is given back while a thread still uses it.
 *
 * analyze: race block 1
 */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	*(int *)arg = 1;
	return NULL;
}

int main(void)
{
	int *block = malloc(sizeof(*block));
	pthread_t t;

	pthread_create(&t, NULL, work, block);
	free(block);
	pthread_join(t, NULL);
	return 0;
}
