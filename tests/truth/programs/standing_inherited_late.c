/*
 * What a thread inherits from one whose standing another thread sets depends on who was first.
 *
 * expect: 4
 * match: standing
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static void *asks(void *arg)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	assert(CPU_COUNT(&set) >= 1);
	return arg;
}

static void *begins(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, asks, NULL);
	pthread_join(t, NULL);
	return arg;
}

int main(void)
{
	cpu_set_t set;
	pthread_t t;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	pthread_create(&t, NULL, begins, NULL);
	pthread_setaffinity_np(t, sizeof(set), &set);
	pthread_join(t, NULL);
	return 0;
}
