/*
 * expect: 4
 * match: data race
 *
 * Even four bytes that a function copies can be seen half done.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char pair[4] = "aaa";

static void *writer(void *arg)
{
	strcpy(pair, "bbb");
	return arg;
}

int main(void)
{
	pthread_t t;
	char first, last;

	pthread_create(&t, NULL, writer, NULL);
	last = pair[2];
	first = pair[0];
	assert(last != 'b' || first == 'b');
	pthread_join(t, NULL);
	return 0;
}
