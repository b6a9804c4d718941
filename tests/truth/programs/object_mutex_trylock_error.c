/*
 * An attempt that finds the mutex taken is an outcome: one thread may be refused, main assumes that it is not.
 *
 * expect: 1
 * match: refused
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int refused;

static void *worker(void *arg)
{
	if (pthread_mutex_trylock(&lock) == EBUSY)
		return &refused;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *result;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(t, &result);
	assert(result != &refused);
	return 0;
}
