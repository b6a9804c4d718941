/*
 * A signal may wake the thread that was begun last, although another one sleeps there longer.
 *
 * expect: 1
 * match: first == 1
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asleep = PTHREAD_COND_INITIALIZER, queue = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void *sleeper(void *number)
{
	pthread_mutex_lock(&lock);
	while (waiting != (int)(long)number - 1)
		pthread_cond_wait(&asleep, &lock);
	waiting++;
	pthread_cond_broadcast(&asleep);
	while (waiting < 3)
		pthread_cond_wait(&queue, &lock);
	first = first ? first : (int)(long)number;
	pthread_cond_signal(&queue);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, sleeper, (void *)(i + 1));
	pthread_mutex_lock(&lock);
	while (waiting < 2)
		pthread_cond_wait(&asleep, &lock);
	waiting = 3;
	pthread_cond_signal(&queue);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(first == 1);
	return 0;
}
