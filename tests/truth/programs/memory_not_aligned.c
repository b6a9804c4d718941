/*
 * Eight bytes across two lines of the cache are not written at once.
 *
 * expect: 4
 * match: an access that is not aligned
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static char bytes[128] __attribute__((aligned(64)));

typedef uint64_t __attribute__((aligned(1))) word;

static void *writes(void *arg)
{
	*(volatile word *)(bytes + 60) = UINT64_MAX;
	return arg;
}

int main(void)
{
	pthread_t thread;
	uint64_t seen;

	pthread_create(&thread, 0, writes, 0);
	seen = *(volatile word *)(bytes + 60);
	pthread_join(thread, 0);
	assert(seen == 0 || seen == UINT64_MAX);
	return 0;
}
