/*
 * A block of its own, until others can see it.
 *
 * analyze: race mine 1
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *last;

static void *work(void *arg)
{
	int *mine = calloc(1, sizeof(int));

	pthread_mutex_lock(&lock);
	last = mine;
	pthread_mutex_unlock(&lock);
	*mine = 1;
	pthread_mutex_lock(&lock);
	if (*last > 1)
		abort();
	pthread_mutex_unlock(&lock);
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
