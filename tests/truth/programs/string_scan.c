/*
 * expect: 1
 * drawn
 *
 * Results of sscanf are writes.
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
	assert(result == 12);
	pthread_join(t, NULL);
	return 0;
}
