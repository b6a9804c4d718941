/*
 * Numbers of threads are given out in the order in which threads begin others: where several do,
 * that order is not followed.
 *
 * expect: 4
 * match: numbers of threads
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int numbers[2];

static void *asks(void *arg)
{
	*(int *)arg = gettid();
	return NULL;
}

static void *begins(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, asks, arg);
	pthread_join(t, NULL);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, begins, &numbers[0]);
	pthread_create(&b, NULL, asks, &numbers[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(numbers[1] < numbers[0]);
	return 0;
}
