/*
 * Every thread has a block of its own.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>

static int *fill(int *to)
{
	for (int i = 0; i < 4; i++)
		to[i] = i;
	return to;
}

static void *work(void *arg)
{
	int *mine = fill(calloc(4, sizeof(int)));

	free(mine);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
