/*
 * A timed wait in a loop: the waiter ends with the result or with the time past its limit.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done;
static int result;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	result = 1;
	pthread_cond_broadcast(&done);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_condattr_t attr;
	struct timespec until, now;
	int error = 0;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&done, &attr);
	pthread_create(&t, NULL, worker, NULL);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 2;
	pthread_mutex_lock(&lock);
	while (result == 0 && error == 0)
		error = pthread_cond_timedwait(&done, &lock, &until);
	assert(error == 0 || error == ETIMEDOUT);
	assert(result == 1 || error == ETIMEDOUT);
	pthread_mutex_unlock(&lock);
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert(error == 0 || now.tv_sec >= until.tv_sec);
	pthread_join(t, NULL);
	pthread_cond_destroy(&done);
	return 0;
}
