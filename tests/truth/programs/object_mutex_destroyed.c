/*
 * Whoever is last destroys the mutex; one that is late locks it nevertheless.
 *
 * expect: 1
 * match: (mutex after pthread_mutex_destroy|destroy of a mutex)
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int state;

static void *worker(void *arg)
{
	int n = 0;

	state++;
	state++;
	state++;
	pthread_mutex_lock(&lock);
	n++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	if (state == 2)
		pthread_mutex_destroy(&lock);
	pthread_join(t, NULL);
	return 0;
}
