/* det: every wait with a limit ends when nobody comes, and says so. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER, busy = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t none, done;
static mtx_t mtx;
static cnd_t cnd;

static const struct timespec *soon(clockid_t clock)
{
	static thread_local struct timespec t;
	clock_gettime(clock, &t);
	t.tv_nsec += 5000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return &t;
}

static void *holder(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&busy);
	pthread_rwlock_wrlock(&rw);
	mtx_lock(&mtx);
	sem_post(&none);
	sem_wait(&done);
	mtx_unlock(&mtx);
	pthread_rwlock_unlock(&rw);
	pthread_mutex_unlock(&busy);
	return NULL;
}

static void locks(void)
{
	EXPECT(pthread_mutex_timedlock(&busy, soon(CLOCK_REALTIME)) == ETIMEDOUT);
	EXPECT(pthread_mutex_clocklock(&busy, CLOCK_MONOTONIC, soon(CLOCK_MONOTONIC)) == ETIMEDOUT);
	EXPECT(pthread_rwlock_timedrdlock(&rw, soon(CLOCK_REALTIME)) == ETIMEDOUT);
	EXPECT(pthread_rwlock_timedwrlock(&rw, soon(CLOCK_REALTIME)) == ETIMEDOUT);
	EXPECT(pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, soon(CLOCK_MONOTONIC)) == ETIMEDOUT);
	EXPECT(pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, soon(CLOCK_MONOTONIC)) == ETIMEDOUT);
	EXPECT(mtx_timedlock(&mtx, soon(CLOCK_REALTIME)) == thrd_timedout);
}

static void waits(pthread_t t)
{
	pthread_mutex_lock(&mu);
	EXPECT(pthread_cond_timedwait(&cv, &mu, soon(CLOCK_REALTIME)) == ETIMEDOUT);
	EXPECT(pthread_cond_clockwait(&cv, &mu, CLOCK_MONOTONIC, soon(CLOCK_MONOTONIC)) ==
	       ETIMEDOUT);
	pthread_mutex_unlock(&mu);
	EXPECT(sem_timedwait(&none, soon(CLOCK_REALTIME)) == -1 && errno == ETIMEDOUT);
	EXPECT(sem_clockwait(&none, CLOCK_MONOTONIC, soon(CLOCK_MONOTONIC)) == -1 &&
	       errno == ETIMEDOUT);
	EXPECT(pthread_tryjoin_np(t, NULL) == EBUSY);
	EXPECT(pthread_timedjoin_np(t, NULL, soon(CLOCK_REALTIME)) == ETIMEDOUT);
	mtx_t own;
	mtx_init(&own, mtx_plain);
	mtx_lock(&own);
	EXPECT(cnd_timedwait(&cnd, &own, soon(CLOCK_REALTIME)) == thrd_timedout);
	mtx_unlock(&own);
}

int main(void)
{
	pthread_t t;
	sem_init(&none, 0, 0);
	sem_init(&done, 0, 0);
	mtx_init(&mtx, mtx_timed);
	cnd_init(&cnd);
	EXPECT(pthread_create(&t, NULL, holder, NULL) == 0);
	EXPECT(sem_wait(&none) == 0);
	locks();
	waits(t);
	sem_post(&done);
	EXPECT(pthread_join(t, NULL) == 0);
	return 0;
}
