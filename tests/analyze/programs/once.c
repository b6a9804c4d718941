/*
 * Made by whoever comes first, read by all.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *table;

static void make(void)
{
	table = malloc(sizeof(*table));
	*table = 1;
}

static void *work(void *arg)
{
	pthread_once(&once, make);
	if (*table != 1)
		abort();
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
