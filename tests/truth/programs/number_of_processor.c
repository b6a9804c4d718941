/*
 * expect: 4
 * match: on which processor a thread runs was not varied
 *
 * Nobody tries all processors.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sched.h>

static int seen[2];

static void *one(void *arg)
{
	seen[0] = sched_getcpu();
	return arg;
}

static void *other(void *arg)
{
	seen[1] = sched_getcpu();
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(seen[0] == seen[1]);
	return 0;
}
