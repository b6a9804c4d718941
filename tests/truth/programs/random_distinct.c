/*
 * expect: 0
 * drawn
 *
 * Two threads never get the same number of one generator.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first, second;

static void *other(void *arg)
{
	second = rand();
	return arg;
}

int main(void)
{
	pthread_t t;

	srand(7);
	pthread_create(&t, NULL, other, NULL);
	first = rand();
	pthread_join(t, NULL);
	assert(first != second);
	return 0;
}
