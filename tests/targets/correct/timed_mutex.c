/*
 * Timed locks: either the lock was taken, or time ran out and the section is left out.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int expected;

static void *worker(void *arg)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	int result = pthread_mutex_timedlock(&lock, &until);
	assert(result == 0 || result == ETIMEDOUT);
	if (result == 0) {
		counter++;
		atomic_fetch_add(&expected, 1);
		pthread_mutex_unlock(&lock);
	} else {
		struct timespec now;

		clock_gettime(CLOCK_REALTIME, &now);
		assert(now.tv_sec > until.tv_sec ||
		       (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(counter == atomic_load(&expected) && counter >= 1);
	return 0;
}
