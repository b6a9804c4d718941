/*
 * expect: 1
 * drawn
 *
 * strtol stores where it stopped.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *end;

static void *reader(void *arg)
{
	strtol("12;", &end, 10);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, reader, NULL);
	assert(end != NULL);
	pthread_join(t, NULL);
	return 0;
}
