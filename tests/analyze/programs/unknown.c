/*
 * What a function without code here does to its argument is not known.
 *
 * analyze: opaque outside_function
 */
#include <pthread.h>
#include <stdlib.h>

extern void outside_function(int *to);
static int count;

static void *work(void *arg)
{
	outside_function(&count);
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
