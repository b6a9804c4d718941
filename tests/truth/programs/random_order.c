/*
 * expect: 1
 * drawn
 *
 * Who asks for the first random number.
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
	int expected;

	srand(7);
	expected = rand();
	srand(7);
	pthread_create(&t, NULL, other, NULL);
	first = rand();
	pthread_join(t, NULL);
	assert(first == expected);
	return 0;
}
