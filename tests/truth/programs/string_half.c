/*
 * expect: 4
 * match: data race
 *
 * A racing copy can be seen half done: one step of it is no proof.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char pair[16] = "aaaaaaaa";

static void *writer(void *arg)
{
	strcpy(pair, "bbbbbbbb");
	return arg;
}

int main(void)
{
	pthread_t t;
	char first, last;

	pthread_create(&t, NULL, writer, NULL);
	last = pair[7];
	first = pair[0];
	assert(last != 'b' || first == 'b');
	pthread_join(t, NULL);
	return 0;
}
