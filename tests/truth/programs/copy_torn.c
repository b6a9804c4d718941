/*
 * expect: 4
 * match: data race
 *
 * A racing copy of a large structure can be seen half done.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct block {
	long words[20];
};

static struct block shared, fresh;

static void *writer(void *arg)
{
	shared = fresh;
	return arg;
}

int main(void)
{
	pthread_t t;
	long last, first;

	for (int i = 0; i < 20; i++)
		fresh.words[i] = 1;
	pthread_create(&t, NULL, writer, NULL);
	last = shared.words[19];
	first = shared.words[0];
	assert(!last || first);
	pthread_join(t, NULL);
	return 0;
}
