/*
 * A thread locks a mutex that was destroyed before it was begun.
 *
 * expect: 1
 * match: use of a mutex after pthread_mutex_destroy
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	int n = 0;

	pthread_mutex_lock(&lock);
	n++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_mutex_destroy(&lock);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return 0;
}
