/* det: every kind of mutex and every way to lock one. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER, robust;

static void *try_busy(void *unused)
{
	struct timespec limit;
	(void)unused;
	EXPECT(pthread_mutex_trylock(&busy) == EBUSY);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_nsec += 1000000;
	limit.tv_sec += limit.tv_nsec / 1000000000;
	limit.tv_nsec %= 1000000000;
	EXPECT(pthread_mutex_timedlock(&busy, &limit) == ETIMEDOUT);
	clock_gettime(CLOCK_MONOTONIC, &limit);
	EXPECT(pthread_mutex_clocklock(&busy, CLOCK_MONOTONIC, &limit) == ETIMEDOUT);
	limit.tv_nsec = -1;
	EXPECT(pthread_mutex_timedlock(&busy, &limit) == EINVAL);
	return NULL;
}

static void *die_with_lock(void *unused)
{
	(void)unused;
	EXPECT(pthread_mutex_lock(&robust) == 0);
	return NULL;
}

static void *wait_for_dead(void *unused)
{
	(void)unused;
	int result = pthread_mutex_lock(&robust);
	EXPECT(result == EOWNERDEAD || result == 0);
	puts(result ? "owner died" : "first");
	if (result)
		EXPECT(pthread_mutex_consistent(&robust) == 0);
	EXPECT(pthread_mutex_unlock(&robust) == 0);
	return NULL;
}

int main(void)
{
	pthread_mutex_t m;
	pthread_mutexattr_t a;
	pthread_t t, u;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	EXPECT(pthread_mutex_init(&m, &a) == 0);
	EXPECT(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == 0);
	EXPECT(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
	EXPECT(pthread_mutex_destroy(&m) == 0);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	EXPECT(pthread_mutex_init(&m, &a) == 0);
	EXPECT(pthread_mutex_unlock(&m) == EPERM);
	EXPECT(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == EDEADLK);
	EXPECT(pthread_mutex_unlock(&m) == 0);
	pthread_mutex_lock(&busy);
	EXPECT(pthread_create(&t, NULL, try_busy, NULL) == 0);
	EXPECT(pthread_join(t, NULL) == 0);
	pthread_mutex_unlock(&busy);
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	EXPECT(pthread_mutex_init(&robust, &a) == 0);
	pthread_create(&t, NULL, die_with_lock, NULL);
	pthread_create(&u, NULL, wait_for_dead, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
