/*
 * expect: 1
 * drawn
 *
 * A result of sscanf that comes before it is expected.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int result;

static void *reader(void *arg)
{
	sscanf("12 words", "%d", &result);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, reader, NULL);
	assert(result == 0);
	pthread_join(t, NULL);
	return 0;
}
