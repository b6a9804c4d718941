/* Mutexes: results of every operation and type, exclusion, robust owners that end. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t static_recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t static_check = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t robust;
static int counter;

static void make(pthread_mutex_t *m, int type, int robustness)
{
	pthread_mutexattr_t attr;

	CHECK(pthread_mutexattr_init(&attr) == 0);
	CHECK(pthread_mutexattr_settype(&attr, type) == 0);
	CHECK(pthread_mutexattr_setrobust(&attr, robustness) == 0);
	CHECK(pthread_mutex_init(m, &attr) == 0);
	CHECK(pthread_mutexattr_destroy(&attr) == 0);
}

static struct timespec soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

static void *try_it(void *arg)
{
	return (void *)(long)pthread_mutex_trylock(arg);
}

static int try_elsewhere(pthread_mutex_t *m)
{
	pthread_t t;
	void *result;

	CHECK(pthread_create(&t, NULL, try_it, m) == 0);
	CHECK(pthread_join(t, &result) == 0);
	return (int)(long)result;
}

static void *unlock_it(void *arg)
{
	return (void *)(long)pthread_mutex_unlock(arg);
}

static int unlock_elsewhere(pthread_mutex_t *m)
{
	pthread_t t;
	void *result;

	CHECK(pthread_create(&t, NULL, unlock_it, m) == 0);
	CHECK(pthread_join(t, &result) == 0);
	return (int)(long)result;
}

static void test_plain(void)
{
	struct timespec bad = {0, 2000000000}, t;

	CHECK(pthread_mutex_lock(&plain) == 0);
	CHECK(pthread_mutex_trylock(&plain) == EBUSY);
	CHECK(try_elsewhere(&plain) == EBUSY);
	t = soon(CLOCK_REALTIME);
	CHECK(pthread_mutex_timedlock(&plain, &t) == ETIMEDOUT);
	t = soon(CLOCK_MONOTONIC);
	CHECK(pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &t) == ETIMEDOUT);
	CHECK(pthread_mutex_clocklock(&plain, CLOCK_PROCESS_CPUTIME_ID, &t) == EINVAL);
	CHECK(pthread_mutex_timedlock(&plain, &bad) == EINVAL);
	CHECK(pthread_mutex_unlock(&plain) == 0);
	CHECK(pthread_mutex_timedlock(&plain, &bad) == 0);
	CHECK(pthread_mutex_unlock(&plain) == 0);
	t = soon(CLOCK_REALTIME);
	CHECK(pthread_mutex_timedlock(&plain, &t) == 0);
	CHECK(pthread_mutex_unlock(&plain) == 0);
	CHECK(pthread_mutex_consistent(&plain) == EINVAL);
}

static void test_recursive(pthread_mutex_t *m)
{
	CHECK(pthread_mutex_lock(m) == 0);
	CHECK(pthread_mutex_lock(m) == 0);
	CHECK(pthread_mutex_trylock(m) == 0);
	CHECK(try_elsewhere(m) == EBUSY);
	CHECK(unlock_elsewhere(m) == EPERM);
	CHECK(pthread_mutex_unlock(m) == 0);
	CHECK(pthread_mutex_unlock(m) == 0);
	CHECK(try_elsewhere(m) == EBUSY);
	CHECK(pthread_mutex_unlock(m) == 0);
	CHECK(pthread_mutex_unlock(m) == EPERM);
}

static void test_errorcheck(pthread_mutex_t *m)
{
	struct timespec t;

	CHECK(pthread_mutex_unlock(m) == EPERM);
	CHECK(pthread_mutex_lock(m) == 0);
	CHECK(pthread_mutex_lock(m) == EDEADLK);
	CHECK(pthread_mutex_trylock(m) == EBUSY);
	t = soon(CLOCK_REALTIME);
	CHECK(pthread_mutex_timedlock(m, &t) == EDEADLK);
	CHECK(unlock_elsewhere(m) == EPERM);
	CHECK(pthread_mutex_unlock(m) == 0);
	CHECK(pthread_mutex_unlock(m) == EPERM);
}

static void *lock_and_end(void *arg)
{
	CHECK(pthread_mutex_lock(arg) == 0);
	return NULL;
}

static void test_robust(void)
{
	pthread_t t;

	make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
	CHECK(pthread_create(&t, NULL, lock_and_end, &robust) == 0);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(pthread_mutex_lock(&robust) == EOWNERDEAD);
	CHECK(pthread_mutex_consistent(&robust) == 0);
	CHECK(pthread_mutex_unlock(&robust) == 0);
	CHECK(pthread_mutex_unlock(&robust) == EPERM);
	CHECK(pthread_create(&t, NULL, lock_and_end, &robust) == 0);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(pthread_mutex_trylock(&robust) == EOWNERDEAD);
	CHECK(pthread_mutex_unlock(&robust) == 0);
	CHECK(pthread_mutex_lock(&robust) == ENOTRECOVERABLE);
	CHECK(pthread_mutex_trylock(&robust) == ENOTRECOVERABLE);
	CHECK(pthread_mutex_destroy(&robust) == 0);
}

static void *count(void *arg)
{
	for (int i = 0; i < 5; i++) {
		CHECK(pthread_mutex_lock(&plain) == 0);
		int seen = counter;

		counter = seen + 1;
		CHECK(pthread_mutex_unlock(&plain) == 0);
	}
	return arg;
}

static void test_exclusion(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		CHECK(pthread_create(&t[i], NULL, count, NULL) == 0);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	CHECK(counter == 15);
}

int main(void)
{
	pthread_mutex_t made;

	test_plain();
	test_recursive(&static_recursive);
	make(&made, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
	test_recursive(&made);
	CHECK(pthread_mutex_destroy(&made) == 0);
	test_errorcheck(&static_check);
	make(&made, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	test_errorcheck(&made);
	CHECK(pthread_mutex_destroy(&made) == 0);
	test_robust();
	test_exclusion();
	SUCCESS();
	return 0;
}
