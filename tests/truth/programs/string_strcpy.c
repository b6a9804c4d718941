/*
 * expect: 1
 * drawn
 *
 * A library function writes what another thread reads.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char name[16];

static void *writer(void *arg)
{
	strcpy(name, "worker");
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	assert(name[0] == 'w');
	pthread_join(t, NULL);
	return 0;
}
