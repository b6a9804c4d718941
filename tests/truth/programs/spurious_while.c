/*
 * A wait in a loop does not mind being woken for no reason, and the search has an end.
 *
 * expect: 0
 * match: spurious wake-ups considered
 * options: --spurious=on
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, setter, NULL);
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&cond, &lock);
	assert(ready);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
