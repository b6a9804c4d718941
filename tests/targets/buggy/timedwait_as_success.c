/*
 * Bug: the result is used before it exists.
 * Cause: a wait that timed out is taken for the signal.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int result;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	result = 1;
	pthread_cond_signal(&done);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	struct timespec until;

	pthread_create(&t, NULL, worker, NULL);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 5;
	pthread_mutex_lock(&lock);
	if (result == 0)
		pthread_cond_timedwait(&done, &lock, &until);
	assert(result == 1);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
