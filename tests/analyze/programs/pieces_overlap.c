/*
 * The pieces overlap by one element.
 *
 * analyze: race data 1
 */
#include <pthread.h>
#include <stdlib.h>
#define N 4
#define CHUNK 16
static int data[N * CHUNK];
static void *work(void *arg)
{
	long id = (long)arg;
	for (int i = 0; i <= CHUNK; i++)
		data[id * CHUNK + i] = i;
	return NULL;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (long i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return data[3];
}
