/*
 * expect: 0
 * options: --races=error
 *
 * swab() takes pairs; the byte that has no other stays.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static char to[4];

static void *one(void *arg)
{
	swab("abc", to, 3);
	return arg;
}

static void *other(void *arg)
{
	to[2] = 1;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(to[0] == 'b' && to[2] == 1);
	return 0;
}
