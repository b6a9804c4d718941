/*
 * Bug: a consumer takes an item from an empty box.
 * Cause: `if' instead of `while' around the wait: somebody else may have taken it first.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
	pthread_mutex_lock(&lock);
	if (items == 0)
		pthread_cond_wait(&filled, &lock);
	assert(items > 0);
	items--;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *producer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		items++;
		pthread_cond_broadcast(&filled);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t c[2], p;

	for (int i = 0; i < 2; i++)
		pthread_create(&c[i], NULL, consumer, NULL);
	pthread_create(&p, NULL, producer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(c[i], NULL);
	pthread_join(p, NULL);
	return 0;
}
