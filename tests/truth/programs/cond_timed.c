/*
 * A wait that runs out of time has its mutex again afterwards, whatever else time does.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, inside;

static void *setter(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(inside++ == 0);
	ready = 1;
	pthread_cond_signal(&cond);
	inside--;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	struct timespec limit = {4000000000, 0};
	pthread_t t;
	int late = 0;

	pthread_create(&t, NULL, setter, NULL);
	pthread_mutex_lock(&lock);
	while (!ready && !late)
		late = pthread_cond_timedwait(&cond, &lock, &limit);
	assert(inside++ == 0);
	assert(late || ready);
	inside--;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
