/*
 * A condition is destroyed on which a thread may sleep.
 *
 * expect: 1
 * match: destroy of a condition on which threads wait
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, begun;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	begun = 1;
	while (!ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int wakes;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	wakes = !begun;
	ready = 1;
	if (wakes)
		pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	pthread_cond_destroy(&cond);
	pthread_join(t, NULL);
	return 0;
}
