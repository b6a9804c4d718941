/*
 * Which processors a thread has is state that others see.
 *
 * expect: 1
 * match: assertion failed
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static void *binds(void *arg)
{
	cpu_set_t set;

	for (int i = 0; i < 3; i++) {
		CPU_ZERO(&set);
		CPU_SET(i, &set);
		pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	}
	return arg;
}

int main(void)
{
	cpu_set_t set;
	pthread_t t;

	pthread_create(&t, NULL, binds, NULL);
	pthread_getaffinity_np(t, sizeof(set), &set);
	assert(CPU_COUNT(&set) > 1 || !CPU_ISSET(1, &set));
	pthread_join(t, NULL);
	return 0;
}
