/*
 * Bug: producers and consumers all sleep.
 * Cause: one condition variable for "not full" and "not empty", and signal wakes the wrong side.
 * expect: deadlock
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items; /* at most one */

static void *producer(void *arg)
{
	pthread_mutex_lock(&lock);
	while (items == 1)
		pthread_cond_wait(&changed, &lock);
	items++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *consumer(void *arg)
{
	pthread_mutex_lock(&lock);
	while (items == 0)
		pthread_cond_wait(&changed, &lock);
	items--;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t p[2], c[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&c[i], NULL, consumer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&p[i], NULL, producer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(c[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(p[i], NULL);
	return 0;
}
