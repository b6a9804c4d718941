/*
 * A condition variable with a deadline: the waiter takes a timeout for the arrival of the item.
 * Bug: it uses an item that is not there.
 * Cause: the result of the timed wait is not looked at.
 * expect: assert
 * found: --strategy=random --runs=20000
 */
#include <time.h>

#include "../bench.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int item;

static void *producer(void *arg)
{
	pthread_mutex_lock(&lock);
	item = 42;
	pthread_cond_signal(&arrived);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *consumer(void *arg)
{
	struct timespec deadline;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += 1;
	pthread_mutex_lock(&lock);
	if (!item)
		pthread_cond_timedwait(&arrived, &lock, &deadline);
	assert(item == 42);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	start(consumer, 0);
	start(producer, 0);
	join_all();
	return 0;
}
