/* Readers-writer locks: results, sharing, preference for writers. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, copy;

static struct timespec soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec += t.tv_nsec >= 999000000;
	t.tv_nsec = (t.tv_nsec + 1000000) % 1000000000;
	return t;
}

static int results[4];

static void *try_both(void *arg)
{
	struct timespec t = soon(CLOCK_REALTIME);

	results[0] = pthread_rwlock_tryrdlock(&lock);
	if (results[0] == 0)
		CHECK(pthread_rwlock_unlock(&lock) == 0);
	results[1] = pthread_rwlock_trywrlock(&lock);
	if (results[1] == 0)
		CHECK(pthread_rwlock_unlock(&lock) == 0);
	results[2] = pthread_rwlock_timedrdlock(&lock, &t);
	if (results[2] == 0)
		CHECK(pthread_rwlock_unlock(&lock) == 0);
	t = soon(CLOCK_MONOTONIC);
	results[3] = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &t);
	if (results[3] == 0)
		CHECK(pthread_rwlock_unlock(&lock) == 0);
	return arg;
}

static void elsewhere(void)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, try_both, NULL) == 0);
	CHECK(pthread_join(t, NULL) == 0);
}

static void test_results(void)
{
	struct timespec bad = {0, -1};

	CHECK(pthread_rwlock_rdlock(&lock) == 0);
	CHECK(pthread_rwlock_rdlock(&lock) == 0);
	CHECK(pthread_rwlock_trywrlock(&lock) == EBUSY);
	CHECK(pthread_rwlock_timedwrlock(&lock, &bad) == EINVAL);
	elsewhere();
	CHECK(results[0] == 0 && results[1] == EBUSY && results[2] == 0);
	CHECK(results[3] == ETIMEDOUT);
	CHECK(pthread_rwlock_unlock(&lock) == 0);
	CHECK(pthread_rwlock_unlock(&lock) == 0);
	CHECK(pthread_rwlock_wrlock(&lock) == 0);
	CHECK(pthread_rwlock_rdlock(&lock) == EDEADLK);
	CHECK(pthread_rwlock_wrlock(&lock) == EDEADLK);
	CHECK(pthread_rwlock_tryrdlock(&lock) == EBUSY);
	elsewhere();
	CHECK(results[0] == EBUSY && results[1] == EBUSY);
	CHECK(results[2] == ETIMEDOUT && results[3] == ETIMEDOUT);
	CHECK(pthread_rwlock_unlock(&lock) == 0);
	elsewhere();
	CHECK(!results[0] && !results[1] && !results[2] && !results[3]);
}

static void *writer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		CHECK(pthread_rwlock_wrlock(&lock) == 0);
		value++;
		copy = value;
		CHECK(pthread_rwlock_unlock(&lock) == 0);
	}
	return arg;
}

static void *reader(void *arg)
{
	for (int i = 0; i < 3; i++) {
		CHECK(pthread_rwlock_rdlock(&lock) == 0);
		CHECK(copy == value);
		CHECK(pthread_rwlock_unlock(&lock) == 0);
	}
	return arg;
}

static void test_sharing(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		CHECK(pthread_create(&t[i], NULL, i < 2 ? writer : reader, NULL) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	CHECK(value == 6);
	value = copy = 0;
}

int main(void)
{
	pthread_rwlockattr_t attr;

	test_results();
	test_sharing();
	CHECK(pthread_rwlockattr_init(&attr) == 0);
	CHECK(pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) ==
	      0);
	CHECK(pthread_rwlock_destroy(&lock) == 0);
	CHECK(pthread_rwlock_init(&lock, &attr) == 0);
	test_sharing();
	CHECK(pthread_rwlock_destroy(&lock) == 0);
	SUCCESS();
	return 0;
}
