/*
 * A thread polls under a lock; that it does so twice is seen by attempts to take the lock.  A second
 * round in vain is in no schedule, so not all were looked at.
 *
 * expect: 4
 * match: others see a lock that is held for a moment by a thread that waits at poll_lock_seen.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *poller(void *arg)
{
	for (int f = 0; !f;) {
		pthread_mutex_lock(&m);
		f = flag;
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static int busy(void)
{
	if (pthread_mutex_trylock(&m))
		return 1;
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;
	int first, second, third;

	pthread_create(&t, NULL, poller, NULL);
	first = busy();
	second = busy();
	third = busy();
	assert(!(first && !second && third));
	flag = 1;
	pthread_join(t, NULL);
	return 0;
}
