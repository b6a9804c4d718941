/*
 * Memory that is a mutex again and again, by the function and by the static initialiser.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t *shared;
static int n;

static void *worker(void *arg)
{
	pthread_mutex_lock(shared);
	n++;
	pthread_mutex_unlock(shared);
	return NULL;
}

static void round_of(int by_function)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_t t;

	if (by_function)
		pthread_mutex_init(&lock, NULL);
	shared = &lock;
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	n++;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	pthread_mutex_destroy(&lock);
}

int main(void)
{
	round_of(0);
	round_of(1);
	round_of(0);
	assert(n == 6);
	return 0;
}
