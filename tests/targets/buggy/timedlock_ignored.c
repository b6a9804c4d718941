/*
 * Bug: an increment is lost.
 * Cause: a timed lock that expired is treated as taken.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *slow(void *arg)
{
	pthread_mutex_lock(&lock);
	int c = counter;
	counter = c + 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *impatient(void *arg)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	int result = pthread_mutex_timedlock(&lock, &until);
	counter++;
	if (result == 0)
		pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, slow, NULL);
	pthread_create(&b, NULL, impatient, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2);
	return 0;
}
