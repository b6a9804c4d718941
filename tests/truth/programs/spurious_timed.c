/*
 * A wait with a limit may wake up for no reason too: then neither is it late nor is it ready.
 *
 * expect: 1
 * match: late \|\| ready
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
	struct timespec limit = {4000000000, 0};
	pthread_t t;
	int late = 0;

	pthread_create(&t, NULL, setter, NULL);
	pthread_mutex_lock(&lock);
	if (!ready)
		late = pthread_cond_timedwait(&cond, &lock, &limit);
	assert(late || ready);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
