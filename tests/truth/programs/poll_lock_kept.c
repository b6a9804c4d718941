/*
 * A thread waits with a lock that it took before: attempts see the lock, but no round of the loop.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *poller(void *arg)
{
	pthread_mutex_lock(&m);
	while (!flag)
		;
	pthread_mutex_unlock(&m);
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
	int first, second;

	pthread_create(&t, NULL, poller, NULL);
	first = busy();
	second = busy();
	assert(!first || second);
	flag = 1;
	pthread_join(t, NULL);
	return 0;
}
