/*
 * Eight bytes across two lines of the cache, under a lock.
 *
 * expect: 0
 * match: all 2 behaviours
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char bytes[128] __attribute__((aligned(64)));

typedef uint64_t __attribute__((aligned(1))) word;

static void *writes(void *arg)
{
	pthread_mutex_lock(&mutex);
	*(volatile word *)(bytes + 60) = UINT64_MAX;
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	uint64_t seen;

	pthread_create(&thread, 0, writes, 0);
	pthread_mutex_lock(&mutex);
	seen = *(volatile word *)(bytes + 60);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	assert(seen == 0 || seen == UINT64_MAX);
	return 0;
}
