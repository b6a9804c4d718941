/*
 * expect: 1
 * drawn
 *
 * Two readings of the clock, compared.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <time.h>

static struct timespec first, second;

static void *reader(void *arg)
{
	clock_gettime(CLOCK_MONOTONIC, &second);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, reader, NULL);
	clock_gettime(CLOCK_MONOTONIC, &first);
	pthread_join(t, NULL);
	assert(first.tv_nsec <= second.tv_nsec);
	return 0;
}
