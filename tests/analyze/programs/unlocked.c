/*
 * Nothing keeps the two increments apart.
 *
 * analyze: race count 1
 */
#include <pthread.h>
#include <stdlib.h>

static int count;

static void *work(void *arg)
{
	count++;
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
