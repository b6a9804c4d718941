/*
 * expect: 0
 *
 * The time stamp counter goes on, and what it says is the program's own time.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uint64_t now(void)
{
	uint32_t low, high;

	__asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static void *thread(void *arg)
{
	uint64_t before = now();

	assert(now() >= before);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
