/*
 * Each is waited for before the next begins.
 *
 * analyze: none
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
	for (int i = 0; i < 3; i++) {
		pthread_t t;

		pthread_create(&t, NULL, work, NULL);
		pthread_join(t, NULL);
	}
	return count;
}
