/*
 * Counting the processors in a set reads the set.
 *
 * expect: 1
 * match: seen == 0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static cpu_set_t set;

static void *adds(void *arg)
{
	pthread_mutex_lock(&mutex);
	CPU_SET(3, &set);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int seen;

	pthread_create(&thread, 0, adds, 0);
	pthread_mutex_lock(&mutex);
	seen = CPU_COUNT(&set);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	assert(seen == 0);
	return 0;
}
