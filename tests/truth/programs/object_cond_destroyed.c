/*
 * The signal may come after the condition was destroyed.
 *
 * expect: 1
 * match: condition after pthread_cond_destroy
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&cond);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	pthread_cond_destroy(&cond);
	pthread_join(t, NULL);
	return 0;
}
