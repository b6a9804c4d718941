/* Condition variables: results, time limits on both clocks, signal, broadcast, destroy. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int tokens, taken, waiting;

static struct timespec soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec += t.tv_nsec >= 999000000;
	t.tv_nsec = (t.tv_nsec + 1000000) % 1000000000;
	return t;
}

static void test_limits(void)
{
	struct timespec t, bad = {0, 1000000000};
	pthread_condattr_t attr;
	pthread_cond_t mono;
	pthread_mutex_t check = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

	CHECK(pthread_condattr_init(&attr) == 0);
	CHECK(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
	CHECK(pthread_cond_init(&mono, &attr) == 0);
	CHECK(pthread_mutex_lock(&mutex) == 0);
	t = soon(CLOCK_REALTIME);
	CHECK(pthread_cond_timedwait(&cond, &mutex, &t) == ETIMEDOUT);
	CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
	t = soon(CLOCK_MONOTONIC);
	CHECK(pthread_cond_timedwait(&mono, &mutex, &t) == ETIMEDOUT);
	t = soon(CLOCK_MONOTONIC);
	CHECK(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &t) == ETIMEDOUT);
	CHECK(pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &t) == EINVAL);
	CHECK(pthread_cond_timedwait(&cond, &mutex, &bad) == EINVAL);
	CHECK(pthread_mutex_unlock(&mutex) == 0);
	CHECK(pthread_cond_wait(&cond, &check) == EPERM);
	CHECK(pthread_cond_signal(&cond) == 0);
	CHECK(pthread_cond_broadcast(&cond) == 0);
	CHECK(pthread_cond_destroy(&mono) == 0);
}

static void *take(void *arg)
{
	CHECK(pthread_mutex_lock(&mutex) == 0);
	waiting++;
	while (tokens == 0)
		CHECK(pthread_cond_wait(&cond, &mutex) == 0);
	tokens--;
	taken++;
	CHECK(pthread_mutex_unlock(&mutex) == 0);
	return arg;
}

static void give(int n, int (*wake)(pthread_cond_t *))
{
	CHECK(pthread_mutex_lock(&mutex) == 0);
	tokens += n;
	CHECK(wake(&cond) == 0);
	CHECK(pthread_mutex_unlock(&mutex) == 0);
}

static void test_wake(int with_broadcast)
{
	pthread_t t[3];

	taken = 0;
	for (int i = 0; i < 3; i++)
		CHECK(pthread_create(&t[i], NULL, take, NULL) == 0);
	if (with_broadcast)
		give(3, pthread_cond_broadcast);
	for (int i = 0; i < 3 && !with_broadcast; i++)
		give(1, pthread_cond_signal);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	CHECK(taken == 3 && tokens == 0);
}

/* A wait with a far limit ends by the signal, with the mutex held. */
static void *late(void *arg)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 1000;
	CHECK(pthread_mutex_lock(&mutex) == 0);
	while (tokens == 0) {
		int result = pthread_cond_timedwait(&cond, &mutex, &t);

		CHECK(result == 0 || result == ETIMEDOUT);
		if (result == ETIMEDOUT)
			break;
	}
	tokens = 0;
	CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
	CHECK(pthread_mutex_unlock(&mutex) == 0);
	return arg;
}

static void test_late(void)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, late, NULL) == 0);
	give(1, pthread_cond_signal);
	CHECK(pthread_join(t, NULL) == 0);
	tokens = 0;
}

int main(void)
{
	test_limits();
	test_wake(0);
	test_wake(1);
	test_late();
	CHECK(pthread_cond_destroy(&cond) == 0);
	SUCCESS();
	return 0;
}
