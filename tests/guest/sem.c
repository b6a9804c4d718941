/* Semaphores: results, tokens, time limits, named ones. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static sem_t sem;

static struct timespec soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec += t.tv_nsec >= 999000000;
	t.tv_nsec = (t.tv_nsec + 1000000) % 1000000000;
	return t;
}

static int tokens(sem_t *s)
{
	int n = -1;

	CHECK(sem_getvalue(s, &n) == 0);
	return n;
}

static void test_results(void)
{
	struct timespec t, bad = {0, 1000000000};

	CHECK(sem_init(&sem, 0, 2) == 0);
	CHECK(tokens(&sem) == 2);
	CHECK(sem_wait(&sem) == 0);
	CHECK(sem_trywait(&sem) == 0);
	CHECK(tokens(&sem) == 0);
	errno = 0;
	CHECK(sem_trywait(&sem) == -1 && errno == EAGAIN);
	t = soon(CLOCK_REALTIME);
	CHECK(sem_timedwait(&sem, &t) == -1 && errno == ETIMEDOUT);
	t = soon(CLOCK_MONOTONIC);
	CHECK(sem_clockwait(&sem, CLOCK_MONOTONIC, &t) == -1 && errno == ETIMEDOUT);
	CHECK(sem_timedwait(&sem, &bad) == -1 && errno == EINVAL);
	CHECK(sem_post(&sem) == 0);
	t = soon(CLOCK_REALTIME);
	CHECK(sem_timedwait(&sem, &t) == 0);
	CHECK(sem_destroy(&sem) == 0);
	CHECK(sem_init(&sem, 0, SEM_VALUE_MAX) == 0);
	CHECK(sem_post(&sem) == -1 && errno == EOVERFLOW);
	CHECK(sem_destroy(&sem) == 0);
	CHECK(sem_init(&sem, 0, (unsigned int)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
}

static sem_t full, empty;
static int box;

static void *produce(void *arg)
{
	for (int i = 1; i <= 4; i++) {
		CHECK(sem_wait(&empty) == 0);
		box = i;
		CHECK(sem_post(&full) == 0);
	}
	return arg;
}

static void test_box(void)
{
	pthread_t t;
	int sum = 0;

	CHECK(sem_init(&full, 0, 0) == 0 && sem_init(&empty, 0, 1) == 0);
	CHECK(pthread_create(&t, NULL, produce, NULL) == 0);
	for (int i = 1; i <= 4; i++) {
		CHECK(sem_wait(&full) == 0);
		CHECK(box == i);
		sum += box;
		CHECK(sem_post(&empty) == 0);
	}
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(sum == 10);
	CHECK(sem_destroy(&full) == 0 && sem_destroy(&empty) == 0);
}

int main(void)
{
	test_results();
	test_box();
	SUCCESS();
	return 0;
}
