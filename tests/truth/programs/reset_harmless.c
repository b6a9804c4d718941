/*
 * expect: 0
 * options: --engine=reset
 *
 * What event loops do when they begin needs no other engine: asking for limits, preparing for forks
 * that never come.
 */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>

static void nothing(void)
{
}

static void *work(void *arg)
{
	struct rlimit limit;

	assert(getrlimit(RLIMIT_STACK, &limit) == 0);
	assert(pthread_atfork(nothing, nothing, nothing) == 0);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return 0;
}
