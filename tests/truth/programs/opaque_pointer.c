/*
 * expect: 4
 * match: opaque_pointer.c:[0-9]+
 *
 * Code nobody knows, called through a pointer.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t (*volatile ask)(int, char *, size_t) = confstr;

static void *writer(void *arg)
{
	char path[256];

	ask(_CS_PATH, path, sizeof(path));
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	pthread_join(t, NULL);
	return 0;
}
