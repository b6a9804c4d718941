/*
 * The same with a limit of time.
 *
 * expect: 4
 * match: a join with a limit of time
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static void *worker(void *arg)
{
	return arg;
}

int main(void)
{
	struct timespec when;
	pthread_t t;

	clock_gettime(CLOCK_REALTIME, &when);
	when.tv_sec += 60;
	pthread_create(&t, NULL, worker, NULL);
	if (pthread_timedjoin_np(t, NULL, &when))
		pthread_join(t, NULL);
	return 0;
}
