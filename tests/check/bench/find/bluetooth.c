/*
 * A driver is stopped while N requests come in.
 * Bug: work goes on after the driver has stopped.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=1
 * trial: -DN=1 | SURW 70 RFF 45
 * trial: -DN=3 |
 */
#include "../bench.h"

static int pending = 1, stopping, event, stopped;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int enter(void)
{
	if (stopping)
		return -1;
	pthread_mutex_lock(&lock);
	pending++;
	pthread_mutex_unlock(&lock);
	return 0;
}

static void leave(void)
{
	int left;

	pthread_mutex_lock(&lock);
	left = --pending;
	pthread_mutex_unlock(&lock);
	if (left == 0)
		event = 1;
}

static void *request(void *arg)
{
	if (enter() == 0)
		assert(!stopped);
	leave();
	return arg;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		start(request, i);
	stopping = 1;
	leave();
	if (event)
		stopped = 1;
	join_all();
	return 0;
}
