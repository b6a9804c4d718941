/* det: cancellation in join and timed waits, switched off and on again, and its clean-up order. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static sem_t never, inside;
static pthread_t sleeper;
static int order, first, second, survived;

static void note_first(void *unused)
{
	(void)unused;
	first = ++order;
}

static void note_second(void *unused)
{
	(void)unused;
	second = ++order;
}

static struct timespec in_days(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 100000;
	return t;
}

static void *in_join(void *unused)
{
	(void)unused;
	sem_post(&inside);
	pthread_join(sleeper, NULL);
	return NULL;
}

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void *in_timedwait(void *unused)
{
	struct timespec limit = in_days();
	(void)unused;
	pthread_mutex_lock(&mu);
	pthread_cleanup_push(unlock, &mu);
	sem_post(&inside);
	while (pthread_cond_timedwait(&cv, &mu, &limit) == 0)
		continue;
	pthread_cleanup_pop(1);
	return NULL;
}

static void *in_sem(void *unused)
{
	struct timespec limit = in_days();
	(void)unused;
	pthread_cleanup_push(note_second, NULL);
	pthread_cleanup_push(note_first, NULL);
	sem_post(&inside);
	sem_timedwait(&never, &limit);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

/* A mutex is no cancellation point; nor is anything while cancellation is off. */
static void *reluctant(void *unused)
{
	(void)unused;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	sem_post(&inside);
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
	usleep(100);
	survived = 1;
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	pthread_testcancel();
	survived = 2;
	return NULL;
}

static void *sleep_for_ever(void *unused)
{
	(void)unused;
	for (;;)
		sleep(1000);
	return NULL;
}

static void cancel(void *(*start)(void *), pthread_mutex_t *release)
{
	pthread_t t;
	void *value;
	EXPECT(pthread_create(&t, NULL, start, NULL) == 0);
	sem_wait(&inside);
	usleep(100);
	EXPECT(pthread_cancel(t) == 0);
	if (release)
		pthread_mutex_unlock(release);
	EXPECT(pthread_join(t, &value) == 0 && value == PTHREAD_CANCELED);
}

int main(void)
{
	void *value;
	sem_init(&never, 0, 0);
	sem_init(&inside, 0, 0);
	EXPECT(pthread_create(&sleeper, NULL, sleep_for_ever, NULL) == 0);
	cancel(in_join, NULL);
	cancel(in_timedwait, NULL);
	EXPECT(pthread_mutex_trylock(&mu) == 0); /* given back by the clean-up */
	cancel(in_sem, NULL);
	EXPECT(first == 1 && second == 2);
	pthread_mutex_lock(&held);
	cancel(reluctant, &held);
	EXPECT(survived == 1);
	EXPECT(pthread_cancel(sleeper) == 0); /* a join that was cancelled has not joined */
	EXPECT(pthread_join(sleeper, &value) == 0 && value == PTHREAD_CANCELED);
	return 0;
}
