/*
 * expect: 0
 * drawn
 *
 * One thread measures, the other sleeps.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <time.h>
#include <unistd.h>

static void *sleeper(void *arg)
{
	usleep(1000);
	return arg;
}

int main(void)
{
	pthread_t t;
	struct timespec a, b;

	pthread_create(&t, NULL, sleeper, NULL);
	clock_gettime(CLOCK_MONOTONIC, &a);
	clock_gettime(CLOCK_MONOTONIC, &b);
	pthread_join(t, NULL);
	assert(a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec));
	return 0;
}
