/*
 * expect: 1
 * drawn
 *
 * The environment is shared.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *other(void *arg)
{
	setenv("HEDDLE_TEST_VALUE", "set", 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	assert(getenv("HEDDLE_TEST_VALUE") == NULL);
	pthread_join(t, NULL);
	return 0;
}
