/*
 * Bug: the consumer sleeps for ever.
 * Cause: it tests the flag before it holds the lock; the signal may come in between.
 * expect: deadlock
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int flag;

static void *consumer(void *arg)
{
	if (!atomic_load(&flag)) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&ready, &lock);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *producer(void *arg)
{
	atomic_store(&flag, 1);
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t c, p;

	pthread_create(&c, NULL, consumer, NULL);
	pthread_create(&p, NULL, producer, NULL);
	pthread_join(c, NULL);
	pthread_join(p, NULL);
	return 0;
}
