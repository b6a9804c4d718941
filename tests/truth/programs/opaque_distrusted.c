/*
 * expect: 4
 * options: --trust=confst,onfstr
 * match: confstr is not instrumented
 *
 * Names that are only alike vouch for nothing.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *writer(void *arg)
{
	char path[256];

	confstr(_CS_PATH, path, sizeof(path));
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	pthread_join(t, NULL);
	return 0;
}
