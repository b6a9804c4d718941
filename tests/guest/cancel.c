/* Cancellation: every kind of cancellation point, cleanup handlers, states. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem, started;
static int cleaned, owned;

static void clean(void *arg)
{
	cleaned += (int)(long)arg;
}

static void unlock(void *arg)
{
	owned = pthread_mutex_trylock(arg) == EBUSY;
	CHECK(pthread_mutex_unlock(arg) == 0);
}

static void *in_sem(void *arg)
{
	pthread_cleanup_push(clean, (void *)1);
	pthread_cleanup_push(clean, (void *)10);
	sem_post(&started);
	sem_wait(&sem);
	CHECK(0);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return arg;
}

static void *in_cond(void *arg)
{
	CHECK(pthread_mutex_lock(&mutex) == 0);
	pthread_cleanup_push(unlock, &mutex);
	sem_post(&started);
	for (;;)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(0);
	return arg;
}

static void *in_sleep(void *arg)
{
	sem_post(&started);
	for (;;)
		sleep(1000);
	return arg;
}

static void *in_test(void *arg)
{
	sem_post(&started);
	for (;;)
		pthread_testcancel();
	return arg;
}

static void *forever(void *arg)
{
	sem_wait(&sem);
	return arg;
}

static void *in_join(void *arg)
{
	sem_post(&started);
	pthread_join(*(pthread_t *)arg, NULL);
	CHECK(0);
	return NULL;
}

static void *disabled(void *arg)
{
	int old;

	CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
	CHECK(old == PTHREAD_CANCEL_ENABLE);
	CHECK(pthread_setcancelstate(42, NULL) == EINVAL);
	CHECK(pthread_setcanceltype(42, NULL) == EINVAL);
	sem_post(&started);
	CHECK(sem_wait(&sem) == 0);
	pthread_testcancel();
	cleaned = 5;
	CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
	CHECK(old == PTHREAD_CANCEL_DISABLE);
	pthread_testcancel();
	CHECK(0);
	return arg;
}

static pthread_t start(void *(*routine)(void *), void *arg)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, routine, arg) == 0);
	CHECK(sem_wait(&started) == 0);
	return t;
}

static void end(pthread_t t)
{
	void *result;

	CHECK(pthread_join(t, &result) == 0);
	CHECK(result == PTHREAD_CANCELED);
}

static void *exit_with_cleanup(void *arg)
{
	pthread_cleanup_push(clean, (void *)100);
	pthread_exit((void *)3);
	pthread_cleanup_pop(0);
	return arg;
}

int main(void)
{
	pthread_t t, other;
	void *result;

	CHECK(sem_init(&sem, 0, 0) == 0 && sem_init(&started, 0, 0) == 0);
	t = start(in_sem, NULL);
	CHECK(pthread_cancel(t) == 0);
	end(t);
	CHECK(cleaned == 11);

	t = start(in_cond, NULL);
	CHECK(pthread_cancel(t) == 0);
	end(t);
	CHECK(owned == 1);
	CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);

	t = start(in_sleep, NULL);
	CHECK(pthread_cancel(t) == 0);
	end(t);
	t = start(in_test, NULL);
	CHECK(pthread_cancel(t) == 0);
	end(t);

	CHECK(pthread_create(&other, NULL, forever, NULL) == 0);
	t = start(in_join, &other);
	CHECK(pthread_cancel(t) == 0);
	end(t);
	CHECK(sem_post(&sem) == 0);
	CHECK(pthread_join(other, &result) == 0 && result == NULL);

	t = start(disabled, NULL);
	CHECK(pthread_cancel(t) == 0);
	CHECK(sem_post(&sem) == 0);
	end(t);
	CHECK(cleaned == 5);

	CHECK(pthread_create(&t, NULL, exit_with_cleanup, NULL) == 0);
	CHECK(pthread_join(t, &result) == 0 && result == (void *)3);
	CHECK(cleaned == 105);
	SUCCESS();
	return 0;
}
