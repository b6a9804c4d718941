/*
 * expect: 4
 * options: --trust=confstr
 * match: written by code that is not instrumented
 *
 * The user vouches for a function that does write what threads share.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[256];

static void *writer(void *arg)
{
	path[0] = '#';
	confstr(_CS_PATH, path, sizeof(path));
	return arg;
}

int main(void)
{
	pthread_t t;

	path[0] = '!';
	pthread_create(&t, NULL, writer, NULL);
	path[1] = '?';
	pthread_join(t, NULL);
	return path[0] == 0;
}
