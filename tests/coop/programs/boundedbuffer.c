/*
 * One condition for "full" and "empty", and signal where broadcast is needed: a consumer wakes a
 * consumer, and all sleep.
 *
 * Expected: deadlock
 */
#include <pthread.h>

#include "nudge.h"

static int count, taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg)
{
	nudge_wait(0);
	nudge_wait(1);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 2; i++) {
		while (count == 1)
			pthread_cond_wait(&changed, &lock);
		count++;
		pthread_cond_signal(&changed);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *consumer(void *arg)
{
	pthread_mutex_lock(&lock);
	nudge_pass((int)(long)arg);
	while (count == 0)
		pthread_cond_wait(&changed, &lock);
	count--;
	taken++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	nudge_init(2);
	pthread_create(&t[0], NULL, consumer, (void *)0);
	pthread_create(&t[1], NULL, consumer, (void *)1);
	pthread_create(&t[2], NULL, producer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
