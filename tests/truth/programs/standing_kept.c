/*
 * Policy, nice value and processors of a thread are what was set, and a new thread begins with those
 * of its creator or of its attributes.
 *
 * expect: 0
 * drawn
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

static void *inherits(void *arg)
{
	cpu_set_t set;

	assert(sched_getscheduler(0) == SCHED_BATCH);
	assert(getpriority(PRIO_PROCESS, 0) == 7);
	assert(sched_getaffinity(0, sizeof(set), &set) == 0);
	assert(CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set));
	assert(sched_getcpu() == 0);
	return arg;
}

static void *sets(void *arg)
{
	struct sched_param param = {0};
	cpu_set_t set;
	pthread_t t;
	int policy;

	CPU_ZERO(&set);
	assert(sched_setaffinity(0, sizeof(set), &set) == -1 && errno == EINVAL);
	CPU_SET(0, &set);
	assert(pthread_setaffinity_np(pthread_self(), sizeof(set), &set) == 0);
	assert(pthread_setschedparam(pthread_self(), SCHED_BATCH, &param) == 0);
	assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
	assert(policy == SCHED_BATCH && param.sched_priority == 0);
	param.sched_priority = 3;
	assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param) == EINVAL);
	assert(nice(7 - getpriority(PRIO_PROCESS, 0)) == 7);
	pthread_create(&t, NULL, inherits, NULL);
	pthread_join(t, NULL);
	return arg;
}

int main(void)
{
	struct sched_param param;
	int policy, before;
	pthread_t t;

	errno = 0;
	before = getpriority(PRIO_PROCESS, 0);
	if (before > 7)
		return 0;
	pthread_create(&t, NULL, sets, NULL);
	pthread_join(t, NULL);
	pthread_getschedparam(pthread_self(), &policy, &param);
	assert(policy == SCHED_OTHER);
	assert(getpriority(PRIO_PROCESS, 0) == before);
	return 0;
}
